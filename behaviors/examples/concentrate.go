package examples

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/resources"
)

// A Concentrate lets its one delegate work undisturbed for a part of the time: the behaviors that it locks do not want to be
// activated until it unlocks them, or ends. Several behaviors may hold locks on the same ones, which are free when the last
// lock is released. A lock does not stop a behavior that runs already.
type Concentrate struct {
	params concentrateParams
	locked bool
}

type concentrateParams struct {
	Delegate string        `key:"delegateID" delegate:"true" doc:"works undisturbed"`
	Locks    []string      `key:"locks" ref:"behavior" doc:"behaviors that it locks"`
	From     time.Duration `key:"from_s" default:"0" why:"most work needs rest from its beginning" doc:"locks them so long after its activation"`
	To       time.Duration `key:"to_s" default:"0" why:"most work needs rest until its end" doc:"unlocks them so long after its activation; 0 is never"`
}

// Check runs after the keys were read, for mistakes that lie in two of them.
func (p *concentrateParams) Check(o *resources.Object, _ *behaviors.Config) {
	if p.To != 0 && p.To <= p.From {
		o.KeyErrorf("to_s", "key-range", "must be later than from_s; leave it out to lock until the end")
	}
}

// lockReactions is the key of the lock.
const lockReactions = "concentrating"

// ConcentrateClass is the class Concentrate.
func ConcentrateClass() behaviors.Class {
	return behaviors.Class{
		Name: "Concentrate",
		Doc:  "Keeps reactions from disturbing its delegate.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			b := &Concentrate{}
			param.ReadConfig(cfg, &b.params)
			return b
		},
	}
}

// OnActivated gives control to the delegate, locked or not.
func (b *Concentrate) OnActivated(c *behaviors.Control) {
	b.locked = false
	b.lock(c)
	if c.Wants(b.params.Delegate) {
		c.DelegateTo(b.params.Delegate, nil)
	}
}

// UpdateWhileActivated locks and unlocks when it is time.
func (b *Concentrate) UpdateWhileActivated(c *behaviors.Control) { b.lock(c) }

func (b *Concentrate) lock(c *behaviors.Control) {
	d := c.ActivatedFor()
	due := d >= b.params.From && (b.params.To == 0 || d < b.params.To)
	switch {
	case due && !b.locked:
		c.SetState("undisturbed")
		c.Suppression().Hold(lockReactions, b.params.Locks...)
	case !due && b.locked:
		c.SetState("open")
		c.Suppression().Release(lockReactions) // the end of the behavior would release it too
	}
	b.locked = due
}
