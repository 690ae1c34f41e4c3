package examples

import "github.com/robotd/robotd/behaviors"

// A PutDown puts down what the robot carries. Most behaviors may not begin while it carries something, and one that was interrupted
// with a cube on the lift leaves it there; so this stands behind them in the list, as what is left to do.
type PutDown struct{}

// PutDownClass is the class PutDown.
func PutDownClass() behaviors.Class {
	return behaviors.Class{
		Name: "PutDown",
		Doc:  "Puts down what the robot carries.",
		New:  func(*behaviors.Config) behaviors.Behavior { return PutDown{} },
	}
}

// Modify opens the one gate that all others keep shut.
func (PutDown) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOnCharger = true, false
}

// WantsToBeActivated is true while the robot carries something.
func (PutDown) WantsToBeActivated(c *behaviors.Control) bool { return c.World().Body.Carrying }

// OnActivated lowers the lift. The moment that the robot carries nothing, something better may take over.
func (PutDown) OnActivated(c *behaviors.Control) {
	c.SetState("putting down")
	c.Act(lift(loweredMM), nil)
}
