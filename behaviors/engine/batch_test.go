package engine_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
)

// In the in-scope pass behaviors may ask each other, also one whose Update is still to come, and one that is just asking. Each has
// its one Update all the same.
// Rules: L-3, T-9.
func TestQuestionsInInScopePassAreAnswered(t *testing.T) {
	r := newRig(t, "R+ > A B C\nA+\nB+\nC+", func(r *rig) {
		a, b := r.of("A"), r.of("B")
		a.hears = []string{behaviors.EventPoked}
		a.whileIn = func(*behaviors.Control, behaviors.Event) {}
		a.update = func(c *behaviors.Control) {
			if !c.Wants("B") || !c.Wants("C") || c.Wants("R") {
				t.Errorf("tick %d: the wrong answers", c.Tick())
			}
			if c.Tick() == 2 && len(c.Events()) != 1 || c.Activated() || c.InControl() {
				t.Errorf("tick %d: %d events", c.Tick(), len(c.Events()))
			}
		}
		a.wants = func(c *behaviors.Control) bool { r.note("asked A"); return true }
		b.wants = func(c *behaviors.Control) bool {
			r.note("asked B")
			return c.Wants("A") // which waits for the answer of B
		}
	})
	r.step()
	r.emit(behaviors.EventPoked, "")
	r.want("U R, in A poked, u A, asked B, asked A, u B, u C")
}

// A behavior whose answer fails before its turn has no Update any more, is blamed once, and is back in the same tick.
func TestBehaviorThatFailsInAnswerIsReplacedBeforeItsTurn(t *testing.T) {
	r := newRig(t, "R+ > A B C\nA+\nB+\nC+", func(r *rig) {
		r.of("A").update = once(2, func(c *behaviors.Control) {
			if c.Wants("B") {
				t.Error("a broken answer is yes")
			}
		})
		r.of("B").wants = func(*behaviors.Control) bool { panic("boom") }
	})
	r.step()
	r.want("U R, u A, u C, I B, E B")
	if r.faults() != "B.WantsToBeActivated" {
		t.Errorf("faults %q", r.faults())
	}
	r.want("U R, u A, u B, u C")
}

// A behavior that failed in the in-scope pass is not asked again in it.
func TestBehaviorThatFailedInInScopePassIsNotAsked(t *testing.T) {
	r := newRig(t, "R+ > A B C\nA+\nB+\nC+", func(r *rig) {
		r.of("A").update = once(2, func(*behaviors.Control) { panic("boom") })
		r.of("A").wants = func(*behaviors.Control) bool { r.note("asked A"); return true }
		r.of("C").update = once(2, func(c *behaviors.Control) {
			if c.Wants("A") {
				t.Error("the dead say yes")
			}
		})
	})
	r.step()
	r.want("U R, u A, u B, u C, I A, E A")
	if r.faults() != "A.Update" {
		t.Errorf("faults %q", r.faults())
	}
}

// A behavior that fails in its answer while its own Update waits is unwound, and blamed once, for the answer.
func TestFailureInAnswerWithinOwnUpdateIsContained(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("A").update = once(2, func(c *behaviors.Control) {
			c.Wants("B")
			t.Error("the Update of the lost incarnation goes on")
		})
		r.of("B").wants = func(c *behaviors.Control) bool { return c.Wants("A") }
		r.of("A").wants = func(*behaviors.Control) bool { panic("boom") }
	})
	r.step()
	r.want("U R, u A, u B, I A, E A")
	if r.faults() != "A.WantsToBeActivated" {
		t.Errorf("faults %q", r.faults())
	}
	r.want("U R, u A, u B")
}

// A behavior without an Update of its own is not called, nor counted.
// Rules: goal/M3.
func TestBehaviorWithoutUpdateIsSkipped(t *testing.T) {
	r := newRig(t, "R+ > A Q\nA+\nQ~", nil)
	r.want("E R, E A, A R, U R, u A")
	if r.out.Updated != 1 {
		t.Errorf("%d updated", r.out.Updated)
	}
}

// A failure that was blamed on an answer hides none that follows in the pass.
func TestFailureAfterAnUnwoundUpdateIsTold(t *testing.T) {
	r := newRig(t, "R+ > A B C\nA+\nB+\nC+", func(r *rig) {
		r.of("A").update = once(2, func(c *behaviors.Control) { c.Wants("B") })
		r.of("B").wants = func(c *behaviors.Control) bool { return c.Wants("A") }
		r.of("A").wants = func(*behaviors.Control) bool { panic("boom") }
		r.of("C").update = once(2, func(*behaviors.Control) { panic("boom") })
	})
	r.step()
	r.want("U R, u A, u B, u C, I A, E A, I C, E C")
	r.want("U R, u A, u B, u C")
}

// The lists of a pass are used again, unless somebody whose hook failed may still read them.
func TestListsOfThePassAreKeptWhileNobodyFails(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("A").update = once(3, func(*behaviors.Control) { panic("boom") })
	})
	for tick, kept := range []bool{true, true, false, true} {
		if r.step(); engine.KeepsBatch(r.eng) != kept {
			t.Errorf("tick %d: kept %t", tick+1, !kept)
		}
	}
}
