package engine_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// getOutMisuse is a mistake of A in PlayEmergencyGetOut.
func getOutMisuse(m stack.Reason) stack.Refusal {
	return stack.Refusal{By: "A", Op: stack.OpGetOut, Reason: m}
}

// runs reports whether an action has begun and not ended.
func runs(s *actiontest.Stub) bool { return s.Inits > s.Stops }

// The get-out is queued now and cancels the current action, whose owner is told; it is no delegation and plays on after the
// behavior that asked for it. The next delegated action waits for its end.
// Rules: B-20, B-21, BEH-5.
func TestGetOutDelaysNextAction(t *testing.T) {
	first, out, next := hold("first"), hold("out"), hold("next")
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", nil)
			case 4:
				c.CancelDelegates()
				if !c.Act(next, r.calls("R")) {
					err := refusal(c)
					t.Error(err)
				}
			}
		}
		r.of("A").start = func(c *behaviors.Control) { c.Act(first, r.calls("A")) }
		r.of("A").update = once(2, func(c *behaviors.Control) {
			if !c.PlayEmergencyGetOut(out) {
				err := refusal(c)
				t.Error(err)
			}
		})
	})
	r.steps(2)
	if runs(first) || !runs(out) {
		t.Fatalf("first runs %v, get-out %v", runs(first), runs(out))
	}
	r.want("U R, back A CANCELLED_WHILE_RUNNING, U A")
	if r.eng.Cell("A").Node.Busy() {
		t.Error("the get-out counts as a delegate of A")
	}
	r.step()
	if !runs(out) || next.Inits != 0 || !r.eng.Cell("R").Node.Busy() {
		t.Fatalf("get-out %v, next begun %d times, R busy %v", runs(out), next.Inits, r.eng.Cell("R").Node.Busy())
	}
	out.Result = actions.Success
	r.step()
	r.step()
	if runs(out) || !runs(next) {
		t.Errorf("get-out %v, next %v", runs(out), runs(next))
	}
	next.Result = actions.Success
	r.step()
	r.want("back R SUCCESS, U R, u A")
	if len(r.out.Misuses) > 0 {
		t.Error(r.out.Misuses)
	}
}

// Cancelling a held action removes it; a newer one takes its place, which is counted once, and only one starts.
// Rules: B-20, Q-9, BEH-5.
func TestDelayedActionCanBeCancelledAndReplaced(t *testing.T) {
	out, held, newer := hold("out"), hold("held"), hold("newer")
	r := newRig(t, "A+", func(r *rig) {
		r.of("A").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				c.PlayEmergencyGetOut(out)
				c.Act(held, r.calls("held"))
			case 2:
				if !c.CancelDelegates() || len(r.eng.Actions().Running()) != 1 {
					t.Errorf("the held action is still there: %v", r.eng.Actions().Running())
				}
			case 3:
				c.Act(newer, r.calls("newer"))
			}
		}
	})
	r.steps(3)
	if want := (stack.Refusal{By: "A", Op: stack.OpGetOut, Reason: stack.HeldReplaced, Applied: true}); len(r.out.Misuses) != 1 || r.out.Misuses[0] != want {
		t.Errorf("counted %+v", r.out.Misuses)
	}
	out.Result = actions.Success
	r.steps(2)
	if held.Inits != 0 || !runs(newer) {
		t.Errorf("held begun %d times, newer runs %v", held.Inits, runs(newer))
	}
}

// After the get-out everything is queued now again, and nothing counts as held.
// Rules: B-19, B-20.
func TestActionsStartAtOnceAfterGetOut(t *testing.T) {
	out, next, newer := hold("out"), hold("next"), hold("newer")
	out.Result = actions.Success
	r := newRig(t, "A+", func(r *rig) {
		r.of("A").start = func(c *behaviors.Control) { c.PlayEmergencyGetOut(out) }
		r.of("A").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 2:
				c.Act(next, nil)
			case 3:
				c.CancelAndAct(newer, nil)
			}
		}
	})
	r.steps(2)
	if !runs(next) {
		t.Error("the action waits for nothing")
	}
	r.step()
	if !runs(newer) || len(r.out.Misuses) > 0 {
		t.Errorf("newer runs %v, counted %+v", runs(newer), r.out.Misuses)
	}
}

// A get-out may be played while being deactivated, which is what it is for, and by no other behavior without control; not while the trigger word
// is being answered; not without an animation; not while the robot is halted.
// Rules: B-20.
func TestGetOutWithoutControlIsRefused(t *testing.T) {
	out := hold("out")
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) { c.TriggerWord().Respond(listen) }
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 2:
				r.pass(c, "A", nil)
			case 6:
				c.CancelDelegates()
			}
		}
		r.of("A").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				wantMisuse(t, "in scope", refusal(c, c.PlayEmergencyGetOut(out)), getOutMisuse(stack.NotActivated))
			case 2:
				wantMisuse(t, "nothing", refusal(c, c.PlayEmergencyGetOut(nil)), getOutMisuse(stack.NoAnimation))
			case 3:
				wantMisuse(t, "the word is answered", refusal(c, c.PlayEmergencyGetOut(out)), getOutMisuse(stack.GetInExpected))
			case 5:
				wantMisuse(t, "halted", refusal(c, c.PlayEmergencyGetOut(out)), getOutMisuse(stack.Halted))
			}
		}
		r.of("A").end = func(c *behaviors.Control) {
			wantMisuse(t, "leaving", refusal(c, c.PlayEmergencyGetOut(out)), stack.Refusal{})
		}
	})
	r.steps(2)
	r.wake()
	r.step()
	r.step()
	r.command(engine.Command{Kind: engine.EStop})
	r.step()
	r.command(engine.Command{Kind: engine.Resume})
	r.step()
	if !runs(out) {
		t.Error("not played on leaving")
	}
}

// A delegated action is queued now and cancels the running one, also one that no behavior delegated.
// Rules: B-19, BEH-2.
func TestDelegatedActionCancelsTheRunningOne(t *testing.T) {
	loose, own := hold("loose"), hold("own")
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").start = func(*behaviors.Control) {
			if _, err := r.eng.Actions().Queue(loose, actions.QueueOptions{Position: actions.PositionAtEnd}); err != nil {
				t.Error(err)
			}
		}
		r.of("R").update = once(2, func(c *behaviors.Control) {
			if !c.Act(own, nil) {
				err := refusal(c)
				t.Error(err)
			}
		})
	})
	if r.step(); !runs(loose) {
		t.Fatal("the other action does not run")
	}
	if r.step(); runs(loose) || !runs(own) {
		t.Errorf("the other runs %v, the delegated one %v", runs(loose), runs(own))
	}
}
