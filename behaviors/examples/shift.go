package examples

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
)

// A Shift lets its worker work, again and again, until the shift is over. Then it does not cancel the worker but tells it to end after its
// present action. The worker needs no code for that: the base layer refuses it any further action.
type Shift struct{ params shiftParams }

type shiftParams struct {
	Worker string        `key:"worker" delegate:"true" doc:"behavior that works"`
	Length time.Duration `key:"shift_s" doc:"length of the shift"`
}

// ShiftClass is the class Shift.
func ShiftClass() behaviors.Class {
	return behaviors.Class{
		Name: "Shift",
		Doc:  "Lets a behavior work for a while, and finish what it is at.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			s := &Shift{}
			param.ReadConfig(cfg, &s.params)
			return s
		},
	}
}

// OnActivated begins to work.
func (s *Shift) OnActivated(c *behaviors.Control) { s.work(c, behaviors.Outcome{}) }

// work starts the worker, or ends when the shift is over.
func (s *Shift) work(c *behaviors.Control, _ behaviors.Outcome) {
	switch {
	case s.over(c):
		c.SetState("closing time")
	case c.Wants(s.params.Worker):
		c.SetState("working")
		c.DelegateTo(s.params.Worker, s.work)
	}
}

func (s *Shift) over(c *behaviors.Control) bool { return c.ActivatedFor() >= s.params.Length }

// UpdateWhileActivated tells the worker once that the shift is over.
func (s *Shift) UpdateWhileActivated(c *behaviors.Control) {
	if c.Delegate() == s.params.Worker && s.over(c) {
		c.SetState("last words")
		c.StopAfterCurrentDelegate(s.params.Worker)
	}
}
