// Package formattest makes a resource tree that has a behavior of every class and a condition of every type of the format. Tests let a
// robot live with it.
package formattest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/format"
	"github.com/robotd/robotd/resources"
)

// Names in the tree.
const (
	Base     = "GeneratedBase"
	Nobody   = "ask_nobody" // an intent that no behavior takes
	trigger  = "look_curious"
	event    = "GeneratedEvent"
	leaves   = 24
	restID   = "Wait"
	condPart = "While"
	ownClass = "OnboardingLookAtPhone" // of anonymous behaviors; it may run in the hand
)

// timers are those of the format.
var timers = []string{
	"DancingCooldown", "FistBump", "ListenForBeatsCooldown", "ObservingOnCharger", "ObservingOffCharger", "PlayingWithCube", "PounceOnMotion",
	"ReactToIllumination", "ReactToTouchPetting", "Socializing",
}

// object is a JSON object.
type object map[string]any

// A generator makes the files.
type generator struct {
	t       testing.TB
	classes *behaviors.Registry
	files   map[string]object
	intents []string
	leaf    int
}

// Tree makes the tree for classes. It is the same each time.
func Tree(t testing.TB, classes *behaviors.Registry) fs.FS {
	t.Helper()
	g := &generator{t: t, classes: classes, files: map[string]object{}, intents: []string{Nobody}}
	g.leaves()
	for i := range format.Rows() {
		g.class(&format.Rows()[i])
	}
	for i := range format.Rows() {
		g.fixed(&format.Rows()[i])
	}
	g.conditions()
	g.structure()
	return g.tree()
}

// leafClasses are classes whose behaviors end by themselves and delegate to nobody.
func (g *generator) leafClasses() []*format.Row {
	var rows []*format.Row
	for i := range format.Rows() {
		r := &format.Rows()[i]
		if r.State == behaviors.StandIn && r.Wants == format.Always && len(r.Fixed)+len(r.FixedIf)+len(r.FixedAnonymous) == 0 && !r.Options && !r.Links &&
			r.Hold != format.Forever && !names(r.Keys) && g.classes.Find(r.Name).State == behaviors.StandIn {
			rows = append(rows, r)
		}
	}
	return rows
}

// names reports whether a key names a behavior.
func names(keys []format.Key) bool {
	return slices.ContainsFunc(keys, func(k format.Key) bool {
		return k.Type == format.Behavior || k.Type == format.Behaviors || k.Type == format.Known || k.Type == format.KnownOnes || names(k.Keys)
	})
}

func leafID(i int) string { return fmt.Sprintf("Leaf%02d", i) }

func (g *generator) leaves() {
	rows := g.leafClasses()
	for i := range leaves {
		g.add(leafID(i), rows[i%len(rows)])
	}
}

// nextLeaf is the next of the leaves, around and around.
func (g *generator) nextLeaf() string {
	g.leaf++
	return leafID(g.leaf % leaves)
}

// class adds a behavior that is called like its class, or as the code of another class calls it.
func (g *generator) class(r *format.Row) {
	id := r.Name
	for i := range format.Rows() {
		for _, named := range fixedOf(&format.Rows()[i]) {
			if strings.EqualFold(named, id) {
				id = named
			}
		}
	}
	g.add(id, r)
}

// fixedOf are the behaviors that the code of a class names.
func fixedOf(r *format.Row) []string {
	ids := slices.Clone(r.Fixed)
	for _, f := range r.FixedIf {
		ids = append(ids, f.ID)
	}
	return ids
}

// fixed adds what the code of a class names.
func (g *generator) fixed(r *format.Row) {
	rows := g.leafClasses()
	for _, id := range fixedOf(r) {
		if g.files[id] == nil {
			g.leaf++
			g.add(id, rows[g.leaf%len(rows)])
		}
	}
}

// add makes a behavior of a class that reads without a mistake: with all behaviors that it may name if that is possible.
func (g *generator) add(id string, r *format.Row) {
	var wrong resources.Diagnostics
	for _, optional := range []bool{true, false} {
		o := g.fill(r, optional)
		o["behaviorClass"], o["behaviorID"] = r.Name, id
		if r.Wants == format.IntentPending && len(r.Intents) == 0 {
			o["respondToUserIntents"] = []object{{"type": g.intent(id)}}
		}
		for _, name := range r.FixedAnonymous {
			own := g.fill(format.Find(ownClass), false)
			own["behaviorClass"], own["behaviorName"] = ownClass, name
			o["anonymousBehaviors"] = []object{own}
		}
		mistakes := g.mistakes(o)
		if wrong = append(wrong, mistakes...); len(mistakes) == 0 {
			g.files[id] = o
			g.intents = append(g.intents, r.Intents...)
			return
		}
	}
	g.t.Fatalf("no file of the table is right for class %s:\n%s", r.Name, wrong)
}

// intent is the tag that asks for a behavior.
func (g *generator) intent(id string) string {
	tag := "ask_" + strings.ToLower(id)
	g.intents = append(g.intents, tag)
	return tag
}

// mistakes reads a file as its class does.
func (g *generator) mistakes(o object) (wrong resources.Diagnostics) {
	id := o["behaviorID"].(string)
	doc, diags := resources.Parse(id+".json", encode(g.t, o))
	if doc == nil {
		return diags
	}
	root := doc.Root()
	root.Declare("behaviorClass", "behaviorID", "anonymousBehaviors")
	behaviors.ReadReferences(id, g.classes.Find(o["behaviorClass"].(string)), root)
	root.Finish()
	for _, d := range doc.Diagnostics() {
		if d.Severity == resources.Error {
			wrong = append(wrong, d)
		}
	}
	return wrong
}

// fill gives values to the keys of a class.
func (g *generator) fill(r *format.Row, optional bool) object {
	o := g.values(r.Keys, optional)
	switch r.Name {
	case "AnimSequence", "AnimSequenceWithFace", "AnimSequenceWithObject":
		o["animTriggers"] = []string{trigger}
	case "AttentionTransferIfNeeded":
		o["attentionTransferReason"], o["animsIfNotRecent"] = "NoWifi", []string{trigger}
	case "DriveToFace":
		o["minDriveToFaceDistanceKey_mm"] = 200
	case "FindFaceAndThen":
		o["timeUntilCancelFaceSearch_s"] = 5
	case "LookAroundInPlace":
		p := o["params"].(object)
		p["s0_MainTurnCWChance"], p["behavior_AngleOfFocus_deg"] = 0.5, 0
		p["sx_BodyTurnSpeed_degPerSec"], p["sxt_HeadTurnSpeed_degPerSec"], p["sxh_HeadTurnSpeed_degPerSec"] = 60, 60, 60
	case "ReactToVoiceCommand":
		o["animListeningGetIn"], o["animListeningLoop"], o["animListeningGetOut"] = trigger, trigger, trigger
	case "DispatcherScoring":
		o["behaviors"] = []object{{"behaviorID": g.nextLeaf(), "scoring": object{"flatScore": 1}}}
	case "HighLevelAI", "PRDemo":
		o["states"] = []object{{"name": "First", "behavior": g.nextLeaf()}, {"name": "Second", "behavior": g.nextLeaf(), "getInBehavior": g.nextLeaf()}}
		o["initialState"] = "First"
		o["transitionDefinitions"] = []object{
			{"from": "First", "exitTransitions": []object{{"to": "Second", "condition": object{"conditionType": "TrueCondition"}}}},
			{"from": "Second", "exitTransitions": []object{{"to": "First", "condition": object{"conditionType": "TrueCondition"}}}},
		}
		delete(o, "resumeReplacements")
		delete(o, "stateTimerConditions")
		if r.Name == "HighLevelAI" {
			o["postBehaviorSuggestionResumeOverrides"] = object{"Sleep": "Second"}
		}
	case "SleepCycle":
		var reasons []object
		for _, reason := range []string{"BatteryFull", "MotionDetected"} {
			reasons = append(reasons, object{"reason": reason, "condition": object{"conditionType": "TrueCondition"}})
		}
		o["wakeReasonConditions"], o["alwaysWakeReasons"] = reasons, []string{"BatteryFull"}
		o["wakeFromStates"] = []object{{"fromState": "LightSleep", "reasons": []string{"MotionDetected"}}}
	}
	return o
}

func (g *generator) values(keys []format.Key, optional bool) object {
	o := object{}
	for i := range keys {
		k := &keys[i]
		behavior := k.Type == format.Behavior || k.Type == format.Behaviors || names(k.Keys)
		if k.Required || g.requiredBy(k, keys) || optional && behavior {
			o[k.Name] = g.value(k, optional)
		}
	}
	return o
}

// requiredBy reports whether another key, which is true if nobody says anything, makes this one required.
func (*generator) requiredBy(k *format.Key, keys []format.Key) bool {
	return slices.ContainsFunc(keys, func(o format.Key) bool { return o.Name == k.RequiredIf && o.Default == true })
}

func (g *generator) value(k *format.Key, optional bool) any {
	switch k.Type {
	case format.Bool:
		return false
	case format.Int:
		return int(max(k.Low, min(2, k.High))) + map[bool]int{true: 2}[k.High == 0]
	case format.Float:
		if k.High != 0 {
			return (k.Low + min(k.High, 8)) / 2
		}
		return 2
	case format.Enum:
		return k.Words[0]
	case format.Behavior, format.Known:
		return g.nextLeaf()
	case format.Behaviors, format.KnownOnes:
		return []string{g.nextLeaf(), g.nextLeaf()}
	case format.Trigger:
		return trigger
	case format.Triggers:
		return []string{trigger}
	case format.Condition:
		return object{"conditionType": "OnCharger"}
	case format.Intents:
		return []object{{"type": Nobody}}
	case format.Intent:
		return Nobody
	case format.Timer:
		return timers[0]
	case format.Emotion:
		return event
	case format.Object:
		return g.values(k.Keys, optional)
	case format.Objects:
		return []object{g.values(k.Keys, optional)}
	case format.Numbers:
		return []float64{1, 2}
	case format.Texts:
		if len(k.Words) > 0 {
			return []string{k.Words[0]}
		}
		return []string{"Text"}
	case format.Map:
		return object{}
	default:
		return "Text"
	}
}

// conditions adds a behavior for each type of condition: its gate asks the condition, and is open whatever it answers.
func (g *generator) conditions() {
	rows := g.leafClasses()
	for i, name := range condition.Types() {
		sample, known := samples()[name]
		if !known {
			g.t.Fatalf("there is no sample of the condition type %s", name)
		}
		c := object{"conditionType": name}
		for k, v := range sample {
			c[k] = v
		}
		id := condPart + name
		g.add(id, rows[i%len(rows)])
		g.files[id]["wantsToBeActivatedCondition"] = object{"conditionType": "Compound", "or": []object{c, {"conditionType": "TrueCondition"}}}
	}
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (g *generator) tree() fs.FS {
	intents := slices.Concat(g.intents, condition.ProductTags(), []string{"simple_voice_response"})
	slices.Sort(intents)
	boot := object{
		"normalBaseBehavior": Base, "fallbackBehavior": restID, "userIntents": slices.Compact(intents), "timers": timers,
		"features": []string{"AttentionTransfer", "Exploring"}, "enabledFeatures": []string{"Exploring"}, "behaviorStats": []string{"Generated"},
	}
	tree := fstest.MapFS{
		"behavior_config.json":         {Data: encode(g.t, boot)},
		"emotionevents/generated.json": {Data: encode(g.t, object{"name": event, "emotionAffectors": []object{{"emotionType": "Happy", "value": 0.1}}})},
	}
	for id, o := range g.files {
		tree["behaviors/"+id+".json"] = &fstest.MapFile{Data: encode(g.t, o)}
	}
	return tree
}
