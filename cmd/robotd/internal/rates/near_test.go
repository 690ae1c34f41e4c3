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
	nearMM    = 100.0 // asked for, from the middle of the axle to that of the cube
	nearTolMM = motion.PoseTolMM
	againMM   = 200.0
	// touchedMM is by how much a cube lies elsewhere after it was touched.
	touchedMM = 1.0
)

// nearCube puts the robot where it sees a cube and lets it drive near it, with nothing but the distance given.
func nearCube(of func(off, bearing float64) float64) func(*trial, do) (bool, float64, error) {
	return func(t *trial, do do) (bool, float64, error) {
		cube, pose, ok := t.beforeCube()
		if !ok {
			return false, 0, errNoRoom
		}
		t.rig.Place(pose.XMM, pose.YMM, pose.HeadingRad)
		if err := t.sys.RunFor(3*time.Second, nil); err != nil {
			return false, 0, err
		}
		err := do(60*time.Second, func(w *hardware.World) actions.Action {
			return motion.NewDriveNear(motion.NearParams{Target: seenAs(w, t.rig.View().Robot.Pose, cube), DistanceMM: nearMM})
		})
		if err != nil {
			return false, 0, err
		}
		v := t.rig.View()
		distance, bearing := v.Robot.To(cube.XMM, cube.YMM)
		off, bearing := math.Abs(distance-nearMM), math.Abs(bearing)*180/math.Pi
		return t.result == actions.Success && off <= nearTolMM && !moved(v, cube), of(off, bearing), nil
	}
}

// beforeCube finds a pose from which the robot sees a cube, with nothing else on the way to it.
func (t *trial) beforeCube() (sim.ViewCube, hardware.Pose, bool) {
	v := t.rig.View()
	for i := range v.Cubes {
		cube := v.Cubes[(i+int(t.seed))%len(v.Cubes)]
		others := v
		others.Cubes = nil
		for _, c := range v.Cubes {
			if c.ID != cube.ID {
				others.Cubes = append(others.Cubes, c)
			}
		}
		away := 200 + float64(t.seed%6)*20
		for k := range 360 {
			heading := math.Pi / 180 * float64((uint64(k)*137+t.seed*31)%360)
			s, c := math.Sincos(heading)
			p := hardware.Pose{XMM: cube.XMM - c*away, YMM: cube.YMM - s*away, HeadingRad: heading}
			if clear(others, p, away) {
				p.HeadingRad += (float64(t.seed%5) - 2) * 5 * math.Pi / 180 // it does not look at the middle of it
				return cube, p, true
			}
		}
	}
	return sim.ViewCube{}, hardware.Pose{}, false
}

// seenAs is the known cube that the robot believes nearest to where one truly is, seen from it.
func seenAs(w *hardware.World, robot hardware.Pose, cube sim.ViewCube) motion.Target {
	d, bearing := robot.To(cube.XMM, cube.YMM)
	id, least := -1, math.Inf(1)
	for _, o := range w.Objects {
		distance, angle := w.Body.Pose.To(o.Pose.XMM, o.Pose.YMM)
		off := math.Hypot(distance-d, d*hardware.WrapRad(angle-bearing))
		if o.Kind == hardware.KindCube && off < least {
			id, least = o.ID, off
		}
	}
	return motion.ObjectTarget{ID: id, Kind: hardware.KindCube}
}

// moved reports whether a cube lies elsewhere now.
func moved(v sim.View, was sim.ViewCube) bool {
	for _, c := range v.Cubes {
		if c.ID == was.ID {
			return math.Hypot(c.XMM-was.XMM, c.YMM-was.YMM) > touchedMM
		}
	}
	return true
}

// again drives straight, is stopped on the way, and is retried.
func again(t *trial, do do) (bool, float64, error) {
	pose, ok := t.lane(2*againMM + 30)
	if !ok {
		return false, 0, errNoRoom
	}
	t.rig.Place(pose.XMM, pose.YMM, pose.HeadingRad)
	if err := t.sys.RunFor(2*time.Second, nil); err != nil {
		return false, 0, err
	}
	from := t.rig.View().Robot.Pose
	t.retries = 1
	err := do(30*time.Second, func(*hardware.World) actions.Action {
		return &hindered{
			DriveStraight: motion.NewDriveStraight(motion.StraightParams{DistanceMM: againMM}),
			at:            40 + float64(t.seed%8)*20,
		}
	})
	if err != nil {
		return false, 0, err
	}
	to := t.rig.View().Robot.Pose
	s, c := math.Sincos(from.HeadingRad)
	long := c*(to.XMM-from.XMM) + s*(to.YMM-from.YMM)
	return t.result == actions.Success, math.Abs(long - againMM), nil
}

// hindered is a drive whose wheels are stopped once on the way.
type hindered struct {
	*motion.DriveStraight
	at      float64
	from    hardware.Pose
	stopped bool
}

// Init remembers where the first attempt began.
func (h *hindered) Init(env *actions.Env) actions.Result {
	if !h.stopped {
		h.from = env.World.Body.Pose
	}
	return h.DriveStraight.Init(env)
}

// CheckIfDone stops the wheels behind the back of the drive.
func (h *hindered) CheckIfDone(env *actions.Env) actions.Result {
	res := h.DriveStraight.CheckIfDone(env)
	if d, _ := h.from.To(env.World.Body.Pose.XMM, env.World.Body.Pose.YMM); !h.stopped && d >= h.at {
		h.stopped = true
		env.Send(hardware.StopWheels{})
	}
	return res
}
