package condition_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// headRaised is a type that another program adds: it measures, and looks for faces.
func headRaised() condition.Type {
	return condition.Type{
		Name: "HeadRaised", Doc: "The head is raised.",
		New: func(o *resources.Object) (condition.Condition, condition.Texts) {
			least := o.FloatRangeOr("least_deg", 20, -22, 45)
			if o.BoolOr("explode", false) && !o.Probing() {
				panic("no fuse")
			}
			c := condition.Measured(fmt.Sprintf("HeadRaised(%g°)", least), func(v *condition.View) float64 { return v.World.Servos.Value.HeadRad * 57.29578 },
				func(deg float64) bool { return deg >= least })
			return looking{c.(condition.Valuer)}, condition.Texts{
				Met: "the head is raised by {value}°", Unmet: "the head is raised by {value}° only",
				Need: fmt.Sprintf("the head must be raised to %g°", least), Avoid: fmt.Sprintf("the head must be below %g°", least),
			}
		},
	}
}

type looking struct{ condition.Valuer }

func (looking) Looks() hardware.Look { return hardware.LookFor(hardware.SeeFaces, hardware.Low) }

func withTypes(t testing.TB, types ...condition.Type) condition.Parser {
	t.Helper()
	set, err := condition.NewSet(types...)
	if err != nil {
		t.Fatal(err)
	}
	return condition.Parser{Types: set}
}

func TestAddedTypeAnswersAndSaysWhyAndWhatItNeeds(t *testing.T) {
	r := newRig(t)
	c := r.active(parse(t, withTypes(t, headRaised()), `{"conditionType": "HeadRaised", "least_deg": 30}`))
	r.world.Servos.Value.HeadRad = 0.2
	r.want(c, false)
	wantFound(t, c, "HeadRaised(30°)=false: the head is raised by 11.5° only")
	if got := condition.Needs(condition.Notes(nil, c), nil); len(got) != 1 || got[0] != "the head must be raised to 30°" {
		t.Errorf("needs %q", got)
	}
	r.world.Servos.Value.HeadRad = 0.6 // the words are those of the answer, not of now
	wantFound(t, c, "HeadRaised(30°)=false: the head is raised by 11.5° only")
	r.at(time.Second)
	r.want(c, true)
	wantFound(t, c, "HeadRaised(30°)=true: the head is raised by 34.4°")
	not := r.active(condition.Not(c))
	r.want(not, false)
	if got := condition.Needs(condition.Notes(nil, not), nil); len(got) != 1 || got[0] != "the head must be below 30°" {
		t.Errorf("needs %q", got)
	}
	if condition.Looks(not).Empty() {
		t.Error("its vision modes are lost")
	}
	if values := condition.Found(c).Values; len(values) != 1 || values[0].Name != "value" {
		t.Errorf("values %v", values)
	}
}

// An author's code runs in the hook of the behavior that asks, so the engine must not ask it ahead.
func TestAddedTypeIsCodeOfAnAuthorWhereverItStands(t *testing.T) {
	r := newRig(t)
	p := withTypes(t, headRaised())
	for _, src := range []string{
		`{"conditionType": "HeadRaised"}`,
		`{"conditionType": "Compound", "and": [{"conditionType": "OnCharger"}, {"not": {"conditionType": "HeadRaised"}}]}`,
		`{"conditionType": "TimedDedup", "dedupInterval_ms": 5, "subCondition": {"conditionType": "HeadRaised"}}`,
	} {
		c := r.active(parse(t, p, src))
		if condition.Own(c) {
			t.Errorf("%s is taken for the engine's own", src)
		}
		if _, ok := condition.Ahead(c, r.view); ok {
			t.Errorf("%s is asked ahead", src)
		}
	}
}

// A type whose code only combines built-in conditions tells what those tell, if it has no words of its own.
func TestAddedTypeWithoutTextsTellsItsParts(t *testing.T) {
	r := newRig(t)
	p := withTypes(t, condition.Type{Name: "Docked", Doc: "On the charger.", New: func(o *resources.Object) (condition.Condition, condition.Texts) {
		return condition.Parse(o.Object("where")), condition.Texts{}
	}})
	c := r.active(parse(t, p, `{"conditionType": "Docked", "where": {"conditionType": "OnCharger"}}`))
	r.want(c, false)
	wantFound(t, c, "OnCharger=false: off contacts")
	if got := condition.Needs(condition.Notes(nil, c), nil); len(got) != 1 || !strings.Contains(got[0], "charger") {
		t.Errorf("needs %q", got)
	}
	if met, ok := condition.Ahead(c, r.view); met || !ok {
		t.Errorf("ahead: %v, %v", met, ok)
	}
	bare := r.active(parse(t, withTypes(t, condition.Type{Name: "Bare", Doc: "Always.", New: func(*resources.Object) (condition.Condition, condition.Texts) {
		return &foreign{}, condition.Texts{}
	}}), `{"conditionType": "Bare"}`))
	r.want(bare, true)
	wantFound(t, bare, "Foreign=true: no explanation")
}

func TestMistakeInAddedTypeIsOneFinding(t *testing.T) {
	p := withTypes(t, headRaised(), condition.Type{Name: "Mute", Doc: "Never.", New: func(*resources.Object) (condition.Condition, condition.Texts) {
		return nil, condition.Texts{}
	}})
	for src, want := range map[string]string{
		`{"conditionType": "HeadRaised", "least_deg": 90}`:                                                  "least_deg",
		`{"conditionType": "HeadRaised", "least_dge": 20}`:                                                  `did you mean "least_deg"`,
		`{"conditionType": "HeadRased"}`:                                                                    `did you mean "HeadRaised"`,
		`{"conditionType": "HeadRaised", "explode": true}`:                                                  "the code of HeadRaised panics when it reads this: no fuse",
		`{"conditionType": "Mute"}`:                                                                         "the code of Mute makes no condition of it",
		`{"conditionType": "TimedDedup", "dedupInterval_ms": 5, "subCondition": {"conditionType": "Mute"}}`: "makes no condition",
	} {
		c, diags := read(t, p, src)
		if c != nil || len(diags) != 1 || !strings.Contains(diags.String(), want) {
			t.Errorf("%s\n got %v with %s\nwant one finding with %q", src, c, diags, want)
		}
	}
}

func TestLenientLoadBuildsAddedType(t *testing.T) {
	doc, _ := resources.Parse("c.json", []byte(`{"conditionType": "HeadRaised"}`))
	doc.SetLenient(true)
	if c := withTypes(t, headRaised()).Parse(doc.Root()); c == nil || c.String() != "HeadRaised(20°)" {
		t.Errorf("got %v", c)
	}
}

func TestTypeThatCannotBeAddedIsRefused(t *testing.T) {
	build := headRaised().New
	for want, types := range map[string][]condition.Type{
		"Conditions[0]: it has no Name":                         {{Doc: "D.", New: build}},
		`"doTilt" is no name of a condition type`:               {{Name: "doTilt", Doc: "D.", New: build}},
		`the name "OnCharger" is taken by a built-in type`:      {{Name: "OnCharger", Doc: "D.", New: build}},
		`the name "Lambda" is taken by a built-in type`:         {{Name: "Lambda", Doc: "D.", New: build}},
		`Conditions[1]: the name "HeadRaised" is taken by a ty`: {headRaised(), headRaised()},
		"HeadRaised has no Doc":                                 {{Name: "HeadRaised", New: build}},
		"HeadRaised has no New":                                 {{Name: "HeadRaised", Doc: "D."}},
		"Fuse: New panics when it reads keys that are all val":  {{Name: "Fuse", Doc: "D.", New: func(*resources.Object) (condition.Condition, condition.Texts) { panic("no fuse") }}},
	} {
		if _, err := condition.NewSet(types...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	var none *condition.Set
	if none.Types() != nil || none.DocOf("HeadRaised") != "" || none.Accepts("HeadRaised") != nil {
		t.Error("no set has types")
	}
}

func TestAnswerOfAddedTypeAllocatesNothing(t *testing.T) {
	r := newRig(t)
	c := r.active(parse(t, withTypes(t, headRaised()), `{"conditionType": "HeadRaised"}`))
	notes := make([]condition.Note, 0, 4)
	if n := testing.AllocsPerRun(100, func() { c.Met(r.view); notes = condition.Notes(notes[:0], c) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
