// Package path plans ways for a robot that turns in place: around edges, obstacles and objects, on a grid with A* for long ways and straight
// for free ones. A plan depends on nothing but its order, and takes a bounded number of steps. What is unknown is free.
package path

import "github.com/robotd/robotd/hardware"

// An Outline is the rectangle of a robot around the middle of its axle.
type Outline struct{ FrontMM, BackMM, WidthMM float64 }

// R1 is the outline of the reference robot.
var R1 = Outline{FrontMM: 35, BackMM: 55, WidthMM: 60}

// Distances that a plan keeps.
const (
	// WideMM is added to what the robot sweeps when it turns in place: a plan keeps this distance wherever it can.
	WideMM = 8.0
	// NarrowMM is added to half the width of the robot: nearer to something no plan leads.
	NarrowMM = 10.0
	// maxSigmaMM is the most that the uncertainty of a place adds.
	maxSigmaMM = 20.0
	// edgeHalfMM is how far an edge goes on to both sides of where it was felt, at least.
	edgeHalfMM = 60.0
	// exceptMM is how far around the start the way may stay as near to something as the start lies.
	exceptMM = 130.0
	// shortMM is the distance below which a way is straight or none.
	shortMM = 40.0
	// carryMM is how far a carried object reaches in front of the axle.
	carryMM = 80.0
)

// sizes of known objects by kind: length and width in mm. Any other object is taken for a cube.
func sizeOf(kind string) (length, width float64) {
	if kind == hardware.KindCharger {
		return 110, 84
	}
	return 45, 45
}
