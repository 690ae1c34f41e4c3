package examples

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
)

// A Fetch has a helper pick up a cube. How that is done is none of its business; it only watches whether it takes too long, and
// then takes control back.
type Fetch struct{ params fetchParams }

type fetchParams struct {
	helper   string
	cube     int
	patience time.Duration
}

// FetchClass is the class Fetch.
func FetchClass() behaviors.Class {
	return behaviors.Class{
		Name: "Fetch",
		Doc:  "Has a helper pick up a cube.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			return &Fetch{fetchParams{
				helper:   cfg.Delegate("helper"),
				cube:     cfg.IntRange("cube", 1, maxCube),
				patience: cfg.Seconds("patience_s"),
			}}
		},
	}
}

// Modify lets it begin with something on the lift: the helper knows what to make of that.
func (*Fetch) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject = true
}

// OnActivated asks the helper, with the cube, and gives it control. That a class takes no data is a mistake in the file, and
// has a refusal; that it does not want to has none.
func (f *Fetch) OnActivated(c *behaviors.Control) {
	wants := c.WantsWith(f.params.helper, CubeToTake{f.params.cube})
	switch {
	case c.Refusal() != nil:
		c.SetState(c.Refusal().Error())
	case !wants:
		c.SetState("no help")
	default:
		c.SetState("being helped")
		c.DelegateToHelper(f.params.helper, f.got, f.failed)
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

// Update takes control back from a helper that takes too long. Neither of the callbacks comes then.
func (f *Fetch) Update(c *behaviors.Control) {
	if c.Activated() && c.Delegate() == f.params.helper && c.ActivatedFor() > f.params.patience {
		c.CancelDelegates()
		c.SetState("out of patience")
		c.Act(gesture.Say("Never mind"), nil)
	}
}
