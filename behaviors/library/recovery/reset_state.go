// Package recovery holds behaviors that bring the robot back into a state from which life can go on.
package recovery

import (
	"time"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/hardware"
)

// A ResetState makes the robot safe and forgetful, and then gives control to what follows, again and again (L-42). It is the base
// behavior after a cycle of activations was broken; the boot configuration names it as resetSafelyBehavior.
type ResetState struct{}

// How long the body is given to come to rest.
const (
	pauseOnTreads  = 500 * time.Millisecond
	pauseOffTreads = 3 * time.Second
)

// ResetStateClass is the class ResetState.
func ResetStateClass() behaviors.Class {
	return behaviors.Class{
		Name: "ResetState",
		Doc:  "Stops, forgets where it is, lowers the lift, and then gives control to what follows.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.Delegate("followUp")
			return &ResetState{}
		},
	}
}

// Modify lets it act everywhere and without a delegate.
func (*ResetState) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	*m = behaviors.Modifiers{WhenCarryingObject: true, WhenOffTreads: true, WhenOnCharger: true}
}

// OnActivated stops and waits.
func (r *ResetState) OnActivated(c *behaviors.Control) {
	c.SetState("stop")
	c.Send(hardware.StopWheels{})
	pause := pauseOnTreads
	if c.World().Body.Treads != hardware.OnTreads {
		pause = pauseOffTreads
	}
	_ = c.Act(gesture.Wait(pause), func(c *behaviors.Control, _ behaviors.Outcome) {
		c.SetState("lower the lift")
		_ = c.Act(motion.NewMoveLift(motion.LiftParams{HeightMM: motion.LiftMinMM}), func(c *behaviors.Control, _ behaviors.Outcome) {
			c.Forget()
			r.follow(c)
		})
	})
}

// Update gives control back when what follows has ended. What follows is what the layer lists: the engine decides when it makes this
// behavior the base (L-10).
func (r *ResetState) Update(c *behaviors.Control) {
	if c.Activated() && !c.IsControlDelegated() {
		r.follow(c)
	}
}

func (*ResetState) follow(c *behaviors.Control) {
	for _, id := range c.MayDelegateTo() {
		c.SetState(id)
		if c.Wants(id) && c.DelegateTo(id, nil) == nil {
			return
		}
	}
}
