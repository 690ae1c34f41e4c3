package engine

import (
	"maps"
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
)

// Lifetimes in ticks (T-19, T-20).
const (
	intentTicks  = 3
	triggerTicks = 3
)

// ageIntents drops a pending intent that nobody claimed in time, and the trigger word. It runs before the view of the tick
// is handed out.
func (e *Engine) ageIntents() {
	v := e.view
	if p := v.Intent.Pending; p != nil && v.Tick-p.Tick >= intentTicks {
		v.Intent.Pending = nil
		v.Intent.Unclaimed++
	}
	if v.TriggerWord && v.Tick-e.triggered() >= triggerTicks {
		v.TriggerWord = false
	}
}

// postIntent makes an intent pending; a newer one overwrites (T-19). The answer is "" or what is wrong with it.
func (e *Engine) postIntent(i *condition.Intent) string {
	if i == nil || !slices.Contains(e.catalog.Boot.Intents, i.Tag) {
		tag := ""
		if i != nil {
			tag = i.Tag
		}
		return unknown("intent", tag, e.catalog.Boot.Intents)
	}
	pending := *i
	pending.Tick = e.view.Tick
	e.change(func(v *condition.View) { v.Intent.Pending = &pending })
	e.raise(behaviors.EventIntent, i.Tag)
	return ""
}

// wake makes the trigger word pending; repeated triggers do not queue (T-20).
func (e *Engine) wake() {
	e.change(func(v *condition.View) {
		v.TriggerWord = true
		v.Timers = maps.Clone(v.Timers)
		if v.Suggestions = maps.Clone(v.Suggestions); v.Suggestions == nil {
			v.Suggestions = map[string]uint64{}
		}
		v.Suggestions[triggerKey] = v.Tick
	})
	e.raise(behaviors.EventTriggerWord, "")
}

// triggerKey marks the tick of the trigger word among the tick stamps of the view.
const triggerKey = "\x00trigger"

func (e *Engine) triggered() uint64 { return e.view.Suggestions[triggerKey] }

// change replaces the view by an altered copy; hooks that hold the old one are not disturbed.
func (e *Engine) change(f func(*condition.View)) {
	v := *e.view
	f(&v)
	e.view = &v
}
