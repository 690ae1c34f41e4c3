package hardware

import "time"

// Views is where the robot looked at the ground lately, standing still. It is immutable; a change makes a new one.
type Views struct {
	// Version grows with every change.
	Version uint64
	// All are sorted by the instant of their newest image, oldest first.
	All []View
}

// A View is one look: from where, in which direction, in the odometry frame of the body's origin.
type View struct {
	Pose
	At time.Time // capture time of the newest image
}
