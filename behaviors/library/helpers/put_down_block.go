package helpers

import "github.com/robotd/robotd/behaviors"

// A PutDownBlock puts what is on the lift where the ground is free. Unlike [PutCubeOnGround] it wants control only with something on the lift.
type PutDownBlock struct{ PutCubeOnGround }

// PutDownBlockClass is the class PutDownBlock.
func PutDownBlockClass() behaviors.Class {
	return behaviors.Class{
		Name: "PutDownBlock",
		Doc:  "Helper: puts down what it carries.",
		New:  func(*behaviors.Config) behaviors.Behavior { return &PutDownBlock{} },
	}
}

// WantsToBeActivated is true with something on the lift.
func (p *PutDownBlock) WantsToBeActivated(c *behaviors.Control) bool {
	if !c.World().Body.Carrying {
		c.Because("it carries nothing")
		return false
	}
	return able(c)
}

// WantsToBeActivatedWith takes the cube that it carries.
func (p *PutDownBlock) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	return p.PutCubeOnGround.WantsToBeActivatedWith(c, data) && p.WantsToBeActivated(c)
}
