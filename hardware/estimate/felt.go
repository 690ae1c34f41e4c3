package estimate

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

const (
	// edgeMM is how well a felt edge is placed: the spot of a sensor and the way of a tick at an everyday speed.
	edgeMM = 8.0
	// movingMMPS is a speed of a sensor from which on its direction says where the edge is.
	movingMMPS = 10.0
	// An edge is not where a mark says it is if a sensor sees floor that far beyond it, and so near to the way across it.
	beyondMM, besideMM = 18.0, 18.0

	// The range sensor marks nothing farther than markMM: there its cone is so wide that nobody knows what it met.
	markMM = 250.0
	// steadyFor is how long the robot must have driven straight.
	steadyFor = 200 * time.Millisecond
	// steadyMM is by how much two ranges may differ after the way between them.
	steadyMM = 15.0
	// drivingMMPS is a speed that counts as driving.
	drivingMMPS = 15.0
	// seenThroughMM is by how much what is ahead must be farther than a mark for the mark to be gone, and seenThroughRad how near to
	// the middle of the cone the mark must be. What is nearer than tooNearMM a sensor may not find: an HC-SR04 hears nothing below 20 mm.
	seenThroughMM, seenThroughRad, tooNearMM = 50.0, 6 * deg, 30.0
	// Things that are known are no obstacles of the map: their half diagonals, with room for the error of a sighting.
	cubeMM, chargerMM, faceMM = 60.0, 110.0, 150.0
	faceFresh                 = 10 * time.Second

	// bumpMM is how far around the nose of the robot the thing is that stopped it, noseMM how far before its front that nose is.
	bumpMM, noseMM = 25.0, 10.0
	// skinMM and skinSideMM are left out of the outline of the robot: over what is within the rest it stands.
	skinMM, skinSideMM = 10.0, 8.0
	// maxFeltMM is the most that the uncertainty of the robot's place adds to a mark: what is felt is near the robot wherever that is, and a robot
	// that lost its place must not close its own way with large discs.
	maxFeltMM = 50.0
	// nearMM is farther than any part of the robot, and farther than a mark that it can contradict by standing or driving.
	nearMM = 400.0
)

// felt is what a tick needs to know to draw the map.
type felt struct {
	s     *hardware.Snapshot
	p     hardware.Pose // believed
	sin   float64       // of its heading, like cos
	cos   float64
	sigma float64 // of its place, at most maxFeltMM
	w     *hardware.World
	ahead bool // the distance sensor looks ahead
}

// update draws what was met in this tick.
func (c *chart) update(f *felt) *hardware.Map {
	f.sin, f.cos = math.Sincos(f.p.HeadingRad)
	c.age(f.s.Now)
	if f.w.Body.Treads != hardware.OnTreads || f.w.Body.PickedUp {
		c.void, c.ranged = [4]bool{}, ranging{}
		return c.publish()
	}
	if !f.w.Body.OnPlatform {
		c.edges(f)
		c.measure(f)
		c.bump(f)
	}
	c.overrun(f)
	return c.publish()
}

// out is a point of the robot's frame in the odometry frame.
func (f *felt) out(x, y float64) (float64, float64) {
	return f.p.XMM + x*f.cos - y*f.sin, f.p.YMM + x*f.sin + y*f.cos
}

// edges marks where sensors newly lost the floor.
func (c *chart) edges(f *felt) {
	r := &f.s.Cliff
	if !r.OK() || r.Seq == c.seq {
		return
	}
	c.seq = r.Seq
	for i, void := range r.Value.Detected {
		if void && !c.void[i] && !(i > 0 && r.Value.Mount(i) == r.Value.Mount(i-1)) {
			m := r.Value.Mount(i)
			x, y := f.out(float64(m.XMM), float64(m.YMM))
			c.meet(hardware.Mark{
				Kind: hardware.MarkEdge, XMM: x, YMM: y, HeadingRad: hardware.WrapRad(f.p.HeadingRad + outward(&f.s.Motors, m)),
				RadiusMM: edgeMM + f.sigma, At: f.s.Now,
			})
		}
	}
	c.void = r.Value.Detected
}

// outward is the direction in which a sensor moves over the floor, relative to the heading; that in which it is on the body if it hardly moves.
func outward(r *hardware.Reading[hardware.MotorState], m hardware.Mount) float64 {
	at := math.Atan2(float64(m.YMM), float64(m.XMM))
	if !r.OK() {
		return at
	}
	v := &r.Value
	turn := (v.RightMMPS - v.LeftMMPS) / v.Tread()
	vx, vy := (v.LeftMMPS+v.RightMMPS)/2-turn*float64(m.YMM), turn*float64(m.XMM)
	if math.Hypot(vx, vy) < movingMMPS || vx*float64(m.XMM)+vy*float64(m.YMM) <= 0 {
		return at // it stands, or moves inwards: the edge is still outside
	}
	return math.Atan2(vy, vx)
}

// ranging is what the distance sensor told last.
type ranging struct {
	seq    uint64
	mm     float64
	pose   hardware.Pose
	turned time.Time // when the robot turned last
	known  bool
}

// measure marks what the distance sensor meets while the robot drives straight, and removes what it sees through.
func (c *chart) measure(f *felt) {
	r := &f.s.Range
	if !r.OK() || !f.ahead {
		c.ranged = ranging{}
		return
	}
	was := c.ranged
	if was.known && was.seq == r.Seq {
		return
	}
	c.ranged.seq, c.ranged.mm, c.ranged.pose, c.ranged.known = r.Seq, r.Value.DistanceMM, f.p, true
	if !was.known || math.Abs(hardware.WrapRad(f.p.HeadingRad-was.pose.HeadingRad)) > straightRad {
		c.ranged.turned = f.s.Now
	}
	m := &f.s.Motors
	if f.s.Now.Sub(c.ranged.turned) < steadyFor || !m.OK() || (m.Value.LeftMMPS+m.Value.RightMMPS)/2 < drivingMMPS {
		return
	}
	way, _ := was.pose.To(f.p.XMM, f.p.YMM)
	if math.Abs(was.mm-way-r.Value.DistanceMM) > steadyMM && r.Value.Found {
		return
	}
	c.seeThrough(f)
	if d := r.Value.DistanceMM; r.Value.Found && d <= markMM && !f.w.Body.Carrying {
		x, y := f.out(r.Value.Front()+d, 0)
		if !isKnown(f, x, y) {
			c.meet(hardware.Mark{
				Kind: hardware.MarkObstacle, XMM: x, YMM: y, HeadingRad: f.p.HeadingRad, RadiusMM: d*math.Tan(r.Value.Cone()) + f.sigma, At: f.s.Now,
			})
		}
	}
}

// isKnown reports whether something that is seen stands at a place.
func isKnown(f *felt, x, y float64) bool {
	for i := range f.w.Objects {
		o := &f.w.Objects[i]
		reach := cubeMM
		if o.Kind == hardware.KindCharger {
			reach = chargerMM
		}
		if math.Hypot(o.Pose.XMM-x, o.Pose.YMM-y) < reach+o.SigmaMM {
			return true
		}
	}
	return slices.ContainsFunc(f.w.Faces, func(k hardware.KnownFace) bool {
		return f.s.Now.Sub(k.SeenAt) < faceFresh && math.Hypot(k.XMM-x, k.YMM-y) < faceMM
	})
}

// seeThrough removes the obstacles that would be ahead, nearer than what is.
func (c *chart) seeThrough(f *felt) {
	nose := f.p
	nose.XMM, nose.YMM = f.out(f.s.Range.Value.Front(), 0)
	c.drop(func(m *hardware.Mark) bool {
		if m.Kind != hardware.MarkObstacle {
			return false
		}
		d, bearing := nose.To(m.XMM, m.YMM)
		return math.Abs(bearing) < seenThroughRad && d-f.sigma > tooNearMM && d+m.RadiusMM/2+f.sigma+seenThroughMM < f.s.Range.Value.DistanceMM
	})
}

// bump marks the place before a nose that was stopped, and behind a back.
func (c *chart) bump(f *felt) {
	m := &f.s.Motors.Value
	stall := f.s.Motors.OK() && m.Phase == hardware.PhaseAborted && m.Reason == "stall"
	driving := f.s.Motors.OK() && math.Abs(m.LeftMMPS+m.RightMMPS)/2 > drivingMMPS
	switch {
	case stall && c.stalled != m.Segment:
		c.stalled = m.Segment
	case f.w.Body.Moved && driving:
	default:
		return
	}
	body := m.Outline()
	nose, heading := float64(body.FrontMM)+noseMM, f.p.HeadingRad
	if m.LeftMMPS+m.RightMMPS < 0 {
		nose, heading = -float64(body.BackMM), hardware.WrapRad(heading+math.Pi)
	}
	x, y := f.out(nose, 0)
	if !isKnown(f, x, y) {
		c.meet(hardware.Mark{Kind: hardware.MarkBump, XMM: x, YMM: y, HeadingRad: heading, RadiusMM: bumpMM + f.sigma, At: f.s.Now})
	}
}

// overrun removes what the robot stands on: edges beyond which a sensor sees floor, and things within its outline or where something stands
// that is seen.
func (c *chart) overrun(f *felt) {
	body := f.s.Motors.Value.Outline()
	front, back, side := float64(body.FrontMM)-skinMM, float64(body.BackMM)-skinMM, float64(body.WidthMM)/2-skinSideMM
	c.drop(func(m *hardware.Mark) bool {
		dx, dy := m.XMM-f.p.XMM, m.YMM-f.p.YMM
		switch x, y := dx*f.cos+dy*f.sin, dy*f.cos-dx*f.sin; {
		case dx*dx+dy*dy > nearMM*nearMM:
			return false
		case m.Kind == hardware.MarkEdge:
			return f.s.Cliff.OK() && floorBeyond(f, m)
		default:
			return x < front-f.sigma && x > -back+f.sigma && math.Abs(y) < side-f.sigma ||
				m.Kind == hardware.MarkObstacle && isKnown(f, m.XMM, m.YMM)
		}
	})
}

// floorBeyond reports whether a sensor sees floor beyond an edge.
func floorBeyond(f *felt, m *hardware.Mark) bool {
	sin, cos := math.Sincos(m.HeadingRad)
	for i, void := range f.s.Cliff.Value.Detected {
		if void {
			continue
		}
		at := f.s.Cliff.Value.Mount(i)
		x, y := f.out(float64(at.XMM), float64(at.YMM))
		x, y = x-m.XMM, y-m.YMM
		if beyond := x*cos + y*sin; beyond > beyondMM+2*f.sigma && beyond < beyondMM+2*f.sigma+60 && math.Abs(y*cos-x*sin) < besideMM {
			return true
		}
	}
	return false
}
