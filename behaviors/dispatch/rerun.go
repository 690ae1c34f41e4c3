package dispatch

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/resources"
)

// A Rerun gives control to its one delegate a number of times, or forever, and then ends. While the delegate does not want
// control, it waits (P-6).
type Rerun struct {
	politely
	params rerunParams
	left   int // in this activation; negative is forever
}

type rerunParams struct {
	Delegate string `key:"delegateID" delegate:"true" doc:"the behavior that gets control again and again"`
	Runs     int    `key:"numRuns" range:"-1..127" doc:"number of runs; -1 is forever"`
	Preset   bool   `key:"presetConditions" default:"false" why:"files of the earlier system may say false" doc:"accepted if it is false"`
}

// Check refuses what cannot be done, and accepts what earlier files have without effect.
func (p *rerunParams) Check(o *resources.Object, _ *behaviors.Config) {
	o.Refuses("presetConditions", false)
	if p.Preset {
		o.KeyErrorf("presetConditions", "key-range", "behaviors here cannot be made to want control; remove the key")
	}
	o.Declare("behaviors")
	o.Describe("behaviors", "accepted without effect")
}

// RerunClass is the class DispatcherRerun.
func RerunClass() behaviors.Class {
	return behaviors.Class{
		Name: "DispatcherRerun",
		Doc:  "Gives control to its one delegate again and again, so many times or forever.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &Rerun{}
			param.ReadConfig(cfg, &d.params)
			return d
		},
	}
}

// Modify lets it run anywhere, and wait without a delegate.
func (*Rerun) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger, m.AlwaysDelegates = true, true, true, false
}

// OnActivated begins to count.
func (d *Rerun) OnActivated(*behaviors.Control) { d.left = d.params.Runs }

// UpdateWhileActivated starts the next run, or ends after the last.
func (d *Rerun) UpdateWhileActivated(c *behaviors.Control) {
	switch {
	case c.IsControlDelegated():
	case d.left == 0:
		c.CancelSelf()
	case c.Wants(d.params.Delegate):
		c.SetState(d.params.Delegate)
		c.DelegateTo(d.params.Delegate, d.ran)
	default:
		c.SetState("waiting for " + d.params.Delegate)
	}
}

// ran counts a run that ended, with success or without.
func (d *Rerun) ran(*behaviors.Control, behaviors.Outcome) {
	if d.left > 0 {
		d.left--
	}
}
