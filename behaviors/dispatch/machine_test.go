package dispatch_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/dispatch"
)

// machine is a scenario with Base → Up, M, Z, where M is a state machine whose conditions a to d the test sets by hand.
type machine struct {
	scenario
	when map[string]*condition.UnitTest
}

var letters = []string{"a", "b", "c", "d"}

func machineClasses(when map[string]*condition.UnitTest) *behaviors.Registry {
	return behaviors.NewRegistry(append(classList(), behaviors.Class{
		Name: "Machine", New: func(cfg *behaviors.Config) behaviors.Behavior {
			custom := map[string]condition.Condition{}
			for _, name := range letters {
				when[name] = condition.NewUnitTest(false)
				custom[name] = when[name]
			}
			return dispatch.NewStateMachine(cfg, custom)
		},
	})...)
}

func classList() []behaviors.Class {
	return append(dispatch.Classes(), behaviortest.ProbeClass(), behaviortest.GentleProbeClass())
}

// states holds One with behavior A and Two with behavior B.
const twoStates = `"states": [{"name": "One", "behavior": "A"}, {"name": "Two", "behavior": "B"}], "initialState": "One", `

// beginMachine builds a machine of a body, and probes; a name that ends in ~ is a GentleProbe.
func beginMachine(t *testing.T, body string, names ...string) machine {
	t.Helper()
	m := machine{when: map[string]*condition.UnitTest{}}
	files := "-- Base.json --\n" + strict + `true, "behaviors": ["Up", "M", "Z"]}` + "\n-- M.json --\n" +
		`{"behaviorClass": "Machine", "behaviorID": "M", ` + body + "}\n" + probes(`Up:, "wants": false, "carrying": true`, `Z:, "carrying": true`)
	for _, n := range names {
		if id, gentle := strings.CutSuffix(n, "~"); gentle {
			files += "-- " + id + ".json --\n" + `{"behaviorClass": "GentleProbe", "behaviorID": "` + id + `"}` + "\n"
			continue
		}
		files += probes(n)
	}
	m.scenario = scenario{behaviortest.New(t, behaviortest.Options{
		Classes: machineClasses(m.when), Files: files, Timers: []string{"T"}, Intents: []string{"bye", "hello"},
	}), t}
	return m
}

// met sets the conditions that are met from now on.
func (m machine) met(names string) {
	for name, c := range m.when {
		c.Value = strings.Contains(names, name)
	}
}

// interrupted lets Up have control for some ticks.
func (m machine) interrupted(ticks int) {
	m.t.Helper()
	m.probe("Up").Wants = true
	m.Step(ticks)
	if !m.Active("Up") || m.Active("M") {
		m.t.Fatalf("stack %v", m.Chain())
	}
	m.probe("Up").Wants, m.probe("Up").End = false, true
	m.Step(1)
}

// on returns the JSON of a transition.
func on(to, cond string) string {
	return `{"to": "` + to + `", "condition": {"customCondition": "` + cond + `"}}`
}

func from(state, kind string, ts ...string) string {
	return `{"from": ` + state + `, "` + kind + `": [` + strings.Join(ts, ", ") + `]}`
}

func definitions(defs ...string) string {
	return `"ignoreMissingTransitions": true, "transitionDefinitions": [` + strings.Join(defs, ", ") + `]`
}

// Rules: P-9, data/2.6d, data/2.6h.
func TestMachineRunsTheBehaviorOfItsState(t *testing.T) {
	m := beginMachine(t, twoStates+definitions(
		from(`"One"`, "interruptingTransitions", on("Two", "a")), from(`"Two"`, "interruptingTransitions", on("One", "b"))), "A", "B")
	m.runs("M A")
	m.met("a")
	m.runs("M B")
	if got := m.State("M"); got != "Two" {
		t.Errorf("state %q", got)
	}
	m.met("b")
	m.runs("M A")
	m.met("")
	m.probe("A").End = true
	m.Step(1)
	m.runs("M A") // one that ended is started again
	if n := m.probe("A").Activated; n != 3 {
		t.Errorf("A ran %d times", n)
	}
	m.NoRefusals()
}

// Rules: P-9, DT-S02, data/2.6d.
func TestMachineMakesOneTransitionPerTick(t *testing.T) {
	m := beginMachine(t, `"states": [{"name": "One", "behavior": "A"}, {"name": "Two", "behavior": "B"}, {"name": "Three", "behavior": "C"}],
		"initialState": "One", `+definitions(
		from(`"One"`, "nonInterruptingTransitions", on("Three", "a")),
		from(`"One"`, "interruptingTransitions", on("Two", "b"), on("Three", "b")),
		from(`["Two", "Three"]`, "interruptingTransitions", on("Three", "b"))), "A~", "B", "C")
	m.runs("M A")
	m.met("ab")
	m.runs("M B") // interrupting before non-interrupting, and the first of them
	m.runs("M C")
	if m.probe("B").Activated != 1 {
		t.Error("a state was left out")
	}
	m.NoRefusals()
}

// A polite transition waits until the delegate agrees.
// Rules: P-9, data/2.6c, data/2.6e.
func TestPoliteTransitionWaitsForConsent(t *testing.T) {
	m := beginMachine(t, twoStates+definitions(from(`"*"`, "nonInterruptingTransitions", on("Two", "a"), on("One", "b"))), "A", "B~")
	m.runs("M A")
	m.met("a")
	m.Step(5)
	m.runs("M A") // A is not to be interrupted
	m.probe("A").End = true
	m.Step(1)
	m.runs("M B") // and is not started again
	m.met("b")
	m.runs("M A") // B is polite
	m.NoRefusals()
}

// Rules: P-9, DT-S02, data/2.6e.
func TestMachineLeavesByTheExitOnlyWhenIdle(t *testing.T) {
	m := beginMachine(t, twoStates+definitions(from(`"One"`, "exitTransitions", on("Two", "a")),
		from(`"Two"`, "interruptingTransitions", on("One", "b"))), "A~", "B")
	m.met("a")
	m.Step(5)
	m.runs("M A") // even a polite one
	m.probe("A").End = true
	m.Step(1)
	m.runs("M B")
}

// In one Update the interrupting transitions come first, then the polite ones, then the exits, wherever the file has them.
// Rules: P-9, data/2.6d, data/2.6e.
func TestMachineTriesExitsLast(t *testing.T) {
	for met, want := range map[string]string{"abc": "M B", "bc": "M C", "c": "M D"} {
		t.Run(met, func(t *testing.T) {
			m := beginMachine(t, `"states": [{"name": "One", "behavior": "A"}, {"name": "Two", "behavior": "B"}, {"name": "Three", "behavior": "C"},
				{"name": "Four", "behavior": "D"}], "initialState": "One", `+definitions(
				from(`"One"`, "exitTransitions", on("Four", "c")), from(`"One"`, "nonInterruptingTransitions", on("Three", "b")),
				from(`"One"`, "interruptingTransitions", on("Two", "a")),
				from(`["Two", "Three", "Four"]`, "interruptingTransitions", on("One", "d"))), "A", "B", "C", "D")
			m.runs("M A")
			m.probe("A").End = true
			m.Step(1)
			m.met(met) // A has ended: nothing keeps any of them back
			m.runs(want)
			m.NoRefusals()
		})
	}
}

// Rules: P-9, DT-S03, data/2.6f.
func TestMachineRunsGetInBeforeItsBehavior(t *testing.T) {
	m := beginMachine(t, `"states": [{"name": "One", "behavior": "A"}, {"name": "Two", "behavior": "B", "getInBehavior": "G"}], "initialState": "One", `+
		definitions(from(`"One"`, "interruptingTransitions", on("Two", "a")), from(`"Two"`, "interruptingTransitions", on("One", "b")),
			from(`"Two"`, "nonInterruptingTransitions", on("One", "c")), from(`"Two"`, "exitTransitions", on("One", "d"))), "A", "B", "G~")
	m.runs("M A")
	m.met("a")
	m.runs("M G")
	m.met("cd")
	m.Step(5)
	m.runs("M G") // nothing but interrupting ones, however polite
	m.met("b")
	m.runs("M A")
	m.Step(3)
	if m.probe("B").Activated != 0 {
		t.Error("the callback of the cancelled get-in came") // a transition cancels without callback
	}
	m.met("a")
	m.Step(1)
	m.met("")
	m.probe("G").End = true
	m.Step(1)
	m.runs("M B") // when it has ended, in the next Update, without passing the exit
	m.NoRefusals()
}

// A transition cancels without callback (P-9). With one, the cancelled get-in would start the behavior of the next state.
// Rules: P-9, data/2.6f.
func TestMachineTransitionCancelsWithoutCallback(t *testing.T) {
	m := beginMachine(t, `"states": [{"name": "One", "behavior": "A", "getInBehavior": "G"}, {"name": "Two", "behavior": "B"},
		{"name": "Three", "behavior": "C"}], "initialState": "One", `+
		definitions(from(`"One"`, "interruptingTransitions", on("Two", "a")), from(`["Two", "Three"]`, "exitTransitions", on("Three", "b"))),
		"A", `B:, "wants": false`, "C", "G")
	m.runs("M G")
	m.met("a")
	m.runs("M") // Two, idle
	m.met("b")
	m.probe("B").Wants = true
	m.runs("M C")
	if m.probe("B").Activated != 0 {
		t.Error("the callback came")
	}
}

// Rules: data/2.6f.
func TestMachineSkipsUnwillingGetIn(t *testing.T) {
	m := beginMachine(t, `"states": [{"name": "One", "behavior": "A", "getInBehavior": "G"}], "initialState": "One", `+
		definitions(from(`"*"`, "exitTransitions", on("One", "a"))), "A", `G:, "wants": false`)
	m.runs("M A")
	m.NoRefusals()
}

// The behavior of the state is asked again in every Update until it wants control.
// Rules: P-9, data/2.6b, data/2.6h.
func TestMachineIsIdleUntilTheBehaviorWants(t *testing.T) {
	m := beginMachine(t, twoStates+definitions(from(`"*"`, "exitTransitions", on("Two", "a"))), `A:, "wants": false`, "B")
	m.runs("M")
	m.Step(5)
	m.runs("M") // it does not end
	m.probe("A").Wants = true
	m.runs("M A")
	m.NoRefusals()
}

// A state with cancelSelf ends the machine.
// Rules: P-9, data/2.6b.
func TestMachineEndsInStateWithCancelSelf(t *testing.T) {
	m := beginMachine(t, `"states": [{"name": "One", "behavior": "A"}, {"name": "End", "cancelSelf": true}], "initialState": "One",
		"resumeReplacements": {"End": "One"}, "wantsToBeActivatedCondition": {"conditionType": "BehaviorTimer", "timerName": "T", "cooldown_s": 1},
		"resetTimers": ["T"], `+definitions(from(`"One"`, "interruptingTransitions", on("End", "a"))), "A")
	m.runs("M A")
	m.met("a")
	m.runs("")
	m.met("")
	m.runs("Z")
	m.Until(3*time.Second, "it begins again", func() bool { return m.Active("A") })
	m.NoRefusals()
}

// Rules: T-17, T-18, P-9, data/2.6i, data/3.1h.
func TestMachineWatchesTheConditionsOfItsStateOnly(t *testing.T) {
	m := beginMachine(t, twoStates+definitions(from(`"One"`, "interruptingTransitions", on("Two", "a")),
		from(`"Two"`, "interruptingTransitions", on("One", "b"))), "A", "B")
	count := func(a, b int) {
		t.Helper()
		if m.when["a"].Activations != a || m.when["b"].Activations != b {
			t.Errorf("tick %d: activations a %d, b %d, want %d, %d", m.Tick(), m.when["a"].Activations, m.when["b"].Activations, a, b)
		}
	}
	m.Step(3)
	count(1, 0)
	if m.when["a"].Evaluations != 3 || m.when["b"].Evaluations != 0 {
		t.Errorf("evaluated %d and %d times", m.when["a"].Evaluations, m.when["b"].Evaluations)
	}
	m.met("a")
	m.Step(2)
	count(1, 1)
	if got := condition.Found(m.when["a"]); got.Active {
		t.Errorf("the condition of the state that was left: %+v", got)
	}
	m.interrupted(3)
	before := m.when["b"].Evaluations
	m.Step(1)
	count(1, 2)
	if m.when["b"].Evaluations != before+1 {
		t.Error("a paused machine evaluated")
	}
}

// Rules: P-9, DT-S03, data/2.6g.
func TestMachinePutsDownWhatItCarries(t *testing.T) {
	m := beginMachine(t, `"states": [{"name": "One", "behavior": "A", "getInBehavior": "G"}, {"name": "Two", "behavior": "C"}], "initialState": "One",
		"putDownBehavior": "P", `+definitions(from(`"*"`, "interruptingTransitions", on("Two", "a"), on("One", "b"))),
		"A", `C:, "carrying": true`, `G:, "carrying": true`, `P:, "carrying": true, "wants": false`)
	m.runs("M G")
	m.probe("G").End = true
	m.Step(2)
	m.runs("M A")
	m.probe("P").Wants = true // now it carries something
	m.met("a")
	m.runs("M C") // whose behavior may carry
	m.met("b")
	m.runs("M P")
	m.met("ab")
	m.Step(5)
	m.runs("M P") // nothing interrupts it
	m.met("")
	m.interrupted(2)
	m.runs("M P") // still carrying
	m.probe("P").Wants, m.probe("P").End = false, true
	m.Step(1)
	m.runs("M G") // kept quirk: it gets in although it resumed
	m.NoRefusals()
}

// Rules: P-9, data/2.6l, data/2.6n.
func TestMachineRestartsItsState(t *testing.T) { // a transition to the present state is a real one, and a return
	m := beginMachine(t, `"states": [{"name": "One", "behavior": "A", "getInBehavior": "G", "resetBehaviorTimer": "T"}], "initialState": "One", `+
		definitions(from(`"One"`, "interruptingTransitions", on("One", "a")),
			`{"from": "One", "interruptingTransitions": [{"to": "One", "condition": {"customCondition": "long"}}]}`)+`,
		"stateTimerConditions": [{"name": "long", "begin_s": 600}]`, "A", "G")
	m.runs("M G")
	entered := m.Now()
	m.probe("G").End = true
	m.Step(2)
	m.met("a")
	m.runs("M A")
	if m.probe("A").Activated != 2 || m.probe("G").Activated != 1 || !m.Engine.View().Timers["T"].Equal(entered) {
		t.Errorf("A ran %d times, G %d times", m.probe("A").Activated, m.probe("G").Activated)
	}
	if m.when["a"].Activations != 2 {
		t.Error("its conditions did not begin anew")
	}
}

// Rules: data/2.6m.
func TestMachineClaimsTheIntentOfItsState(t *testing.T) {
	m := beginMachine(t, `"states": [{"name": "One", "behavior": "A"}, {"name": "Two", "behavior": "B", "activateIntent": "hello"}], "initialState": "One", `+
		definitions(`{"from": "One", "interruptingTransitions": [{"to": "Two", "condition": {"conditionType": "UserIntentPending", "list": [{"type": "hello"}]}}]}`,
			from(`"Two"`, "interruptingTransitions", on("One", "a"))), "A", "B")
	m.runs("M A")
	m.Intent("hello")
	m.runs("M B")
	if a := m.Engine.View().Intent.Active; a == nil || a.Tag != "hello" {
		t.Errorf("active intent %+v", a)
	}
	m.met("a")
	m.runs("M A")
	if a := m.Engine.View().Intent.Active; a != nil {
		t.Errorf("active intent %+v", a)
	}
}

// A state claims an intent that is pending. A state that claimed none releases none, not even that of the machine itself.
// Rules: P-9, data/2.6m.
func TestMachineReleasesOnlyIntentOfItsState(t *testing.T) {
	m := beginMachine(t, `"respondToUserIntents": [{"type": "hello"}],
		"states": [{"name": "One", "behavior": "A", "activateIntent": "bye"}, {"name": "Two", "behavior": "B"}], "initialState": "One", `+
		definitions(from(`"One"`, "interruptingTransitions", on("Two", "a")), from(`"Two"`, "interruptingTransitions", on("One", "b"))), "A", "B")
	m.Intent("hello")
	m.runs("M A")
	if n := len(m.Out.Misuses); n != 0 {
		t.Errorf("claims of what is not pending: %+v", m.Out.Misuses)
	}
	m.met("a")
	m.runs("M B")
	if a := m.Engine.View().Intent.Active; a == nil || a.Tag != "hello" {
		t.Errorf("active intent %+v", a)
	}
}

// A state that ends the machine stamps its timer like any other state.
// Rules: P-9, data/2.6n.
func TestEndingStateStampsItsTimer(t *testing.T) {
	m := beginMachine(t, `"states": [{"name": "One", "behavior": "A"}, {"name": "End", "cancelSelf": true, "resetBehaviorTimer": "T"}],
		"initialState": "One", "resumeReplacements": {"End": "One"}, `+definitions(from(`"One"`, "interruptingTransitions", on("End", "a"))), "A")
	m.runs("M A")
	m.met("a")
	m.Step(1)
	if at, set := m.Engine.View().Timers["T"]; m.Active("M") || !set || !at.Equal(m.Now()) {
		t.Errorf("active %v, timer set %v at %v, now %v", m.Active("M"), set, at, m.Now())
	}
	m.NoRefusals()
}

// A machine that was told to end with its delegate lets the delegate finish and makes no transition.
// Rules: Q-13.
func TestStoppingMachineMakesNoTransition(t *testing.T) {
	m := beginMachine(t, twoStates+definitions(from(`"*"`, "interruptingTransitions", on("Two", "a"))), "A", "B")
	m.runs("M A")
	m.Engine.Cell("Up").Inc.Inst.Impl().(*behaviortest.Probe).Stop = "M"
	m.Step(1) // Up, in scope, tells it after the walk
	m.met("a")
	m.runs("M A")
	m.probe("A").End = true
	m.Step(1)
	m.Log()
	m.Step(1)
	if log := m.Log(); m.probe("B").Activated != 0 || !slices.Contains(log, "M.deactivated") {
		t.Errorf("%v, stack %v", log, m.Chain())
	}
	m.NoRefusals()
}
