package condition_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
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
				Held: true, HeldSince: long, InPalm: true, PalmSince: long, PalmUntil: r.view.Now, Moved: true, ObstacleAt: r.view.Now,
				RangeAt: r.view.Now, PokedAt: r.view.Now, CubeTappedAt: r.view.Now, Pressed: true, PressedSince: long, Hot: true,
				ChargeStalled: true, Carrying: true,
			}
			r.world.Around = hardware.Around{
				Motion: hardware.Motion{0.5, 0.1, 0, 0.3}, Points: []hardware.SalientPoint{{Kind: "Person"}}, Pets: []hardware.KnownPet{{ID: 1, Times: 3}},
				Light: hardware.Darkened, LightSeq: 3, Music: hardware.Music{Beat: hardware.SteadyBeat}, Habitat: hardware.InHabitat, EngineError: "ImageQualityTooDark", Night: true,
			}
			r.world.Battery.Value = hardware.BatteryState{TempC: 60, CPUTempC: 92}
			r.image(r.view.Now.Sub(r.start))
			r.view.Services.Cube = condition.CubeInteractable
			r.cliffs(4)
			r.world.Range.Value = hardware.RangeState{DistanceMM: 50, Found: true}
			r.world.IMU.Value = hardware.IMUState{PitchRad: 1, RollRad: 1, PeakAccelMMPS2: 20000}
			r.world.Faces = []hardware.KnownFace{{Name: "Ada", DistanceMM: 300, SeenAt: r.view.Now, EyesAt: r.view.Now}}
			r.see(1, hardware.KindCube)
			for i := range r.world.Objects {
				r.world.Objects[i].BaseMM = 60 // in a hand
			}
			in := intent("timer", "time_s", "20.0")
			r.view.Intent = condition.Intents{Pending: in, Active: intent("greet")}
			r.view.TriggerWord = true
			r.view.Mood = condition.Mood{condition.Confident: -0.6, condition.Stimulated: 0.5}
			r.view.Features = map[string]bool{"Exploring": true}
			r.view.Vars = map[string]int32{"Speed": 5}
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

// The same sequence of states gives the same answers with and without findings read in between.
// Rules: data/3.5b.
func TestReadingFindingsChangesNoAnswer(t *testing.T) {
	for name, src := range lives() {
		var answers [2]string
		for run := range answers {
			r := newRig(t)
			c := r.parse(src)
			for i := range 12 {
				r.at(time.Duration(i) * 60 * time.Millisecond)
				if i%4 == 3 {
					moments()[1].set(r)
				}
				for range 2 {
					answers[run] += letter(c.Met(r.view))
					if run == 1 {
						condition.Found(c)
					}
				}
			}
		}
		if answers[0] != answers[1] {
			t.Errorf("%s: answers %s, with findings read %s", name, answers[0], answers[1])
		}
	}
}

// The finding states the answer that was given, in one line with a reason, and its parts state theirs.
// Rules: data/3.5a.
func TestFindingAgreesWithMet(t *testing.T) {
	for name, src := range lives() {
		for _, m := range moments() {
			r := newRig(t)
			c := r.parse(src)
			for range 2 {
				met := c.Met(r.view)
				got := condition.Found(c)
				if !got.Asked || !got.Active || got.Met != met || got.Tick != r.view.Tick || got.Name != c.String() {
					t.Errorf("%s, %s: got %+v after %v", name, m.name, got, met)
				}
				if got.Text == "" || strings.Contains(got.String(), "\n") || !strings.HasPrefix(got.String(), fmt.Sprintf("%s=%v: ", c, met)) {
					t.Errorf("%s, %s: got %q", name, m.name, got)
				}
				m.set(r)
			}
		}
	}
}

// A finding tells the facts of its evaluation although the same view and world hold those of a later tick, and the condition is inactive.
// Rules: data/3.5f.
func TestFindingTellsWhatWasNotWhatIs(t *testing.T) {
	for name, src := range lives() {
		for _, before := range moments() {
			r := newRig(t)
			c := r.parse(src)
			before.set(r)
			c.Met(r.view)
			want := condition.Found(c)
			for _, after := range moments() {
				in := r.view.Intent.Pending
				*r.world, *r.view = hardware.World{}, condition.View{
					World: r.world, Timers: map[string]time.Time{}, Suggestions: map[string]uint64{}, Tick: 77,
				}
				if in != nil {
					*in = condition.Intent{Tag: "other"}
				}
				r.at(seconds(100))
				after.set(r)
				want.Active = false
				c.SetActive(r.view, false)
				if got := condition.Found(c); !reflect.DeepEqual(inactive(got), inactive(want)) {
					t.Errorf("%s, %s, then %s:\ngot  %+v\nwant %+v", name, before.name, after.name, got, want)
				}
			}
		}
	}
}

// Rules: data/3.5e, data/3.5f.
func TestFindingTellsTheEvaluationAfterAQuestionAhead(t *testing.T) {
	for name, src := range lives() {
		r := newRig(t)
		c := r.parse(src)
		c.Met(r.view)
		want := condition.Found(c)
		moments()[1].set(r)
		condition.Ahead(c, r.view)
		if got := condition.Found(c); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, want)
		}
	}
}

// inactive is a finding without what is told of the present.
func inactive(f condition.Finding) condition.Finding {
	f.Active = false
	f.Parts = slices.Clone(f.Parts)
	for i := range f.Parts {
		f.Parts[i] = inactive(f.Parts[i])
	}
	return f
}

// Rules: data/3.5a.
func TestFindingNamesDecidingFact(t *testing.T) {
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
		c.Met(r.view)
		if got := condition.Found(c).String(); got != s.want {
			t.Errorf("got  %s\nwant %s", got, s.want)
		}
	}
}

// Rules: data/3.5a.
func TestFindingOfDedupTellsTheInterval(t *testing.T) {
	r := newRig(t)
	u := condition.NewUnitTest(true)
	c := r.active(condition.Dedup(u, time.Second))
	r.want(c, true)
	wantFound(t, c, "TimedDedup(UnitTestCondition, 1s)=true: value is true")
	r.wantAt(c, seconds(0.25), false)
	wantFound(t, c, "TimedDedup(UnitTestCondition, 1s)=false: met 250ms ago, again in 750ms")
	r.at(seconds(0.5))
	wantFound(t, c, "TimedDedup(UnitTestCondition, 1s)=false: met 250ms ago, again in 750ms")
	u.Value = false
	r.wantAt(c, seconds(1), false)
	wantFound(t, c, "TimedDedup(UnitTestCondition, 1s)=false: value is false")
	if u.Evaluations != 2 {
		t.Errorf("operand evaluated %d times, want 2", u.Evaluations)
	}
}

func wantFound(t *testing.T, c condition.Condition, want string) {
	t.Helper()
	if got := condition.Found(c).String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Rules: data/3.5a.
func TestFindingOfBecameTrueNamesTheEdge(t *testing.T) {
	r := newRig(t)
	u := condition.NewUnitTest(true)
	c := r.active(condition.BecameTrue(u))
	step := func(value bool, want string) {
		t.Helper()
		u.Value = value
		c.Met(r.view)
		wantFound(t, c, "BecameTrueThisTick(UnitTestCondition)="+want)
	}
	step(true, "false: first evaluation never counts")
	step(false, "false: no change to true: value is false")
	step(true, "true: was false, became true: value is true")
	step(true, "false: no change to true: value is true")
}

// A condition in two trees, or in two places of one, is asked again behind the back of the first: its facts are then those of the second.
// Rules: data/3.1f, data/3.5f.
func TestFindingDoesNotTellFactsOfAnotherQuestion(t *testing.T) {
	r := newRig(t)
	shared := condition.Parser{Custom: map[string]condition.Condition{"c": parse(t, condition.Parser{}, samples()["RobotTouched"])}}
	const src = `{"conditionType": "Compound", "not": {"customCondition": "c"}}`
	one, two := r.active(parse(t, shared, src)), r.active(parse(t, shared, src))
	r.want(one, true)
	wantFound(t, one, "not(RobotTouched)=true: not touched")
	r.world.Body.Touched, r.world.Body.TouchedSince = true, r.view.Now // no change of the answer, and in the same tick
	r.want(two, true)
	wantFound(t, two, "not(RobotTouched)=true: touched for 0s, limit 200ms")
	wantFound(t, one, "not(RobotTouched)=true: asked again since, elsewhere")
	custom := condition.Dedup(condition.True(), time.Second)
	twice := r.active(condition.Or(custom, custom))
	r.want(twice, true)
	wantFound(t, twice, "or(TimedDedup(TrueCondition, 1s), TimedDedup(TrueCondition, 1s))=true: TimedDedup(TrueCondition, 1s): asked again since, elsewhere")
}

// foreign is a condition of another package.
type foreign struct{ asked, met, active int }

func (s *foreign) SetActive(*condition.View, bool) { s.active++ }
func (s *foreign) Met(*condition.View) bool        { s.asked++; s.met++; return true }
func (s *foreign) String() string                  { s.asked++; return "Foreign" }

// Rules: data/3.5c.
func TestFindingOfWhatWasNotAskedAndOfForeignConditions(t *testing.T) {
	r := newRig(t)
	c := condition.True()
	wantFound(t, c, "TrueCondition: inactive")
	wantFound(t, r.active(c), "TrueCondition: not asked yet")
	s := &foreign{}
	wantFound(t, s, "*condition_test.foreign: no explanation")
	if s.asked != 0 {
		t.Error("its code ran")
	}
	not := r.active(condition.Not(s))
	r.want(not, false)
	s.asked = 0
	wantFound(t, not, "not(Foreign)=false: no explanation")
	if f := condition.Found(not).Parts[0]; f.Name != "Foreign" || !f.Asked || !f.Met || f.Tick != r.view.Tick || s.asked != 0 {
		t.Errorf("got %+v, and its code ran %d times", f, s.asked)
	}
}

// seer is one that needs vision.
type seer struct{ foreign }

func (*seer) Looks() hardware.Look { return hardware.LookFor(hardware.SeeMotion, hardware.High) }

// Rules: data/3.5c, B-23.
func TestAdoptedConditionIsToldByItsNameAndAnswers(t *testing.T) {
	r := newRig(t)
	s := &foreign{}
	c := condition.Adopt(s)
	wantFound(t, c, "Foreign: inactive")
	r.want(r.active(c), true)
	asked := s.asked
	if _, known := condition.Ahead(c, r.view); known || condition.Own(c) {
		t.Error("taken for one of ours")
	}
	wantFound(t, c, "Foreign=true: no explanation")
	if s.asked != asked || s.active != 1 {
		t.Errorf("its code ran %d times and it was set active %d times", s.asked-asked, s.active)
	}
	if own := condition.True(); condition.Adopt(own) != own {
		t.Error("one of ours was adopted")
	}
	if got, want := condition.Looks(condition.Adopt(&seer{})), (*seer).Looks(nil); got != want {
		t.Errorf("it looks for %v, want %v", got, want)
	}
}

// Rules: data/3.5a.
func TestFindingAsJSONHasItsValuesInOrder(t *testing.T) {
	r := newRig(t)
	r.world.Body.Touched, r.world.Body.TouchedSince, r.world.Body.Battery = true, r.when(seconds(-0.1)), hardware.BatteryFull
	r.world.IMU.Value.PeakAccelMMPS2 = math.NaN()
	for name, want := range map[string]string{
		"RobotTouched":           `{"touched_s":0.1,"limit_s":0.2}`,
		"BatteryLevel":           `{"level":"Full","wanted":"Low"}`,
		"TimerInRange":           `{"since_reset_s":0,"begin_s":0.1,"end_s":0.3}`,
		"RobotShaken":            `{"picked_up":false,"shaken":false,"peak_mmps2":"NaN","limit_mmps2":15000}`,
		"ObjectInitialDetection": `{"located":0,"pass":0,"max_age_s":0}`,
		"ProxInRange":            `{"found":false,"min_mm":40,"max_mm":90}`,
		"Emotion":                `{"value":0,"min":-0.75,"max":-0.5}`,
		"TrueCondition":          `{}`,
	} {
		c := r.parse(samples()[name])
		c.Met(r.view)
		if got, err := json.Marshal(condition.Found(c).Values); string(got) != want || err != nil {
			t.Errorf("%s: got %s (%v), want %s", name, got, err, want)
		}
	}
	c := r.parse(samples()["TimedDedup"])
	c.Met(r.view)
	const want = `{"name":"TimedDedup(RobotPickedUp, 100ms)","asked":true,"met":false,"tick":1,"active":true,"values":{"wait_s":0,"interval_s":0.1},` +
		`"text":"not picked up","parts":[` +
		`{"name":"RobotPickedUp","asked":true,"met":false,"tick":1,"active":true,"values":{"picked_up":false},"text":"not picked up"}]}`
	if got, err := json.Marshal(condition.Found(c)); string(got) != want || err != nil {
		t.Errorf("got  %s (%v)\nwant %s", got, err, want)
	}
}
