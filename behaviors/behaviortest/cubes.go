package behaviortest

import (
	"math"

	"github.com/robotd/robotd/hardware"
)

// A Cube stands on the table, or on the lift; its ID is above 0. The lift takes one when it rises with a cube within its reach: at most 60 mm
// ahead and 15° to either side. Lowered, it leaves the cube where the fork is.
type Cube struct {
	ID       int
	XMM, YMM float64
}

// Geometry of the ideal lift.
const (
	reachMM  = 60.0
	reachRad = 15 * rad
	forkMM   = 45.0 // from the axle to a cube on the fork
	liftUpMM = 60.0 // from here on a cube is off the table
)

// Lift moves the lift by hand to a height in millimeters.
func (b *Body) Lift(heightMM float64) {
	b.servos.LiftMM = heightMM
	b.grip()
}

// Carried is the ID of the cube on the lift, 0 for none.
func (b *Body) Carried() int { return b.carried }

// grip follows a move of the lift.
func (b *Body) grip() {
	up := b.servos.LiftMM >= liftUpMM
	if !up && b.carried == 0 || up && b.carried != 0 {
		return
	}
	sin, cos := math.Sincos(b.HeadingRad)
	for i := range b.Cubes {
		c := &b.Cubes[i]
		switch d, bearing := b.To(c.XMM, c.YMM); {
		case !up && c.ID == b.carried:
			c.XMM, c.YMM = b.XMM+forkMM*cos, b.YMM+forkMM*sin
			b.carried = 0
			return
		case up && d <= reachMM && math.Abs(bearing) <= reachRad:
			b.carried = c.ID
			return
		}
	}
}

// seeCubes are the cubes in view.
func (b *Body) seeCubes() []hardware.Object {
	var seen []hardware.Object
	for _, c := range b.Cubes {
		if d, bearing := b.To(c.XMM, c.YMM); c.ID != b.carried && math.Abs(bearing) <= viewRad {
			seen = append(seen, hardware.Object{ID: c.ID, Kind: hardware.KindCube, DistanceMM: d, BearingRad: bearing})
		}
	}
	return seen
}
