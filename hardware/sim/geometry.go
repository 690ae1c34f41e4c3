package sim

import (
	"math"

	"github.com/robotd/robotd/hardware"
)

// vec is a point or direction in millimeters.
type vec struct{ x, y float64 }

func (a vec) add(b vec) vec          { return vec{a.x + b.x, a.y + b.y} }
func (a vec) sub(b vec) vec          { return vec{a.x - b.x, a.y - b.y} }
func (a vec) scale(k float64) vec    { return vec{a.x * k, a.y * k} }
func (a vec) dot(b vec) float64      { return a.x*b.x + a.y*b.y }
func (a vec) length() float64        { return math.Sqrt(a.x*a.x + a.y*a.y) }
func (a vec) distance(b vec) float64 { return a.sub(b).length() }
func position(p hardware.Pose) vec   { return vec{p.XMM, p.YMM} }
func pose(p vec, h float64) hpose    { return hpose{XMM: p.x, YMM: p.y, HeadingRad: h} }
func degrees(d float64) float64      { return d * math.Pi / 180 }

func direction(rad float64) vec {
	s, c := math.Sincos(rad)
	return vec{c, s}
}

type hpose = hardware.Pose

// clamp is max(lo, min(hi, x)), but for values that are no numbers.
func clamp(x, lo, hi float64) float64 {
	if x > hi {
		return hi
	}
	if x > lo {
		return x
	}
	return lo
}

// frame is a pose with its rotation worked out.
type frame struct {
	at       vec
	sin, cos float64
}

func frameOf(p hpose) frame {
	s, c := math.Sincos(p.HeadingRad)
	return frame{position(p), s, c}
}

// out takes a point of the frame to the world.
func (f frame) out(p vec) vec {
	return vec{f.at.x + f.cos*p.x - f.sin*p.y, f.at.y + f.sin*p.x + f.cos*p.y}
}

// in takes a point of the world into the frame.
func (f frame) in(p vec) vec {
	d := p.sub(f.at)
	return vec{f.cos*d.x + f.sin*d.y, f.cos*d.y - f.sin*d.x}
}

// box is an oriented rectangle around its frame's origin.
type box struct {
	frame
	hl, hw float64 // half length along x, half width along y
}

func newBox(p hpose, length, width float64) box { return box{frameOf(p), length / 2, width / 2} }

// distance is that from p to the nearest point of the box, 0 inside.
func (b *box) distance(p vec) float64 {
	q := b.in(p)
	return vec{max(0, math.Abs(q.x)-b.hl), max(0, math.Abs(q.y)-b.hw)}.length()
}

// ray is the distance from o in direction d (of unit length) to the box; false if it misses. Inside it is 0.
func (b *box) ray(o, d vec) (float64, bool) {
	p := b.in(o)
	from, to := crossing(p.x, b.cos*d.x+b.sin*d.y, b.hl)
	left, right := crossing(p.y, b.cos*d.y-b.sin*d.x, b.hw)
	from, to = max(0, from, left), min(to, right)
	return from, from <= to
}

// crossing is when something is between -half and half that is at a place now and has a speed. If it never is, that is over before it begins.
func crossing(at, speed, half float64) (from, to float64) {
	switch {
	case math.Abs(speed) >= 1e-12:
		from, to = (-half-at)/speed, (half-at)/speed
		if speed < 0 {
			from, to = to, from
		}
		return from, to
	case math.Abs(at) > half:
		return math.Inf(1), math.Inf(-1)
	}
	return math.Inf(-1), math.Inf(1)
}

// overlaps reports whether two boxes share a point.
func (b box) overlaps(c box) bool { return b.near(&c, 0) }

// near reports whether no line that is wider than a gap separates two boxes along one of their sides. Boxes that are nearer than the gap are
// near; some that are farther, corner against corner, are as well. Without a gap, those are near that share a point.
func (b *box) near(c *box, gap float64) bool {
	d := c.at.sub(b.at)
	reach := b.hl + b.hw + c.hl + c.hw + gap
	if math.Abs(d.x) > reach || math.Abs(d.y) > reach {
		return false
	}
	cos, sin := math.Abs(b.cos*c.cos+b.sin*c.sin), math.Abs(b.cos*c.sin-b.sin*c.cos) // of the angle between the boxes
	return !b.separates(c, d, cos, sin, gap) && !c.separates(b, d, cos, sin, gap)
}

// separates reports whether a line along a side of b that is wider than a gap separates it from a box at an angle, whose middle is d from its
// own, in either direction.
func (b *box) separates(c *box, d vec, cos, sin, gap float64) bool {
	return math.Abs(d.x*b.cos+d.y*b.sin) > b.hl+c.hl*cos+c.hw*sin+gap || math.Abs(d.y*b.cos-d.x*b.sin) > b.hw+c.hl*sin+c.hw*cos+gap
}

// polygon is convex, with its corners counter-clockwise.
type polygon struct {
	corners []vec
	normals []vec     // inward, of unit length
	offsets []float64 // of the edges along their normals
	midst   vec       // half the sides of a box around the origin that lies inside, along the axes
}

func newPolygon(corners ...vec) polygon {
	g := polygon{corners: corners}
	for i, a := range corners {
		e := corners[(i+1)%len(corners)].sub(a)
		n := vec{-e.y, e.x}.scale(1 / e.length())
		g.normals = append(g.normals, n)
		g.offsets = append(g.offsets, n.dot(a))
	}
	g.midst = g.middle()
	return g
}

// middle is the largest of the boxes in the midst that are like the one around the polygon, but for a millimeter, so that rounding does not
// matter.
func (g *polygon) middle() vec {
	var around vec
	for _, c := range g.corners {
		around = vec{max(around.x, math.Abs(c.x)), max(around.y, math.Abs(c.y))}
	}
	part := 1.0
	for i, n := range g.normals {
		part = min(part, -g.offsets[i]/(math.Abs(n.x)*around.x+math.Abs(n.y)*around.y))
	}
	return around.scale(part).sub(vec{1, 1})
}

// inside reports whether p is at least mm inside. Of most places that needs no look at the edges.
func (g *polygon) inside(p vec, mm float64) bool {
	return math.Abs(p.x) <= g.midst.x-mm && math.Abs(p.y) <= g.midst.y-mm || g.margin(p) >= mm
}

// margin is the distance from p to the nearest edge line, negative outside.
func (g *polygon) margin(p vec) float64 {
	m := math.Inf(1)
	for i, n := range g.normals {
		if d := n.x*p.x + n.y*p.y - g.offsets[i]; d < m {
			m = d
		}
	}
	return m
}

// nearest is the index of the edge nearest to p.
func (g *polygon) nearest(p vec) int {
	best, m := 0, math.Inf(1)
	for i, n := range g.normals {
		if d := n.dot(p) - g.offsets[i]; d < m {
			best, m = i, d
		}
	}
	return best
}

// meets is where a ray from p (inside) leaves, and through which edge.
func (g *polygon) meets(p, d vec) (t float64, edge int) {
	t = math.Inf(1)
	for i, n := range g.normals {
		if v := n.dot(d); v < 0 {
			if at := (g.offsets[i] - n.dot(p)) / v; at < t {
				t, edge = at, i
			}
		}
	}
	return max(0, t), edge
}

// exit is how far a ray from p (inside) in direction d runs until it leaves; 0 if p is outside.
func (g *polygon) exit(p, d vec) float64 {
	t := math.Inf(1)
	for i, n := range g.normals {
		if v := n.dot(d); v < 0 {
			t = min(t, (g.offsets[i]-n.dot(p))/v)
		}
	}
	return max(0, t)
}
