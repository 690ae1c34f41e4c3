package engine_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
)

// An action that no behavior delegated to neither disturbs a behavior nor is disturbed by one. Only code can queue one, so
// this is no trace.
// Rules: B-19, 6.1/OutsideAction, DT-B03.
func TestActionWithoutOwnerLeavesBehaviorsAlone(t *testing.T) {
	out := hold("outside")
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").hears = []string{behaviors.EventPoked}
		r.of("R").always = func(*behaviors.Control, behaviors.Event) {}
		r.of("R").update = func(c *behaviors.Control) {
			if c.IsControlDelegated() || !c.InControl() {
				t.Errorf("tick %d: an outside action takes control from the base", c.Tick())
			}
		}
	})
	r.steps(2)
	if n := len(r.eng.Actions().Running()); n != 0 {
		t.Fatalf("%d actions run", n)
	}
	if _, err := r.eng.Actions().Queue(out, actions.QueueOptions{Position: actions.PositionNow}); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		r.want("U R, u A")
		if n := len(r.eng.Actions().Running()); n != 1 {
			t.Fatalf("%d actions run", n)
		}
	}
	out.Result = actions.Success
	for range 3 {
		r.want("U R, u A")
	}
	if n := len(r.eng.Actions().Running()); n != 0 || out.Inits != 1 || out.Stops != 1 {
		t.Errorf("%d actions run, %+v", n, out)
	}
}

// A behavior that a file describes is there after it was made, initialized, under its ID, and the catalog has grown by one.
// Rules: 6.4/CreateAndDestroyBehaviors, DT-B01, DT-F01.
func TestBehaviorOfNewFileIsInitialized(t *testing.T) {
	before := newRig(t, "R+", nil)
	if before.eng.Cell("New") != nil {
		t.Fatal("New exists")
	}
	inits := 0
	after := newRig(t, "R+ > New\nNew+", func(r *rig) { r.of("New").init = func(*behaviors.Control) { inits++ } })
	c := after.eng.Cell("New")
	if c == nil || c.Node.ID != "New" || c.Inc.Inst.ID != "New" || inits != 1 || after.of("New").made != 1 {
		t.Errorf("%+v, %d inits", c, inits)
	}
	if a, b := len(before.eng.Cells()), len(after.eng.Cells()); b != a+1 {
		t.Errorf("%d behaviors, then %d", a, b)
	}
}
