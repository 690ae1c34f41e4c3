package feed

import (
	"math"

	"github.com/robotd/robotd/hardware"
)

// An Anchor ties the robot's odometry frame to the world, for drawing what it believes over what is true. A new frame begins each time
// the robot loses its place; at that instant belief and truth agree by definition.
type Anchor struct {
	origin           uint64
	truth, belief    hardware.Pose
	sin, cos, turned float64 // from belief to truth
}

// Begun reports whether b is in another frame than that of the anchor.
func (a *Anchor) Begun(b *hardware.Body) bool { return a.origin != b.Origin }

// Tie makes truth the place of b in the world.
func (a *Anchor) Tie(b *hardware.Body, truth hardware.Pose) {
	a.origin, a.truth, a.belief = b.Origin, truth, b.Pose
	a.turned = truth.HeadingRad - b.Pose.HeadingRad
	a.sin, a.cos = math.Sincos(a.turned)
}

// Place returns the pose of the world that the robot's pose p stands for.
func (a *Anchor) Place(p hardware.Pose) hardware.Pose {
	x, y := p.XMM-a.belief.XMM, p.YMM-a.belief.YMM
	return hardware.Pose{
		XMM: a.truth.XMM + a.cos*x - a.sin*y, YMM: a.truth.YMM + a.sin*x + a.cos*y,
		HeadingRad: hardware.WrapRad(p.HeadingRad + a.turned),
	}
}
