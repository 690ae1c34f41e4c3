package engine

import (
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
)

// Lifetimes in ticks (T-19, T-20).
const (
	intentTicks  = 3
	triggerTicks = 3
	// unmuteTicks is that of a trigger word that ends a mute.
	unmuteTicks = 120
)

// intents is what the engine remembers of intents and trigger word beside what is in the view.
type intents struct {
	activations uint64 // so far; each has its number (B-26)
	suspended   bool   // the timeout of the pending intent
	since       uint64 // tick from which on its timeout counts
	heard       uint64 // tick of the trigger word
	ticks       uint64 // for which it is pending
}

// ageIntents drops a pending intent that nobody claimed in time, and the trigger word. It runs before the view of the tick
// is handed out.
func (e *Engine) ageIntents() {
	v, t := e.view, &e.intents
	if p := v.Intent.Pending; p != nil && !t.suspended {
		switch age := v.Tick - t.since; {
		case age >= intentTicks:
			v.Intent.Pending = nil
			v.Intent.Unclaimed++
			e.warn(WarnIntentUnclaimed, nil, p.Tag)
		case age == intentTicks-1:
			e.warn(WarnIntentLate, nil, p.Tag)
		}
	}
	if v.TriggerWord {
		switch age := v.Tick - t.heard; {
		case age >= t.ticks:
			v.TriggerWord = false
			e.warn(WarnTriggerDropped, nil, "")
		case age == t.ticks-1:
			e.warn(WarnTriggerLate, nil, "")
		}
	}
}

// postIntent makes an intent pending; a newer one overwrites, and its timeout counts (T-19). The answer is "" or what is
// wrong with it.
func (e *Engine) postIntent(i *condition.Intent) string {
	if i == nil || !slices.Contains(e.catalog.Boot.Intents, i.Tag) {
		tag := ""
		if i != nil {
			tag = i.Tag
		}
		return unknown("intent", tag, e.catalog.Boot.Intents)
	}
	if old := e.view.Intent.Pending; old != nil {
		e.warn(WarnIntentOverwritten, nil, old.Tag)
	}
	pending := *i
	pending.Tick, pending.Activation = e.view.Tick, 0
	e.intents.since, e.intents.suspended = pending.Tick, false
	e.change(func(v *condition.View) { v.Intent.Pending = &pending })
	e.raise(behaviors.EventIntent, i.Tag)
	return ""
}

// timeIntent suspends the timeout of the pending intent, or makes it count from now on.
func (e *Engine) timeIntent(on bool) {
	if on && e.intents.suspended {
		e.intents.since = e.view.Tick
	}
	e.intents.suspended = !on
}

// activateIntent moves the pending intent to active for c; the tag is remembered only on success. One that is active
// already is replaced, and its owner has nothing to release any more (B-26).
func (e *Engine) activateIntent(c *Cell, tag string, f behaviors.Feedback) (*condition.Intent, bool) {
	p := e.view.Intent.Pending
	switch {
	case !c.Node.Activated(): // who is never deactivated would never release it
		return nil, false
	case tag == "":
		e.warn(WarnIntentUnmatched, c, "")
		return nil, false
	case p == nil || p.Tag != tag:
		e.warn(WarnIntentNotPending, c, tag)
		return nil, false
	}
	if old := e.view.Intent.Active; old != nil {
		e.warn(WarnIntentReplaced, c, old.Tag)
	}
	e.intents.activations++
	active := *p
	active.Activation = e.intents.activations
	e.change(func(v *condition.View) { v.Intent.Pending, v.Intent.Active = nil, &active })
	c.smart.intent, c.smart.activation = tag, active.Activation
	e.showFeedback(c, f)
	return &active, true
}

// deactivateIntent releases what c claimed. To have claimed nothing is fine; to find another one active is a warning.
func (e *Engine) deactivateIntent(c *Cell) bool {
	tag, number := c.smart.intent, c.smart.activation
	c.smart.intent, c.smart.activation = "", 0
	e.endFeedback(c)
	if tag == "" {
		return false
	}
	if a := e.view.Intent.Active; a == nil || a.Activation != number {
		e.warn(WarnIntentNotActive, c, tag)
		return false
	}
	e.change(func(v *condition.View) { v.Intent.Active = nil })
	return true
}

// wake makes the trigger word pending; repeated ones do not queue, and do not prolong the first (T-20).
func (e *Engine) wake(endsMute bool) {
	if !e.view.TriggerWord {
		e.intents.heard, e.intents.ticks = e.view.Tick, triggerTicks
		if endsMute {
			e.intents.ticks = unmuteTicks
		}
	}
	e.change(func(v *condition.View) { v.TriggerWord = true })
	e.raise(behaviors.EventTriggerWord, "")
}

// clearTrigger takes the trigger word back.
func (e *Engine) clearTrigger() bool {
	was := e.view.TriggerWord
	if was {
		e.change(func(v *condition.View) { v.TriggerWord = false })
	}
	return was
}

// change replaces the view by an altered copy; hooks that hold the old one are not disturbed.
func (e *Engine) change(f func(*condition.View)) {
	v := *e.view
	f(&v)
	e.view = &v
}
