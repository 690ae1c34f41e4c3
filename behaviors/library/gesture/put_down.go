package gesture

import (
	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
)

// letGoMM is the way back from an object that was let go.
const letGoMM = 60.0

// PutDownFirst puts what hangs on the lift on the ground, where it is free, and then goes on. Where nothing is free it lowers the lift and
// backs away. On the charger there is no room, and the object stays on the lift.
func PutDownFirst(c *behaviors.Control, then func(c *behaviors.Control)) {
	b := &c.World().Body
	if !b.Carrying || b.OnPlatform || b.OnContacts {
		then(c)
		return
	}
	c.SetState("putting down what it carries")
	c.Act(hands.NewPutDown(), func(c *behaviors.Control, _ behaviors.Outcome) {
		if !c.World().Body.Carrying {
			then(c)
			return
		}
		c.SetState("letting go of what it carries")
		c.Act(InTurn("LetGo", motion.NewMoveLift(motion.LiftParams{HeightMM: motion.LiftMinMM}),
			motion.NewDriveStraight(motion.StraightParams{DistanceMM: -letGoMM, SpeedMMPS: hands.DockMMPS})),
			func(c *behaviors.Control, _ behaviors.Outcome) { then(c) })
	})
}
