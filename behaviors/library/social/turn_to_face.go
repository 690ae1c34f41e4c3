package social

import (
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// A FaceGiven is the data of a question to a behavior that deals with one face: the one who asks has chosen it.
type FaceGiven struct{ ID int }

// A TurnToFace turns to the face that it is given, or to the one seen last.
type TurnToFace struct{ id int }

// TurnToFaceClass is the class TurnToFace.
func TurnToFaceClass() behaviors.Class {
	return behaviors.Class{
		Name: "TurnToFace",
		Doc:  "Turns to the face that it is given, or to the one seen last.",
		New:  func(*behaviors.Config) behaviors.Behavior { return &TurnToFace{} },
	}
}

// Modify looks for faces while it turns.
func (*TurnToFace) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Standard)
}

// WantsToBeActivated is true if a face is known; the one seen last is the target.
func (t *TurnToFace) WantsToBeActivated(c *behaviors.Control) bool {
	faces := c.World().Faces
	if len(faces) == 0 {
		c.Because("no face is known")
		return false
	}
	t.id = faces[0].ID
	return true
}

// WantsToBeActivatedWith takes the face of the one who asks.
func (t *TurnToFace) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	given, ok := data.(FaceGiven)
	if !ok {
		c.Because("it is given no face")
		return false
	}
	t.id = given.ID
	return true
}

// OnActivated turns; the behavior ends with the turn.
func (t *TurnToFace) OnActivated(c *behaviors.Control) {
	c.SetState("turning to the face")
	c.Act(motion.NewTurnTowards(motion.TowardsParams{Target: motion.FaceTarget{ID: t.id}, Verify: true}), nil)
}
