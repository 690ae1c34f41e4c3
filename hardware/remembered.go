package hardware

import (
	"slices"
	"time"
)

// Remembered is what a robot knows of people and places when it ends, for the next start. Ages are times since the sighting.
type Remembered struct {
	Faces []RememberedFace
	// Places are valid only where the robot stood still: on the charger. Docked says that it stood there, Pose where it believed to be.
	Docked bool
	Pose   Pose
	Places []RememberedPlace
}

// A RememberedFace is a sighting relative to the robot.
type RememberedFace struct {
	ID                               int
	Name                             string
	DistanceMM, BearingRad, Elevated float64
	Age                              time.Duration
}

// A RememberedPlace is where an object stood.
type RememberedPlace struct {
	ID   int
	Kind string
	Pose Pose
	Age  time.Duration
}

// Older returns what is remembered some time later.
func (r Remembered) Older(by time.Duration) Remembered {
	r.Faces, r.Places = slices.Clone(r.Faces), slices.Clone(r.Places)
	for i := range r.Faces {
		r.Faces[i].Age += by
	}
	for i := range r.Places {
		r.Places[i].Age += by
	}
	return r
}
