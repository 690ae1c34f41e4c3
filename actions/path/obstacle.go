package path

import (
	"math"

	"github.com/robotd/robotd/hardware"
	"gonum.org/v1/gonum/spatial/r2"
)

// An obstacle is a rectangle, a line or a disc, and a distance around it.
type obstacle struct {
	at       r2.Vec
	along    r2.Vec // unit vector of its length
	half     r2.Vec // half length and half width; both 0 for a disc
	aroundMM float64
	id       int // of a known object; 0 for a mark
}

func unit(rad float64) r2.Vec {
	s, c := math.Sincos(rad)
	return r2.Vec{X: c, Y: s}
}

func vec(p hardware.Pose) r2.Vec { return r2.Vec{X: p.XMM, Y: p.YMM} }

// ofMark is the obstacle of a mark. An edge is a line across the heading in which it was met.
func ofMark(m *hardware.Mark) obstacle {
	o := obstacle{at: r2.Vec{X: m.XMM, Y: m.YMM}, along: r2.Vec{X: 1}}
	if m.Kind == hardware.MarkEdge {
		o.along, o.half.X = unit(m.HeadingRad+math.Pi/2), max(edgeHalfMM, m.RadiusMM)
		return o
	}
	o.aroundMM = m.RadiusMM
	return o
}

// ofObject is the obstacle of a known object.
func ofObject(k *hardware.KnownObject) obstacle {
	length, width := sizeOf(k.Kind)
	return obstacle{
		at: vec(k.Pose), along: unit(k.Pose.HeadingRad), half: r2.Vec{X: length / 2, Y: width / 2},
		aroundMM: min(k.SigmaMM, maxSigmaMM), id: k.ID,
	}
}

// distance is how far a point is from the obstacle, negative inside.
func (o *obstacle) distance(p r2.Vec) float64 {
	d := r2.Sub(p, o.at)
	x, y := math.Abs(r2.Dot(d, o.along))-o.half.X, math.Abs(r2.Cross(o.along, d))-o.half.Y
	out := math.Hypot(max(x, 0), max(y, 0))
	if x < 0 && y < 0 {
		out = max(x, y)
	}
	return out - o.aroundMM
}

// reach is the distance from the middle of the obstacle within which all of it lies.
func (o *obstacle) reach() float64 { return math.Hypot(o.half.X, o.half.Y) + o.aroundMM }

// ownMM is how near to a known object something that was ranged or bumped is that object.
const ownMM = 35.0

// known reports whether a mark is what is known as an object anyway.
func known(m *hardware.Mark, objects []hardware.KnownObject) bool {
	if m.Kind == hardware.MarkEdge {
		return false
	}
	p := r2.Vec{X: m.XMM, Y: m.YMM}
	for i := range objects {
		o := ofObject(&objects[i])
		if o.distance(p) < ownMM {
			return true
		}
	}
	return false
}
