package engine_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
)

// A behavior linked to a delegate is in scope and may be asked, but not delegated to.
// Rules: L-20, L-21, data/1.9b.
func TestLinkedBehaviorsMayBeAskedOnly(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ | \"links\": [\"L\"]\nL+", func(r *rig) {
		r.of("R").update = once(2, func(c *behaviors.Control) {
			if !c.Wants("L") {
				t.Error("L was asked in vain")
			}
			if c.DelegateTo("L", nil) {
				t.Error("L became a delegate of R")
			}
		})
	})
	r.want("E R, E A, E L, A R, U R, u A, u L")
	r.want("U R, u A, u L")
	r.wantEvent("stack: R cannot delegate to L: not_a_delegate")
}

// A chain of delegations of any length up to the limit is built in the tick in which it began.
// Rules: goal/M17.
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
