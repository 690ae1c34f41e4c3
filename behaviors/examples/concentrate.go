package examples

import (
	"time"

	"github.com/robotd/robotd/behaviors"
)

// A Concentrate lets its one delegate work undisturbed for a part of the time: the behaviors that it locks do not want to be
// activated until it unlocks them, or ends. Several behaviors may hold locks on the same ones, which are free when the last
// lock is released. A lock does not stop a behavior that runs already.
type Concentrate struct {
	params concentrateParams
	locked bool
}

type concentrateParams struct {
	delegate string
	locks    []string      // IDs
	from, to time.Duration // after the activation; to 0 means until the end
}

// lockReactions is the key of the lock.
const lockReactions = "concentrating"

// ConcentrateClass is the class Concentrate.
func ConcentrateClass() behaviors.Class {
	return behaviors.Class{
		Name: "Concentrate",
		Doc:  "Keeps reactions from disturbing its delegate.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			b := &Concentrate{params: concentrateParams{
				delegate: cfg.Delegate("delegateID"),
				locks:    cfg.Refs("locks", behaviors.RefBehavior),
				from:     cfg.SecondsOr("from_s", 0),
				to:       cfg.SecondsOr("to_s", 0),
			}}
			if b.params.to != 0 && b.params.to <= b.params.from {
				cfg.KeyErrorf("to_s", "key-range", "must be later than from_s; leave it out to lock until the end")
			}
			return b
		},
	}
}

// OnActivated gives control to the delegate, locked or not.
func (b *Concentrate) OnActivated(c *behaviors.Control) {
	b.locked = false
	b.lock(c)
	if c.Wants(b.params.delegate) {
		c.DelegateTo(b.params.delegate, nil)
	}
}

// Update locks and unlocks when it is time.
func (b *Concentrate) Update(c *behaviors.Control) {
	if c.Activated() {
		b.lock(c)
	}
}

func (b *Concentrate) lock(c *behaviors.Control) {
	d := c.ActivatedFor()
	due := d >= b.params.from && (b.params.to == 0 || d < b.params.to)
	switch {
	case due && !b.locked:
		c.SetState("undisturbed")
		c.Suppression().Hold(lockReactions, b.params.locks...)
	case !due && b.locked:
		c.SetState("open")
		c.Suppression().Release(lockReactions) // the end of the behavior would release it too
	}
	b.locked = due
}
