package examples

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A Chore works for a while and ends. It is the smallest behavior with an action. Its variants are JSON files. The conditions, intents and
// modifiers in the file decide when it may run; the code does not check them.
type Chore struct{ params choreParams }

type choreParams struct {
	Work time.Duration `key:"work_s" doc:"how long it works"` // required: a file without it is an error at its place
	Say  string        `key:"say" default:"" why:"most chores are done in silence" doc:"said first"`
}

// ChoreClass is the class Chore.
func ChoreClass() behaviors.Class {
	return behaviors.Class{
		Name: "Chore",
		Doc:  "Works for a while and ends.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			b := &Chore{}
			param.ReadConfig(cfg, &b.params)
			return b
		},
	}
}

// OnActivated starts the only action. When that has ended there is no delegate, and the base layer ends the behavior.
func (b *Chore) OnActivated(c *behaviors.Control) {
	if b.params.Say == "" {
		b.work(c, behaviors.Outcome{})
		return
	}
	c.SetState("speaking")
	c.Act(gesture.Say(b.params.Say), b.work)
}

func (b *Chore) work(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("working")
	c.Act(gesture.Wait(b.params.Work), nil)
}
