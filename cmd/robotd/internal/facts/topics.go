package facts

import (
	"reflect"
	"slices"
	"strings"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/feed"
	"github.com/robotd/robotd/cmd/robotd/internal/why"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/metrics/record"
)

// The topics.
const (
	topicAction      = "/action"
	topicBody        = "/body"
	topicBoot        = "/boot"
	topicCounters    = "/counters"
	topicDevice      = "/device"
	topicEvent       = "/event"
	topicFeature     = "/feature"
	topicIntent      = "/intent"
	topicLife        = "/life"
	topicLog         = "/log"
	topicMap         = "/map"
	topicMood        = "/mood"
	topicPose        = "/pose"
	topicAsked       = why.TopicAsked
	topicQuestion    = why.TopicQuestion
	topicSentence    = "/sentence"
	topicReading     = "/reading"
	topicScene       = "/scene"
	topicScope       = "/scope"
	topicSenses      = "/senses"
	topicServices    = "/services"
	topicSettings    = "/settings"
	topicStack       = "/stack"
	topicStats       = "/stats"
	topicStop        = "/stop"
	topicTF          = "/tf"
	topicTiming      = "/timing"
	topicTracks      = "/tracks"
	topicTroubles    = "/troubles"
	topicWorld       = "/world"
	topicWorldStatic = "/world/static"
)

// A Topic describes one topic of the stream.
type Topic struct {
	Name    string
	Schema  string // its name; that of Foxglove's where Foxglove draws it
	Key     string // what its keys are; empty: it has one value
	Doc     string
	Instant bool // its messages tell what happened; otherwise they hold until the next one
	value   any  // one of its Go type; several for a topic whose keys have several
}

// Topics returns all topics, by name.
func Topics() []Topic {
	return []Topic{
		{topicAction, "robotd.Action", "tag", "an action that waits or runs; with a result once it ended, and then no value", false, actionValue{}},
		{topicAsked, "robotd.Asked", "behavior", "whom a behavior asks, in order", false, why.Order{}},
		{topicBody, "robotd.Body", "", "what the robot believes of its body", false, bodyValue{}},
		{topicBoot, "robotd.Boot", "", "stage of life, and what belongs at the bottom of the stack", false, bootValue{}},
		{topicCounters, "robotd.Counters", "", "failures and achievements since start", false, control.CounterState{}},
		{topicDevice, "robotd.Device", "device", "quality, counts, and the injected fault of a device", false, deviceValue{}},
		{topicEvent, "robotd.Event", "number", "something that happened: activated, action, intent, fault, failure, restart, person, stop", true, timedEvent{}},
		{topicFeature, "robotd.Feature", "", "the active feature", false, featureValue{}},
		{topicIntent, "robotd.Intent", "", "the user intent", false, control.IntentState{}},
		{topicLife, "robotd.Life", "", "what never changes: names of behaviors, classes, intents, stages", false, lifeValue{}},
		{topicLog, "foxglove.Log", "number", "a line of the log", true, logValue{}},
		{topicMood, "robotd.Mood", "", "the mood", false, control.MoodState{}},
		{topicPose, "foxglove.PoseInFrame", "", "where the robot believes to be", false, poseValue{}},
		{topicQuestion, "robotd.Question", "behavior", "the newest question to a behavior, and its answer", false, why.Question{}},
		{topicReading, "robotd.Reading", "device", "the newest reading of a device", false, []any{
			feed.BatteryReading{},
			feed.ChargerReading{},
			feed.CliffReading{},
			feed.DisplayReading{},
			feed.IMUReading{},
			feed.LightsReading{},
			feed.MotorsReading{},
			feed.RangeReading{},
			feed.ServosReading{},
			feed.SpeakerReading{},
			feed.TouchReading{},
			feed.VisionReading{},
		}},
		{topicScene, "foxglove.SceneUpdate", "entity", "the scene for drawing", false, sceneUpdate{}},
		{topicMap, "robotd.Map", "belief, marks, objects", "what the robot believes of its surroundings, in its odometry frame", false, []any{
			control.MapBelief{}, mapMarks{}, mapObjects{},
		}},
		{topicScope, "robotd.Scope", "", "the behaviors in activatable scope that are not on the stack", false, scopeValue{}},
		{topicSentence, "robotd.Sentence", "", "what the robot does and why, and what holds it back", false, sentenceValue{}},
		{topicSenses, "robotd.Senses", "", "what the robot perceives of hands, heat and surroundings", false, sensesValue{}},
		{topicServices, "robotd.Services", "", "what behaviors hold of the body's shared facilities", false, control.ServicesState{}},
		{topicSettings, "robotd.Settings", "", "what people set for good: features, and reactions to conditions", false, control.SettingsState{}},
		{topicStack, "robotd.Stack", "", "the behaviors on the stack, base first", false, stackValue{}},
		{topicStats, "robotd.Stats", "", "behavior stats since start", false, statsValue{}},
		{topicStop, "robotd.Stop", "", "the emergency stop", false, control.StopState{}},
		{topicTF, "foxglove.FrameTransform", "", "where the robot is: true in a simulation, believed otherwise", false, transform{}},
		{topicTiming, "robotd.Timing", "", "the tick times of the last second", false, timingValue{}},
		{topicTracks, "robotd.Tracks", "", "who holds which body part", false, tracksValue{}},
		{topicTroubles, "robotd.Troubles", "failures, slow_hooks, counts, noted/KIND/WHAT", "what failed, was slow, refused or lost since start", false, []any{
			failuresValue{}, slowValue{}, control.TroubleCounts{}, control.WarningState{},
		}},
		{topicWorld, "robotd.World", "robot, charger, cubes, faces", "what moves in the simulated world, as it is", false, []any{
			worldRobot{}, hardware.Pose{}, worldCubes{}, worldFaces{},
		}},
		{topicWorldStatic, "robotd.WorldStatic", "", "what stays in the simulated world", false, worldStatic{}},
	}
}

// Names lists the names of all topics.
func Names() []string {
	all := Topics()
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.Name
	}
	return names
}

// Recorded lists the topics for a recording.
func Recorded() []record.Topic {
	var all []record.Topic
	for _, t := range Topics() {
		all = append(all, record.Topic{Name: t.Name, SchemaName: t.Schema, Schema: string(t.JSONSchema()), Doc: t.Doc})
	}
	return append(all, record.Topic{Name: record.Tape, Doc: "what a replay needs", Opaque: true})
}

// JSONSchema returns the JSON schema of the topic's messages.
func (t Topic) JSONSchema() []byte {
	kinds, several := t.value.([]any)
	if !several {
		s := schemaOf(reflect.TypeOf(t.value))
		s["title"], s["description"] = t.Schema, t.Doc
		return encode(s)
	}
	var all []map[string]any
	for _, v := range kinds {
		all = append(all, schemaOf(reflect.TypeOf(v)))
	}
	return encode(map[string]any{"title": t.Schema, "description": t.Doc, "type": "object", "anyOf": all})
}

// schemaOf is the JSON schema of a Go type, which stands within others, as package encoding/json writes it.
func schemaOf(t reflect.Type, within ...reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Interface:
		return map[string]any{}
	case reflect.Pointer:
		return schemaOf(t.Elem(), within...)
	case reflect.Struct:
		if slices.Contains(within, t) { // a part that has parts of its own
			return map[string]any{"type": "object"}
		}
		properties := map[string]any{}
		addFields(properties, t, append(slices.Clone(within), t))
		return map[string]any{"type": "object", "properties": properties}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem(), within...)}
	case reflect.Slice, reflect.Array:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem(), within...)}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	}
	return map[string]any{"type": "integer"}
}

func addFields(properties map[string]any, t reflect.Type, within []reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			addFields(properties, f.Type, within)
		case name != "" && name != "-":
			properties[name] = schemaOf(f.Type, within...)
		}
	}
}
