package simple

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A MoveHeadToAngle moves the head to an angle.
type MoveHeadToAngle struct{ params headParams }

type headParams struct {
	Angle param.Angle `key:"headAngle_deg" range:"headMin..headMax" doc:"where to move the head; 0 is level"`
}

// MoveHeadToAngleClass is the class MoveHeadToAngle.
func MoveHeadToAngleClass() behaviors.Class {
	return behaviors.Class{
		Name: "MoveHeadToAngle",
		Doc:  "Moves the head to an angle.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			m := &MoveHeadToAngle{}
			param.ReadConfig(cfg, &m.params)
			return m
		},
	}
}

// Modify lets it run anywhere.
func (*MoveHeadToAngle) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger = true, true, true
}

// OnActivated moves the head; the behavior ends with the move.
func (m *MoveHeadToAngle) OnActivated(c *behaviors.Control) {
	c.SetState("moving the head")
	c.Act(gesture.Head(float64(m.params.Angle)), nil)
}
