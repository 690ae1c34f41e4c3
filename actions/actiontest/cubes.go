package actiontest

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Lengths of the fake's cubes and of its robot, mm.
const (
	cubeMM, frontMM    = 44.0, 35.0
	gripMM, slotMM     = 8.0, 32.0
	gripSideMM         = 6.0
	gripRad            = 8 * math.Pi / 180
	cubeNearMM, seenMM = 60.0, 800.0
	// overMM is the height of the lift from which its claws are over a cube on the ground.
	overMM = 66.0
	// imageAge is the age of a sighting.
	imageAge = 20 * time.Millisecond
)

// A Cube is one cube of the fake world.
type Cube struct {
	ID      int
	Pose    hardware.Pose
	BaseMM  float64
	Up      uint8
	Carried bool
	// Stuck means that it cannot be lifted. Hidden means that the camera does not see it.
	Stuck, Hidden bool
}

// Cubes is a simple world of cubes for a Rig: they are seen, pushed, gripped, carried, put down, stacked and rolled. Set Rig.Before to its Step.
type Cubes struct {
	Rig  *Rig
	All  []Cube
	rng  *rand.Rand
	lift float64 // before this step
	dock float64 // height of the lift at which it was put into the cube docked
	roll int     // the cube whose edge is held, plus one
	seq  uint64
	// Blind means that no image comes.
	Blind bool
	// Late is how much older a sighting is than the 20 ms of a fast camera.
	Late time.Duration
}

// NewCubes adds cubes to a rig.
func NewCubes(r *Rig, seed uint64, all ...Cube) *Cubes {
	w := &Cubes{Rig: r, All: all, rng: rand.New(rand.NewPCG(seed, 1)), lift: 32, dock: 32}
	r.Before = w.Step
	return w
}

// Step is what happens in one tick.
func (w *Cubes) Step(int) {
	lift := w.Rig.World.Servos.Value.LiftMM
	for i := range w.All {
		w.touch(&w.All[i], i, lift)
	}
	w.lift = lift
	w.see()
}

// frame is where a cube is, seen by the robot.
func (w *Cubes) frame(c *Cube) (x, y, turn float64) {
	d, b := w.Rig.World.Body.Pose.To(c.Pose.XMM, c.Pose.YMM)
	return d * math.Cos(b), d * math.Sin(b), hardware.WrapRad(4*(c.Pose.HeadingRad-w.Rig.World.Body.Pose.HeadingRad)) / 4
}

// put moves a cube to a place in front of the robot.
func (w *Cubes) put(c *Cube, x, y float64) {
	p := w.Rig.World.Body.Pose
	s, co := math.Sincos(p.HeadingRad)
	c.Pose.XMM, c.Pose.YMM = p.XMM+x*co-y*s, p.YMM+x*s+y*co
}

func (w *Cubes) touch(c *Cube, i int, lift float64) {
	x, y, turn := w.frame(c)
	dock := frontMM + cubeMM/2
	docked := math.Abs(x-dock) < 5 && math.Abs(y) <= gripSideMM && math.Abs(turn) <= gripRad
	switch {
	case c.Carried:
		w.carry(c, lift)
	case w.roll == i+1:
		if lift < 40 {
			w.roll = 0
			c.Up = c.Up%6 + 1
			w.put(c, max(x-cubeMM, dock), y)
		}
	case x > 0 && x < dock-1 && math.Abs(y) < 50 && c.BaseMM < lift:
		w.put(c, dock, y)
	case docked && lift >= overMM && lift < overMM+15 && c.BaseMM == 0 && w.lift == lift:
		w.dock = lift
	case docked && w.dock >= overMM && w.dock < overMM+15 && lift < overMM && c.BaseMM == 0:
		w.roll, w.dock = i+1, 0
	case docked && math.Abs(lift-c.BaseMM-slotMM) <= 5 && w.lift >= lift:
		w.dock = lift
	case docked && !c.Stuck && w.dock == c.BaseMM+slotMM && lift > w.dock+gripMM && !w.loaded():
		c.Carried = true
		w.carry(c, lift)
	}
}

func (w *Cubes) loaded() bool {
	for i := range w.All {
		if w.All[i].Carried {
			return true
		}
	}
	return false
}

// carry moves a cube with the lift, and leaves it where it stands.
func (w *Cubes) carry(c *Cube, lift float64) {
	floor := 0.0
	w.put(c, frontMM+cubeMM/2, 0)
	for i := range w.All {
		o := &w.All[i]
		if o != c && math.Hypot(o.Pose.XMM-c.Pose.XMM, o.Pose.YMM-c.Pose.YMM) < 15 {
			floor = o.BaseMM + cubeMM
		}
	}
	c.BaseMM = max(lift-slotMM, floor)
	if lift-slotMM <= floor+0.5 {
		c.Carried, c.BaseMM = false, floor
		w.dock = -1
	}
}

// see takes an image.
func (w *Cubes) see() {
	world := &w.Rig.World
	if w.Blind {
		return
	}
	w.seq++
	world.Vision.Seq, world.Vision.At = w.seq, world.Now
	world.Body.Carrying, world.Body.CarriedID = false, 0
	objects := make([]hardware.KnownObject, 0, len(w.All))
	for _, c := range w.All {
		if c.Carried {
			world.Body.Carrying, world.Body.CarriedID = true, c.ID
		}
		if o, ok := w.sighting(&c); ok {
			objects = append(objects, o)
		} else if o, ok := world.Object(c.ID); ok {
			objects = append(objects, o)
		}
	}
	world.Objects = objects
}

// sighting has an error of 1 % and 1°.
func (w *Cubes) sighting(c *Cube) (hardware.KnownObject, bool) {
	p := w.Rig.World.Body.Pose
	d, b := p.To(c.Pose.XMM, c.Pose.YMM)
	_, known := w.Rig.World.Object(c.ID)
	if c.Hidden || c.Carried || d < cubeNearMM || d > seenMM || known && math.Abs(b) > math.Pi/6 || w.rng.Float64() < 0.03 {
		return hardware.KnownObject{}, false
	}
	e := func(sigma float64) float64 { return sigma * w.rng.NormFloat64() }
	d *= 1 + e(0.01)
	b += p.HeadingRad + e(math.Pi/180)
	return hardware.KnownObject{
		ID: c.ID, Kind: hardware.KindCube, Origin: w.Rig.World.Body.Origin, SeenAt: w.Rig.World.Now.Add(-imageAge - w.Late), BaseMM: c.BaseMM, Up: c.Up,
		Pose: hardware.Pose{XMM: p.XMM + d*math.Cos(b), YMM: p.YMM + d*math.Sin(b), HeadingRad: hardware.WrapRad(c.Pose.HeadingRad + e(math.Pi/180))},
	}, true
}

// Cube is the cube with an ID.
func (w *Cubes) Cube(id int) *Cube {
	for i := range w.All {
		if w.All[i].ID == id {
			return &w.All[i]
		}
	}
	return nil
}
