package dispatch

import (
	"time"

	"github.com/robotd/robotd/behaviors"
)

// none is the index of no entry.
const none = -1

// A StrictPriorityWithCooldown is a StrictPriority in which a behavior that ran has to pause (P-5). A pause starts when the
// dispatcher notices that its delegate has ended, or when it is itself deactivated while the delegate runs. A delegate
// that was displaced by one further up does not pause, because it was not finished.
type StrictPriorityWithCooldown struct {
	politely
	entries   []timed
	list      *behaviors.Candidates // their behaviors
	interrupt interruption
	linkScope bool
	forgetful bool // resetCooldownOnDeactivation

	running int // index of the entry that has control, or none
}

// timed is an entry that may stamp a named timer.
type timed struct {
	entry
	timer        string
	timerAtStart bool // stamp it at the dispatcher's activation too
}

// StrictPriorityWithCooldownClass is the class DispatcherStrictPriorityWithCooldown.
func StrictPriorityWithCooldownClass() behaviors.Class {
	return behaviors.Class{
		Name: "DispatcherStrictPriorityWithCooldown",
		Doc:  "Gives control to the first behavior of its list that wants it and does not pause.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &StrictPriorityWithCooldown{
				running:   none,
				interrupt: readInterruption(cfg),
				linkScope: cfg.BoolOr("linkScope", false),
				forgetful: cfg.BoolOr("resetCooldownOnDeactivation", false),
			}
			for _, o := range cfg.Objects("behaviors") {
				d.entries = append(d.entries, timed{
					entry:        readEntry(cfg, o),
					timer:        o.RefOr("linkedBehaviorTimer", behaviors.RefTimer, ""),
					timerAtStart: o.BoolOr("resetLinkedTimerOnDispatcherActivation", false),
				})
				o.Finish()
			}
			d.list = candidatesOf(d.entries, func(e *timed) string { return e.id })
			d.list.Until = make([]time.Time, len(d.entries))
			if d.linkScope {
				cfg.Link(d.list.IDs...)
			}
			return d
		},
	}
}

// Modify implements behaviors.Modifier.
func (d *StrictPriorityWithCooldown) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	join(m, of, d.list.IDs)
}

// WantsToBeActivated is true, or with linkScope whether an entry that does not pause wants to be activated.
func (d *StrictPriorityWithCooldown) WantsToBeActivated(c *behaviors.Control) bool {
	if !d.linkScope || d.desired(c) != none {
		return true
	}
	c.Because("none of its delegates wants control and does not pause: %v", d.list.Names())
	return false
}

// OnActivated stamps the timers that are to be stamped at the activation.
func (d *StrictPriorityWithCooldown) OnActivated(c *behaviors.Control) {
	d.running = none
	for i := range d.entries {
		if e := &d.entries[i]; e.timerAtStart && e.timer != "" {
			c.ResetTimer(e.timer)
		}
	}
}

// Update starts the pause of a delegate that ended, then chooses.
func (d *StrictPriorityWithCooldown) Update(c *behaviors.Control) {
	if !c.Activated() {
		return
	}
	if !c.IsControlDelegated() && d.running != none {
		d.entries[d.running].start(c.Now(), c.Rand())
		d.stamp(c)
		d.running = none
	}
	if !d.interrupt.now(c) {
		return
	}
	if i := d.desired(c); i != none {
		d.running = none
		if give(c, d.entries[i].id) {
			d.running = i
		}
	}
}

// OnDeactivated starts the pause of the delegate that runs, or ends all pauses.
func (d *StrictPriorityWithCooldown) OnDeactivated(c *behaviors.Control) {
	if d.running != none {
		d.entries[d.running].start(c.Now(), c.Rand())
		d.stamp(c)
		d.running = none
	}
	if d.forgetful {
		for i := range d.entries {
			d.entries[i].clear()
		}
	}
}

func (d *StrictPriorityWithCooldown) stamp(c *behaviors.Control) {
	if t := d.entries[d.running].timer; t != "" {
		c.ResetTimer(t)
	}
}

func (d *StrictPriorityWithCooldown) desired(c *behaviors.Control) int {
	for i := range d.entries {
		d.list.Skip[i], d.list.Until[i] = d.entries[i].on(c.Now()), d.entries[i].until
	}
	return c.FirstWanting(d.list)
}
