package dispatch

import (
	"math"

	"github.com/robotd/robotd/behaviors"
)

// A Rerun gives control to its one delegate a number of times, or forever, and then ends. While the delegate does not want
// control, it waits (P-6).
type Rerun struct {
	politely
	id   string
	runs int // numRuns
	left int // in this activation; negative is forever
}

// endless is the numRuns of a Rerun that never ends.
const endless = -1

// RerunClass is the class DispatcherRerun.
func RerunClass() behaviors.Class {
	return behaviors.Class{
		Name: "DispatcherRerun",
		Doc:  "Gives control to its one delegate again and again, so many times or forever.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &Rerun{id: cfg.Delegate("delegateID"), runs: cfg.IntRange("numRuns", endless, math.MaxInt8)}
			cfg.Refuses("presetConditions", false)
			if cfg.BoolOr("presetConditions", false) {
				cfg.KeyErrorf("presetConditions", "key-range", "behaviors here cannot be made to want control; remove the key")
			}
			cfg.Declare("behaviors") // earlier files have it; it has no effect
			return d
		},
	}
}

// Modify lets it run anywhere, and wait without a delegate.
func (*Rerun) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger, m.AlwaysDelegates = true, true, true, false
}

// OnActivated begins to count.
func (d *Rerun) OnActivated(*behaviors.Control) { d.left = d.runs }

// Update starts the next run, or ends after the last.
func (d *Rerun) Update(c *behaviors.Control) {
	switch {
	case !c.Activated() || c.IsControlDelegated():
	case d.left == 0:
		c.CancelSelf()
	case c.Wants(d.id):
		c.SetState(d.id)
		c.DelegateTo(d.id, d.ran)
	default:
		c.SetState("waiting for " + d.id)
	}
}

// ran counts a run that ended, with success or without.
func (d *Rerun) ran(*behaviors.Control, behaviors.Outcome) {
	if d.left > 0 {
		d.left--
	}
}
