package walk

import (
	"math"
	"time"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// A Situation is a state of the robot and of what is around it.
type Situation struct {
	Name string
	// Edit changes the readings of a robot that stands on a table, before a person, a cube and a charger. Nil changes nothing.
	Edit func(s *hardware.Snapshot)
	// After is how long it lasts before the behavior is asked.
	After time.Duration
	// Wake says that the trigger word was just heard.
	Wake bool
	// Data are those of the intent that is pending, if the behavior answers to one.
	Data map[string]string
}

// situations are tried in this order.
func situations() []Situation {
	contacts := func(s *hardware.Snapshot) { s.Charger.Value = hardware.ChargerState{OnContacts: true, Charging: true} }
	held := func(s *hardware.Snapshot) {
		s.Cliff.Value = hardware.CliffState{Detected: [4]bool{true, true, true, true}}
		s.IMU.Value.PitchRad, s.IMU.Value.AccelMMPS2 = 0.17, [3]float64{1700, 0, 9660}
	}
	return []Situation{
		{Name: "on the table"},
		{Name: "on the charger", Edit: contacts},
		{Name: "on the charger, charged", Edit: func(s *hardware.Snapshot) {
			contacts(s)
			s.Charger.Value.Charging = false
			s.Battery.Value.Volts, s.Battery.Value.Ratio = 4.2, 1
		}},
		{Name: "on the charger for an hour", Edit: contacts, After: time.Hour},
		{Name: "on the table for an hour", After: time.Hour},
		{Name: "with a low battery", Edit: low},
		{Name: "with a low battery on the charger", Edit: func(s *hardware.Snapshot) { low(s); contacts(s) }},
		{Name: "spoken to", Wake: true},
		{Name: "in a hand", Edit: held},
		{Name: "shaken in a hand", Edit: func(s *hardware.Snapshot) { held(s); s.IMU.Value.PeakAccelMMPS2 = 30000 }},
		{Name: "petted", Edit: func(s *hardware.Snapshot) {
			s.Touch.Value = hardware.TouchState{Touched: true, Since: s.Now.Add(-time.Minute)}
		}},
		{Name: "at an edge", Edit: func(s *hardware.Snapshot) { s.Cliff.Value.Detected[0], s.Cliff.Value.Raw[0] = true, 0 }},
		{Name: "before an obstacle", Edit: func(s *hardware.Snapshot) { s.Range.Value = hardware.RangeState{DistanceMM: 60, Found: true} }},
		{Name: "alone", Edit: func(s *hardware.Snapshot) { s.Vision.Value.Faces, s.Vision.Value.Objects = nil, nil }},
		{Name: "before two cubes", Edit: func(s *hardware.Snapshot) { cubes(s, hardware.Object{DistanceMM: 350, BearingRad: 0.6}) }},
		{Name: "before a stack", Edit: func(s *hardware.Snapshot) { cubes(s, hardware.Object{DistanceMM: 300, BearingRad: -0.2, BaseMM: 44}) }},
		{Name: "with a cube on the lift", Edit: func(s *hardware.Snapshot) { s.Vision.Value.Carrying, s.Vision.Value.CubeConnected = true, true }},
	}
}

// cubes adds a second cube.
func cubes(s *hardware.Snapshot, o hardware.Object) {
	o.ID, o.Kind = 3, hardware.KindCube
	s.Vision.Value.Objects = append(s.Vision.Value.Objects, o)
}

func low(s *hardware.Snapshot) { s.Battery.Value.Volts, s.Battery.Value.Ratio = 3.4, 0.1 }

// A situation lasts for some moments before a behavior is asked, because the estimator believes some readings only when they stay: the
// voltage of the battery is smoothed over 20 s.
const (
	settling     = 4
	momentLength = 20 * time.Second
)

// moment puts the robot into a situation. Entry is the behavior that will be asked; nil for none.
func (w *walker) moment(s *Situation, entry *catalog.Entry) {
	for i := range settling {
		w.tick++
		w.now = w.now.Add(momentLength)
		if i == settling-1 && s != nil {
			w.now = w.now.Add(s.After)
		}
		in := engine.Input{Tick: w.tick, Now: w.now, World: standing(w.now, w.tick), Seed: w.opts.Seed}
		if s != nil && s.Edit != nil {
			s.Edit(&in.World)
		}
		if i == settling-1 && s != nil {
			in.Commands = w.words(s, entry)
		}
		w.Moment(in)
	}
}

// words are the trigger word, and the intent that the behavior answers to, or else one behind it.
func (w *walker) words(s *Situation, entry *catalog.Entry) (cs []engine.Command) {
	if s.Wake {
		cs = append(cs, engine.Command{Kind: engine.WakeWord})
	}
	if tag := w.intent(entry, map[*catalog.Entry]bool{}); tag != "" {
		cs = append(cs, engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: tag, Data: s.Data, Source: "walk"}})
	}
	return cs
}

// intent is the first intent that a behavior answers to, or one that it shares scope with.
func (w *walker) intent(e *catalog.Entry, seen map[*catalog.Entry]bool) string {
	if e == nil || seen[e] {
		return ""
	}
	seen[e] = true
	if len(e.Intents) > 0 {
		return e.Intents[0]
	}
	for _, id := range e.Links {
		if tag := w.intent(w.cat.Find(id), seen); tag != "" {
			return tag
		}
	}
	return ""
}

// standing are the readings of a robot on a table, before a person, a cube and a charger.
func standing(now time.Time, seq uint64) hardware.Snapshot {
	s := hardware.Snapshot{Now: now}
	put := func(device string, value any) {
		s.Put(&hardware.Sample{Device: device, Seq: seq, At: now, Quality: hardware.OK, Value: value})
	}
	put(hardware.Battery, hardware.BatteryState{Volts: 3.9, Amps: -0.3, Ratio: 0.6})
	put(hardware.Charger, hardware.ChargerState{})
	put(hardware.Cliff, hardware.CliffState{Raw: [4]float64{800, 800, 800, 800}})
	put(hardware.Display, hardware.DisplayState{})
	put(hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, 9806}, PeakAccelMMPS2: 9806})
	put(hardware.Lights, hardware.LightsState{})
	put(hardware.Motors, hardware.MotorState{})
	put(hardware.Range, hardware.RangeState{DistanceMM: 1200})
	put(hardware.Servos, hardware.ServoState{LiftMM: 32})
	put(hardware.Speaker, hardware.SpeakerState{})
	put(hardware.Touch, hardware.TouchState{})
	put(hardware.Vision, hardware.Detections{
		CapturedAt: now,
		Faces:      []hardware.Face{{ID: 1, Name: "Ada", DistanceMM: 500, ElevationRad: 0.3}},
		Objects: []hardware.Object{
			{ID: 1, Kind: hardware.KindCharger, DistanceMM: 600, BearingRad: 0.3, HeadingRad: math.Pi},
			{ID: 2, Kind: hardware.KindCube, DistanceMM: 300, BearingRad: -0.2},
		},
		CubeConnected: true,
	})
	return s
}
