package engine_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
)

var wakeWord = engine.Command{Kind: engine.WakeWord}

// pending lists the ticks in which a behavior sees f true.
func (r *rig) pending(id string, f func(v *condition.View) bool) *[]uint64 {
	var ticks []uint64
	r.of(id).update = func(c *behaviors.Control) {
		if f(c.View()) {
			ticks = append(ticks, c.Tick())
		}
	}
	return &ticks
}

// An intent is pending for three ticks, the one in which it came included; unclaimed, it is dropped and counted.
// Rules: T-19, data/4.4d.
func TestIntentIsPendingForThreeTicks(t *testing.T) {
	r := newRig(t, "R+", nil)
	seen := r.pending("R", func(v *condition.View) bool { return v.Intent.Pending != nil })
	r.step()
	r.intent("hello")
	r.steps(6)
	if len(*seen) != 3 || (*seen)[0] != 2 {
		t.Errorf("pending in ticks %v", *seen)
	}
	if n := r.eng.View().Intent.Unclaimed; n != 1 {
		t.Errorf("%d unclaimed", n)
	}
}

// A newer intent takes the place of the older one, with a time of its own.
// Rules: T-19, data/4.4a.
func TestNewerIntentReplacesPendingOne(t *testing.T) {
	r := newRig(t, "R+", nil)
	seen := r.pending("R", func(v *condition.View) bool { return v.Intent.Pending != nil && v.Intent.Pending.Tag == "bye" })
	r.intent("hello")
	r.steps(2)
	r.intent("bye")
	r.steps(6)
	if len(*seen) != 3 || (*seen)[0] != 3 {
		t.Errorf("pending in ticks %v", *seen)
	}
	if n := r.eng.View().Intent.Unclaimed; n != 1 {
		t.Errorf("%d unclaimed: the overwritten one does not count", n)
	}
}

// The trigger word is pending for three ticks; a second one does not queue.
// Rules: T-20, 6.8/TriggerWord, data/4.5a.
func TestTriggerWordIsPendingForThreeTicks(t *testing.T) {
	r := newRig(t, "R+", nil)
	seen := r.pending("R", func(v *condition.View) bool { return v.TriggerWord })
	r.wake()
	r.wake()
	r.steps(6)
	if len(*seen) != 3 || (*seen)[0] != 1 {
		t.Errorf("pending in ticks %v", *seen)
	}
}

// Both are events too, in the tick in which they come.
// Rules: T-2, data/4.3a.
func TestIntentAndTriggerWordRaiseEvents(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").hears = []string{behaviors.EventIntent, behaviors.EventTriggerWord}
		r.of("R").whileOn = func(*behaviors.Control, behaviors.Event) {}
	})
	r.step()
	r.wake()
	r.intent("hello")
	r.want("on R trigger_word, on R user_intent hello, U R")
}

// What a message carries is read while its intent is pending, and the same while it is active; another tag has nothing to read.
// Rules: DT-U03, DT-U05, DT-U06.
func TestPayloadIsReadWhilePendingAndWhileActive(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", nil)
	var claimed *condition.Intent
	r.of("R").update = func(c *behaviors.Control) {
		if c.View().Intent.Pending != nil && !c.IsControlDelegated() {
			r.pass(c, "A", nil)
		}
	}
	r.of("A").start = func(c *behaviors.Control) {
		p := c.View().Intent.Pending
		if p == nil || p.Tag != "hello" || p.Data["time_s"] != "9001" || p.Source != "voice" {
			t.Errorf("pending %+v", p)
		}
		if _, ok := c.Intents().Claim("bye"); ok {
			t.Error("claimed another tag")
		}
		claimed, _ = c.Intents().Claim("hello")
	}
	r.step()
	if in := r.eng.View().Intent; in.Pending != nil || in.Active != nil {
		t.Errorf("without a message: %+v", in)
	}
	r.command(engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: "hello", Source: "voice", Data: map[string]string{"time_s": "9001"}}})
	r.step()
	if claimed == nil || claimed.Data["time_s"] != "9001" || claimed.Source != "voice" {
		t.Errorf("claimed %+v", claimed)
	}
	if a := r.eng.View().Intent.Active; a == nil || a.Data["time_s"] != "9001" {
		t.Errorf("active %+v", a)
	}
}

// An intent is claimed once, by its tag, by an activated behavior, and released at its end or early. A claim that failed leaves
// nothing behind.
// Rules: B-26, Q-9, DT-U03, data/4.4b, data/4.4c.
func TestIntentsAreClaimedAndReleased(t *testing.T) {
	active := func(r *rig) string {
		if a := r.eng.View().Intent.Active; a != nil {
			return a.Tag
		}
		return ""
	}
	r := newRig(t, "R+ > A\nA+", nil)
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 1:
			if _, ok := c.Intents().Claim("bye"); ok {
				t.Error("claimed another one than is pending")
			}
			r.pass(c, "A", nil)
		case 2:
			c.Intents().Release() // it claimed nothing: there is nothing to release and nothing to say
			if err := refusal(c); err != nil {
				t.Error(err)
			}
		case 3:
			c.CancelDelegates()
		}
	}
	r.of("A").start = func(c *behaviors.Control) {
		i, ok := c.Intents().Claim("hello")
		if !ok || i == nil || i.Tag != "hello" {
			t.Errorf("%v %+v", ok, i)
		}
		if _, again := c.Intents().Claim("hello"); again {
			t.Error("claimed twice")
		}
	}
	r.intent("hello")
	r.step()
	if got := active(r); got != "hello" || r.eng.View().Intent.Pending != nil {
		t.Errorf("active %q, pending %v", got, r.eng.View().Intent.Pending)
	}
	r.step()
	if got := active(r); got != "hello" {
		t.Errorf("active %q before the end of A", got)
	}
	r.step()
	if got := active(r); got != "" {
		t.Errorf("active %q after the end of A", got)
	}
	if n := len(r.out.Misuses); n != 0 {
		t.Errorf("releases of what nobody had claimed: %+v", r.out.Misuses)
	}
	if n := r.eng.View().Intent.Unclaimed; n != 0 {
		t.Errorf("%d unclaimed", n)
	}
}

// Only the claimant releases the active intent; it may do so early, and twice.
// Rules: B-26, data/4.4c.
func TestOnlyClaimantReleasesIntent(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", nil)
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 1:
			if _, ok := c.Intents().Claim("hello"); !ok {
				t.Error("not claimed")
			}
			r.pass(c, "A", nil)
		case 2:
			c.CancelDelegates() // A releases what it holds: nothing
			if c.View().Intent.Active == nil {
				t.Error("A released the intent of R")
			}
			c.Intents().Release()
			if c.View().Intent.Active != nil {
				t.Error("R did not release it")
			}
			c.Intents().Release()
		}
	}
	r.intent("hello")
	r.steps(2)
}

// A behavior that is not activated claims nothing, because nothing would release the claim.
// Rules: L-5, Q-9, data/4.4b.
func TestClaimInScopeIsRefused(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", nil)
	claim := func(c *behaviors.Control) {
		if _, ok := c.Intents().Claim("hello"); ok {
			t.Error("claimed without being activated")
		}
	}
	r.of("A").update = claim
	r.of("A").wants = func(c *behaviors.Control) bool { claim(c); return true }
	r.of("R").update = func(c *behaviors.Control) { c.Wants("A") }
	r.intent("hello")
	r.steps(2)
	if r.eng.View().Intent.Pending == nil {
		t.Error("the intent is gone")
	}
}
