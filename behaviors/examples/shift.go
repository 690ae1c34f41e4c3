package examples

import (
	"time"

	"github.com/robotd/robotd/behaviors"
)

// A Shift lets its worker work, again and again, until the shift is over. Then it does not cancel the worker but tells it to end after its
// present action. The worker needs no code for that: the base layer refuses it any further action.
type Shift struct{ params shiftParams }

type shiftParams struct {
	worker string
	length time.Duration
}

// ShiftClass is the class Shift.
func ShiftClass() behaviors.Class {
	return behaviors.Class{
		Name: "Shift",
		Doc:  "Lets a behavior work for a while, and finish what it is at.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			return &Shift{shiftParams{worker: cfg.Delegate("worker"), length: cfg.Seconds("shift_s")}}
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
	case c.Wants(s.params.worker):
		c.SetState("working")
		c.DelegateTo(s.params.worker, s.work)
	}
}

func (s *Shift) over(c *behaviors.Control) bool { return c.ActivatedFor() >= s.params.length }

// Update tells the worker once that the shift is over.
func (s *Shift) Update(c *behaviors.Control) {
	if c.Activated() && c.Delegate() == s.params.worker && s.over(c) {
		c.SetState("last words")
		c.StopAfterCurrentDelegate(s.params.worker)
	}
}
