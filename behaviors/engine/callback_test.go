package engine_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// neverCalled is a callback that must not come.
func neverCalled(t *testing.T) behaviors.Callback {
	return func(_ *behaviors.Control, o behaviors.Outcome) { t.Errorf("called back: %s", ending(o)) }
}

// The outcome says what ended and how; the zero outcome is no success.
// Rules: C-9, 7/19, BEH-3.
func TestOutcomeSaysHowDelegateEnded(t *testing.T) {
	if (behaviors.Outcome{}).Succeeded() || (behaviors.Outcome{Ended: behaviors.EndedBehavior}).Succeeded() ||
		(behaviors.Outcome{Ended: behaviors.EndedCancelled}).Succeeded() {
		t.Error("an outcome without a record is a success")
	}
	for _, result := range []actions.Result{actions.Success, actions.Abort, actions.TracksLocked} {
		act := done("act")
		act.Result = result
		var got behaviors.Outcome
		r := newRig(t, "R+", func(r *rig) {
			r.of("R").start = func(c *behaviors.Control) {
				c.Act(act, func(_ *behaviors.Control, o behaviors.Outcome) { got = o })
			}
		})
		r.steps(2)
		if got.Ended != behaviors.EndedAction || got.Completion.Result != result || got.Succeeded() != (result == actions.Success) {
			t.Errorf("%v: %+v", result, got)
		}
	}
}

// A behavior that ended, by itself or from below, never gets its callback; not in its next activation either.
// Rules: C-10, BEH-3, BEH-4, DT-B06.
func TestDeactivationDropsTheCallback(t *testing.T) {
	for _, who := range []string{"itself", "from below"} {
		t.Run(who, func(t *testing.T) {
			act := hold("act")
			r := newRig(t, "R+ > A\nA+", func(r *rig) {
				r.of("R").update = func(c *behaviors.Control) {
					switch {
					case c.Tick() == 1 || c.Tick() == 4:
						r.pass(c, "A", nil)
					case c.Tick() == 2 && who == "from below":
						c.CancelDelegates()
					}
				}
				r.of("A").start = func(c *behaviors.Control) {
					if c.Tick() == 1 {
						c.Act(act, neverCalled(t))
					}
				}
				r.of("A").update = func(c *behaviors.Control) {
					if c.Tick() == 2 && who == "itself" {
						c.CancelSelf()
					}
				}
			})
			r.steps(6)
			r.wantChain("R A")
			if act.Stops != 1 {
				t.Errorf("the action was stopped %d times (C-14)", act.Stops)
			}
		})
	}
}

// CancelDelegates drops the callback; CancelDelegatesWithCallback delivers it in the next Update, as cancelled.
// Rules: C-8, C-11, C-12, Q-11, 5/StopActing, BEH-4, DT-B07, OA-9.
func TestCancelDelegatesDropsOrDeliversCallback(t *testing.T) {
	for _, kind := range []string{"behavior", "action"} {
		for _, with := range []bool{false, true} {
			r := newRig(t, "R+ > A\nA+", func(r *rig) {
				r.of("R").update = func(c *behaviors.Control) {
					switch c.Tick() {
					case 1:
						if kind == "action" {
							c.Act(hold("act"), r.calls("R"))
						} else {
							r.pass(c, "A", r.calls("R"))
						}
					case 2:
						was := c.CancelDelegates
						if with {
							was = c.CancelDelegatesWithCallback
						}
						if !was() || was() {
							t.Error("wrong answers (C-12)")
						}
						if c.IsControlDelegated() {
							t.Error("control is still delegated")
						}
					}
				}
			})
			r.steps(2)
			want := "U R, u A"
			if with {
				want = "back R cancelled, U R, u A"
			}
			r.want(want)
			r.want("U R, u A")
		}
	}
}

// In OnDeactivated the behavior's own action still runs: control reads as delegated, and CancelDelegates stops the action, with or without
// a callback.
// Rules: B-12, L-12.
func TestControlIsDelegatedInOnDeactivatedWhileOwnActionRuns(t *testing.T) {
	for name, then := range map[string]behaviors.Callback{"with a callback": neverCalled(t), "without": nil} {
		t.Run(name, func(t *testing.T) {
			act := hold("act")
			ended := false
			r := newRig(t, "R+ > A\nA+", func(r *rig) {
				r.of("R").update = func(c *behaviors.Control) {
					if c.Tick() == 1 {
						r.pass(c, "A", nil)
					} else {
						c.CancelDelegates()
					}
				}
				r.of("A").start = func(c *behaviors.Control) { c.Act(act, then) }
				r.of("A").end = func(c *behaviors.Control) {
					ended = true
					if top := r.eng.Stack().Top(); top == nil || top.ID != "A" {
						t.Errorf("the top is %v while the hook of A runs", top)
					}
					if !c.IsControlDelegated() || c.Activated() || c.InControl() {
						t.Errorf("delegated %t, activated %t, in control %t", c.IsControlDelegated(), c.Activated(), c.InControl())
					}
					if !c.CancelDelegates() || act.Stops != 1 || c.IsControlDelegated() {
						t.Errorf("stops %d, delegated %t", act.Stops, c.IsControlDelegated())
					}
				}
			})
			r.steps(2)
			if !ended {
				t.Error("A was not deactivated")
			}
		})
	}
}

// The cancellation of one delegate says nothing about the next one.
// Rules: C-9, Q-11.
func TestNextDelegateClearsCancellation(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", neverCalled(t))
			case 2:
				c.CancelDelegatesWithCallback()
				r.pass(c, "B", r.calls("B"))
			case 4:
				c.Act(hold("act"), neverCalled(t))
			case 5:
				c.CancelDelegatesWithCallback()
				c.Act(done("act"), r.calls("act"))
			}
		}
	})
	r.want("E R, E A, E B, A R, U R, A A, U A, u B")
	r.want("U R, D A, A B, U B, D B, u A")
	r.want("back B behavior, U R, u A, u B")
	r.steps(2)
	r.want("back act SUCCESS, U R, u A, u B")
}

// A callback that becomes due in the Update in which it was armed does not report the delegate before.
// Rules: C-9.
func TestOutcomeOfAnEarlierDelegateIsNotReported(t *testing.T) {
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) { c.Act(done("act"), nil) }
		r.of("R").hears = []string{behaviors.EventPoked}
		r.of("R").whileOn = func(c *behaviors.Control, _ behaviors.Event) { r.pass(c, "A", r.calls("A")) }
		r.of("A").start = func(c *behaviors.Control) { c.CancelSelf() }
	})
	r.step()
	r.emit(behaviors.EventPoked, "")
	r.want("on R poked, A A, D A, back A behavior, U R, u A")
}

// After a cancellation the behavior may delegate again in the same hook.
// Rules: T-7, C-12, DT-B04.
func TestActAfterCancellationInSameHookSucceeds(t *testing.T) {
	one, two := hold("one"), hold("two")
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) {
			if !c.Act(one, neverCalled(t)) {
				err := refusal(c)
				t.Error(err)
			}
		}
		r.of("R").update = once(2, func(c *behaviors.Control) {
			if !c.CancelDelegates() {
				t.Error("nothing was cancelled")
			}
			if !c.Act(two, neverCalled(t)) {
				err := refusal(c)
				t.Error(err)
			}
		})
	})
	r.steps(4)
	if one.Stops != 1 || two.Inits != 1 || two.Stops != 0 {
		t.Errorf("one %+v, two %+v", one, two)
	}
}

// A delegate that crashed has not ended by itself; its delegator is told so.
// Rules: C-9, Q-5.
func TestCrashedDelegateIsReportedAsFailure(t *testing.T) {
	var got []behaviors.Ended
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) {
			r.pass(c, "A", func(_ *behaviors.Control, o behaviors.Outcome) { got = append(got, o.Ended) })
		}
		r.of("A").update = once(2, func(*behaviors.Control) { panic("boom") })
	})
	r.steps(4)
	if len(got) != 1 || got[0] != behaviors.EndedUnknown {
		t.Errorf("told %v, want one EndedUnknown", got)
	}
}

// A behavior that must always delegate, and ends its own action by a get-out in its Update, lives on and gets its callback.
// Rules: B-20, B-21, C-8, C-9.
func TestGetOutOfOwnerIsToldToItsCallback(t *testing.T) {
	more := hold("more")
	r := newRig(t, "R+ > A\nA > B\nB", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").start = func(c *behaviors.Control) {
			c.Act(hold("act"), func(c *behaviors.Control, o behaviors.Outcome) {
				r.calls("A")(c, o)
				c.Act(more, nil)
			})
		}
		r.of("A").update = once(3, func(c *behaviors.Control) {
			if !c.PlayEmergencyGetOut(done("out")) || !c.IsControlDelegated() {
				t.Error(c.Refusal())
			}
			r.wantReason(refusal(c, c.Wants("B") && c.DelegateTo("B", nil)), stack.NotInControl)
		})
	})
	r.steps(3)
	r.wantChain("R A")
	r.want("U R, back A CANCELLED_WHILE_RUNNING, U A, u B")
	r.wantChain("R A")
	r.steps(2)
	if more.Inits != 1 {
		t.Error("the next action did not start")
	}
}
