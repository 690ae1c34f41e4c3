package examples

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
)

// A Chore works for a while and ends: the smallest behavior with an action. Variants of it are JSON files. It never asks why it
// was chosen; conditions, intents and modifiers in its file say when it may be.
type Chore struct{ params choreParams }

type choreParams struct {
	work time.Duration
	say  string // said first; empty for nothing
}

// ChoreClass is the class Chore.
func ChoreClass() behaviors.Class {
	return behaviors.Class{
		Name: "Chore",
		Doc:  "Works for a while and ends.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			return &Chore{choreParams{
				work: cfg.Seconds("work_s"), // required: a file without it is an error, with the place
				say:  cfg.StringOr("say", ""),
			}}
		},
	}
}

// OnActivated starts the only action. When that has ended there is no delegate, and the base layer ends the behavior.
func (b *Chore) OnActivated(c *behaviors.Control) {
	if b.params.say == "" {
		b.work(c, behaviors.Outcome{})
		return
	}
	c.SetState("speaking")
	c.Act(gesture.Say(b.params.say), b.work)
}

func (b *Chore) work(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("working")
	c.Act(gesture.Wait(b.params.work), nil)
}
