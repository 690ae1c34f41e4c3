package engine_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// A delegation that is not allowed is refused with its reason, changes nothing, and arms no callback.
// Rules: B-15, B-16, M-12, M-13, M-14, M-15, M-16, M-30, Q-1, Q-2, Q-8, DT-T05, data/1.9a, data/1.9c.
func TestRefusedDelegationChangesNothing(t *testing.T) {
	type attempt struct {
		name string
		try  func(c *behaviors.Control) error
		want stack.Reason
	}
	attempts := []attempt{
		{"not asked", func(c *behaviors.Control) error { return refusal(c, c.DelegateTo("A", neverCalled(t))) }, stack.NotAsked},
		{"declined", func(c *behaviors.Control) error {
			if c.Wants("N") {
				t.Error("N wants")
			}
			return refusal(c, c.DelegateTo("N", neverCalled(t)))
		}, stack.Declined},
		{"no delegate", func(c *behaviors.Control) error { return refusal(c, c.DelegateTo("X", neverCalled(t))) }, stack.NotADelegate},
		{"itself", func(c *behaviors.Control) error { return refusal(c, c.DelegateTo("R", neverCalled(t))) }, stack.NotADelegate},
		{"nothing", func(c *behaviors.Control) error { return refusal(c, c.DelegateTo("nobody", neverCalled(t))) }, stack.NoTarget},
		{"no action", func(c *behaviors.Control) error { return refusal(c, c.Act(nil, neverCalled(t))) }, stack.NoTarget},
		{"now, not asked", func(c *behaviors.Control) error { return refusal(c, c.CancelAndDelegateTo("A", neverCalled(t))) }, stack.NotAsked},
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

// An answer counts only in the tick in which it was given.
// Rules: Q-1, data/1.9c.
func TestAnswerExpiresAtEndOfTick(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				c.Wants("A")
			case 2:
				r.wantReason(refusal(c, c.DelegateTo("A", nil)), stack.NotAsked)
			}
		}
	})
	r.steps(2)
}

// One delegate at a time; an action and a behavior exclude each other. Who is not on the stack delegates nothing.
// Rules: B-15, B-19, M-29, M-30, BEH-1, DT-B04, DT-B06.
func TestOnlyTopDelegatesAndOnlyOnce(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				if !c.Act(hold("act"), nil) {
					err := refusal(c)
					t.Error(err)
				}
				c.Wants("A")
				r.wantReason(refusal(c, c.DelegateTo("A", neverCalled(t))), stack.NotInControl)
				r.wantReason(refusal(c, c.Act(hold("second"), neverCalled(t))), stack.NotInControl)
			case 2:
				c.CancelDelegates()
				r.pass(c, "A", nil)
				c.Wants("B")
				r.wantReason(refusal(c, c.DelegateTo("B", neverCalled(t))), stack.NotInControl)
				r.wantReason(refusal(c, c.Act(hold("third"), neverCalled(t))), stack.NotInControl)
			}
		}
		r.of("B").update = func(c *behaviors.Control) {
			r.wantReason(refusal(c, c.Act(hold("fourth"), neverCalled(t))), stack.NotActivated)
			r.wantReason(refusal(c, c.DelegateTo("A", neverCalled(t))), stack.NotActivated)
			r.wantReason(refusal(c, c.CancelSelf()), stack.NotOnStack)
		}
	})
	r.steps(3)
	r.wantChain("R A")
	if n := len(r.eng.Actions().Running()); n != 0 {
		t.Errorf("%d actions run", n)
	}
}

// While a question is answered delegating and cancelling are refused, and control delegated reads false.
// Rules: L-5, L-6, M-29.
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
			r.wantReason(refusal(c, c.Act(hold("act"), nil)), stack.Hidden)
			r.wantReason(refusal(c, c.DelegateTo("A", nil)), stack.Hidden)
			r.wantReason(refusal(c, c.CancelSelf()), stack.Hidden)
			if c.CancelDelegates() || c.IsControlDelegated() || c.InControl() {
				t.Error("delegation shows")
			}
			if c.Tracks().Lock("k", actions.Head) || c.Suppression().Hold("k", "R") {
				t.Error("something was started inside a question (L-5)")
			}
			return true
		}
	})
	r.step()
	r.wantChain("R")
}

// DelegateNow and ActNow cancel first and discard the callback of the previous delegate, also without a new one.
// Rules: B-14, B-17, Q-3, BEH-1.
func TestDelegateNowDiscardsPreviousCallback(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", neverCalled(t))
			case 2:
				c.Wants("B")
				if !c.CancelAndDelegateTo("B", nil) {
					err := refusal(c)
					t.Error(err)
				}
			case 4: // B has ended
				r.pass(c, "A", neverCalled(t))
			case 5:
				if !c.CancelAndAct(done("act"), nil) {
					err := refusal(c)
					t.Error(err)
				}
			}
		}
		r.of("B").update = func(c *behaviors.Control) {
			if c.Tick() == 3 {
				c.CancelSelf()
			}
		}
	})
	r.steps(8)
	r.wantChain("R")
}

// Control is delegated for the behaviors on the stack except for a top without an action, and for no other.
// Rules: B-18, Q-4.
func TestControlIsDelegatedBelowTopOnly(t *testing.T) {
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
		r.of("B").start = func(c *behaviors.Control) { c.Act(hold("act"), nil) }
		r.of("B").update = check("B", true, false, "")
		r.of("X").update = check("X", false, false, "")
	})
	r.steps(2)
}

// CancelSelf deactivates inside the call, and returns whether it did.
// Rules: L-11, C-13, Q-6.
func TestCancelSelfInsideUpdateDeactivatesBeforeReturning(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ > B\nB+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", r.calls("R")) })
		r.of("A").start = func(c *behaviors.Control) { r.pass(c, "B", neverCalled(t)) }
		r.of("A").update = once(2, func(c *behaviors.Control) {
			if err := refusal(c, c.CancelSelf()); err != nil || c.Activated() || c.IsControlDelegated() || c.InControl() {
				t.Errorf("%v, activated %v", err, c.Activated())
			}
			r.note("still running")
			r.wantReason(refusal(c, c.CancelSelf()), stack.NotOnStack)
			r.wantReason(refusal(c, c.Act(hold("act"), nil)), stack.NotActivated)
		})
	})
	r.step()
	r.want("U R, U A, D B, L B, D A, still running")
	r.want("back R behavior, U R, u A")
}

// Nothing is delegated from OnDeactivated, and no delegate may be asked there: it left scope.
// Rules: L-12, M-24, Q-8.
func TestDelegationInDeactivationIsRefused(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ > B\nB+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").update = once(2, func(c *behaviors.Control) { c.CancelSelf() })
		r.of("A").end = func(c *behaviors.Control) {
			if c.Wants("B") {
				t.Error("B answers out of scope")
			}
			r.wantReason(refusal(c, c.DelegateTo("B", nil)), stack.NotActivated)
			r.wantReason(refusal(c, c.Act(hold("act"), nil)), stack.NotActivated)
			r.wantReason(refusal(c, c.CancelSelf()), stack.NotOnStack)
		}
	})
	r.steps(2)
	r.wantChain("R")
	r.wantEvent("stack: A cannot ask B: not_in_scope")
}

// Nobody is asked in OnDeactivated, not even a behavior that another one keeps in scope; it might ask back.
// Rules: L-12, M-24.
func TestQuestionsInDeactivationAreRefused(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+ > B\nB+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").update = once(2, func(c *behaviors.Control) {
			if !c.Wants("B") {
				t.Error("B does not answer")
			}
			c.CancelSelf()
		})
		r.of("A").end = func(c *behaviors.Control) {
			if c.Wants("B") {
				t.Error("B answers")
			}
		}
		r.of("B").wants = func(c *behaviors.Control) bool {
			c.Wants("A")
			return true
		}
	})
	r.steps(2)
	r.wantChain("R")
	r.wantEvent("stack: A cannot ask B: not_activated")
}

// An activated behavior is neither asked nor delegated to.
// Rules: L-36, M-31, M-32.
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

// Cancelling and delegating anew in one tick is a real end and a real start.
// Rules: L-35.
func TestSameDelegateMayRunAgainInOneTick(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ > B\nB", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick() == 1 {
				r.pass(c, "A", nil)
			}
			if c.Tick() == 2 && !c.CancelAndDelegateIfWanted("A", nil) {
				t.Error("refused")
			}
		}
	})
	r.step()
	r.want("U R, L B, D A, E B, A A, U A, u B")
}

// An action that cannot be queued, here because it already is, arms nothing and leaves control where it was.
// Rules: M-28.
func TestUnqueuedActionLeavesControlUnchanged(t *testing.T) {
	act := hold("act")
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", r.calls("R")) })
		r.of("A").start = func(c *behaviors.Control) {
			if _, err := r.eng.Actions().Queue(act, actions.QueueOptions{Position: actions.PositionInParallel}); err != nil {
				t.Error(err)
			}
			if c.Act(act, neverCalled(t)) {
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

// Told to stop after its delegate, a behavior delegates no more and ends with it, even one that may stay without.
// Rules: Q-13.
func TestMarkedBehaviorStopsAfterCurrentDelegate(t *testing.T) {
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
				if !c.Act(act, func(c *behaviors.Control, o behaviors.Outcome) {
					r.note("back A " + ending(o))
					r.wantReason(refusal(c, c.Act(hold("more"), nil)), stack.Stopping)
				}) {
					err := refusal(c)
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

// A delegate is interrupted politely only if it and everything above it agree; an action never does.
// Rules: B-27.
func TestPoliteCancellationNeedsConsentOfAllAbove(t *testing.T) {
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
				if !c.CancelAndAct(hold("act"), nil) {
					err := refusal(c)
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

// An action that was to wait for a get-out, and was cancelled with it, is not replaced by the next one.
// Rules: B-20.
func TestActionCancelledWithGetOutIsNotReplaced(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				c.PlayEmergencyGetOut(hold("out"))
				c.Act(hold("held"), nil)
			case 3:
				if !c.Act(hold("next"), nil) || c.Refusal() != nil {
					t.Error(c.Refusal())
				}
			}
		}
	})
	r.steps(2)
	r.order(engine.Command{Kind: engine.CancelActions})
	if len(r.out.Misuses) > 0 {
		t.Errorf("misuses %v", r.out.Misuses)
	}
}
