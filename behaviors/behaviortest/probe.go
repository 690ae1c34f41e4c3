package behaviortest

import (
	"time"

	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/behaviors"
)

// A Probe is a behavior whose willingness and end the test decides. Get it with [Env.Impl].
type Probe struct {
	Wants bool          // answer to WantsToBeActivated
	End   bool          // cancels itself in its next Update
	Act   time.Duration // waits in an action for this long after its activation

	Suggest string // post-behavior suggestion made when it is deactivated; empty for none
	Stop    string // behavior that its next Update tells to stop after its present delegate; empty for none

	Asked, Activated, Deactivated int
	Entered, Left                 int

	mods behaviors.Modifiers
}

// GentleProbe is a Probe that lets itself be interrupted politely while it has no action.
type GentleProbe struct{ Probe }

// GentlyInterruptible implements behaviors.GentlyInterruptible.
func (*GentleProbe) GentlyInterruptible() {}

// ProbeClass is the class Probe. Keys: wants (true), act_s (0), carrying, offTreads (false), onCharger (true): the
// modifiers that its code gives.
func ProbeClass() behaviors.Class {
	return behaviors.Class{Name: "Probe", Doc: "Does what a test says.", New: func(cfg *behaviors.Config) behaviors.Behavior {
		p := newProbe(cfg)
		return &p
	}}
}

// GentleProbeClass is the class GentleProbe.
func GentleProbeClass() behaviors.Class {
	return behaviors.Class{Name: "GentleProbe", Doc: "Does what a test says, politely.", New: func(cfg *behaviors.Config) behaviors.Behavior {
		return &GentleProbe{newProbe(cfg)}
	}}
}

func newProbe(cfg *behaviors.Config) Probe {
	return Probe{
		Wants: cfg.BoolOr("wants", true),
		Act:   cfg.SecondsOr("act_s", 0),
		mods: behaviors.Modifiers{
			WhenCarryingObject: cfg.BoolOr("carrying", false),
			WhenOffTreads:      cfg.BoolOr("offTreads", false),
			WhenOnCharger:      cfg.BoolOr("onCharger", true),
		},
	}
}

// Modify gives the modifiers of the file, as class code would.
func (p *Probe) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) { *m = p.mods }

// OnEnteredScope counts.
func (p *Probe) OnEnteredScope(*behaviors.Control) { p.Entered++ }

// OnLeftScope counts.
func (p *Probe) OnLeftScope(*behaviors.Control) { p.Left++ }

// WantsToBeActivated answers as told.
func (p *Probe) WantsToBeActivated(*behaviors.Control) bool {
	p.Asked++
	return p.Wants
}

// OnActivated counts, and acts if told to.
func (p *Probe) OnActivated(c *behaviors.Control) {
	p.Activated++
	p.End = false
	if p.Act > 0 {
		c.Act(express.NewWait(express.WaitParams{Duration: p.Act}), nil)
	}
}

// OnDeactivated counts, and suggests what it was told to.
func (p *Probe) OnDeactivated(c *behaviors.Control) {
	p.Deactivated++
	if p.Suggest != "" {
		c.Suggest(p.Suggest)
	}
}

// Update ends when told to.
func (p *Probe) Update(c *behaviors.Control) {
	if p.Stop != "" && c.StopAfterCurrentDelegate(p.Stop) {
		p.Stop = ""
	}
	if c.Activated() && p.End {
		c.CancelSelf()
	}
}
