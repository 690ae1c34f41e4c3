package engine_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// A track lock has a key of its behavior's own; it is released by key, then free again, and with its holder.
// Rules: BEH-6, TRK-12.
func TestTrackLockIsReleasedByKeyAndWithItsHolder(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", nil)
	held := func() actions.Tracks { return r.eng.Actions().Tracks().Mask() }
	lock := func(c *behaviors.Control) {
		if !c.Tracks().Lock("k", actions.Head) || c.Tracks().Lock("k", actions.Lift) || !c.Tracks().Lock("l", actions.Body) {
			t.Error("the same key twice, or a new one refused")
		}
	}
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 1, 4:
			r.pass(c, "A", nil)
		case 3:
			c.CancelDelegates()
		}
	}
	r.of("A").start = lock
	r.of("A").update = once(2, func(c *behaviors.Control) {
		if !granted(c, func() { c.Tracks().Unlock("k") }) || granted(c, func() { c.Tracks().Unlock("k") }) || held() != actions.Body {
			t.Errorf("held %v", held())
		}
		if !c.Tracks().Lock("k", actions.Face) {
			t.Error("an unlocked key is not free")
		}
	})
	for tick, want := range []actions.Tracks{actions.Head | actions.Body, actions.Face | actions.Body, 0, actions.Head | actions.Body} {
		r.step()
		if held() != want {
			t.Errorf("tick %d: held %v, want %v", tick+1, held(), want)
		}
	}
}

// TRK, BEH-2: an action of another behavior finds the tracks locked, and names their holder.
// Rules: B-21, TRK-2.
func TestLockedTracksRefuseAnAction(t *testing.T) {
	act := hold("act")
	act.Lock = actions.Head
	r := newRig(t, "R+ > A\nA+", nil)
	r.of("R").start = func(c *behaviors.Control) { c.Tracks().Lock("k", actions.Head) }
	r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	r.of("A").start = func(c *behaviors.Control) { c.Act(act, r.calls("A")) }
	r.step()
	r.want("U R, back A TRACKS_LOCKED, U A")
}

// Timers, suggestions and states of one behavior leave those of others alone; a state outlives its activation.
func TestTimersSuggestionsAndStatesArePerBehavior(t *testing.T) {
	r := newRig(t, "R+ > A\nA", nil)
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 1:
			c.ResetTimer("one")
			c.Suggest("Sleep")
			r.pass(c, "A", nil)
		case 2:
			before := c.View()
			c.ResetTimer("two")
			c.Suggest("Socialize")
			v := c.View()
			if len(before.Timers) != 1 || len(v.Timers) != 2 || !v.Timers["two"].Equal(c.Now()) || !v.Timers["one"].Before(c.Now()) {
				t.Errorf("timers %v, then %v", before.Timers, v.Timers)
			}
			if v.Suggestions["Sleep"] != 1 || v.Suggestions["Socialize"] != 2 {
				t.Errorf("suggestions %v", v.Suggestions)
			}
		}
	}
	r.of("A").start = func(c *behaviors.Control) { c.SetState("greeting") }
	r.steps(2)
	r.wantChain("R")
	if r.eng.Cell("A").State() != "greeting" || r.eng.Cell("R").State() != "" {
		t.Errorf("states %q and %q", r.eng.Cell("A").State(), r.eng.Cell("R").State())
	}
}

// Commands outside an action are those of activated behaviors.
// Rules: B-12.
func TestOnlyActivatedBehaviorsSendCommands(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", nil)
	r.of("R").update = func(c *behaviors.Control) { c.Send(hardware.ShowFace{Face: "R"}) }
	r.of("A").update = func(c *behaviors.Control) { c.Send(hardware.ShowFace{Face: "A"}) }
	r.step()
	if len(r.out.Commands) != 1 || r.out.Commands[0] != hardware.Command(hardware.ShowFace{Face: "R"}) {
		t.Errorf("commands %v", r.out.Commands)
	}
}

// An action delegated in a tick is stepped in it, with the facts of the tick.
// Rules: T-2, TICK-1.
func TestActionRunsInTickOfItsDelegation(t *testing.T) {
	act := hold("act")
	checks := 0
	r := newRig(t, "R+", nil)
	r.seed = 9
	act.OnCheck = func(env *actions.Env) {
		checks++
		if v := r.eng.View(); !env.Now.Equal(v.Now) || env.World != v.World || env.Tick != r.tick || env.Seed != r.seed {
			t.Errorf("tick %d: %+v", r.tick, env)
		}
	}
	r.of("R").start = func(c *behaviors.Control) { c.Act(act, nil) }
	r.steps(2)
	if checks != 2 {
		t.Errorf("%d checks in two ticks", checks)
	}
}

// A delegate that agrees may be interrupted, if what it delegated to agrees in its turn.
// Rules: B-27.
func TestGentleDelegatesMayBeInterrupted(t *testing.T) {
	r := newRig(t, "R+ > A\nA*+ > B C\nB*+\nC+", nil)
	var gentle []bool
	r.of("R").update = func(c *behaviors.Control) {
		if c.Tick() == 1 {
			r.pass(c, "A", nil)
		}
		gentle = append(gentle, c.CanInterruptGently())
	}
	r.of("A").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 1:
			r.pass(c, "B", nil)
		case 2:
			c.CancelAndDelegateIfWanted("C", nil)
		case 3:
			c.CancelAndAct(hold("act"), nil)
		}
	}
	r.steps(4)
	for i, want := range []bool{true, true, false, false} {
		if gentle[i] != want {
			t.Errorf("tick %d: %v", i+1, gentle[i])
		}
	}
}

// The events of a tick belong to its Update; the other hooks see none.
// Rules: T-12.
func TestEventsAreReadInUpdateOnly(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("A").hears = []string{behaviors.EventPoked}
		none := func(c *behaviors.Control) {
			if len(c.Events()) != 0 {
				t.Errorf("tick %d: %v", c.Tick(), c.Events())
			}
		}
		r.of("A").start, r.of("A").end = none, none
		r.of("A").update = func(c *behaviors.Control) {
			if n := len(c.Events()); n != int(c.Tick()%2) {
				t.Errorf("tick %d: %d events", c.Tick(), n)
			}
		}
		r.of("R").update = func(c *behaviors.Control) {
			c.CancelDelegates()
			r.pass(c, "A", nil)
		}
	})
	for range 4 {
		if r.tick%2 == 0 {
			r.emit(behaviors.EventPoked, "")
		}
		r.step()
	}
}
