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
	m := beginMachine(t, twoStates+definitions(from(`"One"`, "interruptingTransitions", on("Two", "long")), from(`"Two"`, "exitTransitions", on("One", "a")))+`,
		"stateTimerConditions": [{"name": "long", "begin_s": 6}]`, "A", "B")
	m.Command(engine.Command{Kind: engine.SetVar, ID: engine.TimeMultiplier, Value: 10})
	m.runs("M A")
	entered := m.Now()
	m.Until(10*time.Second, "the time of the state is over", func() bool { return m.Active("B") })
	if d := m.Now().Sub(entered); d != 600*time.Millisecond {
		t.Errorf("after %v", d)
	}
}
