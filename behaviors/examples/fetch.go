package examples

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A Fetch has a helper pick up a cube. It does not know how the helper does that. If the helper takes too long, Fetch takes control back.
type Fetch struct{ params fetchParams }

type fetchParams struct {
	Helper   string        `key:"helper" delegate:"true" doc:"helper that picks up the cube"`
	Cube     int           `key:"cube" range:"1..65536" doc:"ID of the cube"`
	Patience time.Duration `key:"patience_s" doc:"takes control back after so long"`
}

// FetchClass is the class Fetch.
func FetchClass() behaviors.Class {
	return behaviors.Class{
		Name: "Fetch",
		Doc:  "Has a helper pick up a cube.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			f := &Fetch{}
			param.ReadConfig(cfg, &f.params)
			return f
		},
	}
}

// Modify lets it begin with a cube on the lift: the helper handles that case.
func (*Fetch) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject = true
}

// OnActivated asks the helper with the cube as data, and gives it control. If the class of the helper takes no data, which is a mistake
// in the file, the question is refused. If the helper does not want control, there is no refusal.
func (f *Fetch) OnActivated(c *behaviors.Control) {
	wants := c.WantsWith(f.params.Helper, CubeToTake{f.params.Cube})
	switch {
	case c.Refusal() != nil:
		c.SetState(c.Refusal().Error())
	case !wants:
		c.SetState("no help")
	default:
		c.SetState("being helped")
		c.DelegateToHelper(f.params.Helper, f.got, f.failed)
	}
}

func (*Fetch) got(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("got it")
	c.Act(gesture.Say("Got it"), nil)
}

func (*Fetch) failed(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("failed")
	c.Act(gesture.Say("I cannot"), nil)
}

// UpdateWhileActivated takes control back from a helper that takes too long. Neither callback is called then.
func (f *Fetch) UpdateWhileActivated(c *behaviors.Control) {
	if c.Delegate() == f.params.Helper && c.ActivatedFor() > f.params.Patience {
		c.CancelDelegates()
		c.SetState("out of patience")
		c.Act(gesture.Say("Never mind"), nil)
	}
}
