package examples

import "github.com/robotd/robotd/behaviors"

// A PutDown puts down what the robot carries. Most behaviors may not begin while it carries a cube, and an interrupted behavior leaves its
// cube on the lift. So PutDown is the last one in the list: it begins when no other may.
type PutDown struct{}

// PutDownClass is the class PutDown.
func PutDownClass() behaviors.Class {
	return behaviors.Class{
		Name: "PutDown",
		Doc:  "Puts down what the robot carries.",
		New:  func(*behaviors.Config) behaviors.Behavior { return PutDown{} },
	}
}

// Modify lets it begin while the robot carries something.
func (PutDown) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOnCharger = true, false
}

// WantsToBeActivated is true while the robot carries something.
func (PutDown) WantsToBeActivated(c *behaviors.Control) bool { return c.World().Body.Carrying }

// OnActivated lowers the lift. As soon as the robot carries nothing, another behavior may take over.
func (PutDown) OnActivated(c *behaviors.Control) {
	c.SetState("putting down")
	c.Act(lift(loweredMM), nil)
}
