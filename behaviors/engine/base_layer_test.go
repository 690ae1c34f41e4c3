package engine_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
)

// A callback that was not delivered yet stays when the next delegate is a behavior without one. It comes when that has ended, once,
// with the outcome that it was for.
// Rules: B-16.
func TestUndeliveredCallbackOutlivesDelegateWithoutCallback(t *testing.T) {
	r := newRig(t, "R+ > A B\nA\nB+", func(r *rig) {
		rr := r.of("R")
		rr.hears = []string{behaviors.EventPoked}
		rr.start = func(c *behaviors.Control) { c.Act(done("act"), r.calls("act")) }
		rr.whileOn = func(c *behaviors.Control, _ behaviors.Event) { r.pass(c, "B", nil) } // before the callback is due
	})
	r.of("B").update = once(4, func(c *behaviors.Control) { c.CancelSelf() })
	r.step()
	r.emit(behaviors.EventPoked, "")
	r.want("on R poked, A B, U R, U B, u A")
	r.want("U R, U B, u A")
	r.want("U R, U B, D B, u A")
	r.want("back act SUCCESS, U R, u A, u B")
	r.want("U R, u A, u B")
}

// The same for a delegate that was cancelled with its callback kept, whatever becomes of the next one.
// Rules: B-16, Q-11.
func TestUndeliveredCancellationOutlivesDelegateWithoutCallback(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", nil)
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 1:
			r.pass(c, "A", r.calls("A"))
		case 2:
			c.CancelDelegatesWithCallback()
			r.pass(c, "B", nil)
		case 3:
			c.CancelDelegatesWithCallback()
		}
	}
	r.want("E R, E A, E B, A R, U R, A A, U A, u B")
	r.want("U R, D A, A B, U B, u A")
	r.want("U R, D B, u A, u B")
	r.want("back A cancelled, U R, u A, u B")
	r.want("U R, u A, u B")
}

// Anything else that comes next drops the callback: a behavior with a callback, an action with or without one, a cancellation, and the end of the
// behavior.
// Rules: B-15, B-16, B-17, Q-3, BEH-3.
func TestUndeliveredCallbackIsDroppedByLaterDelegateWithCallback(t *testing.T) {
	for name, next := range map[string]func(r *rig, c *behaviors.Control){
		"behavior with a callback":  func(r *rig, c *behaviors.Control) { r.pass(c, "B", r.calls("B")) },
		"action without a callback": func(_ *rig, c *behaviors.Control) { c.Act(done("more"), nil) },
		"now, without a callback": func(r *rig, c *behaviors.Control) {
			c.Wants("B")
			c.CancelAndDelegateTo("B", nil)
		},
		"cancelled": func(r *rig, c *behaviors.Control) {
			r.pass(c, "B", nil)
			c.CancelDelegates()
		},
		"itself ended": func(r *rig, c *behaviors.Control) {
			r.pass(c, "B", nil)
			c.CancelSelf()
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "R+ > T\nT+ > A B\nA\nB", func(r *rig) {
				r.of("R").update = func(c *behaviors.Control) {
					if c.InControl() {
						r.pass(c, "T", nil)
					}
				}
				on := r.of("T")
				on.hears = []string{behaviors.EventPoked}
				on.start = func(c *behaviors.Control) {
					if c.Tick() == 1 {
						c.Act(done("act"), neverCalled(t))
					}
				}
				on.whileOn = func(c *behaviors.Control, _ behaviors.Event) { next(r, c) }
			})
			r.step()
			r.emit(behaviors.EventPoked, "")
			r.steps(6)
			r.wantNoRefusal()
		})
	}
}

// There is no cooldown at this layer, and no feature gate: a behavior that just ended, and belongs to a disabled feature, may start.
// Rules: B-9.
func TestBehaviorRestartsWithoutCooldownOrFeatureGate(t *testing.T) {
	r := newRig(t, "R+ > A\nA | \"associatedActiveFeature\": \"Chatting\", \"resetTimers\": [\"nap\"]", nil)
	r.of("R").update = func(c *behaviors.Control) {
		r.pass(c, "A", nil)
	}
	r.steps(4)
	if n := r.eng.Cell("A").Started(); n != 4 || r.eng.View().Features["Chatting"] {
		t.Errorf("started %d times in 4 ticks", n)
	}
}

// B-11 (1), (7), (9), (10): when the author's hook runs, the activation is counted, its stat and emotion are in force; the
// cancel conditions are active from then on.
// Rules: B-11, data/1.9e.
func TestBaseLayerActivatesBeforeOnActivated(t *testing.T) {
	r := newRig(t, `R+ > A
A+ | "emotionEventOnActivated": "half", "behaviorStatToIncrement": "Jumps", "wantsToCancelSelfCondition": {"conditionType": "TimerInRange", "begin_s": 0.1}`, nil)
	r.of("R").update = once(2, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	ran := false
	r.of("A").start = func(c *behaviors.Control) {
		ran = true
		if c.TimesStarted() != 1 || r.eng.Stat("Jumps") != 1 || c.View().Mood[condition.Confident] != 0.5 || c.ActivatedFor() != 0 {
			t.Errorf("started %d, jumps %d, mood %v", c.TimesStarted(), r.eng.Stat("Jumps"), c.View().Mood)
		}
	}
	r.steps(3)
	r.wantChain("R A")
	r.step() // 0.12 s after the activation, and not after the entry into scope
	r.wantChain("R")
	if !ran {
		t.Error("never activated")
	}
}

// Every activation is a full one and is counted; the count can be reset, from scope too, and begins at 0 again.
// Rules: B-13, 7/32.
func TestStartCountCanBeReset(t *testing.T) {
	var counts []uint64
	r := newRig(t, "R+ > A\nA", nil)
	r.of("R").update = func(c *behaviors.Control) {
		if c.Tick() != 3 {
			r.pass(c, "A", nil)
		}
	}
	r.of("A").start = func(c *behaviors.Control) { counts = append(counts, c.TimesStarted()) }
	r.of("A").update = func(c *behaviors.Control) {
		if c.Tick() == 3 {
			c.ResetTimesStarted()
			if c.TimesStarted() != 0 || c.Activated() {
				t.Errorf("%d after the reset, activated %v", c.TimesStarted(), c.Activated())
			}
		}
	}
	r.steps(5)
	if len(counts) != 4 || counts[0] != 1 || counts[1] != 2 || counts[2] != 1 || counts[3] != 2 {
		t.Errorf("counts %v", counts)
	}
	if n := r.eng.Cell("A").Started(); n != 4 {
		t.Errorf("the engine counted %d", n)
	}
}

// The count is exact in every hook, also in those of a behavior in scope, and before their first request.
// Rules: B-13.
func TestStartCountIsKnownInScope(t *testing.T) {
	var asked, updated []uint64
	r := newRig(t, "R+ > A\nA", nil)
	r.of("R").update = func(c *behaviors.Control) {
		if c.Wants("A") {
			r.pass(c, "A", nil)
		}
	}
	r.of("A").wants = func(c *behaviors.Control) bool {
		asked = append(asked, c.TimesStarted())
		return c.TimesStarted() < 2
	}
	r.of("A").update = func(c *behaviors.Control) {
		if !c.Activated() {
			updated = append(updated, c.TimesStarted())
		}
	}
	r.steps(6)
	if n := r.eng.Cell("A").Started(); n != 2 {
		t.Errorf("%d starts; asked with %v, updated with %v", n, asked, updated)
	}
	if k := len(updated); k == 0 || updated[k-1] != 2 {
		t.Errorf("Updates in scope know of %v starts", updated)
	}
}

// T-13 (d): all cancel conditions are evaluated although the end is decided already. A deduplication that was met in the first
// activation, which ended for want of a delegate, is quiet in the second.
// Rules: T-13, 7/14.
func TestCancelConditionsAreEvaluatedAfterEndIsDecided(t *testing.T) {
	r := newRig(t, `R+ > A
A | "wantsToCancelSelfCondition": {"conditionType": "TimedDedup", "dedupInterval_ms": 60000, "subCondition": {"conditionType": "TrueCondition"}}`, nil)
	r.of("R").update = func(c *behaviors.Control) {
		if c.InControl() {
			r.pass(c, "A", nil)
		}
	}
	r.of("A").start = func(c *behaviors.Control) {
		if c.Tick() > 1 {
			c.Act(hold("act"), nil)
		}
	}
	r.step()
	r.wantChain("R")
	r.step()
	r.wantChain("R A")
}

// The class is asked last, and not at all if a gate before it says no; a suppressed behavior is not even looked at by its
// conditions: a deduplication is not used up by a question that an earlier gate answered.
// Rules: B-8, data/1.9d.
func TestGatesAfterARefusalAreSkipped(t *testing.T) {
	r := newRig(t, `R+ > A
A+ | "wantsToBeActivatedCondition": {"conditionType": "TimedDedup", "dedupInterval_ms": 60000, "subCondition": {"conditionType": "TrueCondition"}}`, nil)
	var got []bool
	r.of("R").update = func(c *behaviors.Control) {
		if c.Tick() == 1 {
			c.Suppression().ThisTick("A")
		}
		got = append(got, c.Wants("A"))
	}
	r.steps(3)
	if got[0] || !got[1] || got[2] {
		t.Errorf("answers %v, want no, yes, no", got)
	}
}

// B-12 (2), (12), (18): when the author's hook runs, an emotion is still fixed and the feedback on; then both are undone, also
// for a behavior that fails instead.
// Rules: B-12, data/1.9f, data/5.1i.
func TestDeactivationReleasesMoodAndLights(t *testing.T) {
	for _, crash := range []bool{false, true} {
		r := newRig(t, `R+ > A
A+ | "respondToUserIntents": [{"type": "hello"}]`, nil)
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", nil)
			case 2:
				c.CancelDelegates()
			case 4:
				c.Emotions().Trigger("shock")
			}
		}
		a := r.of("A")
		a.start = func(c *behaviors.Control) { c.Emotions().Fix("k", condition.Trust, 0.75) }
		a.end = func(c *behaviors.Control) {
			if c.View().Mood[condition.Trust] != 0.75 || c.View().Intent.Active == nil {
				t.Error("given back before OnDeactivated")
			}
			if crash {
				panic("boom")
			}
		}
		r.intent("hello")
		r.step()
		if r.lit() != "on" {
			t.Error("the lights are not on")
		}
		r.step()
		if r.lit() != "off" || r.eng.View().Intent.Active != nil {
			t.Errorf("crash %v: lights %q, intents %+v", crash, r.lit(), r.eng.View().Intent)
		}
		r.steps(2)
		r.feels(condition.Trust, 1) // follows events again
	}
}

// A callback is not due while control is delegated, however it was stored, and runs in the Update after.
// Rules: C-7, BEH-3, TICK-3.
func TestCallbackIsNotDueWhileDelegated(t *testing.T) {
	act := hold("act")
	r := newRig(t, "R+", nil)
	r.of("R").start = func(c *behaviors.Control) { c.Act(act, r.calls("act")) }
	r.step()
	r.want("U R")
	r.want("U R")
	act.Result = actions.Success
	r.want("U R") // ends in the action phase of this tick
	r.want("back act SUCCESS, U R")
}

// Without a delegate or an action, cancelling changes nothing and returns false.
// Rules: C-12, DT-B04.
func TestCancelWithoutDelegateReturnsFalse(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", nil)
	r.of("R").update = func(c *behaviors.Control) {
		if c.CancelDelegates() || c.CancelDelegatesWithCallback() {
			t.Error("something was cancelled")
		}
	}
	r.of("A").update = r.of("R").update
	r.steps(2)
	r.wantNoRefusal()
}
