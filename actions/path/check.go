package path

import (
	"math"
	"slices"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
	"gonum.org/v1/gonum/spatial/r2"
)

// slackWayMM is by how much something may lie nearer to a way than the plan wanted before it is in the way: sightings vary.
const slackWayMM = 10.0

// Blocked reports whether a known object, an edge or a place of a bump came into what is left of a way, nearer than clearMM, and is nearer to it
// than both the robot and the goal are. It allocates nothing. What the range sensor meets is told by [Meets].
func Blocked(w *hardware.World, q *actions.PathQuestion, way []hardware.Pose, clearMM float64) bool {
	for i := range w.Objects {
		k := &w.Objects[i]
		if k.Origin != w.Body.Origin || k.ID == w.Body.CarriedID && k.ID != 0 || slices.Contains(q.Near, k.ID) {
			continue
		}
		if o := ofObject(k); o.in(w.Body.Pose, way, clearMM-slackWayMM) {
			return true
		}
	}
	if w.Map == nil {
		return false
	}
	for i := range w.Map.Marks {
		m := &w.Map.Marks[i]
		if m.Kind == hardware.MarkObstacle {
			continue
		}
		if o := ofMark(m); o.in(w.Body.Pose, way, clearMM-slackWayMM) {
			return true
		}
	}
	return false
}

// in reports whether an obstacle is in the way that leads on from a pose.
func (o *obstacle) in(from hardware.Pose, way []hardware.Pose, clearMM float64) bool {
	if len(way) == 0 {
		return false
	}
	limit := min(clearMM, o.distance(vec(from))-slackMM, o.distance(vec(way[len(way)-1]))-slackMM)
	at := vec(from)
	for _, p := range way {
		to := vec(p)
		if nearest(at, to, o.at)-o.reach() < limit { // else all of it is farther
			d := r2.Sub(to, at)
			n := int(math.Ceil(r2.Norm(d) / stepMM))
			for i := 1; i < n; i++ {
				if o.distance(r2.Add(at, r2.Scale(float64(i)/float64(n), d))) < limit {
					return true
				}
			}
		}
		at = to
	}
	return false
}

// nearest is the distance of p from the straight way between a and b.
func nearest(a, b, p r2.Vec) float64 {
	d := r2.Sub(b, a)
	k := 0.0
	if n := r2.Norm2(d); n > 0 {
		k = min(max(r2.Dot(r2.Sub(p, a), d)/n, 0), 1)
	}
	return r2.Norm(r2.Sub(p, r2.Add(a, r2.Scale(k, d))))
}

// Meets reports whether a place lies in what is left of a way, nearer than clearMM.
func Meets(xMM, yMM float64, from hardware.Pose, way []hardware.Pose, clearMM float64) bool {
	at, p := vec(from), r2.Vec{X: xMM, Y: yMM}
	for _, q := range way {
		if nearest(at, vec(q), p) < clearMM-slackWayMM {
			return true
		}
		at = vec(q)
	}
	return false
}

// Known reports whether a place is at an object that is known, so that what was met there is that object.
func Known(w *hardware.World, xMM, yMM float64) bool {
	for i := range w.Objects {
		k := &w.Objects[i]
		if o := ofObject(k); k.Origin == w.Body.Origin && o.distance(r2.Vec{X: xMM, Y: yMM}) < ownMM {
			return true
		}
	}
	return false
}
