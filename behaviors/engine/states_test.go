package engine_test

import (
	"fmt"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
)

// A debug state that changes is in the output of its tick, once, in order; what is said in Init comes out with the first tick. A fresh
// incarnation that says what the lost one said changes nothing.
// Rules: 5/DEBUG-SET-STATE.
func TestChangesOfDebugStatesAreInOutput(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").init = func(c *behaviors.Control) {
			if c.Tick() == 0 {
				c.SetState("made")
			}
		}
		r.of("R").update = func(c *behaviors.Control) {
			c.SetState([]string{"", "one", "one", "two", "two", "two"}[c.Tick()])
			if c.Tick() == 3 {
				c.SetState("three")
				c.SetState("two")
				r.pass(c, "A", nil)
			}
			if c.Tick() == 4 {
				panic("boom")
			}
		}
		r.of("A").wants = func(c *behaviors.Control) bool { c.SetState("asked"); return true }
		r.of("A").end = func(c *behaviors.Control) { c.SetState("over") }
	})
	for _, want := range []string{
		"[R: made R: one]", "[]", "[R: two R: three R: two A: asked]", "[A: over]", "[]",
	} {
		r.step()
		if got := fmt.Sprint(r.out.States); got != want {
			t.Errorf("tick %d: %s, want %s", r.tick, got, want)
		}
	}
	if r.eng.Cell("R").State() != "two" || r.out.MoreStates != 0 {
		t.Errorf("%q, %d more", r.eng.Cell("R").State(), r.out.MoreStates)
	}
	r.of("R").end = func(c *behaviors.Control) { c.SetState("popped") }
	if got := fmt.Sprint(r.eng.Shutdown().States); got != "[R: popped]" {
		t.Errorf("at the end %s", got)
	}
}

// States of a behavior beyond the limit do not fill the output; they are counted, and the next tick begins anew.
func TestChangesOfDebugStatesAreBounded(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) {
			for i := range 300 {
				c.SetState(fmt.Sprint(i))
			}
		})
	})
	r.step()
	if n := len(r.out.States); n != 256 || r.out.MoreStates != 44 || r.eng.Cell("R").State() != "299" {
		t.Errorf("%d states and %d more, %q", n, r.out.MoreStates, r.eng.Cell("R").State())
	}
	r.step()
	if len(r.out.States) != 0 || r.out.MoreStates != 0 {
		t.Errorf("again %v and %d", r.out.States, r.out.MoreStates)
	}
}

// States decide nothing: they are not in the hash, and a replay of a behavior that words them otherwise decides the same.
// Rules: goal/M8, 5/DEBUG-SET-STATE.
func TestDebugStatesDecideNothing(t *testing.T) {
	word := "here"
	hasher := tape.NewHasher()
	r, rec := recorded(t, "R+", func(r *rig) {
		r.of("R").update = once(2, func(c *behaviors.Control) { c.SetState(word) })
	}, 3)
	empty := hasher.Sum()
	hasher.Add(&engine.Output{Tick: 1, States: []engine.StateChange{{ID: "R", State: "here"}}})
	if hasher.Sum() != empty {
		t.Error("a state is in the decision hash")
	}
	word = "there"
	p, err := replay(r, rec, tape.ReplayOptions{})
	if err != nil || p.Engine().Cell("R").State() != "there" {
		t.Errorf("the replay: %v, %q", err, p.Engine().Cell("R").State())
	}
}

// A tick without changes costs no memory for them.
func TestTickWithoutStateChangesAllocatesNothing(t *testing.T) {
	r := newRig(t, "R~+", nil)
	r.steps(10)
	in := engine.Input{Tick: r.tick, Now: epoch}
	if n := testing.AllocsPerRun(100, func() {
		in.Tick++
		in.Now = in.Now.Add(period)
		r.eng.Step(in)
	}); n != 0 {
		t.Errorf("%v allocations in a tick", n)
	}
}
