package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
)

// The phases of a tick have one order: what came from outside and the intents, then the stack, then the rest of the scope, then the
// boot loader, then the actions. Its time and number are the same for every behavior, and every behavior sees the
// commands and events of a tick in it.
// Rules: T-1, T-2.
func TestTickRunsPhasesInOrder(t *testing.T) {
	var order []string
	var r *rig
	note := func(what string) func(c *behaviors.Control) {
		return func(c *behaviors.Control) {
			order = append(order, what)
			if want := epoch.Add(time.Duration(r.tick) * period); !c.Now().Equal(want) || c.Tick() != r.tick || !c.World().Now.Equal(want) {
				t.Errorf("%s: tick %d at %v, want %d at %v", what, c.Tick(), c.Now(), r.tick, want)
			}
			if p := c.View().Intent.Pending; (p != nil) != (c.Tick() == 2) {
				t.Errorf("%s: in tick %d the pending intent is %+v", what, c.Tick(), p)
			}
		}
	}
	act := hold("act")
	r = newRig(t, "R+ > A B\nA+\nB+", func(rr *rig) {
		r = rr
		r.opts.Mark = func(p engine.Phase) { order = append(order, "end of "+p.String()) }
		for _, id := range []string{"R", "A", "B"} {
			r.of(id).update = note(id)
		}
		r.of("A").start = func(c *behaviors.Control) { c.Act(act, nil) }
		with := r.of("R").update
		r.of("R").update = func(c *behaviors.Control) {
			with(c)
			once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })(c)
		}
	})
	r.step()
	order = nil
	r.intent("hello")
	r.command(engine.Command{Kind: engine.SetBoot, ID: "B", Now: true})
	r.step()
	want := []string{"end of facts", "R", "A", "end of walk", "B", "end of scope", "end of repair", "end of actions"}
	if !slices.Equal(order, want) {
		t.Errorf("got  %q\nwant %q", order, want)
	}
	r.wantChain("") // the boot loader came after the stack, in the same tick
	if got := r.eng.View().Intent; got.Pending == nil || got.Pending.Tag != "hello" || got.Pending.Tick != 2 {
		t.Errorf("%+v", got)
	}
}
