package engine_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// Overwriting a pending intent, its last tick, and its loss are warned of.
// Rules: T-19, data/4.4a, data/4.4d.
func TestOverwrittenLateAndLostIntentsRaiseWarnings(t *testing.T) {
	r := newRig(t, "R+", nil)
	r.intent("hello")
	r.step()
	r.quiet()
	r.intent("bye")
	r.step()
	r.warned(engine.Warning{Kind: engine.WarnIntentOverwritten, What: "hello"})
	r.step()
	r.quiet()
	r.step()
	r.warned(engine.Warning{Kind: engine.WarnIntentLate, What: "bye"})
	r.step()
	r.warned(engine.Warning{Kind: engine.WarnIntentUnclaimed, What: "bye"})
	r.step()
	r.quiet()
	for kind, want := range map[engine.WarningKind]uint64{engine.WarnIntentOverwritten: 1, engine.WarnIntentLate: 1, engine.WarnIntentUnclaimed: 1} {
		if got := r.eng.Warned(kind); got != want {
			t.Errorf("%s: %d, want %d", kind, got, want)
		}
	}
}

// quiet demands a tick without warnings.
func (r *rig) quiet() {
	r.t.Helper()
	if len(r.out.Warnings) > 0 {
		r.t.Errorf("tick %d: %q", r.tick, r.out.Warnings)
	}
}

// The timeout can be suspended until the next new intent; made to count again, it begins anew.
// Rules: T-19, data/4.4e.
func TestIntentTimeoutIsSuspended(t *testing.T) {
	pendingAt := func(r *rig) string {
		if p := r.eng.View().Intent.Pending; p != nil {
			return p.Tag
		}
		return ""
	}
	r := newRig(t, "R+ > A\nA+", nil)
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 2:
			c.Intents().SetTimeout(false)
		case 10:
			c.Intents().SetTimeout(true)
		case 20:
			c.Intents().SetTimeout(false)
		}
	}
	r.of("A").update = func(c *behaviors.Control) {
		if granted(c, func() { c.Intents().SetTimeout(false) }) {
			t.Error("suspended from scope")
		}
	}
	r.intent("hello")
	r.steps(12)
	if got := pendingAt(r); got != "hello" {
		t.Errorf("two ticks after the time counts again: %q", got)
	}
	if r.step(); pendingAt(r) != "" {
		t.Error("three ticks after the time counts again it is still pending")
	}
	r.steps(6)
	r.intent("bye") // tick 20: suspended in it
	r.steps(6)
	if got := pendingAt(r); got != "bye" {
		t.Errorf("suspended: %q", got)
	}
	r.intent("hello") // a new one ends the suspension
	r.steps(3)
	if got := pendingAt(r); got != "hello" {
		t.Errorf("third tick of a new one: %q", got)
	}
	if r.step(); pendingAt(r) != "" {
		t.Error("a new intent did not end the suspension")
	}
}

// The word that ends a mute is pending for 120 ticks, is warned of in the last one, and then cleared by force.
// Rules: T-20, data/4.5a.
func TestTriggerWordEndsMute(t *testing.T) {
	for _, c := range []struct {
		mute bool
		want int
	}{{true, 120}, {false, 3}} {
		r := newRig(t, "R+", nil)
		r.command(engine.Command{Kind: engine.WakeWord, EndsMute: c.mute})
		n := 0
		for range 130 {
			r.step()
			pending := r.eng.View().TriggerWord
			if pending {
				n++
			}
			switch n {
			case c.want:
				if pending {
					r.warned(engine.Warning{Kind: engine.WarnTriggerLate})
				}
			default:
				r.quiet()
			}
			if !pending {
				r.warned(engine.Warning{Kind: engine.WarnTriggerDropped})
				break
			}
		}
		if n != c.want {
			t.Errorf("mute %v: pending for %d ticks, want %d", c.mute, n, c.want)
		}
	}
}

// The word that ends a mute is heard although a behavior disabled the response; any other is not.
// Rules: T-20, data/4.5b.
func TestTriggerWordThatEndsMuteWorksWhileDisabled(t *testing.T) {
	for _, mute := range []bool{false, true} {
		r := newRig(t, "R+", nil)
		r.of("R").start = func(c *behaviors.Control) { c.TriggerWord().Ignore() }
		r.step()
		r.command(engine.Command{Kind: engine.WakeWord, EndsMute: mute})
		r.step()
		if v := r.eng.View(); v.TriggerWord != mute || v.Services.Deaf != "R" {
			t.Errorf("ends a mute %v: pending %v, disabled by %q", mute, v.TriggerWord, v.Services.Deaf)
		}
	}
}

// A repetition does not queue and does not prolong; one clear is enough, and only while activated.
// Rules: T-20, 6.8/TriggerWord, DT-U02, data/4.5a.
func TestTriggerWordIsCleared(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", nil)
	r.of("A").update = func(c *behaviors.Control) {
		if c.TriggerWord().Clear() {
			t.Error("cleared from scope")
		}
	}
	r.wake()
	r.step()
	r.wake()
	r.step()
	r.wake()
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 4:
			if c.View().TriggerWord {
				t.Error("the repetition prolonged it")
			}
		case 6:
			if !c.View().TriggerWord || !c.TriggerWord().Clear() || c.TriggerWord().Clear() || c.View().TriggerWord {
				t.Error("set twice, cleared once")
			}
		}
	}
	r.steps(2)
	r.wake()
	r.step()
	r.wake()
	r.steps(2)
}

// Activations are numbered upwards; a claim over an active intent replaces it, and its owner then finds it not active.
// Rules: B-26, data/4.4b, data/4.4c.
func TestClaimOverActiveIntentReplacesIt(t *testing.T) {
	var numbers []uint64
	r := newRig(t, "R+ > A\nA+", nil)
	claim := func(c *behaviors.Control, tag string) bool {
		i, ok := c.Intents().ClaimQuietly(tag)
		if ok {
			numbers = append(numbers, i.Activation)
			if a := c.View().Intent.Active; a.Activation != i.Activation || a.Tag != tag {
				t.Errorf("active %+v", a)
			}
		}
		return ok
	}
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 1:
			if !claim(c, "hello") || claim(c, "bye") {
				t.Error("the pending one, and not another")
			}
			r.pass(c, "A", nil)
		case 2:
			if p := c.View().Intent.Pending; p == nil || p.Tag != "bye" {
				t.Errorf("pending %+v", p)
			}
		case 3:
			c.Intents().Release() // it was replaced
			if c.View().Intent.Active == nil {
				t.Error("somebody else's was released")
			}
			c.Intents().Release() // idempotent: nothing to say
		case 4:
			c.CancelDelegates()
			if c.View().Intent.Active != nil {
				t.Error("A did not release its own")
			}
		}
	}
	r.of("A").update = func(c *behaviors.Control) {
		if c.Tick() == 2 && !claim(c, "bye") {
			t.Error("not claimed")
		}
	}
	r.intent("hello")
	r.step()
	r.misused(stack.Refusal{Op: stack.OpIntent, By: "R", To: "bye", Reason: stack.NotPending})
	r.intent("bye")
	r.step()
	r.warned(engine.Warning{Kind: engine.WarnIntentReplaced, What: "hello"})
	r.step()
	r.misused(stack.Refusal{Op: stack.OpIntent, By: "R", To: "hello", Reason: stack.NotActive})
	if n := len(r.out.Misuses); n != 1 {
		t.Errorf("%d refusals of one release", n)
	}
	r.step()
	r.quiet()
	if len(numbers) != 2 || numbers[0] != 1 || numbers[1] != 2 {
		t.Errorf("activations %v", numbers)
	}
}

// B-11 (2): a behavior that responds to intents and is activated without one goes on, and the claim is refused.
// Rules: B-11, data/4.4f.
func TestActivationWithoutIntentRefusesClaim(t *testing.T) {
	r := newRig(t, `R+ | "respondToUserIntents": [{"type": "hello"}]`, nil)
	r.step()
	r.wantChain("R")
	r.misused(stack.Refusal{Op: stack.OpIntent, By: "R", Reason: stack.Unmatched})
}

// Warnings of a tick are bounded; those beyond the limit are counted.
func TestWarningsAreBounded(t *testing.T) {
	r := newRig(t, "R+", nil)
	for range 101 {
		r.intent("hello")
	}
	r.step()
	if n := len(r.out.Warnings); n != 64 || r.eng.Warned(engine.WarnIntentOverwritten) != 100 {
		t.Errorf("%d kept, %d counted", n, r.eng.Warned(engine.WarnIntentOverwritten))
	}
	if r.step(); len(r.out.Warnings) != 0 {
		t.Errorf("kept for the next tick: %q", r.out.Warnings)
	}
	if got := (engine.Warning{Kind: engine.WarnIntentLate, What: "x"}).String(); got != `intent_late: "x"` {
		t.Error(got)
	}
}
