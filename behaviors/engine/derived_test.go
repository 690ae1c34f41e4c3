package engine_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
)

// DX-1, T-15: unwinding takes one tick per level, building up none.
func TestDX1Unwinding(t *testing.T) {
	act := hold("act")
	r := newRig(t, "R+ > A\nA > B\nB", func(r *rig) {
		r.of("R").update = once(2, func(c *behaviors.Control) { r.pass(c, "A", r.calls("R")) })
		r.of("A").start = func(c *behaviors.Control) { r.pass(c, "B", r.calls("A")) }
		r.of("B").start = func(c *behaviors.Control) {
			if err := c.Act(act, r.calls("B")); err != nil {
				t.Error(err)
			}
		}
	})
	r.want("E R, E A, A R, U R, u A")
	r.want("U R, E B, A A, A B, U A, U B")
	act.Result = actions.Success
	r.want("U R, U A, U B")
	r.want("U R, U A, back B SUCCESS, U B, D B")
	r.want("U R, back A behavior, U A, L B, D A")
	r.want("back R behavior, U R, u A")
	r.want("U R, u A")
}

// DX-2, L-16…L-18: a delegate that two layers list keeps its scope while one of them does.
func TestDX2SharedDelegate(t *testing.T) {
	r := newRig(t, "R+ > A X\nA+ > X B\nB\nX+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 2:
				r.pass(c, "A", nil)
			case 3:
				c.CancelDelegates()
				r.pass(c, "X", nil)
			case 5:
				c.CancelDelegates()
			}
		}
		r.of("A").start = func(c *behaviors.Control) { r.pass(c, "X", nil) }
	})
	r.want("E R, E A, E X, A R, U R, u A, u X")
	r.want("U R, E B, A A, A X, U A, U X, u B")
	r.want("U R, D X, L B, D A, A X, U X, u A")
	r.want("U R, U X, u A")
	r.want("U R, D X, u A, u X")
}

// DX-3, L-9: a behavior that cancels itself in its activation; the delegator is told nothing until its next Update.
func TestDX3SelfCancelInActivation(t *testing.T) {
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		r.of("R").update = once(2, func(c *behaviors.Control) {
			r.pass(c, "A", r.calls("R"))
			r.note("passed")
			if c.IsControlDelegated() {
				t.Error("A is gone, and control still delegated")
			}
		})
		r.of("A").start = func(c *behaviors.Control) {
			if err := c.CancelSelf(); err != nil {
				t.Error(err)
			}
		}
	})
	r.step()
	r.want("U R, A A, D A, passed, u A")
	r.want("back R behavior, U R, u A")
}

// DX-4, T-6, L-13: popped before its turn, a behavior has an in-scope Update if something still lists it.
func TestDX4CancelledBeforeItsTurn(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ > B\nB+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 2:
				r.pass(c, "A", r.calls("R"))
			case 3:
				c.CancelDelegates()
			}
		}
		r.of("A").start = func(c *behaviors.Control) { r.pass(c, "B", r.calls("A")) }
	})
	r.steps(2)
	r.want("U R, D B, L B, D A, u A")
	r.want("U R, u A")
}

// DX-6, L-8, T-6: one delegate replaced by another, which extends the stack, in one tick.
func TestDX6SwapAndExtendInOneTick(t *testing.T) {
	r := newRig(t, "R+ > A C\nA+\nC+ > D\nD+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 2:
				r.pass(c, "A", r.calls("A"))
			case 3:
				if !c.Wants("C") {
					t.Error("C does not want")
				}
				if err := c.DelegateNow("C", nil); err != nil {
					t.Error(err)
				}
			}
		}
		r.of("C").update = func(c *behaviors.Control) {
			if c.InControl() {
				r.pass(c, "D", nil)
			}
		}
	})
	r.steps(2)
	r.want("U R, D A, E D, A C, U C, A D, U D, u A")
	r.want("U R, U C, U D, u A")
}

// DX-7, C-7, C-8: each callback comes once, one tick after its action ended, and may install the next one.
func TestDX7ChainedCallbacks(t *testing.T) {
	r := newRig(t, "R", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) {
			_ = c.Act(done("one"), func(c *behaviors.Control, o behaviors.Outcome) {
				r.note("back " + o.Completion.Name + " " + ending(o))
				if err := c.Act(done("two"), r.calls("two")); err != nil {
					t.Error(err)
				}
			})
		}
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick() == 3 && c.InControl() {
				_ = c.Act(hold("three"), nil)
			}
		}
	})
	r.want("E R, A R, U R")
	r.want("back one SUCCESS, U R")
	r.wantChain("R")
	r.want("back two SUCCESS, U R")
	r.want("U R")
	r.wantChain("R")
}

// DX-8, L-28: a reset to the present base is a full stop and restart.
func TestDX8ResetToTheSameBase(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if c.InControl() && c.Tick() == 2 {
				r.pass(c, "A", nil)
			}
		}
	})
	r.steps(2)
	r.wantChain("R A")
	r.command(engine.Command{Kind: engine.RunBehavior, ID: "R"})
	r.want("D A, L A, D R, L R, E R, E A, A R, U R, u A")
	if n := r.eng.Cell("R").Started(); n != 2 {
		t.Errorf("R was activated %d times", n)
	}
}

// L-20, L-21: a behavior linked to a delegate is in scope and may be asked, but not delegated to.
func TestLinkedBehaviorsMayBeAskedOnly(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ | \"links\": [\"L\"]\nL+", func(r *rig) {
		r.of("R").update = once(2, func(c *behaviors.Control) {
			if !c.Wants("L") {
				t.Error("L was asked in vain")
			}
			if err := c.DelegateTo("L", nil); err == nil {
				t.Error("L became a delegate of R")
			}
		})
	})
	r.want("E R, E A, E L, A R, U R, u A, u L")
	r.want("U R, u A, u L")
	r.wantEvent("stack: R cannot delegate to L: not_a_delegate")
}

// goal/M17: a chain of delegations of any length up to the limit is built in the tick in which it began.
func TestChainOfDelegationsIsBuiltInOneTick(t *testing.T) {
	const depth = 63
	name := func(i int) string { return "N" + string(rune('A'+i/26)) + string(rune('A'+i%26)) }
	tree := ""
	for i := range depth {
		tree += name(i) + "+ > " + name(i+1) + "\n"
	}
	r := newRig(t, tree+name(depth)+"+", func(r *rig) {
		for i := range depth {
			r.of(name(i)).start = func(c *behaviors.Control) { r.pass(c, name(i+1), nil) }
		}
	})
	r.step()
	if n := r.eng.Stack().Depth(); n != depth+1 {
		t.Errorf("depth %d, want %d", n, depth+1)
	}
}
