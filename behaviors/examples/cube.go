package examples

import (
	"cmp"
	"math"
	"slices"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// Geometry of picking up.
const (
	forkMM     = 50.0 // from the axle to a cube that the lift can take
	forkSlack  = 10.0
	forkRad    = 0.2 // to each side
	loweredMM  = motion.LiftLowDockMM
	carryingMM = motion.LiftCarryMM
)

// lookForCubes requests the vision modes of a behavior that works with cubes: at a low rate while it is in scope, at a high rate while it
// is activated.
func lookForCubes(m *behaviors.Modifiers) {
	m.LookInScope = hardware.LookFor(hardware.SeeMarkers, hardware.Low)
	m.LookActive = hardware.LookFor(hardware.SeeMarkers, hardware.High)
}

// cubes are the known cubes that stand where the robot can drive to, nearest first.
func cubes(c *behaviors.Control) []hardware.KnownObject {
	var known []hardware.KnownObject
	w := c.World()
	for _, o := range w.Objects {
		if o.Kind == hardware.KindCube && o.Origin == w.Body.Origin {
			known = append(known, o)
		}
	}
	slices.SortStableFunc(known, func(a, b hardware.KnownObject) int { return cmp.Compare(distance(c, a), distance(c, b)) })
	return known
}

// cube is the known cube with an ID.
func cube(c *behaviors.Control, id int) (hardware.KnownObject, bool) {
	for _, o := range cubes(c) {
		if o.ID == id {
			return o, true
		}
	}
	return hardware.KnownObject{}, false
}

// distance returns the distance to an object.
func distance(c *behaviors.Control, o hardware.KnownObject) float64 {
	d, _ := c.World().Body.Pose.To(o.Pose.XMM, o.Pose.YMM)
	return d
}

// atFork reports whether the robot stands so that its lift can take a cube, or put one down on it.
func atFork(c *behaviors.Control, id int) bool {
	o, known := cube(c, id)
	if !known {
		return false
	}
	d, bearing := c.World().Body.Pose.To(o.Pose.XMM, o.Pose.YMM)
	return d <= forkMM+forkSlack && math.Abs(bearing) <= forkRad
}

// driveTo drives up to a cube, until it is in front of the fork.
func driveTo(id int) actions.Action {
	return motion.NewDriveNear(motion.NearParams{
		Target: motion.ObjectTarget{ID: id, Kind: hardware.KindCube}, DistanceMM: forkMM, ToleranceMM: forkSlack / 2, AllowObstacles: true,
	})
}

// lift moves the lift.
func lift(heightMM float64) actions.Action {
	return motion.NewMoveLift(motion.LiftParams{HeightMM: heightMM})
}
