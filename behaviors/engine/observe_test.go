package engine_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors/engine"
)

// Observers see the settings of an operator: the behavior and its runs, the self test, the checks.
func TestObserversSeeOperatorSettings(t *testing.T) {
	r := newRig(t, "R+ > B\nB+\nS+", nil, bootKeys(`"selfTestBehavior":"S"`))
	type seen struct {
		id               string
		again            int
		checked, testing bool
	}
	want := func(what string, want seen) {
		t.Helper()
		got := seen{checked: r.eng.Checked(), testing: r.eng.SelfTesting()}
		if got.id, got.again = r.eng.Executing(); got != want {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	r.step()
	want("at the start", seen{checked: true})
	r.order(engine.Command{Kind: engine.RunBehavior, ID: "B", Times: 3})
	want("runs", seen{"B", 2, true, false})
	r.order(engine.Command{Kind: engine.RunBehavior, ID: "B", Times: -1})
	want("runs for ever", seen{"B", -1, true, false})
	r.order(engine.Command{Kind: engine.Cancel})
	want("cancelled", seen{checked: true})
	r.order(engine.Command{Kind: engine.BeginSelfTest})
	want("tests itself", seen{checked: true, testing: true})
	r.order(engine.Command{Kind: engine.EndSelfTest})
	r.order(engine.Command{Kind: engine.SetChecks})
	want("unchecked", seen{})
}
