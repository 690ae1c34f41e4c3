package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// The tests of this file take the statements of the seed document introduction-to-icozmobehavior one group at a time, in their
// order. What it says of the constructor and its data is shown in package behaviors.

// "Behavior Lifecycle": the author's functions are called at their place in the life.
func TestSeedVictorLifecycleFunctions(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		asked := false
		r.of("A").wants = func(*behaviors.Control) bool {
			asked = true
			return true
		}
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", nil)
				if !asked {
					t.Error("A was not asked")
				}
			case 2:
				c.CancelDelegates()
			}
		}
	})
	if got := strings.Join(r.log, ", "); got != "I A, I R" {
		t.Errorf("at the start: %s", got)
	}
	r.want("E R, E A, A R, U R, A A, U A")
	r.want("U R, D A, u A")
}

// "OnBehaviorActivated": lights and the first delegation belong here, not into the first Update: a behavior without a delegate at the end
// of its first Update is done.
// Rules: DT-B08, data/1.9g.
func TestSeedVictorFirstDelegationInActivation(t *testing.T) {
	r := newRig(t, "R+ > A B\nA\nB", func(r *rig) {
		r.of("A").start = func(c *behaviors.Control) {
			c.Send(hardware.SetLights{})
			if !c.Act(hold("first"), nil) {
				err := refusal(c)
				t.Error(err)
			}
		}
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", nil)
			case 3:
				c.CancelDelegates()
				r.pass(c, "B", nil)
			}
		}
	})
	r.step()
	if !slices.ContainsFunc(r.out.Commands, func(c hardware.Command) bool { return c.Target() == (hardware.SetLights{}).Target() }) {
		t.Error("the lights were not set in the tick of the activation")
	}
	r.step()
	r.wantChain("R A")
	r.want("U R, D A, A B, U B, D B, u A")
}

// "DelegateIfInControl": a callback with the result when the action completes, and insight for others into what the behavior does.
// Rules: B-14.
func TestSeedVictorDelegationHasCallbacksAndInsight(t *testing.T) {
	act := actiontest.NewStub("wave", 0)
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		r.of("A").start = func(c *behaviors.Control) { c.Act(act, r.calls("A")) }
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	})
	r.step()
	if infos := r.eng.Actions().Running(); len(infos) != 1 || infos[0].Owner != "A" || infos[0].Name != "wave" {
		t.Errorf("%+v", infos)
	}
	r.want("U R, U A")
	act.Result = actions.Success
	r.want("U R, U A")
	r.want("U R, back A SUCCESS, U A, D A")
}

// "Most behaviors are built by chaining": each callback delegates the next step; the behavior ends with the chain.
func TestSeedVictorChainOfCallbacks(t *testing.T) {
	var steps []string
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		step := func(name string, then behaviors.Callback) behaviors.Callback {
			return func(c *behaviors.Control, _ behaviors.Outcome) {
				steps = append(steps, fmt.Sprint(c.Tick(), " ", name))
				c.Act(done(name), then)
			}
		}
		chain := step("one", step("two", step("three", nil)))
		r.of("A").start = func(c *behaviors.Control) { chain(c, behaviors.Outcome{}) }
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", r.calls("R")) })
	})
	r.steps(4)
	if got := strings.Join(steps, ", "); got != "1 one, 2 two, 3 three" {
		t.Error(got)
	}
	r.wantChain("R")
	r.want("back R behavior, U R, u A")
}

// "So what is the BehaviorUpdate function for": while control is delegated the behavior runs; when it is not, it is complete.
// Rules: data/1.9g.
func TestSeedVictorCompleteWithoutDelegate(t *testing.T) {
	act := hold("act")
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		r.of("A").start = func(c *behaviors.Control) { c.Act(act, nil) }
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	})
	r.steps(20)
	r.wantChain("R A")
	act.Result = actions.Success
	r.steps(2)
	r.wantChain("R")
}

// "For a behavior like StackBlocks": a callback comes only when the action is complete, so actions are not interrupted by it; Update
// watches for what breaks the plan, cancels, generally without callback, and begins another.
func TestSeedVictorUpdateBreaksThePlan(t *testing.T) {
	nearer := false
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		r.of("A").start = func(c *behaviors.Control) { c.Act(hold("far"), neverCalled(t)) }
		r.of("A").update = func(c *behaviors.Control) {
			if c.Activated() && nearer {
				nearer = false
				if !c.CancelDelegates() {
					t.Error("nothing was cancelled")
				}
				c.Act(done("near"), r.calls("near"))
			}
		}
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	})
	r.steps(3)
	nearer = true
	r.want("U R, U A")
	r.want("U R, back near SUCCESS, U A, D A")
}

// "A separate state machine function": the callback of every delegation, which looks at the world and decides what comes next.
func TestSeedVictorStateMachineFunction(t *testing.T) {
	var visited []string
	holding := false
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		var next behaviors.Callback
		next = func(c *behaviors.Control, _ behaviors.Outcome) {
			name := "pick up"
			switch {
			case len(visited) == 3:
				return
			case holding:
				name = "put down"
			}
			visited = append(visited, name)
			holding = !holding
			c.Act(done(name), next)
		}
		r.of("A").start = func(c *behaviors.Control) { next(c, behaviors.Outcome{}) }
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	})
	r.steps(6)
	r.wantChain("R")
	if got := strings.Join(visited, ", "); got != "pick up, put down, pick up" {
		t.Error(got)
	}
}

// "AlwaysHandleInScope, HandleWhileActivated, HandleWhileInScopeButNotActivated": only the subscribed kinds, each to the right
// handlers, and all of them readable in Update all the same.
// Rules: DT-B02.
func TestSeedVictorHandlers(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		s := r.of("A")
		s.hears = []string{behaviors.EventPoked}
		nop := func(*behaviors.Control, behaviors.Event) {}
		s.always, s.whileOn, s.whileIn = nop, nop, nop
		s.update = func(c *behaviors.Control) {
			for _, e := range c.Events() {
				r.note("read " + e.Name())
			}
		}
		r.of("R").update = once(2, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	})
	r.step()
	r.emit(behaviors.EventPoked, "")
	r.emit(behaviors.EventTriggerWord, "")
	r.want("U R, A A, always A poked, on A poked, U A, read poked")
	r.emit(behaviors.EventPoked, "")
	r.want("U R, always A poked, on A poked, U A, read poked")
	r.of("A").update = once(4, func(c *behaviors.Control) { c.CancelSelf() })
	r.step()
	r.of("A").update = func(c *behaviors.Control) { r.note(fmt.Sprint("read ", len(c.Events()))) }
	r.emit(behaviors.EventPoked, "")
	r.want("U R, always A poked, in A poked, u A, read 1")
}

// "Smart functions": what a behavior has when it is stopped is cleaned up for it, wherever it was in its plan.
func TestSeedVictorSmartFunctionsCleanUp(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("A").start = func(c *behaviors.Control) {
			if !c.Tracks().Lock("k", actions.Head) || !c.Suppression().Hold("k", "B") {
				t.Error("A could not take its locks")
			}
		}
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", nil)
			case 2:
				if c.Wants("B") {
					t.Error("B is not suppressed")
				}
				c.CancelDelegates()
				if !c.Wants("B") {
					t.Error("B is suppressed by nobody")
				}
			}
		}
	})
	r.step()
	if !r.eng.Actions().Tracks().AnyLocked(actions.Head) {
		t.Error("nothing is locked")
	}
	r.step()
	if r.eng.Actions().Tracks().AnyLocked(actions.Head) {
		t.Error("still locked")
	}
}
