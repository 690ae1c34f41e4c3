package hardware

import "time"

// A Map is what the robot met on its way and cannot see: edges felt, obstacles ranged, places where it was stopped. It is immutable; a change
// makes a new one. Objects that are seen, cubes and the charger, stand in [World.Objects] instead.
type Map struct {
	// Version grows with every change.
	Version uint64
	// Marks are sorted by the instant in which they were met last, oldest first.
	Marks []Mark
}

// A MarkKind is what was met.
type MarkKind uint8

// The kinds of marks.
const (
	MarkEdge     MarkKind = iota // the floor ends
	MarkObstacle                 // the range sensor met something
	MarkBump                     // the wheels were stopped, or turned without driving
)

// MarkNames are the names of the kinds, as files and the page write them.
var MarkNames = []string{"edge", "obstacle", "bump"}

func (k MarkKind) String() string { return MarkNames[k] }

// A Mark is one place of a map, in the odometry frame of the body's origin.
type Mark struct {
	Kind     MarkKind
	XMM, YMM float64
	// HeadingRad is the direction in which the robot met it. An edge runs across it, as far as anyone knows.
	HeadingRad float64
	// RadiusMM is how far around the place it reaches, its uncertainty included.
	RadiusMM float64
	At       time.Time // when it was met last
	Met      int       // how often it was met
}
