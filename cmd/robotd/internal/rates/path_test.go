package rates

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

const (
	// A drive begins that far before the thing in its way and ends that far behind it.
	beforeMM, behindMM = 230.0, 220.0
	// detourMM is how far beside the way there is table, so that there is a way around.
	detourMM = 170.0
)

// pathRows are the drives to a pose with something in the way.
func pathRows() []measure {
	wanted := Row{Unit: "s", Rate: 0.98}
	cube, box := wanted, wanted
	cube.What, box.What = "drive to a pose with a cube in the way, nothing touched: time", "drive to a pose with a box in the way, nothing touched: time"
	return []measure{{row: cube, try: past(false)}, {row: box, options: withABox, try: past(true)}}
}

// A thing stands in the way: its middle, and how far it reaches from there.
type thing struct {
	hardware.Pose
	reachMM float64
}

// past drives to a pose behind a thing. It counts if the robot is there, touched nothing on its way, and did not fall.
func past(box bool) func(*trial, do) (bool, float64, error) {
	return func(t *trial, do do) (bool, float64, error) {
		from, ok := t.across(box)
		if !ok {
			return false, 0, errNoRoom
		}
		if err := t.carry(from); err != nil {
			return false, 0, err
		}
		before, begin := t.rig.View(), t.now()
		t.nearest = math.Inf(1)
		err := do(70*time.Second, func(w *hardware.World) actions.Action {
			p := w.Body.Pose
			s, c := math.Sincos(p.HeadingRad)
			const way = beforeMM + behindMM
			return &watched{DriveToPose: motion.NewDriveToPose(motion.PoseParams{
				Goal: hardware.Pose{XMM: p.XMM + c*way, YMM: p.YMM + s*way, HeadingRad: p.HeadingRad},
			}), t: t}
		})
		if err != nil {
			return false, 0, err
		}
		v := t.rig.View()
		s, c := math.Sincos(before.Robot.HeadingRad)
		dx, dy := v.Robot.XMM-before.Robot.XMM, v.Robot.YMM-before.Robot.YMM
		off := math.Hypot(c*dx+s*dy-beforeMM-behindMM, c*dy-s*dx)
		good := t.result == actions.Success && off <= 25 && turned(before.Robot.Pose, v.Robot.Pose) <= 15 && t.nearest > 0 && !v.Robot.Fallen
		for _, k := range before.Cubes {
			good = good && !moved(v, k)
		}
		return good, t.now().Sub(begin).Seconds(), nil
	}
}

// watched is a drive whose distance to everything solid is measured in every tick, by the truth.
type watched struct {
	*motion.DriveToPose
	t *trial
}

// CheckIfDone measures and drives on.
func (w *watched) CheckIfDone(env *actions.Env) actions.Result {
	v := w.t.rig.View()
	for _, o := range v.Obstacles {
		w.t.nearest = min(w.t.nearest, gap(v.Robot, o.Pose, o.LengthMM, o.WidthMM))
	}
	for _, c := range v.Cubes {
		w.t.nearest = min(w.t.nearest, gap(v.Robot, c.Pose, 44, 44))
	}
	return w.DriveToPose.CheckIfDone(env)
}

// gap is the distance between the outlines of the robot and a box, 0 if they overlap, to within a millimeter or two.
func gap(r sim.ViewRobot, box hardware.Pose, length, width float64) float64 {
	least := math.Inf(1)
	robot := r.Pose
	s, c := math.Sincos(robot.HeadingRad)
	mid := r.LengthMM/2 - r.BackMM
	robot.XMM, robot.YMM = robot.XMM+c*mid, robot.YMM+s*mid
	for _, pair := range [2]struct {
		a, b           hardware.Pose
		al, aw, bl, bw float64
	}{{robot, box, r.LengthMM, r.WidthMM, length, width}, {box, robot, length, width, r.LengthMM, r.WidthMM}} {
		s, c := math.Sincos(pair.a.HeadingRad)
		for i := range 33 { // points around the outline of a
			x, y := rim(float64(i)/8, pair.al, pair.aw)
			px, py := pair.a.XMM+c*x-s*y, pair.a.YMM+s*x+c*y
			sb, cb := math.Sincos(pair.b.HeadingRad)
			dx, dy := px-pair.b.XMM, py-pair.b.YMM
			u, v := math.Abs(cb*dx+sb*dy)-pair.bl/2, math.Abs(cb*dy-sb*dx)-pair.bw/2
			least = min(least, math.Hypot(max(u, 0), max(v, 0)))
		}
	}
	return least
}

// rim is a point of the outline of a rectangle, at goes once around from 0 to 4.
func rim(at, length, width float64) (x, y float64) {
	switch side := math.Mod(at, 4); {
	case side < 1:
		return length * (side - 0.5), -width / 2
	case side < 2:
		return length / 2, width * (side - 1.5)
	case side < 3:
		return length * (2.5 - side), width / 2
	default:
		return -length / 2, width * (3.5 - side)
	}
}

// across finds a pose from which a box is in the way to a place behind it, with room for a way around on the table, and takes away the cubes
// that are near; or it puts a cube into such a way.
func (t *trial) across(box bool) (hardware.Pose, bool) {
	v := t.rig.View()
	p, k, ok := gateway(v, t.seed, box)
	if !ok || !box && !t.rig.MoveCube(v.Cubes[0].ID, k.XMM, k.YMM, float64(t.seed)) {
		return p, false
	}
	for i, q := range v.Cubes {
		if i > 0 || box {
			t.takeAway(q, p)
		}
	}
	return p, true
}

// gateway is a way with room around a thing, whatever the cubes: the pose where it begins, and the thing.
func gateway(v sim.View, seed uint64, box bool) (hardware.Pose, thing, bool) {
	for n := range 360 {
		h := math.Pi / 180 * float64((uint64(n)*137+seed*31)%360)
		s, c := math.Sincos(h)
		side := (float64(seed%7) - 3) * 8 // not through its middle
		for _, k := range things(v, box) {
			p := hardware.Pose{XMM: k.XMM - c*beforeMM - s*side, YMM: k.YMM - s*beforeMM + c*side, HeadingRad: h}
			if roomy(v, p, k) {
				return p, k, true
			}
		}
	}
	return hardware.Pose{}, thing{}, false
}

// withABox takes the next world in which a box has room around it.
func withABox(o *sim.Options) {
	for i := range uint64(20) {
		next := *o
		next.Seed += i * 1000
		if _, _, ok := gateway(sim.New(next).View(), next.Seed, true); ok {
			*o = next
			return
		}
	}
}

// things are the boxes, or where a cube may be put.
func things(v sim.View, box bool) (all []thing) {
	if box {
		for _, o := range v.Obstacles {
			all = append(all, thing{o.Pose, math.Hypot(o.LengthMM, o.WidthMM) / 2})
		}
		return all
	}
	for i := range 12 {
		all = append(all, thing{hardware.Pose{XMM: float64(i%4)*100 - 150, YMM: float64(i/4)*100 - 100}, 32})
	}
	return all
}

// takeAway moves a cube to a place far from the way that begins at p.
func (t *trial) takeAway(q sim.ViewCube, p hardware.Pose) {
	s, c := math.Sincos(p.HeadingRad)
	for i := range 60 {
		x, y := float64(i%10)*110-500, float64(i/10)*130-325
		long, wide := c*(x-p.XMM)+s*(y-p.YMM), c*(y-p.YMM)-s*(x-p.XMM)
		if (math.Abs(wide) > 320 || long < -200 || long > beforeMM+behindMM+200) && t.rig.MoveCube(q.ID, x, y, 0) {
			return
		}
	}
}

// roomy reports whether the way from p has table on both sides, and nothing but the thing.
func roomy(v sim.View, p hardware.Pose, k thing) bool {
	s, c := math.Sincos(p.HeadingRad)
	for d := -100.0; d <= beforeMM+behindMM+100; d += 25 {
		side := 90.0
		if d > 60 && d < beforeMM+behindMM-60 {
			side = detourMM + k.reachMM/2
		}
		for _, b := range [3]float64{-side, 0, side} {
			x, y := p.XMM+c*d-s*b, p.YMM+s*d+c*b
			if !inside(v.Table, x, y, 20) || near(v.Charger, x, y, 110) {
				return false
			}
		}
		x, y := p.XMM+c*d, p.YMM+s*d
		for _, o := range v.Obstacles {
			if o.Pose != k.Pose && near(o.Pose, x, y, side+math.Hypot(o.LengthMM, o.WidthMM)/2) {
				return false
			}
		}
	}
	return true
}
