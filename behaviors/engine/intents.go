package engine

import (
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
)

// Lifetimes in ticks (T-19, T-20).
const (
	intentTicks  = 3
	triggerTicks = 3
	// unmuteTicks is that of a trigger word that ends a mute.
	unmuteTicks = 120
)

// intents is the state of intents and trigger word that is not in the view.
type intents struct {
	core        *core
	feedback    feedback
	activations uint64 // so far; each has its number (B-26)
	suspended   bool   // the timeout of the pending intent
	returns     *Cell  // who may give control back to the behavior that had claimed the pending intent; nil: nobody
	since       uint64 // tick from which on its timeout counts
	heard       uint64 // tick of the trigger word
	ticks       uint64 // for which it is pending
}

// age drops a pending intent that was not claimed in time, and the trigger word. It runs before the view of the tick is handed out.
func (t *intents) age() {
	t.mayReturn()
	v := t.core.view // after what makes another one
	if p := v.Intent.Pending; p != nil && !t.suspended {
		switch age := v.Tick - t.since; {
		case age >= intentTicks:
			v.Intent.Pending = nil
			v.Intent.Unclaimed++
			t.core.warn(WarnIntentUnclaimed, p.Tag)
		case age == intentTicks-1:
			t.core.warn(WarnIntentLate, p.Tag)
		}
	}
	if v.TriggerWord {
		switch age := v.Tick - t.heard; {
		case age >= t.ticks:
			v.TriggerWord = false
			t.core.warn(WarnTriggerDropped, "")
		case age == t.ticks-1:
			t.core.warn(WarnTriggerLate, "")
		}
	}
}

// post makes an intent pending; a newer one overwrites, and its timeout counts (T-19). It returns "" or what is wrong with the intent.
func (t *intents) post(i *condition.Intent) string {
	known := t.core.catalog.Boot.Intents
	if i == nil || !slices.Contains(known, i.Tag) {
		tag := ""
		if i != nil {
			tag = i.Tag
		}
		return unknown("intent", tag, known)
	}
	if old := t.core.view.Intent.Pending; old != nil {
		t.core.warn(WarnIntentOverwritten, old.Tag)
	}
	pending := *i
	pending.Tick, pending.Activation = t.core.view.Tick, 0
	t.since, t.suspended, t.returns = pending.Tick, false, nil
	t.core.change(func(v *condition.View) { v.Intent.Pending = &pending })
	t.core.raise(behaviors.IntentPosted{Tag: i.Tag})
	return ""
}

// giveBack makes an intent pending again, because a resumable interrupt took control from the behavior that had claimed it: that one claims it
// anew when it goes on. It has no timeout for as long as that may happen, and is dropped once it cannot. A newer intent that is pending stays.
func (t *intents) giveBack(by *Cell, i *condition.Intent) {
	if i == nil || t.core.view.Intent.Pending != nil {
		return
	}
	again := *i
	again.Activation = 0
	t.suspended, t.returns = true, by
	t.core.change(func(v *condition.View) { v.Intent.Pending = &again })
}

// follow is told that c gave control to d. A return goes down the chain; anything else ends the wait of an intent that was given back.
func (t *intents) follow(c, d *Cell, returns bool) {
	switch {
	case t.returns != c || c == nil:
	case returns:
		t.returns = d
	default:
		t.noReturn()
	}
}

// mayReturn drops an intent that was given back once nothing can be resumed any more.
func (t *intents) mayReturn() {
	if by := t.returns; by != nil && (t.core.view.Intent.Pending == nil || !by.Node.Activated() || by.interrupts == nil || len(by.memory) == 0) {
		t.noReturn()
	}
}

func (t *intents) noReturn() {
	t.returns, t.suspended = nil, false
	t.core.change(func(v *condition.View) { v.Intent.Pending = nil })
}

// serveIntentTimeout lets only an activated behavior suspend the timeout; to make it count again belongs into OnDeactivated, too.
func (e *Engine) serveIntentTimeout(c *Cell, r *behaviors.Request) {
	if !r.On && !c.Node.Activated() {
		e.refuse(c, r, stack.NotActivated)
		return
	}
	e.intents.setTimeout(r.On)
}

// setTimeout suspends the timeout of the pending intent, or makes it count from now on.
func (t *intents) setTimeout(on bool) {
	if on && t.suspended {
		t.since = t.core.view.Tick
	}
	t.suspended = !on
}

// dropPending empties the slot if the pending intent has the tag.
func (t *intents) dropPending(tag string) bool {
	if p := t.core.view.Intent.Pending; p == nil || p.Tag != tag {
		return false
	}
	t.core.change(func(v *condition.View) { v.Intent.Pending = nil })
	return true
}

// claim moves the pending intent to active for c; the tag is remembered only on success. One that is active already is replaced,
// and its owner has nothing to release any more (B-26).
func (t *intents) claim(c *Cell, r *behaviors.Request) {
	p := t.core.view.Intent.Pending
	switch {
	case r.Key == "":
		t.core.refuse(c, r, stack.Unmatched)
		return
	case p == nil || p.Tag != r.Key:
		t.core.refuse(c, r, stack.NotPending)
		return
	}
	if old := t.core.view.Intent.Active; old != nil {
		t.core.warn(WarnIntentReplaced, old.Tag)
	}
	t.activations++
	active := *p
	active.Activation = t.activations
	t.core.change(func(v *condition.View) { v.Intent.Pending, v.Intent.Active = nil, &active })
	own := c.own()
	own.intent, own.claim = r.Key, active.Activation
	t.feedback.show(c, r.Args.(behaviors.Feedback))
	r.Intent = &active
}

// release ends the claim of c. Without a claim it does nothing; while another intent is active it is refused.
func (t *intents) release(c *Cell, r *behaviors.Request) {
	r.OK, r.Refusal = t.drop(c)
}

// drop is release at the end of an activation.
func (t *intents) drop(c *Cell) (was bool, refusal *stack.Refusal) {
	tag, number := c.intent, c.claim
	if tag != "" {
		c.intent, c.claim = "", 0
	}
	t.feedback.end(c)
	if tag == "" {
		return false, nil
	}
	if a := t.core.view.Intent.Active; a == nil || a.Activation != number {
		refusal = &stack.Refusal{Op: stack.OpIntent, By: c.Node.ID, To: tag, Reason: stack.NotActive}
		t.core.out.Misuses = append(t.core.out.Misuses, *refusal)
		return false, refusal
	}
	t.core.change(func(v *condition.View) { v.Intent.Active = nil })
	return true, nil
}

// wake makes the trigger word pending; repeated ones do not queue, and do not prolong the first (T-20).
func (t *intents) wake(endsMute bool) {
	if !t.core.view.TriggerWord {
		t.heard, t.ticks = t.core.view.Tick, triggerTicks
		if endsMute {
			t.ticks = unmuteTicks
		}
	}
	t.core.change(func(v *condition.View) { v.TriggerWord = true })
	t.core.raise(behaviors.TriggerWordHeard{})
}

// clearTrigger takes the trigger word back.
func (t *intents) clearTrigger() bool {
	was := t.core.view.TriggerWord
	if was {
		t.core.change(func(v *condition.View) { v.TriggerWord = false })
	}
	return was
}
