package simple

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A Turn turns in place by an angle.
type Turn struct{ params turnParams }

type turnParams struct {
	Clockwise bool        `key:"shouldTurnClockwise" doc:"turn to the right instead of to the left"`
	Angle     param.Angle `key:"turnDegrees" unit:"deg" range:"-3600..3600" doc:"by how much; a negative angle turns the other way"`
}

// TurnClass is the class Turn.
func TurnClass() behaviors.Class {
	return behaviors.Class{
		Name: "Turn",
		Doc:  "Turns in place by an angle.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			t := &Turn{}
			param.ReadConfig(cfg, &t.params)
			return t
		},
	}
}

// OnActivated turns; the behavior ends with the turn.
func (t *Turn) OnActivated(c *behaviors.Control) {
	rad := float64(t.params.Angle)
	if t.params.Clockwise {
		rad = -rad
	}
	c.SetState("turning")
	c.Act(gesture.Turn(rad), nil)
}
