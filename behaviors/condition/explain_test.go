package condition_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// moment is a state of the robot in which many conditions are met, or few.
type moment struct {
	name string
	set  func(r *rig)
}

func moments() []moment {
	return []moment{
		{"at rest", func(*rig) {}},
		{"all at once", func(r *rig) {
			r.at(seconds(0.2))
			long := r.when(-time.Minute)
			r.world.Body = hardware.Body{
				PickedUp: true, Shaken: true, Touched: true, OnContacts: true, Treads: hardware.InAir,
				Battery: hardware.BatteryLow, TouchedSince: long, TreadsSince: long, CliffSince: long,
			}
			r.cliffs(4)
			r.world.Range.Value = hardware.RangeState{DistanceMM: 50, Found: true}
			r.world.IMU.Value = hardware.IMUState{PitchRad: 1, RollRad: 1, PeakAccelMMPS2: 20000}
			r.world.Faces = []hardware.KnownFace{{Name: "Ada", DistanceMM: 300, SeenAt: r.view.Now}}
			r.see(1, hardware.KindCube)
			in := intent("timer", "time_s", "20.0")
			r.view.Intent = condition.Intents{Pending: in, Active: intent("greet")}
			r.view.TriggerWord = true
			r.view.Mood = condition.Mood{condition.Confident: -0.6, condition.Stimulated: 0.5}
			r.view.Features = map[string]bool{"Exploring": true}
			r.view.Suggestions["Sleep"] = r.view.Tick
			r.view.Timers["FistBump"] = r.view.Now
		}},
		{"blind", func(r *rig) {
			for _, name := range hardware.Names {
				r.quality(name, hardware.Failed)
			}
		}},
	}
}

// The same sequence of states gives the same answers with and without explanations in between.
// Rules: data/3.5b.
func TestExplainDoesNotChangeAnswers(t *testing.T) {
	for _, name := range condition.Types() {
		var answers [2]string
		for run := range answers {
			r := newRig(t)
			c := r.parse(samples()[name])
			ask := func() {
				if run == 1 {
					condition.Explain(c, r.view)
				}
			}
			for i := range 12 {
				r.at(time.Duration(i) * 60 * time.Millisecond)
				if i%4 == 3 {
					moments()[1].set(r)
				}
				for range 2 {
					ask()
					answers[run] += map[bool]string{false: "F", true: "T"}[c.Met(r.view)]
					ask()
				}
			}
		}
		if answers[0] != answers[1] {
			t.Errorf("%s: answers %s, with questions %s", name, answers[0], answers[1])
		}
	}
}

// After every evaluation the explanation states the answer just given.
// Rules: data/3.5a.
func TestExplainAgreesWithMet(t *testing.T) {
	for _, name := range condition.Types() {
		for _, m := range moments() {
			r := newRig(t)
			c := r.parse(samples()[name])
			for range 2 {
				met := c.Met(r.view)
				got := condition.Explain(c, r.view)
				want := c.String() + map[bool]string{false: "=false: ", true: "=true: "}[met]
				if !strings.HasPrefix(got, want) || strings.ContainsAny(got, "\n") || len(got) == len(want) {
					t.Errorf("%s, %s: got %q, want it to begin with %q", name, m.name, got, want)
				}
				m.set(r)
			}
		}
	}
}

// Rules: data/3.5a.
func TestExplainBeforeFirstEvaluationPredictsAnswer(t *testing.T) {
	for _, name := range condition.Types() {
		for _, m := range moments() {
			r := newRig(t)
			c := r.parse(samples()[name])
			m.set(r)
			before := condition.Explain(c, r.view)
			if met := c.Met(r.view); !strings.HasPrefix(before, c.String()+map[bool]string{false: "=false", true: "=true"}[met]) {
				t.Errorf("%s, %s: explained %q, then met %v", name, m.name, before, met)
			}
		}
	}
}

// Rules: data/3.5a.
func TestExplainNamesDecidingFact(t *testing.T) {
	const and = `{"conditionType": "Compound", "and": [{"not": {"conditionType": "OnCharger"}}, {"conditionType": "RobotPickedUp"}, {"conditionType": "TrueCondition"}]}`
	for _, s := range []struct {
		src  string
		set  func(r *rig)
		want string
	}{
		{`{"conditionType": "Compound", "not": {"conditionType": "OnCharger"}}`, func(r *rig) { r.world.Body.OnContacts = true }, "not(OnCharger)=false: on contacts"},
		{
			and, func(r *rig) { r.world.Body.OnContacts = true },
			"and(not(OnCharger), RobotPickedUp, TrueCondition)=false: not(OnCharger): on contacts; RobotPickedUp: not picked up",
		},
		{
			and, func(r *rig) { r.world.Body.PickedUp = true },
			"and(not(OnCharger), RobotPickedUp, TrueCondition)=true: not(OnCharger): off contacts; RobotPickedUp: picked up; TrueCondition: always",
		},
		{samples()["BatteryLevel"], func(r *rig) { r.quality(hardware.Battery, hardware.Failed) }, "BatteryLevel(Low)=true: battery reading is failed, taken as Low"},
		{samples()["BehaviorTimer"], func(r *rig) { r.view.Timers["FistBump"] = r.when(seconds(-3)) }, `BehaviorTimer("FistBump", 15s)=false: reset 3s ago`},
		{samples()["BehaviorSuggested"], func(r *rig) { r.view.Suggestions["Sleep"] = r.view.Tick; r.view.Tick += 4 }, "BehaviorSuggested(Sleep)=false: suggested 4 ticks ago"},
		{samples()["CliffDetected"], func(r *rig) { r.cliffs(1) }, "CliffDetected(2)=false: 1 of 4 sensors over a cliff"},
		{samples()["CliffDetected"], func(r *rig) { r.quality(hardware.Cliff, hardware.Absent) }, "CliffDetected(2)=false: cliff reading is absent, taken as a cliff"},
		{samples()["FaceKnown"], func(r *rig) { r.world.Faces = make([]hardware.KnownFace, 2) }, "FaceKnown=false: 0 of 2 faces pass"},
		{samples()["OffTreadsState"], func(r *rig) { r.world.Body.TreadsSince = r.when(seconds(-1.5)) }, "OffTreadsState(InAir)=false: OnTreads for 1.5s"},
		{samples()["ProxInRange"], func(r *rig) { r.world.Range.Value = hardware.RangeState{Found: true, DistanceMM: 123.45} }, "ProxInRange=false: object at 123.5 mm"},
		{samples()["RobotTouched"], func(r *rig) { r.world.Body.Touched, r.world.Body.TouchedSince = true, r.when(seconds(-0.1)) }, "RobotTouched=false: touched for 100ms, limit 200ms"},
		{samples()["TimerInRange"], func(r *rig) { r.at(seconds(0.5)) }, "TimerInRange(100ms..300ms)=false: 500ms since reset"},
		{samples()["UserIntentPending"], func(r *rig) { r.view.Intent.Pending = intent("da\nnce") }, `UserIntentPending(timer, greet)=false: intent is "da\nnce"`},
		{samples()["OnChargerPlatform"], func(r *rig) { r.world.Body.OnPlatform = true }, "OnChargerPlatform=true: on the platform"},
		{samples()["OnChargerPlatform"], func(*rig) {}, "OnChargerPlatform=false: off the platform"},
		{samples()["RobotShaken"], func(r *rig) { r.world.IMU.Value.PeakAccelMMPS2 = 9810 }, "RobotShaken=false: not picked up, peak 9810.0 mm/s²"},
		{samples()["RobotShaken"], func(r *rig) { r.quality(hardware.IMU, hardware.Stale) }, "RobotShaken=false: imu reading is stale"},
		{samples()["RobotPitchInRange"], func(r *rig) { r.world.IMU.Value.PitchRad = 0.1 }, "RobotPitchInRange=false: 5.7°"},
		{samples()["RobotRollInRange"], func(r *rig) { r.quality(hardware.IMU, hardware.Failed) }, "RobotRollInRange=false: imu reading is failed"},
		{samples()["ObjectKnown"], func(r *rig) { r.see(1, hardware.KindCube); r.at(seconds(2)) }, "ObjectKnown(cube, charger)=false: 1 located, newest seen 2s ago"},
		{samples()["ObjectKnown"], func(*rig) {}, "ObjectKnown(cube, charger)=false: none located"},
		{samples()["ObjectKnown"], func(r *rig) { r.quality(hardware.Vision, hardware.Stale) }, "ObjectKnown(cube, charger)=false: vision reading is stale"},
		{samples()["AnyUserIntent"], func(r *rig) { r.view.Intent.Active = intent("greet") }, `AnyUserIntent=true: active is "greet"`},
		{samples()["DeviceFailed"], func(r *rig) { r.quality(hardware.IMU, hardware.Failed) }, "DeviceFailed(imu)=true: imu reading is failed"},
	} {
		r := newRig(t)
		c := r.parse(s.src)
		s.set(r)
		if got := condition.Explain(c, r.view); got != s.want {
			t.Errorf("got  %s\nwant %s", got, s.want)
		}
	}
}

// Rules: data/3.5b.
func TestExplainOfStatefulConditionsRepeatsTheAnswer(t *testing.T) {
	r := newRig(t)
	u := condition.NewUnitTest(true)
	dedup, edge := r.active(condition.Dedup(u, time.Second)), condition.BecameTrue(condition.NewUnitTest(true))
	r.active(edge)
	want := func(c condition.Condition, want string) {
		t.Helper()
		if got := condition.Explain(c, r.view); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	r.want(dedup, true)
	want(dedup, "TimedDedup(UnitTestCondition, 1s)=true: value is true")
	r.wantAt(dedup, seconds(0.25), false)
	want(dedup, "TimedDedup(UnitTestCondition, 1s)=false: met 250ms ago, again in 750ms")
	want(edge, "BecameTrueThisTick(UnitTestCondition)=false: first evaluation never counts")
	if u.Evaluations != 1 {
		t.Errorf("operand evaluated %d times, want 1", u.Evaluations)
	}
}

// Rules: data/3.5a.
func TestExplainOfBecameTrueNamesTheEdge(t *testing.T) {
	r := newRig(t)
	u := condition.NewUnitTest(false)
	c := r.active(condition.BecameTrue(u))
	want := func(want string) {
		t.Helper()
		if got := condition.Explain(c, r.view); got != "BecameTrueThisTick(UnitTestCondition)="+want {
			t.Errorf("got %s, want …=%s", got, want)
		}
	}
	r.want(c, false)
	want("false: no change to true: value is false")
	u.Value = true
	r.at(seconds(1))
	want("true: was false, became true: value is true")
	r.want(c, true)
	want("true: was false, became true: value is true")
	r.at(seconds(2))
	want("false: no change to true: value is true")
}

// Rules: data/3.5b.
func TestExplainForgetsTheAnswerOfAnEarlierActivation(t *testing.T) {
	r := newRig(t)
	c := r.parse(samples()["ObjectKnown"])
	r.see(1, hardware.KindCube)
	r.want(c, true, false)
	c.SetActive(r.view, true) // now the sighting is new again
	if got, want := condition.Explain(c, r.view), "ObjectKnown(cube, charger)=true: 1 located, newest seen 0s ago"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// foreign is a condition of another package.
type foreign struct{ asked int }

func (s *foreign) SetActive(*condition.View, bool) {}
func (s *foreign) Met(*condition.View) bool        { s.asked++; return true }
func (s *foreign) String() string                  { return "Foreign" }

// Rules: data/3.5c.
func TestExplainOfInactiveAndForeignConditions(t *testing.T) {
	r := newRig(t)
	if got, want := condition.Explain(condition.True(), r.view), "TrueCondition: inactive"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s := &foreign{}
	if got := condition.Explain(s, r.view); got != "Foreign" || s.asked != 0 {
		t.Errorf("got %q after %d evaluations", got, s.asked)
	}
	not := r.active(condition.Not(s))
	r.want(not, false)
	if got, want := condition.Explain(not, r.view), "not(Foreign)=false: no explanation"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
