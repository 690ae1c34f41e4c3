package reactions

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A ReactToShake is dizzy from being shaken: it sways its head while it is held, and staggers once it stands again.
type ReactToShake struct {
	params    shakeParams
	staggered bool
}

type shakeParams struct {
	Clip     string      `key:"dizzyClip" ref:"clip" doc:"played while it is shaken, and at the end"`
	Staggers int         `key:"staggers" range:"0..20" doc:"turns to and fro once it stands again"`
	Sway     param.Angle `key:"sway_deg" range:"1..60" doc:"angle of the first of these turns"`
}

// ReactToShakeClass is the class ReactToShake.
func ReactToShakeClass() behaviors.Class {
	return behaviors.Class{
		Name: "ReactToShake",
		Doc:  "Is dizzy from being shaken, and staggers when it is put down.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			s := &ReactToShake{}
			param.ReadConfig(cfg, &s.params)
			return s
		},
	}
}

// Modify lets it start in the hand.
func (*ReactToShake) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger = true, true, true
}

// WantsToBeActivated is true while the robot is shaken.
func (*ReactToShake) WantsToBeActivated(c *behaviors.Control) bool {
	if c.World().Body.Shaken {
		return true
	}
	c.Because("nobody shakes it")
	return false
}

// OnActivated is dizzy until the robot stands.
func (s *ReactToShake) OnActivated(c *behaviors.Control) {
	s.staggered = false
	c.SetState("dizzy in the air")
	c.Act(gesture.Loop(s.params.Clip), nil)
}

// UpdateWhileActivated waits for the robot to be put down.
func (s *ReactToShake) UpdateWhileActivated(c *behaviors.Control) {
	if !s.staggered && c.World().Body.Treads == hardware.OnTreads {
		s.staggered = true
		s.stagger(c)
	}
}

// stagger turns to and fro, less and less. On the charger it does not turn.
func (s *ReactToShake) stagger(c *behaviors.Control) {
	c.SetState("staggering")
	parts := []actions.Action{}
	turn := s.params.Sway.Rad()
	for i := range s.params.Staggers {
		parts = append(parts, gesture.Turn(turn))
		if i > 0 {
			turn /= 1.5
		}
		turn = -turn
	}
	parts = append(parts, gesture.PlayStill(s.params.Clip))
	c.CancelAndAct(gesture.InTurn("Stagger", parts...), nil)
}
