package look

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

const (
	// fading is the memory of the filter, 0 to 1: at ten images a second with an error of 1° each it halves the error and is 3 images late.
	fading = 0.6
	// reckonTime is how far beyond a sighting the motion of the target is believed to go on: longer than the next image takes.
	reckonTime = 400 * time.Millisecond
	// forgetTime is the gap between two sightings after which nothing is known of the motion.
	forgetTime = time.Second
	// fastRadPS bounds the motion: a person who runs past at arm's length.
	fastRadPS = 1.5
)

// A course is the direction of a target and how fast that changes, seen from a robot that turns but does not drive: a g-h filter with fading
// memory, critically damped (E. Brookner, Tracking and Kalman Filtering Made Easy, 1998, section 1.2.6: g = 1-θ², h = (1-θ)²).
type course struct {
	rad   float64 // direction in the odometry frame
	radPS float64
	at    time.Time // of the newest sighting; zero: none
}

// see takes a sighting in a direction of the odometry frame.
func (c *course) see(rad float64, at time.Time) {
	dt := at.Sub(c.at)
	if c.at.IsZero() || dt > forgetTime {
		*c = course{rad: rad, at: at}
		return
	}
	if dt <= 0 {
		return
	}
	ahead := c.rad + c.radPS*dt.Seconds()
	miss := hardware.WrapRad(rad - ahead)
	c.rad = hardware.WrapRad(ahead + (1-fading*fading)*miss)
	c.radPS += (1 - fading) * (1 - fading) * miss / dt.Seconds()
	c.radPS = min(max(c.radPS, -fastRadPS), fastRadPS)
	c.at = at
}

// now is the direction at an instant and how fast it changes then.
func (c *course) now(t time.Time) (rad, radPS float64) {
	since := t.Sub(c.at)
	if since > reckonTime {
		return hardware.WrapRad(c.rad + c.radPS*reckonTime.Seconds()), 0
	}
	return hardware.WrapRad(c.rad + c.radPS*max(since, 0).Seconds()), c.radPS
}

// toward is the direction of a place of the odometry frame from a pose.
func toward(p hardware.Pose, xMM, yMM float64) float64 { return math.Atan2(yMM-p.YMM, xMM-p.XMM) }
