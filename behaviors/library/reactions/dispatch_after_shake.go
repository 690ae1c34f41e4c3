package reactions

import (
	"strconv"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A DispatchAfterShake counts how often the robot is shaken. When it stands again it gives control to the behavior of that number.
type DispatchAfterShake struct {
	params shakenParams
	times  int
	shaken bool
	begun  bool // it has delegated
}

type shakenParams struct {
	Behaviors []string `key:"behaviors" delegate:"true" length:"1..32" doc:"the first for one shake, the second for two; the last one for more, too"`
}

// DispatchAfterShakeClass is the class DispatchAfterShake.
func DispatchAfterShakeClass() behaviors.Class {
	return behaviors.Class{
		Name: "DispatchAfterShake",
		Doc:  "Gives control to its n-th behavior after n shakes.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &DispatchAfterShake{}
			param.ReadConfig(cfg, &d.params)
			return d
		},
	}
}

// OnActivated begins to count.
func (d *DispatchAfterShake) OnActivated(c *behaviors.Control) {
	d.times, d.shaken, d.begun = 0, false, false
	c.SetState("waiting for a shake")
	d.wait(c, behaviors.Outcome{})
}

// wait keeps control while nothing is decided.
func (d *DispatchAfterShake) wait(c *behaviors.Control, _ behaviors.Outcome) {
	c.Act(gesture.Wait(time.Second), d.wait)
}

// UpdateWhileActivated counts, and delegates when the robot stands.
func (d *DispatchAfterShake) UpdateWhileActivated(c *behaviors.Control) {
	b := &c.World().Body
	if d.begun {
		return
	}
	if b.Shaken && !d.shaken {
		d.times++
		c.SetState("shaken " + strconv.Itoa(d.times))
	}
	d.shaken = b.Shaken
	if d.times > 0 && b.Treads == hardware.OnTreads && !b.PickedUp {
		d.begun = true
		c.CancelAndDelegateIfWanted(d.params.Behaviors[min(d.times, len(d.params.Behaviors))-1], nil)
	}
}
