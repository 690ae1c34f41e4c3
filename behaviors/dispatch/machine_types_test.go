package dispatch_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/resources"
)

// The transitions of a machine name the condition types that a program adds, and the predicates of the machine's class, like any other
// condition of its file.
// Rules: P-9, data/1.7c, data/2.6c.
func TestTransitionsKnowAddedTypesAndPredicates(t *testing.T) {
	raised := false
	types, err := condition.NewSet(condition.Type{
		Name: "HeadRaised", Doc: "the head is raised",
		New: func(*resources.Object) (condition.Condition, condition.Texts) {
			return condition.Func("raised", func(*condition.View) bool { return raised }), condition.Texts{}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	machine := behaviors.Class{
		Name: "Machine", New: func(cfg *behaviors.Config) behaviors.Behavior { return dispatch.NewStateMachine(cfg, nil) },
		Predicates: map[string]func(*condition.Intent) bool{"loud": func(in *condition.Intent) bool { return in.Data["volume"] == "loud" }},
	}
	body := twoStates + definitions(
		from(`"One"`, "interruptingTransitions", `{"to": "Two", "condition": {"conditionType": "HeadRaised"}}`),
		from(`"Two"`, "interruptingTransitions",
			`{"to": "One", "condition": {"conditionType": "UserIntentPending", "list": [{"type": "hello", "_lambda": "loud"}]}}`),
	)
	s := scenario{behaviortest.New(t, behaviortest.Options{
		Classes: behaviors.NewRegistry(append(classList(), machine)...).WithConditions(types),
		Files:   "-- Base.json --\n" + `{"behaviorClass": "Machine", "behaviorID": "Base", ` + body + "}\n" + probes("A", "B"),
		Intents: []string{"hello"},
	}), t}
	s.runs("A")
	raised = true
	s.runs("B")
	s.Intent("hello")
	s.runs("B")
	s.NoRefusals()
}

// A developer's time multiplier makes the clock of a state faster.
// Rules: data/2.6k, data/5.6b.
func TestTimeMultiplierMakesStateTimersFaster(t *testing.T) {
	m := beginMachine(t, twoStates+definitions(
		from(`"One"`, "interruptingTransitions", on("Two", "long")), from(`"Two"`, "exitTransitions", on("One", "a")))+`,
		"stateTimerConditions": [{"name": "long", "begin_s": 6}]`, "A", "B")
	m.Command(engine.Command{Kind: engine.SetVar, ID: engine.TimeMultiplier, Value: 10})
	m.runs("M A")
	entered := m.Now()
	m.Until(10*time.Second, "the time of the state is over", func() bool { return m.Active("B") })
	if d := m.Now().Sub(entered); d != 600*time.Millisecond {
		t.Errorf("after %v", d)
	}
}

// A state raises the stimulation to zero, or to a value below, if its file says so; -1 and a state that says nothing raise nothing.
// Rules: data/2.6r.
func TestStateRaisesTheStimulationToZeroOrBelow(t *testing.T) {
	for keys, want := range map[string]float64{
		"": -0.5, `, "ensureMinStimValue": -1`: -0.5, `, "ensureMinStimValue": -0.75`: -0.5, `, "ensureMinStimValue": -0.25`: -0.25, `, "ensureMinStimValue": 0`: 0,
	} {
		body := `"states": [{"name": "One", "behavior": "A"}, {"name": "Two", "behavior": "B"` + keys + `}], "initialState": "One", ` +
			definitions(from(`"One"`, "interruptingTransitions", `{"to": "Two", "condition": {"customCondition": "a"}, "emotionEvent": "Tired"}`), from(`"Two"`, "exitTransitions", on("One", "b")))
		m := machine{when: map[string]*condition.UnitTest{}}
		m.scenario = scenario{behaviortest.New(t, behaviortest.Options{
			Classes: machineClasses(m.when),
			Files: "-- Base.json --\n" + `{"behaviorClass": "Machine", "behaviorID": "Base", ` + body + "}\n" + probes("A", "B") +
				"-- emotionevents/Tired.json --\n" + `{"name": "Tired", "emotionAffectors": [{"emotionType": "Stimulated", "value": -0.5}]}` + "\n",
		}), t}
		m.runs("A")
		m.met("a")
		m.runs("B")
		if got := m.Engine.View().Mood[condition.Stimulated]; got != want {
			t.Errorf("%q: %g, want %g", keys, got, want)
		}
	}
}
