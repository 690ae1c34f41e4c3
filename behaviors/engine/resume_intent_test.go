package engine_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
)

// dancer is a tree in which D answers to the intent hello below a dispatcher V, and the base R takes control away for I or J.
const dancer = "R+ > V I J\nV+ > D\nD^+ | \"respondToUserIntents\":[{\"type\":\"hello\"}]\nI+ " + short + "\nJ+"

// pendingTag is the tag of the pending intent.
func (r *rig) pendingTag() string {
	if p := r.eng.View().Intent.Pending; p != nil {
		return p.Tag
	}
	return ""
}

// interruptedDance lets D claim the intent and be interrupted by the named behaviors one after the other, each for ticks ticks; then control goes back.
func interruptedDance(t *testing.T, ticks int, by ...string) *rig {
	r := newRig(t, dancer, func(r *rig) {
		r.of("V").update = func(c *behaviors.Control) {
			if c.Activated() && !c.IsControlDelegated() && c.Wants("D") {
				r.pass(c, "D", nil)
			}
		}
		r.of("R").update = func(c *behaviors.Control) {
			switch k := int(c.Tick()) - 3; {
			case c.Tick() == 1:
				r.pass(c, "V", nil)
			case k >= 0 && k%ticks == 0 && k/ticks < len(by):
				c.CancelDelegates()
				r.pass(c, by[k/ticks], nil)
			case k == ticks*len(by):
				c.CancelDelegates()
				r.pass(c, "V", nil)
			}
		}
	})
	r.intent("hello")
	r.steps(2)
	if r.chain() == "" || r.eng.View().Intent.Active == nil {
		t.Fatalf("no dance: %s", r.chain())
	}
	return r
}

// A command whose behavior is interrupted for a moment waits without a timeout, and its behavior claims it anew and goes on.
// Rules: Q-13, T-19.
func TestInterruptedCommandGoesOnAfterResumableInterrupt(t *testing.T) {
	r := interruptedDance(t, 10, "I")
	r.steps(5)
	if got := r.pendingTag(); got != "hello" {
		t.Errorf("pending %q during the interrupt", got)
	}
	r.steps(7)
	r.wantChain("R V D")
	if n := r.eng.Cell("D").Started(); n != 1 {
		t.Errorf("D counts %d starts, want 1", n)
	}
	if v := r.eng.View(); v.Intent.Active == nil || v.Intent.Pending != nil {
		t.Errorf("intents %+v", v.Intent)
	}
	r.wantNoRefusal()
}

// An interrupt that changes the world, or a second one, ends the wait at once: the command is over.
// Rules: Q-13.
func TestInterruptedCommandIsDroppedWhenSomethingElseRuns(t *testing.T) {
	for _, by := range [][]string{{"J"}, {"I", "J"}, {"I", "I"}} {
		r := interruptedDance(t, 6, by...)
		r.steps(6 * len(by))
		if got := r.pendingTag(); got != "" && len(by) == 1 {
			t.Errorf("%v: pending %q", by, got)
		}
		r.steps(4)
		r.wantChain("R V")
		if got := r.pendingTag(); got != "" {
			t.Errorf("%v: pending %q at the end", by, got)
		}
	}
}

// A command that was given back and is dropped because nothing can resume any more has had its time: it is neither late nor unclaimed, and what
// else changes in that tick stays.
// Rules: Q-13, T-19, T-20.
func TestGivenBackCommandIsDroppedWithoutAWarning(t *testing.T) {
	r := interruptedDance(t, 30, "I")
	r.steps(5)
	before := r.eng.View().Intent.Unclaimed
	r.wake() // its third tick is the one after the reset
	r.steps(2)
	r.command(engine.Command{Kind: engine.RunBehavior, ID: "J"})
	for range 4 {
		r.step()
		for _, w := range r.out.Warnings {
			if w.Kind == engine.WarnIntentUnclaimed || w.Kind == engine.WarnIntentLate {
				t.Errorf("tick %d: %v", r.tick, w)
			}
		}
	}
	if v := r.eng.View(); v.Intent.Pending != nil || v.TriggerWord || v.Intent.Unclaimed != before {
		t.Errorf("%+v, trigger word %t", v.Intent, v.TriggerWord)
	}
}
