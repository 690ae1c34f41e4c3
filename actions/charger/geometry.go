// Package charger holds the actions that dock the robot on its charger and drive it off.
//
// Geometry: a docked robot has the charger's pose, that is the middle of its axle is at the charger's center and it
// looks out of the open side, along the charger's heading. It therefore docks backward: it drives to a point in front
// of the open side, turns its tail to the charger and backs up until the contacts close.
package charger

import (
	"math"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// Distances and speeds, for a charger about as large as the robot.
const (
	PreDockMM    = 140.0 // from the charger's center to where the robot turns its tail to it
	LeaveMM      = 110.0 // off the contacts and the platform
	missMM       = 120.0 // forward after a missed docking
	missMMPS     = 100.0
	backUpMMPS   = 40.0 // slower than the docking speed of 60: the contacts stop the robot within a tick
	overshootMM  = 25.0 // backed up beyond the center before it counts as a miss
	liftClearMM  = 55.0 // the lift must be at 45 at least; the rest is its tolerance
	clearanceMM  = 110.0
	detourMM     = 190.0
	predockTolMM = 5.0
	alignTolRad  = 2 * rad
	alignRadPS   = 100 * rad
	rad          = math.Pi / 180
)

// inFront is the point distanceMM out of the charger's open side, with the docking heading.
func inFront(c hardware.Pose, distanceMM float64) hardware.Pose {
	return local(c, distanceMM, 0)
}

// local is the pose at (x, y) in the charger's frame, with the docking heading.
func local(c hardware.Pose, xMM, yMM float64) hardware.Pose {
	sin, cos := math.Sincos(c.HeadingRad)
	return hardware.Pose{
		XMM:        c.XMM + xMM*cos - yMM*sin,
		YMM:        c.YMM + xMM*sin + yMM*cos,
		HeadingRad: c.HeadingRad,
	}
}

// detour returns a point beside the charger to drive to first, if the straight way from p to the goal would touch it.
func detour(p, goal, c hardware.Pose) (hardware.Pose, bool) {
	dx, dy := goal.XMM-p.XMM, goal.YMM-p.YMM
	length := math.Hypot(dx, dy)
	if length == 0 {
		return hardware.Pose{}, false
	}
	// Nearest point of the way to the charger's center, as a share of the way.
	at := ((c.XMM-p.XMM)*dx + (c.YMM-p.YMM)*dy) / (length * length)
	at = min(max(at, 0), 1)
	if math.Hypot(p.XMM+at*dx-c.XMM, p.YMM+at*dy-c.YMM) >= clearanceMM {
		return hardware.Pose{}, false
	}
	sin, cos := math.Sincos(c.HeadingRad)
	x := (p.XMM-c.XMM)*cos + (p.YMM-c.YMM)*sin
	if x > clearanceMM/2 {
		return hardware.Pose{}, false // in front already, only too near
	}
	side := -(p.XMM-c.XMM)*sin + (p.YMM-c.YMM)*cos
	return local(c, 20, math.Copysign(detourMM, side)), true
}

// find returns the charger to use: the given one, or the remembered one of the present odometry frame.
func find(env *actions.Env, given *hardware.Pose) (hardware.Pose, bool) {
	if given != nil {
		return *given, true
	}
	o, ok := env.World.Charger()
	return o.Pose, ok
}
