package helpers

import "github.com/robotd/robotd/behaviors"

// A PutCubeOnGround puts what is on the lift where the ground is free.
type PutCubeOnGround struct{ task }

// PutCubeOnGroundClass is the class PutCubeOnGround.
func PutCubeOnGroundClass() behaviors.Class {
	return behaviors.Class{
		Name: "PutCubeOnGround",
		Doc:  "Helper: puts what it carries on the ground.",
		New:  func(*behaviors.Config) behaviors.Behavior { return &PutCubeOnGround{} },
	}
}

// WantsToBeActivated is always true: without anything on the lift its goal holds already (HLP-8).
func (p *PutCubeOnGround) WantsToBeActivated(c *behaviors.Control) bool {
	return !c.World().Body.Carrying || able(c)
}

// WantsToBeActivatedWith takes a cube, and refuses if another one is on the lift.
func (p *PutCubeOnGround) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	if !p.take(c, data) {
		return false
	}
	if b := &c.World().Body; b.Carrying && b.CarriedID != 0 && b.CarriedID != p.given {
		c.Because("it carries another cube")
		return false
	}
	return p.WantsToBeActivated(c)
}

// OnActivated puts it down.
func (p *PutCubeOnGround) OnActivated(c *behaviors.Control) {
	p.start(c)
	if !c.World().Body.Carrying {
		p.succeed(c)
		return
	}
	p.putDown(c, p.succeed)
}
