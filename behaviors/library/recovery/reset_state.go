// Package recovery holds the behavior that makes the robot safe after a broken cycle of activations.
package recovery

import (
	"time"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/hardware"
)

// A ResetState makes the robot safe and forgetful, and then ends (L-42). It is the base behavior for a moment after a cycle of activations
// was broken; the boot configuration names it as resetSafelyBehavior, and the boot behavior follows it.
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
		Doc:  "Stops, forgets where it is, lowers the lift, and ends.",
		New: func(*behaviors.Config) behaviors.Behavior {
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
	c.Act(gesture.Wait(pause), func(c *behaviors.Control, _ behaviors.Outcome) {
		c.SetState("lower the lift")
		c.Act(motion.NewMoveLift(motion.LiftParams{HeightMM: motion.LiftMinMM}), func(c *behaviors.Control, _ behaviors.Outcome) {
			c.Forget()
			c.CancelSelf()
		})
	})
}
