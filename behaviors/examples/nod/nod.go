// Package nod has one class, Nod.
package nod

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A Nod nods a number of times.
type Nod struct {
	params nodParams
	done   int // nods of this activation
}

type nodParams struct {
	Times int         `key:"times" range:"1..10" doc:"number of nods"`
	Angle param.Angle `key:"nod_deg" range:"headMin..headMax" doc:"angle of a nod"`
}

// NodClass is the class Nod.
func NodClass() behaviors.Class {
	return behaviors.Class{
		Name: "Nod",
		Doc:  "Nods a number of times.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			n := &Nod{}
			param.ReadConfig(cfg, &n.params)
			return n
		},
	}
}

// OnActivated starts the first nod.
func (n *Nod) OnActivated(c *behaviors.Control) {
	n.done = 0
	n.nod(c)
}

func (n *Nod) nod(c *behaviors.Control) {
	c.SetState("nodding")
	c.Act(gesture.InTurn("Nod", gesture.Head(n.params.Angle.Rad()), gesture.Head(0)), n.nodded)
}

// nodded runs in the tick after the nod ended. Without a new delegation the behavior ends here by itself.
func (n *Nod) nodded(c *behaviors.Control, _ behaviors.Outcome) {
	if n.done++; n.done < n.params.Times {
		n.nod(c)
	}
}
