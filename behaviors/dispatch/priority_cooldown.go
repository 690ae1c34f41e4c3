package dispatch

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
)

// none is the index of no entry.
const none = -1

// A StrictPriorityWithCooldown is a StrictPriority in which a behavior that ran has to pause (P-5). A pause starts when the
// dispatcher notices that its delegate has ended, or when it is itself deactivated while the delegate runs. A delegate
// that was displaced by one further up does not pause, because it was not finished.
type StrictPriorityWithCooldown struct {
	politely
	params  cooldownParams
	pauses  []pause               // of the entries
	list    *behaviors.Candidates // their behaviors
	running int                   // index of the entry that has control, or none
}

type cooldownParams struct {
	Interruption interruption `inline:"true"`
	Behaviors    []timed      `key:"behaviors" doc:"the first that wants control and does not pause gets it"`
	LinkScope    bool         `key:"linkScope" default:"false" why:"most lists end with a behavior that always wants control" doc:"wants control only if one of the behaviors does"`
	Forgetful    bool         `key:"resetCooldownOnDeactivation" default:"false" why:"a pause that an interruption ends is none" doc:"ends all pauses when it loses control"`
}

// timed is an entry that may stamp a named timer.
type timed struct {
	entry
	Timer        string `key:"linkedBehaviorTimer" ref:"timer" default:"" why:"few behaviors have a timer that others read" doc:"timer that each end of the behavior sets"`
	TimerAtStart bool   `key:"resetLinkedTimerOnDispatcherActivation" default:"false" why:"a timer tells of the behavior unless the file says otherwise" doc:"sets the timer at the dispatcher's activation too"`
}

// StrictPriorityWithCooldownClass is the class DispatcherStrictPriorityWithCooldown.
func StrictPriorityWithCooldownClass() behaviors.Class {
	return behaviors.Class{
		Name: "DispatcherStrictPriorityWithCooldown",
		Doc:  "Gives control to the first behavior of its list that wants it and does not pause.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &StrictPriorityWithCooldown{running: none}
			param.ReadConfig(cfg, &d.params)
			d.pauses = pausesOf(d.params.Behaviors, func(e *timed) *entry { return &e.entry })
			d.list = candidatesOf(d.pauses)
			d.list.Until = make([]time.Time, len(d.pauses))
			if d.params.LinkScope {
				cfg.Link(d.list.IDs...)
			}
			return d
		},
	}
}

// Choosing implements behaviors.Chooser.
func (d *StrictPriorityWithCooldown) Choosing() behaviors.Choosing {
	c := behaviors.Choosing{Key: "behaviors", IDs: d.list.IDs, Ranked: true, Rests: make([]bool, len(d.pauses))}
	for i := range d.pauses {
		c.Rests[i] = d.pauses[i].Length != 0
	}
	return c
}

// AlwaysWants implements behaviors.AlwaysWanter.
func (d *StrictPriorityWithCooldown) AlwaysWants() bool { return !d.params.LinkScope }

// Modify implements behaviors.Modifier.
func (d *StrictPriorityWithCooldown) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	join(m, of, d.list.IDs)
}

// WantsToBeActivated is true, or with linkScope whether an entry that does not pause wants to be activated.
func (d *StrictPriorityWithCooldown) WantsToBeActivated(c *behaviors.Control) bool {
	if !d.params.LinkScope || d.desired(c) != none {
		return true
	}
	c.Because("none of its delegates wants control and does not pause: %v", d.list.Names())
	return false
}

// OnActivated stamps the timers that are to be stamped at the activation.
func (d *StrictPriorityWithCooldown) OnActivated(c *behaviors.Control) {
	d.running = none
	for i := range d.params.Behaviors {
		if e := &d.params.Behaviors[i]; e.TimerAtStart && e.Timer != "" {
			c.ResetTimer(e.Timer)
		}
	}
}

// UpdateWhileActivated starts the pause of a delegate that ended, then chooses.
func (d *StrictPriorityWithCooldown) UpdateWhileActivated(c *behaviors.Control) {
	if !c.IsControlDelegated() && d.running != none {
		d.pauses[d.running].start(c)
		d.stamp(c)
		d.running = none
	}
	if !d.params.Interruption.now(c) {
		return
	}
	if i := d.desired(c); i != none {
		d.running = none
		if give(c, d.pauses[i].Behavior) {
			d.running = i
		}
	}
}

// OnDeactivated starts the pause of the delegate that runs, or ends all pauses.
func (d *StrictPriorityWithCooldown) OnDeactivated(c *behaviors.Control) {
	if d.running != none {
		d.pauses[d.running].start(c)
		d.stamp(c)
		d.running = none
	}
	if d.params.Forgetful {
		for i := range d.pauses {
			d.pauses[i].clear()
		}
	}
}

func (d *StrictPriorityWithCooldown) stamp(c *behaviors.Control) {
	if t := d.params.Behaviors[d.running].Timer; t != "" {
		c.ResetTimer(t)
	}
}

func (d *StrictPriorityWithCooldown) desired(c *behaviors.Control) int {
	for i := range d.pauses {
		d.list.Skip[i], d.list.Until[i] = d.pauses[i].on(c.Now()), d.pauses[i].until
	}
	return c.FirstWanting(d.list)
}
