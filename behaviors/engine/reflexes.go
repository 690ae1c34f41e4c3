package engine

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// reflexes remember what the body did on its own in the last tick.
type reflexes struct {
	core    *core
	cliff   bool // the cliff reflex had latched
	falling bool
	edge    edge
	touched bool                               // by a hand on the back, as far as is known
	devices [hardware.Devices]hardware.Quality // of hardware.Names
	knows   bool                               // devices: after the first tick
}

// reflex follows what the body did on its own: the cliff reflex stopped the wheels (CLF-6: cancel, then acknowledge, then tell), or the
// robot falls (TRD-2).
func (e *Engine) reflex() {
	stopped, fell := e.reflexes.follow()
	if stopped {
		e.steer.end("the wheels stopped at an edge")
	}
	if stopped || fell {
		e.cancelActions()
	}
	if stopped {
		e.send(hardware.AckCliff{})
		e.raise(behaviors.RobotStopped{Cause: behaviors.StoppedAtCliff})
	}
	e.reflexes.watchEdge()
	e.reflexes.watchTouch()
	e.reflexes.watchDevices()
}

// follow reports what began in this tick.
func (x *reflexes) follow() (stopped, fell bool) {
	w := x.core.view.World
	latched, falling := w.Motors.Value.CliffLatched, w.Body.Treads == hardware.Falling
	if latched && x.cliff { // the acknowledgement may be lost with a failing device
		x.core.send(hardware.AckCliff{})
	}
	stopped, fell = latched && !x.cliff, falling && !x.falling
	x.cliff, x.falling = latched, falling
	return stopped, fell
}

// edgeTime is how long a sensor sees no floor before that is an edge: longer than the robot takes to find out that it was picked up.
const edgeTime = 500 * time.Millisecond

// An edge is what is known of a void under the robot.
type edge struct {
	since   time.Time // zero: every sensor sees floor
	told    bool
	dropped bool // it was no edge: the robot was picked up
}

// watchEdge raises an event for a void that lasts, unless the robot is picked up, and for its end (CLF-5). Sensors that fail change nothing.
func (x *reflexes) watchEdge() {
	w, g := x.core.view.World, &x.edge
	if !w.Cliff.OK() {
		return
	}
	if !w.Cliff.Value.Any() {
		if g.told {
			x.core.raise(behaviors.EdgeFelt{})
		}
		*g = edge{}
		return
	}
	if g.since.IsZero() {
		g.since = x.core.view.Now
	}
	g.dropped = g.dropped || !g.told && (w.Body.PickedUp || w.Body.Treads != hardware.OnTreads)
	if !g.dropped && !g.told && x.core.view.Now.Sub(g.since) >= edgeTime {
		g.told = true
		x.core.raise(behaviors.EdgeFelt{On: true, Sensors: w.Cliff.Value.Detected})
	}
}

// watchTouch raises an event when a hand comes to the back or leaves it. The sensor confirms each change; a failure of it is none
// (TCH-1).
func (x *reflexes) watchTouch() {
	w := x.core.view.World
	if !w.Touch.OK() || w.Body.Touched == x.touched {
		return
	}
	x.touched = w.Body.Touched
	x.core.raise(behaviors.Touched{On: x.touched})
}

// watchDevices raises an event when the quality of a device's readings changes.
func (x *reflexes) watchDevices() {
	before, knew := x.devices, x.knows
	x.devices, x.knows = x.core.view.World.Qualities(), true
	if !knew || x.devices == before {
		return
	}
	for i, q := range x.devices {
		if q != before[i] {
			x.core.raise(behaviors.DeviceChanged{Device: hardware.Names[i], Quality: q})
		}
	}
}
