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

// B-15, B-16, M-12…M-16, M-30, Q-1, Q-2, Q-8: what may not be delegated to is refused with its reason, changes nothing, and
// arms no callback.
func TestRefusedDelegationChangesNothing(t *testing.T) {
	type attempt struct {
		name string
		try  func(c *behaviors.Control) error
		want stack.Reason
	}
	attempts := []attempt{
		{"not asked", func(c *behaviors.Control) error { return c.DelegateTo("A", neverCalled(t)) }, stack.NotAsked},
		{"declined", func(c *behaviors.Control) error {
			if c.Wants("N") {
				t.Error("N wants")
			}
			return c.DelegateTo("N", neverCalled(t))
		}, stack.Declined},
		{"no delegate", func(c *behaviors.Control) error { return c.DelegateTo("X", neverCalled(t)) }, stack.NotADelegate},
		{"itself", func(c *behaviors.Control) error { return c.DelegateTo("R", neverCalled(t)) }, stack.NotADelegate},
		{"nothing", func(c *behaviors.Control) error { return c.DelegateTo("nobody", neverCalled(t)) }, stack.NoTarget},
		{"no action", func(c *behaviors.Control) error { return c.Act(nil, neverCalled(t)) }, stack.NoTarget},
		{"now, not asked", func(c *behaviors.Control) error { return c.DelegateNow("A", neverCalled(t)) }, stack.NotAsked},
	}
	for _, a := range attempts {
		t.Run(a.name, func(t *testing.T) {
			r := newRig(t, "R+ > A N\nA+ > X\nN+\nX+", func(r *rig) {
				r.of("N").wants = func(*behaviors.Control) bool { return false }
				r.of("R").update = once(2, func(c *behaviors.Control) {
					r.wantReason(a.try(c), a.want)
					if c.IsControlDelegated() || !c.InControl() {
						t.Error("a refusal changed who is in control")
					}
				})
			})
			r.step()
			r.want("U R, u A, u N")
			r.want("U R, u A, u N")
		})
	}
}

// an answer counts in the tick in which it was given only.
func TestAnswersDoNotLast(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				c.Wants("A")
			case 2:
				r.wantReason(c.DelegateTo("A", nil), stack.NotAsked)
			}
		}
	})
	r.steps(2)
}

// B-15, B-19, M-29: one delegate at a time; an action and a behavior exclude each other. Who is not on the stack delegates
// nothing.
func TestOnlyTheTopDelegatesAndOnlyOnce(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				if err := c.Act(hold("act"), nil); err != nil {
					t.Error(err)
				}
				c.Wants("A")
				r.wantReason(c.DelegateTo("A", neverCalled(t)), stack.NotInControl)
				r.wantReason(c.Act(hold("second"), neverCalled(t)), stack.NotInControl)
			case 2:
				c.CancelDelegates()
				r.pass(c, "A", nil)
				c.Wants("B")
				r.wantReason(c.DelegateTo("B", neverCalled(t)), stack.NotInControl)
				r.wantReason(c.Act(hold("third"), neverCalled(t)), stack.NotInControl)
			}
		}
		r.of("B").update = func(c *behaviors.Control) {
			r.wantReason(c.Act(hold("fourth"), neverCalled(t)), stack.NotActivated)
			r.wantReason(c.DelegateTo("A", neverCalled(t)), stack.NotActivated)
			r.wantReason(c.CancelSelf(), stack.NotOnStack)
		}
	})
	r.steps(3)
	r.wantChain("R A")
	if n := len(r.eng.Actions().Running()); n != 0 {
		t.Errorf("%d actions run", n)
	}
}

// L-6, L-5: while a question is answered nobody delegates or cancels, and control delegated reads false.
func TestDelegationIsHiddenWhileAsking(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) {
			if !c.Wants("A") {
				t.Error("A does not want")
			}
			if !c.InControl() {
				t.Error("the end of the question was not noticed")
			}
		})
		r.of("A").wants = func(c *behaviors.Control) bool {
			r.wantReason(c.Act(hold("act"), nil), stack.Hidden)
			r.wantReason(c.DelegateTo("A", nil), stack.Hidden)
			r.wantReason(c.CancelSelf(), stack.Hidden)
			if c.CancelDelegates() || c.IsControlDelegated() || c.InControl() {
				t.Error("delegation shows")
			}
			if c.SmartLockTracks("k", actions.Head) || c.SmartSuppress("k", "R") {
				t.Error("something was started inside a question (L-5)")
			}
			return true
		}
	})
	r.step()
	r.wantChain("R")
}

// B-17, Q-3: DelegateNow and ActNow cancel first and discard the callback of what was there, also without a new one.
func TestNowDiscardsThePreviousCallback(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", neverCalled(t))
			case 2:
				c.Wants("B")
				if err := c.DelegateNow("B", nil); err != nil {
					t.Error(err)
				}
			case 4: // B has ended
				r.pass(c, "A", neverCalled(t))
			case 5:
				if err := c.ActNow(done("act"), nil); err != nil {
					t.Error(err)
				}
			}
		}
		r.of("B").update = func(c *behaviors.Control) {
			if c.Tick() == 3 {
				_ = c.CancelSelf()
			}
		}
	})
	r.steps(8)
	r.wantChain("R")
}

// B-18, Q-4: control is delegated for whoever is on the stack and not its free top, and for nobody else.
func TestWhoseControlIsDelegated(t *testing.T) {
	check := func(who string, on, control bool, to string) func(c *behaviors.Control) {
		return func(c *behaviors.Control) {
			if c.Tick() == 2 && (c.IsControlDelegated() != on || c.InControl() != control || c.Delegate() != to) {
				t.Errorf("%s: delegated %v to %q, in control %v", who, c.IsControlDelegated(), c.Delegate(), c.InControl())
			}
		}
	}
	r := newRig(t, "R+ > A X\nA+ > B\nB+\nX+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			check("R", true, false, "A")(c)
			if c.Tick() == 1 {
				r.pass(c, "A", nil)
			}
		}
		r.of("A").start = func(c *behaviors.Control) { r.pass(c, "B", nil) }
		r.of("A").update = check("A", true, false, "B")
		r.of("B").start = func(c *behaviors.Control) { _ = c.Act(hold("act"), nil) }
		r.of("B").update = check("B", true, false, "")
		r.of("X").update = check("X", false, false, "")
	})
	r.steps(2)
}

// C-9: the callback of a behavior says so; the zero outcome is no success.
func TestOutcomesAreExplicit(t *testing.T) {
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
				_ = c.Act(act, func(_ *behaviors.Control, o behaviors.Outcome) { got = o })
			}
		})
		r.steps(2)
		if got.Ended != behaviors.EndedAction || got.Completion.Result != result || got.Succeeded() != (result == actions.Success) {
			t.Errorf("%v: %+v", result, got)
		}
	}
}

// C-10: a behavior that ended, by itself or from below, never gets its callback; not in its next activation either.
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
						_ = c.Act(act, neverCalled(t))
					}
				}
				r.of("A").update = func(c *behaviors.Control) {
					if c.Tick() == 2 && who == "itself" {
						_ = c.CancelSelf()
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
func TestTwoWaysToTakeControlBack(t *testing.T) {
	for _, kind := range []string{"behavior", "action"} {
		for _, with := range []bool{false, true} {
			r := newRig(t, "R+ > A\nA+", func(r *rig) {
				r.of("R").update = func(c *behaviors.Control) {
					switch c.Tick() {
					case 1:
						if kind == "action" {
							_ = c.Act(hold("act"), r.calls("R"))
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

// Q-11, C-9: the cancellation of one delegate says nothing about the next one.
func TestCancellationIsForgottenWithTheNextDelegate(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", neverCalled(t))
			case 2:
				c.CancelDelegatesWithCallback()
				r.pass(c, "B", r.calls("B"))
			case 4:
				_ = c.Act(hold("act"), neverCalled(t))
			case 5:
				c.CancelDelegatesWithCallback()
				_ = c.Act(done("act"), r.calls("act"))
			}
		}
	})
	r.want("E R, E A, E B, A R, U R, A A, U A, u B")
	r.want("U R, D A, A B, U B, D B, u A")
	r.want("back B behavior, U R, u A, u B")
	r.steps(2)
	r.want("back act SUCCESS, U R, u A, u B")
}

// C-9: a callback that becomes due in the Update in which it was armed does not report the delegate before.
func TestOutcomeOfAnEarlierDelegateIsNotReported(t *testing.T) {
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) { _ = c.Act(done("act"), nil) }
		r.of("R").hears = []string{"ping"}
		r.of("R").whileOn = func(c *behaviors.Control, _ behaviors.Event) { r.pass(c, "A", r.calls("A")) }
		r.of("A").start = func(c *behaviors.Control) { _ = c.CancelSelf() }
	})
	r.step()
	r.emit("ping", "")
	r.want("on R ping, A A, D A, back A behavior, U R, u A")
}

// C-12: after a cancellation the behavior may delegate again in the same hook.
func TestActAgainAfterCancelling(t *testing.T) {
	one, two := hold("one"), hold("two")
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) {
			if err := c.Act(one, neverCalled(t)); err != nil {
				t.Error(err)
			}
		}
		r.of("R").update = once(2, func(c *behaviors.Control) {
			if !c.CancelDelegates() {
				t.Error("nothing was cancelled")
			}
			if err := c.Act(two, neverCalled(t)); err != nil {
				t.Error(err)
			}
		})
	})
	r.steps(4)
	if one.Stops != 1 || two.Inits != 1 || two.Stops != 0 {
		t.Errorf("one %+v, two %+v", one, two)
	}
}

// C-13, L-11, Q-6: CancelSelf deactivates inside the call, and reports what really happened.
func TestCancelSelfInsideUpdateDeactivatesBeforeReturning(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ > B\nB+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", r.calls("R")) })
		r.of("A").start = func(c *behaviors.Control) { r.pass(c, "B", neverCalled(t)) }
		r.of("A").update = once(2, func(c *behaviors.Control) {
			if err := c.CancelSelf(); err != nil || c.Activated() || c.IsControlDelegated() || c.InControl() {
				t.Errorf("%v, activated %v", err, c.Activated())
			}
			r.note("still running")
			r.wantReason(c.CancelSelf(), stack.NotOnStack)
			r.wantReason(c.Act(hold("act"), nil), stack.NotActivated)
		})
	})
	r.step()
	r.want("U R, U A, D B, L B, D A, still running")
	r.want("back R behavior, U R, u A")
}

// M-24, L-12, Q-8: nothing is delegated from OnDeactivated, and no delegate may be asked there: it left scope.
func TestNothingIsDelegatedFromDeactivation(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ > B\nB+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").update = once(2, func(c *behaviors.Control) { _ = c.CancelSelf() })
		r.of("A").end = func(c *behaviors.Control) {
			if c.Wants("B") {
				t.Error("B answers out of scope")
			}
			r.wantReason(c.DelegateTo("B", nil), stack.NotActivated)
			r.wantReason(c.Act(hold("act"), nil), stack.NotActivated)
			r.wantReason(c.CancelSelf(), stack.NotOnStack)
		}
	})
	r.steps(2)
	r.wantChain("R")
	r.wantEvent("stack: A cannot ask B: not_in_scope")
}

// M-31, M-32, L-36: what is activated is neither asked nor delegated to.
func TestActivatedBehaviorsAreNotAsked(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick() == 1 {
				r.pass(c, "A", nil)
			}
			if c.Tick() == 2 && c.Wants("A") {
				t.Error("A wants to be activated and is")
			}
		}
	})
	r.steps(2)
	r.wantEvent("stack: R cannot ask A: already_activated")
}

// L-35: cancelling and delegating anew in one tick is a real end and a real start.
func TestSameDelegateAgainInOneTick(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ > B\nB", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick() == 1 {
				r.pass(c, "A", nil)
			}
			if c.Tick() == 2 && !c.AskAndDelegate("A", nil) {
				t.Error("refused")
			}
		}
	})
	r.step()
	r.want("U R, L B, D A, E B, A A, U A, u B")
}

// M-28: an action that cannot be queued, here because it already is, arms nothing and leaves control where it was.
func TestActionThatCannotBeQueued(t *testing.T) {
	act := hold("act")
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", r.calls("R")) })
		r.of("A").start = func(c *behaviors.Control) {
			if _, err := r.eng.Actions().Queue(act, actions.QueueOptions{Position: actions.PositionInParallel}); err != nil {
				t.Error(err)
			}
			if err := c.Act(act, neverCalled(t)); err == nil {
				t.Error("one action runs twice")
			}
			if c.IsControlDelegated() || !c.InControl() {
				t.Error("A waits for an action that was refused")
			}
		}
	})
	r.steps(3)
	r.wantChain("R A")
}

// told to stop after its delegate, a behavior delegates no more and ends with it, even one that may stay without.
func TestStopAfterCurrentDelegate(t *testing.T) {
	for _, tree := range []string{"R+ > A\nA", "R+ > A\nA+"} {
		act := hold("act")
		r := newRig(t, tree, func(r *rig) {
			r.of("R").update = func(c *behaviors.Control) {
				switch c.Tick() {
				case 1:
					r.pass(c, "A", r.calls("R"))
				case 2:
					if !c.StopAfterCurrentDelegate("A") || c.StopAfterCurrentDelegate("nobody") {
						t.Error("wrong answers")
					}
				case 5:
					r.pass(c, "A", nil) // the request is not remembered
				}
			}
			r.of("A").start = func(c *behaviors.Control) {
				if err := c.Act(act, func(c *behaviors.Control, o behaviors.Outcome) {
					r.note("back A " + ending(o))
					r.wantReason(c.Act(hold("more"), nil), stack.Stopping)
				}); err != nil {
					t.Error(err)
				}
			}
		})
		r.step()
		act.Result = actions.Success
		r.want("U R, U A")
		r.want("U R, back A SUCCESS, U A, D A")
		r.want("back R behavior, U R, u A")
		act.Result = actions.Running
		r.steps(3)
		r.wantChain("R A")
	}
}

// B-27: a delegate is interrupted politely only if it and everything above it agree; an action never does.
func TestGentleInterruption(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				if !c.CanInterruptGently() {
					t.Error("there is nothing to interrupt")
				}
				r.pass(c, "A", nil)
				if c.CanInterruptGently() {
					t.Error("A never agreed")
				}
			case 2:
				if err := c.ActNow(hold("act"), nil); err != nil {
					t.Error(err)
				}
				if c.CanInterruptGently() {
					t.Error("an action never agrees")
				}
			}
		}
	})
	r.steps(2)
}
