package dispatch_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/stack"
)

// guard is a Watcher whose hooks a test sets.
type guard struct {
	on, update       func(c dispatch.WatcherControl)
	began, ended, at int
}

func (g *guard) OnActivated(c dispatch.WatcherControl) {
	g.began++
	if g.on != nil {
		g.on(c)
	}
}

func (g *guard) Update(c dispatch.WatcherControl) {
	g.at++
	if g.update != nil {
		g.update(c)
	}
}
func (g *guard) OnDeactivated(dispatch.WatcherControl) { g.ended++ }

// coordinated is Base → [P → S → A, B] and Z, where P watches with g.
func coordinated(t *testing.T, g *guard) scenario {
	reg := behaviors.NewRegistry(append(dispatch.Classes(), behaviortest.ProbeClass(), behaviors.Class{
		Name: "Guard", New: func(cfg *behaviors.Config) behaviors.Behavior { return dispatch.NewCoordinator(cfg, g) },
	})...)
	files := "-- Base.json --\n" + strict + `true, "behaviors": ["P", "Z"]}` + "\n-- P.json --\n" +
		`{"behaviorClass": "Guard", "behaviorID": "P", "delegateID": "S"}` + "\n-- S.json --\n" +
		`{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "S", "interruptActiveBehavior": true, "linkScope": true, "behaviors": ["A", "B"]}` +
		"\n" + probes(`A:, "wants": false`, `B:, "wants": false`, "Z")
	return scenario{behaviortest.New(t, behaviortest.Options{Classes: reg, Files: files}), t}
}

// Rules: B-10, DT-D09, data/1.9h, data/2.1.7b.
func TestCoordinatorSuppressesForExactlyOneTick(t *testing.T) {
	g := &guard{}
	s := coordinated(t, g)
	s.probe("B").Wants = true
	s.runs("P S B")
	once := true
	g.update = func(c dispatch.WatcherControl) {
		if once {
			c.Suppression().ThisTick("A")
		}
		once = false
	}
	s.probe("A").Wants = true
	s.runs("P S B") // suppressed in this tick, before the dispatcher above asked
	s.runs("P S A")
	s.NoRefusals()
}

// Rules: B-10, data/1.9h, data/2.1.7b.
func TestCoordinatorDoesNotStopRunningBehavior(t *testing.T) { // B-10
	g := &guard{update: func(c dispatch.WatcherControl) { c.Suppression().ThisTick("A") }}
	s := coordinated(t, g)
	g.update, s.probe("A").Wants = nil, true
	s.runs("P S A")
	g.update = func(c dispatch.WatcherControl) { c.Suppression().ThisTick("A") }
	s.runs("P S A")
}

// Rules: P-8, data/2.1.7b.
func TestCoordinatorWatchesWhileActivatedOnly(t *testing.T) {
	g := &guard{}
	s := coordinated(t, g)
	s.Step(3)
	if g.began+g.at+g.ended != 0 {
		t.Errorf("it watched out of office: %+v", g)
	}
	s.probe("A").Wants = true
	s.Step(3)
	s.probe("A").Wants, s.probe("A").End = false, true
	s.Step(3)
	s.runs("Z")
	if g.began != 1 || g.ended != 1 || g.at < 3 {
		t.Errorf("%d activations, %d updates, %d ends", g.began, g.at, g.ended)
	}
	s.NoRefusals()
}

// A pass-through whose delegate no longer wants control ends, and the refusal is counted (P-8).
// Rules: P-8, data/2.1.7a.
func TestPassThroughEndsIfDelegateNoLongerWants(t *testing.T) {
	g := &guard{on: func(c dispatch.WatcherControl) { c.Suppression().ThisTick("S") }}
	s := coordinated(t, g)
	s.probe("A").Wants = true
	s.Step(1)
	if s.Active("P") || s.probe("A").Activated != 0 {
		t.Errorf("stack %v", s.Chain())
	}
	want := (&stack.Refusal{Op: stack.OpDelegate, By: "P", To: "S", Reason: stack.Declined}).Error()
	if len(s.Refused) == 0 || s.Refused[0] != want {
		t.Errorf("refusals %q, want %q", s.Refused, want)
	}
}
