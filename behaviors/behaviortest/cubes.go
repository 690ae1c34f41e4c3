package behaviortest

import (
	"math"

	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/hardware"
)

// A Cube stands on the table, on another one, or on the lift; its ID is above 0. The lift takes one whose slots its fingers are in when it
// rises: at most 60 mm ahead, 15° to either side, and 32 mm under the fingers. Lowered, it leaves the cube where the fork is: on the table,
// or on a cube that is there. A lift that comes down from [hands.RollMM] over a cube rolls it.
type Cube struct {
	ID       int
	XMM, YMM float64
	// BaseMM is how high it stands, Up the side that is up.
	BaseMM float64
	Up     uint8
	// Stuck means that the lift cannot take it.
	Stuck bool

	fore uint8 // the side that looks along the table's x, once it was rolled
}

// Geometry of the ideal lift.
const (
	reachMM  = 60.0
	reachRad = 15 * rad
	forkMM   = 45.0 // from the axle to a cube on the fork
	liftUpMM = 60.0 // from here on a cube is off the table

	cubeMM, slotMM, slotTolMM = 44.0, 32.0, 5.0 // of a cube, and the height of its slots over its lower side
	stackMM                   = 15.0            // by how much a cube may stand beside the middle of the one below
)

// Lift moves the lift by hand to a height in millimeters.
func (b *Body) Lift(heightMM float64) {
	was := b.servos.LiftMM
	b.servos.LiftMM = heightMM
	b.grip(was)
}

// Carried is the ID of the cube on the lift, 0 for none.
func (b *Body) Carried() int { return b.carried }

// grip follows a move of the lift.
func (b *Body) grip(wasMM float64) {
	lift := b.servos.LiftMM
	sin, cos := math.Sincos(b.HeadingRad)
	for i := range b.Cubes {
		c := &b.Cubes[i]
		if c.ID == b.carried {
			x, y := b.XMM+forkMM*cos, b.YMM+forkMM*sin
			if floor := b.topAt(c.ID, x, y); lift < liftUpMM || floor > 0 && lift <= floor+slotMM+slotTolMM {
				c.XMM, c.YMM, c.BaseMM, b.carried = x, y, floor, 0
			}
			return
		}
	}
	for i := range b.Cubes {
		c := &b.Cubes[i]
		d, bearing := b.To(c.XMM, c.YMM)
		near := d <= reachMM && math.Abs(bearing) <= reachRad
		switch {
		case near && !c.Stuck && lift >= liftUpMM && lift > wasMM+slotTolMM && math.Abs(wasMM-c.BaseMM-slotMM) <= slotTolMM:
			b.carried = c.ID
			return
		case near && c.BaseMM == 0 && math.Abs(wasMM-hands.RollMM) <= slotTolMM && lift < liftUpMM:
			c.roll(b.Pose)
		}
	}
}

// roll tips a cube, whose sides are numbered as on a die, towards the robot. One that has no side up gets its first.
func (c *Cube) roll(robot hardware.Pose) {
	if c.Up == 0 {
		c.Up = 1
		return
	}
	if c.fore == 0 {
		c.fore = [...]uint8{0, 2, 3, 1, 1, 3, 2}[c.Up]
	}
	left := hands.LeftOf(c.Up, c.fore)
	_, bearing := (hardware.Pose{XMM: c.XMM, YMM: c.YMM}).To(robot.XMM, robot.YMM)
	switch int(math.Round(bearing/(90*rad))) & 3 {
	case 0:
		c.Up, c.fore = 7-c.fore, c.Up
	case 1:
		c.Up = 7 - left
	case 2:
		c.Up, c.fore = c.fore, 7-c.Up
	default:
		c.Up = left
	}
}

// topAt is the height of the upper side of the cubes at a place, 0 for the table.
func (b *Body) topAt(not int, x, y float64) (top float64) {
	for _, c := range b.Cubes {
		if c.ID != not && math.Hypot(c.XMM-x, c.YMM-y) <= stackMM {
			top = max(top, c.BaseMM+cubeMM)
		}
	}
	return top
}

// seeCubes are the cubes in view.
func (b *Body) seeCubes() []hardware.Object {
	var seen []hardware.Object
	for _, c := range b.Cubes {
		if d, bearing := b.To(c.XMM, c.YMM); c.ID != b.carried && math.Abs(bearing) <= viewRad {
			seen = append(seen, hardware.Object{ID: c.ID, Kind: hardware.KindCube, DistanceMM: d, BearingRad: bearing, HeadingRad: -b.HeadingRad, BaseMM: c.BaseMM, Up: c.Up})
		}
	}
	return seen
}
