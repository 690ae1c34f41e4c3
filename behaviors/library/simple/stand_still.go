package simple

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A StandStill is silent and does not move for a while. It answers "stop".
type StandStill struct{ params stillParams }

type stillParams struct {
	Duration time.Duration `key:"duration_s" doc:"how long it does not move"`
}

// StandStillClass is the class StandStill.
func StandStillClass() behaviors.Class {
	return behaviors.Class{
		Name: "StandStill",
		Doc:  "Stops moving and talking for a while.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			s := &StandStill{}
			param.ReadConfig(cfg, &s.params)
			return s
		},
	}
}

// Modify lets it begin with something on the lift, which stays there.
func (*StandStill) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject = true
}

// OnActivated stops the wheels and the speaker and waits.
func (s *StandStill) OnActivated(c *behaviors.Control) {
	c.SetState("still")
	c.Send(hardware.StopWheels{})
	c.Send(hardware.StopSound{})
	c.Act(gesture.Wait(s.params.Duration), nil)
}
