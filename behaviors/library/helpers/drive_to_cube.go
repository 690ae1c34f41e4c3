package helpers

import (
	"github.com/robotd/robotd/behaviors"
)

// A DriveToCube drives to a face of a cube, from which it can dock.
type DriveToCube struct{ task }

// DriveToCubeClass is the class DriveToCube.
func DriveToCubeClass() behaviors.Class {
	return behaviors.Class{
		Name: "DriveToCube",
		Doc:  "Helper: drives to a face of a cube.",
		New:  func(*behaviors.Config) behaviors.Behavior { return &DriveToCube{} },
	}
}

// WantsToBeActivated is true if it knows a cube.
func (d *DriveToCube) WantsToBeActivated(c *behaviors.Control) bool {
	d.given = 0
	return d.wants(c)
}

// WantsToBeActivatedWith takes the cube of the one who asks.
func (d *DriveToCube) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	return d.take(c, data) && d.wants(c)
}

func (d *DriveToCube) wants(c *behaviors.Control) bool { return able(c) && d.choose(c, anyCube) }

// OnActivated drives.
func (d *DriveToCube) OnActivated(c *behaviors.Control) {
	d.start(c)
	d.drive(c, d.cube, d.succeed)
}
