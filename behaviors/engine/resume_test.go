package engine_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
)

// short marks an interrupt that leaves the world as it was.
const short = `| "behaviorModifiers":{"resumableInterrupt":true}`

// interrupting makes a base R that runs W, gives control to the named behaviors one after the other, each in the tick after the
// one before, and then back to W.
func interrupting(r *rig, by ...string) {
	r.of("R").update = func(c *behaviors.Control) {
		switch k := int(c.Tick()) - 3; {
		case c.Tick() == 1:
			r.pass(c, "W", nil)
		case k >= 0 && k < len(by):
			c.CancelDelegates()
			r.pass(c, by[k], nil)
		case k == len(by):
			c.CancelDelegates()
			r.pass(c, "W", nil)
		}
	}
}

// The same delegator gives control back after a resumable interrupt, and nothing else ran in between: OnResumed instead of
// OnActivated, and no new start.
// Rules: Q-13, 5/ResumeInternal, data/1.6f.
func TestResumableInterruptLeadsToResume(t *testing.T) {
	r := newRig(t, "R+ > W I\nW^+\nI+ "+short, func(r *rig) { interrupting(r, "I") })
	r.step()
	r.want("U R, U W, u I")
	r.want("U R, D W, A I, U I, u W")
	r.want("U R, D I, R W, U W, u I")
	r.wantEvent("W.activated (resumed)")
	if n := r.eng.Cell("W").Started(); n != 1 {
		t.Errorf("W counts %d starts, want 1", n)
	}
	r.wantNoRefusal()
}

// Without an OnResumed of its own, a resumed behavior is activated; it is a return all the same.
func TestResumeDefaultsToActivation(t *testing.T) {
	r := newRig(t, "R+ > W I\nW+\nI+ "+short, func(r *rig) { interrupting(r, "I") })
	r.steps(3)
	r.want("U R, D I, A W, U W, u I")
	if n := r.eng.Cell("W").Started(); n != 1 {
		t.Errorf("W counts %d starts, want 1", n)
	}
}

// Everything else is a fresh activation: an interrupt that is not resumable, two interrupts, an action in between, a lost
// incarnation, another delegator.
// Rules: Q-13.
func TestOtherInterruptsLeadToFreshActivation(t *testing.T) {
	const tree = "R+ > W I J K\nW^+\nJ+\nI+ " + short + "\nK+ " + short
	for name, by := range map[string][]string{
		"an interrupt that changes the world":   {"J"},
		"two interrupts":                        {"I", "K"},
		"an interrupt and something else":       {"I", "J"},
		"something else and then an interrupt":  {"J", "I"},
		"the interrupt was interrupted by that": {"I", "I"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, tree, func(r *rig) { interrupting(r, by...) })
			r.steps(3 + len(by))
			if n := r.eng.Cell("W").Started(); n != 2 {
				t.Errorf("W counts %d starts, want 2", n)
			}
			r.wantEvent("W.activated")
		})
	}
	t.Run("an action in between", func(t *testing.T) {
		r := newRig(t, tree, func(r *rig) {
			interrupting(r, "I", "")
			with := r.of("R").update
			r.of("R").update = func(c *behaviors.Control) {
				if c.Tick() != 4 {
					with(c)
				} else if !c.CancelAndAct(hold("act"), nil) {
					t.Error(refusal(c))
				}
			}
		})
		r.steps(5)
		r.wantEvent("W.activated")
	})
	t.Run("a pause before the interrupt", func(t *testing.T) { // which therefore interrupted no delegate
		r := newRig(t, tree, func(r *rig) {
			interrupting(r, "", "I")
			with := r.of("R").update
			r.of("R").update = func(c *behaviors.Control) {
				if c.Tick() != 3 {
					with(c)
				} else {
					c.CancelDelegates()
				}
			}
		})
		r.steps(5)
		r.wantEvent("W.activated")
	})
	t.Run("another incarnation", func(t *testing.T) {
		r := newRig(t, tree, func(r *rig) {
			interrupting(r, "I")
			r.of("W").update = once(3, func(*behaviors.Control) { panic("lost") })
		})
		r.steps(4)
		r.wantEvent("W.activated")
	})
	t.Run("it ended by itself", func(t *testing.T) {
		r := newRig(t, tree, func(r *rig) {
			interrupting(r, "I")
			r.of("W").update = once(2, func(c *behaviors.Control) { c.CancelSelf() })
		})
		r.steps(4)
		r.wantEvent("W.activated")
	})
	t.Run("the delegator lost control in between", func(t *testing.T) {
		r := newRig(t, tree, func(r *rig) { interrupting(r, "I") })
		r.steps(3)
		r.command(engine.Command{Kind: engine.Cancel})
		r.step() // R starts anew, and gives control to W
		r.wantEvent("W.activated")
	})
}

// A whole chain is resumed: each behavior in it finds its own delegate again, if that is the first thing it does.
func TestWholeChainIsResumed(t *testing.T) {
	build := func(again string) *rig {
		return newRig(t, "R+ > W I\nW^+ > X Y\nX^+ > Z\nY^+\nZ^+\nI+ "+short, func(r *rig) {
			interrupting(r, "I")
			r.of("W").start = func(c *behaviors.Control) { r.pass(c, "X", nil) }
			r.of("X").start = func(c *behaviors.Control) { r.pass(c, "Z", nil) }
			r.of("W").resume = func(c *behaviors.Control) { r.pass(c, again, nil) }
			r.of("X").resume = func(c *behaviors.Control) { r.pass(c, "Z", nil) }
			r.of("W").update = once(5, func(c *behaviors.Control) {
				c.CancelDelegates()
				r.pass(c, "X", nil)
			})
		})
	}
	r := build("X")
	r.steps(3)
	r.want("U R, D I, E X, E Y, R W, E Z, R X, R Z, U W, U X, U Z, u I, u Y")
	r = build("Y")
	r.steps(3)
	r.want("U R, D I, E X, E Y, R W, A Y, U W, U Y, u I, u X")
	r.want("U R, U W, D Y, E Z, A X, A Z, U X, U Z, u I, u Y")
}

// A return needs consent like any delegation.
// Rules: Q-1, 5/ResumeInternal.
func TestResumeNeedsConsent(t *testing.T) {
	r := newRig(t, "R+ > W I\nW^+\nI+ "+short, func(r *rig) {
		interrupting(r, "I")
		r.of("W").wants = func(c *behaviors.Control) bool { return c.Tick() != 4 }
		with := r.of("R").update
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 4:
				c.CancelDelegates()
				if c.Wants("W") || c.DelegateTo("W", nil) {
					t.Error("W got control against its will")
				}
			case 5:
				r.pass(c, "W", nil)
			default:
				with(c)
			}
		}
	})
	r.steps(4)
	r.want("U R, R W, U W, u I") // the refused attempt was no other activity
}
