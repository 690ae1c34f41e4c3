package sim

import (
	"math"
	"sync"

	"github.com/jakecoffman/cp/v2"
)

// construction guards cp.NewBody, which counts bodies in a variable of its package.
var construction sync.Mutex

// The kinds of things that may be at different heights.
const (
	kindRobot cp.CollisionType = iota + 1
	kindCube
	kindLoad
)

const (
	robotMassG, cubeMassG = 500.0, 40.0
	// tractionMMPS is the sideways speed that tires on the table can take up in one step, at a friction of 0.8.
	tractionMMPS = 0.8 * gravityMMPS2 * stepS
	// dragMMPS is the speed that a sliding cube loses in one step, at a friction of 0.4.
	dragMMPS = 0.4 * gravityMMPS2 * stepS
	// dragRadPS is the same for its rotation: friction acts about 17 mm from its center, on a moment of s²/6.
	dragRadPS = dragMMPS * 17 / (cubeMM * cubeMM / 6)
	// Below these speeds a cube is at rest; friction stops it within the step.
	restMMPS, restRadPS = 0.5, 0.02
	elsewhere           = -1e5 // position of bodies that are not on the table
	rememberedSteps     = 3    // for which cp keeps a contact that has ended
)

// contacts solves collisions. It is used only while the robot is near something or a cube slides; otherwise the robot
// moves by the formula of a differential drive and cp is not called.
type contacts struct {
	space  *cp.Space
	robot  *cp.Body
	cubes  [3]*cp.Body
	rests  [3]*rest   // of the cubes
	load   *cp.Shape  // of the carried cube, which moves with the robot's body
	cargo  box        // it, about the middle of the robot's axle
	bases  [3]float64 // of the cubes, when it was last worked out which may touch which
	walls  []box      // what does not move
	shape  box        // of the robot about the middle of its axle
	hull   *cp.Shape  // of the robot
	on     bool       // the bodies have the poses of the world
	moving bool       // at least one cube slides
	alone  int        // steps since something could touch something
}

// rest is what was worked out of a cube's body where it is, so that a cube that lies still costs nothing in a step.
type rest struct {
	cube    int
	met     bool // something touches it, and may push it out of itself in the next step
	stirred bool // it was put where it is, or cp had it in hand, since its mask was worked out
	known   bool // the cube is where its body lies, in free, and has not been stirred since
	touches func(*cp.Arbiter)
	shaped  spot  // its shape is there
	free    spot  // it lies there, on the table and beside the charger's pad
	pose    hpose // of the cube in free
	shape   *cp.Shape
	sifted  spot // where it has the box and walls
	box     box
	walls   uint // categories of what does not move and is near
}

// spot is where a body is.
type spot struct {
	at    cp.Vector
	angle float64
}

func spotOf(b *cp.Body) spot { return spot{b.Position(), b.Angle()} }

// nowhere is no body's spot: it is unequal even to itself.
var nowhere = spot{angle: math.NaN()}

func init() {
	shape := cp.ShapeUpdateFunc
	// cp works out the corners of each shape at each step. Those of a cube that has not moved are where they are.
	cp.ShapeUpdateFunc = func(s *cp.Shape) {
		r, ok := s.UserData.(*rest)
		if !ok {
			shape(s)
		} else if at := spotOf(s.Body()); at != r.shaped {
			shape(s)
			r.shaped = at
		}
	}
}

// lies reports whether b has no speed, and nothing pushes it out of itself.
func (r *rest) lies(b *cp.Body) bool { return !r.met && still(b) }

// stir says that the body may have moved.
func (r *rest) stir() { r.stirred, r.known = true, false }

// still reports whether b has no speed.
func still(b *cp.Body) bool { return b.Velocity() == cp.Vector{} && b.AngularVelocity() == 0 }

// move moves the body of a cube in one step.
func (r *rest) move(b *cp.Body, dt float64) {
	if !r.lies(b) {
		cp.BodyUpdatePosition(b, dt)
	}
}

func newContacts(w *world) contacts {
	construction.Lock()
	defer construction.Unlock()
	c := contacts{space: cp.NewSpace()}
	length, forward := w.body.front+w.body.back, (w.body.front-w.body.back)/2
	c.shape = alongBody(forward, length, w.body.width)
	c.robot, c.hull = c.body(w.body.mass(), length, w.body.width, forward, kindRobot, nil)
	c.hull.Filter.Categories = ofRobot
	c.handle(w)
	c.robot.SetVelocityUpdateFunc(func(b *cp.Body, _ cp.Vector, _, _ float64) { w.pushForce(b) })
	for i := range c.cubes {
		r := &rest{cube: i, stirred: true, shaped: nowhere, free: nowhere, sifted: nowhere}
		r.touches = func(*cp.Arbiter) { r.met = true }
		c.rests[i] = r
		c.cubes[i], r.shape = c.body(cubeMassG, cubeMM, cubeMM, 0, kindCube, r)
		r.shape.Filter.Categories = ofCube << i
		c.cubes[i].SetPositionUpdateFunc(r.move)
		c.cubes[i].SetVelocityUpdateFunc(func(b *cp.Body, _ cp.Vector, _, _ float64) {
			r.met = false
			r.stir()
			b.EachArbiter(r.touches)
			w.slide(i, b)
		})
		c.put(i, w.cubes[i])
	}
	c.wall(w.block)
	for _, o := range w.obstacles {
		c.wall(o.box)
	}
	for _, b := range w.walls() {
		c.wall(b)
	}
	return c
}

func (c *contacts) body(mass, length, width, forward float64, kind cp.CollisionType, tag any) (*cp.Body, *cp.Shape) {
	b := c.space.AddBody(cp.NewBody(mass, mass*(length*length+width*width)/12))
	s := c.space.AddShape(cp.NewBox2(b, cp.BB{L: forward - length/2, R: forward + length/2, B: -width / 2, T: width / 2}, 0))
	s.SetFriction(0.3)
	s.SetCollisionType(kind)
	s.UserData = tag
	return b, s
}

// mass is that of R1, and of larger robots as much more as they are larger, up to four times.
func (b *body) mass() float64 { return robotMassG * clamp((b.front+b.back)*b.width/(90*60), 1, 4) }

func (c *contacts) wall(b box) {
	s := c.space.AddShape(cp.NewPolyShapeRaw(c.space.StaticBody, 4, b.outline(), 0))
	s.SetFriction(0.3)
	s.Filter.Categories = wallCategory(len(c.walls))
	c.walls = append(c.walls, b)
}

// outline are the corners of a box, counter-clockwise.
func (b box) outline() []cp.Vector {
	corners := make([]cp.Vector, 0, 4)
	for _, k := range [4]vec{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		p := b.out(vec{k.x * b.hl, k.y * b.hw})
		corners = append(corners, cp.Vector{X: p.x, Y: p.y})
	}
	return corners
}

// put places the body of cube i where the cube is, or away if it is not on the table.
func (c *contacts) put(i int, q cube) {
	p := cp.Vector{X: q.pose.XMM, Y: q.pose.YMM}
	if !q.present || q.on == onLift {
		p = cp.Vector{X: elsewhere * float64(i+2), Y: 0}
	}
	c.cubes[i].SetAngle(q.pose.HeadingRad)
	c.cubes[i].SetPosition(p)
	c.cubes[i].SetVelocityVector(cp.Vector{})
	c.cubes[i].SetAngularVelocity(0)
	c.rests[i].stir()
}

// engage gives the robot's body the pose and speed of the robot.
func (c *contacts) engage(w *world) {
	s, co := math.Sincos(w.robot.HeadingRad)
	v := w.forward()
	c.robot.SetAngle(w.robot.HeadingRad)
	c.robot.SetPosition(cp.Vector{X: w.robot.XMM, Y: w.robot.YMM})
	c.robot.SetVelocityVector(cp.Vector{X: v * co, Y: v * s})
	c.robot.SetAngularVelocity(w.yawRate)
	c.on = true
	w.hands.gaps = [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
}

// release parks the robot's body; the next contact starts again from the robot's pose.
func (c *contacts) release() {
	if !c.on {
		return
	}
	c.robot.SetPosition(cp.Vector{X: elsewhere, Y: 0})
	c.robot.SetVelocityVector(cp.Vector{})
	c.robot.SetAngularVelocity(0)
	c.on = false
}

// settle lets sliding cubes come to rest while the robot is not on the table.
func (c *contacts) settle(w *world) {
	if c.moving {
		c.release()
		c.step(w)
		c.collect(w)
	}
}

// step moves the bodies. A step in which the solver has nothing to do goes without it: more than half of those near something. The solver may
// then meet its pairs in another order than if it had taken each step, and a life differ from that one in the last digits.
func (c *contacts) step(w *world) {
	if !c.sift(w) {
		c.alone = 0
	} else if c.alone++; c.alone > rememberedSteps {
		c.glide(w)
		return
	}
	c.space.Step(stepS)
}

// glide is what cp does in a step in which nothing touches anything: the robot's body moves, and the cubes lie where they are.
func (c *contacts) glide(w *world) {
	cp.BodyUpdatePosition(c.robot, stepS)
	w.pushForce(c.robot)
	for i, b := range c.cubes {
		if w.cubes[i].on > 0 || w.hands.tip.cube == i+1 { // the others have no speed
			w.slide(i, b)
			c.rests[i].stir()
		}
	}
}

// push performs one step with contacts. The motors act in pushForce, between collision detection and solver, so that a
// wall stalls the wheels and the robot does not enter it.
func (w *world) push() {
	c := &w.contacts
	if !c.on {
		c.engage(w)
	}
	w.tipOver()
	w.slip()
	c.step(w)
	p, v, r := c.robot.Position(), c.robot.Velocity(), c.robot.Rotation()
	w.distanceMM += math.Hypot(p.X-w.robot.XMM, p.Y-w.robot.YMM)
	w.robot = pose(vec{p.X, p.Y}, wrap(c.robot.Angle()))
	if w.robot.HeadingRad == c.robot.Angle() { // as nearly always: cp has its sine and cosine
		w.framed, w.robotFrame = w.robot, frame{position(w.robot), r.Y, r.X}
	}
	w.yawRate = c.robot.AngularVelocity()
	along, turn := v.X*r.X+v.Y*r.Y, w.yawRate*w.body.tread/2
	for i, ground := range [2]float64{along - turn, along + turn} {
		m := &w.wheels[i]
		m.speed = ground / m.grip
		if m.duty(w.powered) == 0 && math.Abs(m.speed) < stopMMPS {
			m.speed = 0
		}
		m.turned += m.speed * stepS
	}
	c.collect(w)
	w.reachOut()
	if w.wheels[0].still(w.powered) && w.wheels[1].still(w.powered) {
		w.yawRate = 0
	}
}

// pushForce is the effect of the motors and tires on the robot's body in one step: the wheels' lag along the heading
// (which amounts to a force of about 1.8 N at full duty), and traction against sliding sideways.
func (w *world) pushForce(b *cp.Body) {
	if !w.contacts.on {
		b.SetVelocityVector(cp.Vector{})
		b.SetAngularVelocity(0)
		return
	}
	v, r := b.Velocity(), b.Rotation()
	side := -v.X*r.Y + v.Y*r.X
	side -= clamp(side, -tractionMMPS, tractionMMPS)
	left, right := &w.wheels[0], &w.wheels[1]
	l, t := left.driven(w.powered, &w.body)*left.grip, right.driven(w.powered, &w.body)*right.grip
	along := (l + t) / 2
	b.SetVelocityVector(cp.Vector{X: along*r.X - side*r.Y, Y: along*r.Y + side*r.X})
	b.SetAngularVelocity((t - l) / w.body.tread)
}

// slide is the friction in one step between cube i and what it stands on.
func (w *world) slide(i int, b *cp.Body) {
	if t := &w.hands.tip; t.cube == i+1 {
		v := t.speed()
		b.SetVelocity(v.x, v.y)
		b.SetAngularVelocity(0)
		return
	}
	if w.cubes[i].on <= 0 && b.Velocity() == (cp.Vector{}) && b.AngularVelocity() == 0 {
		return
	}
	var ground cp.Vector
	var spin float64
	if below := w.contacts.carrier(w, i); below != nil {
		ground, spin = below.VelocityAtWorldPoint(b.Position()), below.AngularVelocity()
	}
	v := b.Velocity().Sub(ground)
	if speed := v.Length(); speed <= dragMMPS {
		v = cp.Vector{}
	} else {
		v = v.Mult(1 - dragMMPS/speed)
	}
	b.SetVelocityVector(ground.Add(v))
	turn := b.AngularVelocity() - spin
	b.SetAngularVelocity(spin + turn - clamp(turn, -dragRadPS, dragRadPS))
}

// carrier is the body on which cube i stands, nil for the table.
func (c *contacts) carrier(w *world, i int) *cp.Body {
	on := w.cubes[i].on
	switch {
	case on <= 0:
		return nil
	case w.cubes[on-1].on == onLift:
		return c.robot
	}
	return c.cubes[on-1]
}

// handle lets only those meet that overlap in height.
func (c *contacts) handle(w *world) {
	on := func(kind cp.CollisionType, heights func(*cp.Shape) (lo, hi float64)) {
		h := c.space.NewCollisionHandler(kind, kindCube)
		h.BeginFunc, h.PostSolveFunc, h.SeparateFunc = cp.AlwaysCollide, cp.DoNothing, cp.DoNothing
		h.PreSolveFunc = func(arb *cp.Arbiter, _ *cp.Space, _ any) bool {
			a, b := arb.Shapes()
			lo, hi := heights(a)
			base := w.cubes[b.UserData.(*rest).cube].base
			return meets(lo, hi, base, base+cubeMM)
		}
	}
	on(kindRobot, func(*cp.Shape) (float64, float64) { return 0, bodyHighMM })
	height := func(i int) (float64, float64) { return w.cubes[i].base, w.cubes[i].base + cubeMM }
	on(kindCube, func(s *cp.Shape) (float64, float64) { return height(s.UserData.(*rest).cube) })
	on(kindLoad, func(*cp.Shape) (float64, float64) { return height(w.hands.load - 1) })
}

// grab adds the carried cube to the robot's body.
func (c *contacts) grab(w *world) {
	c.cargo = newBox(w.hands.at, cubeMM, cubeMM)
	c.load = c.space.AddShape(cp.NewPolyShapeRaw(c.robot, 4, c.cargo.outline(), 0))
	c.load.SetFriction(0.3)
	c.load.SetCollisionType(kindLoad)
	c.load.Filter.Categories = ofLoad
	c.robot.SetMass(w.body.mass() + cubeMassG)
	c.put(w.hands.load-1, w.cubes[w.hands.load-1])
}

// ungrab takes it away.
func (c *contacts) ungrab(w *world) {
	c.space.RemoveShape(c.load)
	c.load = nil
	c.robot.SetMass(w.body.mass())
}

// collect copies the cubes' poses back, and notes which slide and which have left the table.
func (c *contacts) collect(w *world) {
	c.moving = false
	for i := range w.cubes {
		q := &w.cubes[i]
		if !q.present || q.on == onLift {
			continue
		}
		b, r := c.cubes[i], c.rests[i]
		if r.known && q.on == 0 {
			continue
		}
		if q.on == 0 && q.pose == r.pose && r.lies(b) && spotOf(b) == r.free {
			r.known = true
			continue
		}
		p := b.Position()
		q.pose = pose(vec{p.X, p.Y}, wrap(b.Angle()))
		if q.on > 0 {
			w.ride(i)
		} else if !w.table.inside(vec{p.X, p.Y}, 0) {
			w.lose(i)
			continue
		}
		if b.Velocity().Length() > restMMPS || math.Abs(b.AngularVelocity()) > restRadPS {
			c.moving = true
		} else if q.backAt == never && q.on == 0 {
			if q.box().overlaps(w.pad) {
				q.backAt = w.n + cubeBackSteps
				w.reschedule()
			} else {
				r.free, r.pose = spotOf(b), q.pose
			}
		}
	}
}
