package rates

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/look"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

const (
	// A person walks by at that distance and speed, from that angle to the right to the same angle to the left.
	passMM, passMMPS, passDeg = 850.0, 400.0, 45.0
	// inViewDeg is how far to the right the robot sees her first.
	inViewDeg = 15.0
	// adaID is the number of her face.
	adaID = 1
	// edgeBackMM is the way back from an edge.
	edgeBackMM = 60.0
	// foundMM is how near to the truth the robot has to believe what it found.
	foundMM = 40.0
)

// lookMeasures are the rows of what the eyes do.
func lookMeasures() []measure {
	return []measure{
		{row: Row{What: "follow a person who walks by at 0.4 m/s: largest angle beside the middle", Unit: "°", Limit: 12, Q: 0.95, Rate: 0.98}, try: follow},
		{row: Row{What: "search for a cube nearby: time", Unit: "s", Limit: 15, Rate: 0.98}, try: seek},
		{row: Row{What: "search for a cube behind a box, on after an edge: time", Unit: "s", Limit: 60, Rate: 0.80}, options: withABox, try: seekBehind},
	}
}

// follow lets a person walk by while the robot follows the face.
func follow(t *trial, do do) (bool, float64, error) {
	pose, ok := t.lane(120)
	if !ok {
		return false, 0, errNoRoom
	}
	t.rig.Place(pose.XMM, pose.YMM, pose.HeadingRad)
	t.rig.ShowFace("Ada", 0)
	if err := t.sys.RunFor(time.Second, nil); err != nil {
		return false, 0, err
	}
	p := &passer{t: t, from: t.rig.View().Robot.Pose}
	p.from.HeadingRad += (passDeg - inViewDeg) * math.Pi / 180
	if !p.walk() {
		return false, 0, errNoRoom // she would walk over the table
	}
	if err := t.sys.RunFor(2*time.Second, nil); err != nil {
		return false, 0, err
	}
	err := do(40*time.Second, func(*hardware.World) actions.Action {
		p.Track = look.NewTrackFace(adaID, look.TrackParams{For: 2*time.Second + p.span()})
		return p
	})
	return t.result == actions.Success && p.worst <= 20 && !p.blocked, p.worst, err
}

// A passer is a robot that follows a person, and the person.
type passer struct {
	*look.Track
	t       *trial
	from    hardware.Pose
	begin   time.Time
	worst   float64
	blocked bool
}

// span is how long she walks.
func (p *passer) span() time.Duration {
	return time.Duration(2 * passMM * math.Tan(passDeg*math.Pi/180) / passMMPS * float64(time.Second))
}

// walk moves her to where she is now. In the first two seconds she stands.
func (p *passer) walk() bool {
	walked := 0.0
	if !p.begin.IsZero() {
		walked = passMMPS * max(p.t.now().Sub(p.begin).Seconds()-2, 0)
	}
	side := passMM*math.Tan(passDeg*math.Pi/180) - walked
	s, c := math.Sincos(p.from.HeadingRad)
	return p.t.rig.MovePerson(adaID, p.from.XMM+passMM*c+side*s, p.from.YMM+passMM*s-side*c)
}

// CheckIfDone lets her walk on, and measures where she truly is.
func (p *passer) CheckIfDone(env *actions.Env) actions.Result {
	if p.begin.IsZero() {
		p.begin = p.t.now()
	}
	p.blocked = !p.walk() || p.blocked
	v := p.t.rig.View()
	for _, f := range v.Faces {
		if _, bearing := v.Robot.To(f.XMM, f.YMM); f.ID == adaID && p.t.now().Sub(p.begin) > 2*time.Second {
			p.worst = max(p.worst, math.Abs(bearing)*180/math.Pi)
		}
	}
	return p.Track.CheckIfDone(env)
}

// found reports whether the robot believes the cube where it truly is.
func (t *trial) found(cube int) bool {
	v := t.rig.View()
	o, ok := t.after.Object(sim.ObjectID(cube))
	d, bearing := t.after.Body.Pose.To(o.Pose.XMM, o.Pose.YMM)
	c := t.cube(cube)
	mm, truly := v.Robot.To(c.XMM, c.YMM)
	return ok && math.Hypot(d-mm, mm*hardware.WrapRad(bearing-truly)) <= foundMM
}

// search lets the robot, set down at a pose, search for a cube.
func (t *trial) search(do do, pose hardware.Pose, cube, places int) (bool, float64, error) {
	if err := t.carry(pose); err != nil {
		return false, 0, err
	}
	begin := t.now()
	for range handRetries + 1 {
		err := do(7*time.Minute, func(*hardware.World) actions.Action {
			return look.NewSearch(look.SearchParams{ID: sim.ObjectID(cube), Places: places})
		})
		if err != nil {
			return false, 0, err
		}
		if t.result != actions.CancelledWhileRunning {
			break
		}
		if err := t.leaveEdge(do); err != nil { // as the reaction to an edge does
			return false, 0, err
		}
	}
	return t.result == actions.Success && t.found(cube) && !t.rig.View().Robot.Fallen, t.now().Sub(begin).Seconds(), nil
}

// leaveEdge backs away from an edge that stopped the wheels.
func (t *trial) leaveEdge(do do) error {
	return do(20*time.Second, func(w *hardware.World) actions.Action {
		if back := gesture.Retreat(gesture.EdgeOf(w.Cliff.Value.Detected), edgeBackMM); back != nil {
			return back
		}
		return gesture.Wait(time.Second)
	})
}

// seek looks for a cube that may be in any direction.
func seek(t *trial, do do) (bool, float64, error) {
	cube, pose, ok := t.beforeCube()
	if !ok {
		return false, 0, errNoRoom
	}
	pose.HeadingRad = 2 * math.Pi / 16 * float64(t.seed%16)
	return t.search(do, pose, cube.ID, 0)
}

// seekBehind looks for a cube that a box hides.
func seekBehind(t *trial, do do) (bool, float64, error) {
	v := t.rig.View()
	from, box, ok := gateway(v, t.seed, true)
	if !ok {
		return false, 0, errNoRoom
	}
	for _, q := range v.Cubes[1:] {
		t.takeAway(q, from)
	}
	s, c := math.Sincos(from.HeadingRad)
	cube := v.Cubes[0].ID
	behind := box.reachMM + 60
	if !t.rig.MoveCube(cube, box.XMM+c*behind, box.YMM+s*behind, from.HeadingRad) {
		return false, 0, errNoRoom
	}
	if err := t.sys.RunFor(500*time.Millisecond, nil); err != nil {
		return false, 0, err
	}
	return t.search(do, from, cube, look.SearchMaxPlaces)
}
