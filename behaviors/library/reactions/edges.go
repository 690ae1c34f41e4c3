package reactions

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Where R1's cliff sensors are, from the middle of the axle: front left, front right, back left, back right.
const (
	sensorFrontMM = 30.0
	sensorBackMM  = -45.0
	sensorSideMM  = 22.0
)

const (
	// edgeTime is how long a point of an edge is remembered. The robot gets out of a corner in less.
	edgeTime = 20 * time.Second
	// maxEdgePoints bounds the memory. The two sides of a corner take far fewer points.
	maxEdgePoints = 16
	// samePointMM is the distance within which two points are one.
	samePointMM = 20.0
	// unclearMM is how near the middle of all edge points may be for a direction away from it to mean anything.
	unclearMM = 5.0
)

// edges remembers where the cliff sensors saw no floor, on the map, so that a robot in a corner knows the direction away from the edges.
type edges struct {
	origin uint64 // of the odometry frame
	points []edgePoint
}

type edgePoint struct {
	xMM, yMM float64
	at       time.Time
}

// note adds the sensors that see no floor now, and forgets old points.
func (e *edges) note(w *hardware.World) {
	if w.Body.Origin != e.origin {
		e.origin, e.points = w.Body.Origin, nil
	}
	kept := e.points[:0]
	for _, p := range e.points {
		if w.Now.Sub(p.at) <= edgeTime {
			kept = append(kept, p)
		}
	}
	e.points = kept
	if !w.Cliff.OK() {
		return
	}
	sin, cos := math.Sincos(w.Body.Pose.HeadingRad)
	for i, detected := range w.Cliff.Value.Detected {
		if !detected {
			continue
		}
		x, y := sensorFrontMM, sensorSideMM
		if i >= 2 {
			x = sensorBackMM
		}
		if i%2 == 1 {
			y = -y
		}
		e.add(edgePoint{w.Body.Pose.XMM + x*cos - y*sin, w.Body.Pose.YMM + x*sin + y*cos, w.Now})
	}
}

// add remembers a point in place of those next to it, so that an edge seen twice does not count twice.
func (e *edges) add(p edgePoint) {
	e.points = slices.DeleteFunc(e.points, func(q edgePoint) bool {
		return math.Hypot(p.xMM-q.xMM, p.yMM-q.yMM) < samePointMM
	})
	if len(e.points) == maxEdgePoints {
		e.points = e.points[1:]
	}
	e.points = append(e.points, p)
}

// inward is the bearing, relative to the heading, of the direction away from the middle of all remembered points; false if
// there is none.
func (e *edges) inward(w *hardware.World) (bearingRad float64, ok bool) {
	if len(e.points) == 0 {
		return 0, false
	}
	var x, y float64
	for _, p := range e.points {
		x += p.xMM / float64(len(e.points))
		y += p.yMM / float64(len(e.points))
	}
	distance, bearing := w.Body.Pose.To(x, y)
	return hardware.WrapRad(bearing + math.Pi), distance > unclearMM
}
