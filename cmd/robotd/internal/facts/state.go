package facts

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/feed"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/metrics/record"
)

// stateTopics are what a state view is made of: all but drawings and instants.
var stateTopics = []string{
	topicAction, topicBody, topicBoot, topicCounters, topicDevice, topicFeature, topicIntent, topicLife, topicMap, topicMood, topicPose, topicQuestion,
	topicReading, topicScope, topicSenses, topicSentence, topicServices, topicSettings, topicStack, topicStats, topicStop, topicTracks, topicTroubles, topicWorld, topicWorldStatic,
}

// values are the newest messages of a tick, by topic and key.
type values struct {
	all map[string]map[string][]byte
	at  record.Instant // of the newest of them
	err error
}

func valuesAt(h record.History, tick uint64, topics []string) (*values, error) {
	v := &values{all: map[string]map[string][]byte{}}
	err := h.At(tick, topics, func(m record.Message) bool {
		keys := v.all[m.Topic]
		if keys == nil {
			keys = map[string][]byte{}
			v.all[m.Topic] = keys
		}
		keys[m.Key] = m.Data
		if m.Tick >= v.at.Tick {
			v.at = record.Instant{Tick: m.Tick, At: m.At}
		}
		return true
	})
	return v, err
}

// get reads one value; it stays as it is if there is none.
func (v *values) get(topic, key string, into any) bool {
	data, ok := v.all[topic][key]
	if ok && v.err == nil {
		if err := json.Unmarshal(data, into); err != nil {
			v.err = fmt.Errorf("facts: %s %s: %w", topic, key, err)
		}
	}
	return ok
}

// keys are the keys of a topic, sorted.
func (v *values) keys(topic string) []string { return slices.Sorted(maps.Keys(v.all[topic])) }

// StateAt returns the state view of a tick. Ages are computed from the instants in the stream; that of a fresh reading is 0.
func StateAt(h record.History, tick uint64) (*control.State, error) {
	if err := within(h, tick); err != nil {
		return nil, err
	}
	v, err := valuesAt(h, tick, stateTopics)
	if err != nil {
		return nil, unread(h, tick, err)
	}
	s := &control.State{Tick: tick}
	var life lifeValue
	if !v.get(topicLife, "", &life) {
		return nil, fmt.Errorf("facts: tick %d has no topic %s: this is no recording of a robot", tick, topicLife)
	}
	s.PeriodMS, s.Robot, s.Version, s.Simulated = life.PeriodMS, life.Robot, life.Version, life.Simulated
	s.Behaviors, s.Intents, s.Stages = life.Behaviors, life.Intents, life.Stages
	s.Parts, s.Definitions = life.Parts, life.Definitions
	s.TimeS = seconds(timeOf(h, tick, v.at))
	v.boot(s)
	v.mind(s, &life)
	v.actions(s)
	v.body(s)
	v.devices(s)
	v.world(s)
	v.troubles(s)
	if v.err == nil {
		s.Latency, v.err = latencyAt(h, tick, s.TimeS)
	}
	if v.err == nil {
		s.Log, v.err = logAt(h, tick)
	}
	return s, v.err
}

// within refuses a tick that cannot be read.
func within(h record.History, tick uint64) error {
	first, last := h.Span()
	if tick < first.Tick || tick > last.Tick {
		return control.Refuse(fmt.Errorf("tick %d is not recorded: ticks %d to %d are (%.1f to %.1f s)", tick, first.Tick, last.Tick, first.At.Seconds(), last.At.Seconds()))
	}
	for _, g := range h.Gaps() {
		if tick >= g.From.Tick && tick <= g.To.Tick {
			return control.Refuse(fmt.Errorf("tick %d is not recorded: %s from %.1f to %.1f s", tick, g.Reason, g.From.At.Seconds(), g.To.At.Seconds()))
		}
	}
	return nil
}

// unread explains why a tick was not read. A damaged part of a file is a gap once it was read, which says more than the error of the reader.
func unread(h record.History, tick uint64, err error) error {
	if gap := within(h, tick); gap != nil {
		return gap
	}
	if damage, ok := errors.AsType[*record.DamageError](err); ok {
		return control.Refuse(damage)
	}
	return err
}

// timeOf is when a tick was. One without a message is as many periods after newest, the newest message, as there are ticks between them.
func timeOf(h record.History, tick uint64, newest record.Instant) time.Duration {
	if newest.Tick == tick {
		return newest.At
	}
	if _, last := h.Span(); last.Tick == tick {
		return last.At
	}
	return newest.At + time.Duration(tick-newest.Tick)*time.Duration(h.Life().PeriodNS)
}

func (v *values) boot(s *control.State) {
	var b bootValue
	v.get(topicBoot, "", &b)
	s.Stage, s.Boot, s.Checks, s.SelfTest, s.Run = b.Stage, b.Boot, b.Checks, b.SelfTest, b.Run
	v.get(topicStop, "", &s.Stop)
	s.EStop = s.Stop.Mind || s.Stop.Line
}

func (v *values) mind(s *control.State, life *lifeValue) {
	var stack stackValue
	v.get(topicStack, "", &stack)
	s.Stack = make([]control.StackEntry, len(stack.Layers))
	for i, l := range stack.Layers {
		s.Stack[i] = control.StackEntry{ID: l.ID, Class: l.Class, State: l.State, ActiveS: age(s, l.SinceS), InControl: i == len(stack.Layers)-1}
	}
	v.questions(s, life)
	v.get(topicIntent, "", &s.Intent)
	v.get(topicMood, "", &s.Mood)
	var f featureValue
	v.get(topicFeature, "", &f)
	s.Feature = control.FeatureState{Name: f.Name, Run: f.Run, Source: f.Source}
	if f.SinceS != 0 {
		s.Feature.ActiveS = age(s, f.SinceS)
	}
	var stats statsValue
	v.get(topicStats, "", &stats)
	s.Stats = stats.Stats
	v.get(topicServices, "", &s.Services)
	s.Settings = control.SettingsState{Features: []control.GateState{}, Reactions: []control.ReactionState{}}
	v.get(topicSettings, "", &s.Settings)
}

func (l *lifeValue) class(id string) string {
	if i, ok := slices.BinarySearch(l.Behaviors, id); ok && i < len(l.Classes) {
		return l.Classes[i]
	}
	return ""
}

// age is the time since an instant, to a millisecond.
func age(s *control.State, since float64) float64 { return math.Round((s.TimeS-since)*1000) / 1000 }

func (v *values) actions(s *control.State) {
	s.Actions = []control.ActionState{}
	for _, key := range v.keys(topicAction) {
		var a actionValue
		if v.get(topicAction, key, &a); a.Result == "" {
			s.Actions = append(s.Actions, control.ActionState{
				Tag: a.Tag, Slot: a.Slot, Name: a.Name, Status: a.Status, ForS: age(s, a.SinceS), Tracks: a.Tracks, Owner: a.Owner,
			})
		}
	}
	slices.SortFunc(s.Actions, func(a, b control.ActionState) int {
		return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Tag, b.Tag))
	})
	var t tracksValue
	v.get(topicTracks, "", &t)
	s.Tracks = t.Tracks
}

func (v *values) devices(s *control.State) {
	for _, name := range hardware.Names {
		var d deviceValue
		if !v.get(topicDevice, name, &d) {
			continue
		}
		e := control.DeviceState{
			Name: d.Name, Quality: d.Quality, Restarts: d.Restarts, Reinits: d.Reinits, Retries: d.Retries, Errors: d.Errors, Cause: d.Cause, Fault: d.Fault, Why: d.Why,
		}
		if d.AtS != 0 {
			e.AgeMS = 1000 * age(s, d.AtS)
		}
		r := feed.ReadingOf(name, &hardware.World{}) // of a device that was never read
		if data, ok := v.all[topicReading][name]; ok && v.err == nil {
			r, v.err = feed.DecodeReading(name, data)
		}
		if v.err == nil {
			if e.Value = r.Text(); e.Why != "" {
				e.Value = ""
			}
			sense(&s.Body.Sensors, r)
		}
		s.Devices = append(s.Devices, e)
	}
}

// sense puts a reading into what the page draws.
func sense(s *control.SensorState, r feed.Reading) {
	switch r := r.(type) {
	case feed.CliffReading:
		s.Cliff = r.Detected
	case feed.MotorsReading:
		s.LeftMM, s.RightMM = r.LeftMM, r.RightMM
	case feed.RangeReading:
		s.RangeMM = r.DistanceMM
	case feed.SpeakerReading:
		s.Sound = feed.SoundNumber(r.ID)
	}
}

func (v *values) body(s *control.State) {
	v.get(topicSenses, "", &s.Senses)
	marks, objects := mapMarks{Marks: []control.MapMark{}}, mapObjects{Objects: []control.MapObject{}}
	v.get(topicMap, "belief", &s.Map.MapBelief)
	v.get(topicMap, "marks", &marks)
	v.get(topicMap, "objects", &objects)
	s.Map.Marks, s.Map.Objects = marks.Marks, objects.Objects
	var b bodyValue
	v.get(topicBody, "", &b)
	var p hardware.Pose
	v.get(topicPose, "", &p)
	s.Body = control.BodyState{
		Pose: p, Treads: b.Treads, Battery: b.Battery, Volts: b.Volts, Charge: b.Charge, Charging: b.Charging, OnCharger: b.OnCharger,
		Touched: b.Touched, Face: b.Face, Gaze: b.Gaze, Lid: b.Lid, Shape: b.Shape, Breath: b.Breath, FaceLayer: b.FaceLayer, Says: b.Says, Lights: b.Lights, HeadRad: b.HeadRad, LiftMM: b.LiftMM,
	}
}

func (v *values) world(s *control.State) {
	var fixed worldStatic
	if !v.get(topicWorldStatic, "", &fixed) {
		return
	}
	var r worldRobot
	var cubes worldCubes
	var faces worldFaces
	var pose poseValue
	v.get(topicPose, "", &pose)
	w := &control.WorldState{Table: fixed.Table, Walls: fixed.Walls, Obstacles: fixed.Obstacles, Believed: pose.Believed}
	v.get(topicWorld, "robot", &r)
	v.get(topicWorld, "charger", &w.Charger)
	v.get(topicWorld, "cubes", &cubes)
	v.get(topicWorld, "faces", &faces)
	w.Robot = control.WorldRobot{Pose: r.Pose, Held: r.Held, Fallen: r.Fallen, PitchRad: r.PitchRad, RollRad: r.RollRad, LengthMM: fixed.LengthMM, WidthMM: fixed.WidthMM, BackMM: fixed.BackMM, Lacks: fixed.Lacks}
	w.Cubes, w.Faces, w.RangeMM = cubes.Cubes, faces.Faces, r.RangeMM
	sin, cos := math.Sincos(r.HeadingRad)
	for _, c := range fixed.Cliffs {
		w.Cliffs = append(w.Cliffs, [2]float64{r.XMM + c[0]*cos - c[1]*sin, r.YMM + c[0]*sin + c[1]*cos})
	}
	s.World = w
}

func (v *values) troubles(s *control.State) {
	v.get(topicCounters, "", &s.Counters)
	var f failuresValue
	var slow slowValue
	v.get(topicTroubles, "failures", &f)
	v.get(topicTroubles, "slow_hooks", &slow)
	v.get(topicTroubles, "counts", &s.Troubles.TroubleCounts)
	s.Troubles.Failures, s.Troubles.SlowHooks, s.Troubles.Warnings = f.Failures, slow.SlowHooks, []control.WarningState{}
	for _, key := range v.keys(topicTroubles) {
		if strings.HasPrefix(key, "noted/") {
			var w control.WarningState
			v.get(topicTroubles, key, &w)
			s.Troubles.Warnings = append(s.Troubles.Warnings, w)
		}
	}
	slices.SortFunc(s.Troubles.Warnings, func(a, b control.WarningState) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What))
	})
}

// latencyAt is the tick timing of the minute before a tick, from the messages about each second. That of the newest second may not be
// written yet.
func latencyAt(h record.History, tick uint64, atS float64) (control.LatencyState, error) {
	var t feed.Timing
	var missed, skipped uint64
	from := h0(h, tick, time.Minute+2*time.Second)
	period := max(time.Duration(h.Life().PeriodNS), time.Millisecond)
	_, last := h.Span()
	err := h.Scan([]string{topicTiming}, from, min(tick+uint64(2*time.Second/period)+1, last.Tick), func(m record.Message) bool {
		var v timingValue
		if json.Unmarshal(m.Data, &v) != nil {
			return false
		}
		for i, at := range v.AtS {
			if at <= atS+1e-6 {
				t.Add(control.Seconds(at), micros(v.DurationUS[i]), micros(v.LateUS[i]))
			}
		}
		if m.Tick <= tick || missed+skipped == 0 {
			missed, skipped = v.Missed, v.Skipped
		}
		return m.Tick <= tick
	})
	s := t.State()
	s.Missed, s.Skipped = missed, skipped
	return s, err
}

func micros(us float64) time.Duration { return time.Duration(us * 1e3) }

// h0 is the tick about a time before another one, or the first.
func h0(h record.History, tick uint64, before time.Duration) uint64 {
	first, _ := h.Span()
	return back(first.Tick, tick, before, h.Life().PeriodNS)
}

// back is the tick about a time before another one, but not before the first.
func back(first, tick uint64, before time.Duration, periodNS int64) uint64 {
	n := uint64(before / max(time.Duration(periodNS), time.Millisecond))
	if tick < first+n {
		return first
	}
	return tick - n
}

// stateLines is how many lines of the log a state view has.
const stateLines = 50

// logAt lists the newest lines as of a tick. It looks back ever farther until it has enough, each time at what it has not seen.
func logAt(h record.History, tick uint64) ([]control.LogEntry, error) {
	first, _ := h.Span() // once: that of a robot that lives moves on
	lines, to := []control.LogEntry{}, tick
	for before := 5 * time.Minute; ; before *= 6 {
		older, from := []control.LogEntry{}, back(first.Tick, tick, before, h.Life().PeriodNS)
		err := h.Scan([]string{topicLog}, from, to, func(m record.Message) bool {
			if l, ok := lineOf(m); ok {
				older = append(older, l)
			}
			return true
		})
		lines = append(older, lines...)
		if err != nil || len(lines) >= stateLines || from == first.Tick {
			return lines[max(0, len(lines)-stateLines):], err
		}
		to = from - 1
	}
}

// lineOf reads one line of the log.
func lineOf(m record.Message) (control.LogEntry, bool) {
	var v logValue
	if json.Unmarshal(m.Data, &v) != nil || v.Level < 0 || v.Level >= len(levels) {
		return control.LogEntry{}, false
	}
	return control.LogEntry{TimeS: v.TimeS, Level: levels[v.Level], Text: v.Message}, true
}
