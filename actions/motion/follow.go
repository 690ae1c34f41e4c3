package motion

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// How a way of several points is followed.
const (
	// lookMM is how far ahead on the way the robot steers to.
	lookMM = 45.0
	// passMM is how near a point of the way counts as passed.
	passMM = 8.0
	// sharpRad is a corner that is turned standing, and a deviation from the way that is.
	sharpRad = 50 * rad
	// slowestMMPS is the speed at which a sharp corner is reached, brakeMMPS2 how it slows down before.
	slowestMMPS, brakeMMPS2 = 30.0, 250.0
)

// A followEnd is why a follower does not go on.
type followEnd uint8

const (
	followOn   followEnd = iota
	followTurn           // the next point needs a turn in place
	followLast           // only the last leg is left, and lies straight ahead or is short
)

// A follower drives along the points of a way without a stop at each. It steers to a point ahead on the way (pure pursuit, R. C. Coulter,
// CMU-RI-TR-92-01): the curvature is twice the sine of its bearing over its distance.
type follower struct {
	seg  segment
	mmps float64 // asked for last
	at   time.Time
}

// step drives on. It shortens the way by the points that were passed.
func (f *follower) step(env *actions.Env, way *[]hardware.Pose, speed float64) (actions.Result, followEnd) {
	pose := env.World.Body.Pose
	for len(*way) > 1 {
		past, _ := beyond(pose, (*way)[0])
		if past < -passMM {
			break
		}
		sharp := corner(*way) > sharpRad
		*way = (*way)[1:]
		if sharp {
			f.seg.cmd = nil
			return actions.Success, followTurn
		}
	}
	distance, bearing := ahead(pose, *way)
	if len(*way) == 1 {
		if left, off := pose.To((*way)[0].XMM, (*way)[0].YMM); math.Abs(off) <= straightRad || left < lookMM {
			f.seg.cmd = nil
			return actions.Success, followLast
		}
	}
	if math.Abs(bearing) > sharpRad {
		f.seg.cmd = nil
		return actions.Success, followTurn
	}
	f.drive(env, speed, *way, 2*math.Sin(bearing)/max(distance, lookMM/2))
	return f.seg.step(env), followOn
}

// drive sets the speeds of the wheels for a curvature.
func (f *follower) drive(env *actions.Env, speed float64, way []hardware.Pose, perMM float64) {
	v := min(speed, fastest(env), TurnRadPS/max(math.Abs(perMM), 1e-6))
	if len(way) > 1 && corner(way) > sharpRad {
		left, _ := env.World.Body.Pose.To(way[0].XMM, way[0].YMM)
		v = min(v, math.Sqrt(slowestMMPS*slowestMMPS+2*brakeMMPS2*max(left-passMM, 0)))
	}
	dt := min(env.Now.Sub(f.at).Seconds(), 0.2)
	v = min(v, f.mmps+AccelMMPS2*dt)
	f.mmps, f.at = v, env.Now
	turn := v * perMM * env.World.Motors.Value.Tread() / 2
	d := hardware.Drive{ID: f.seg.id, Kind: hardware.Wheels, LeftMMPS: v - turn, RightMMPS: v + turn}
	if !f.seg.active() {
		f.seg.begin(env, d)
		return
	}
	f.seg.cmd = d
}

// begin makes the follower start anew, from standing wheels or from the speed at which they turn.
func (f *follower) begin(env *actions.Env) {
	m := env.World.Motors.Value
	*f = follower{mmps: max((m.LeftMMPS+m.RightMMPS)/2, 0), at: env.Now}
}

// corner is by how much the way turns at its first point.
func corner(way []hardware.Pose) float64 {
	return math.Abs(hardware.WrapRad(toward(way[0], way[1]) - way[0].HeadingRad))
}

func toward(from, to hardware.Pose) float64 { return math.Atan2(to.YMM-from.YMM, to.XMM-from.XMM) }

// beyond is how far a pose is past a point, along the way to it, and how far beside that way.
func beyond(pose, point hardware.Pose) (pastMM, besideMM float64) {
	s, c := math.Sincos(point.HeadingRad)
	dx, dy := pose.XMM-point.XMM, pose.YMM-point.YMM
	return dx*c + dy*s, dy*c - dx*s
}

// ahead is distance and bearing of the point of the way to steer to.
func ahead(pose hardware.Pose, way []hardware.Pose) (mm, rad float64) {
	to := way[0]
	if len(way) == 1 { // the heading of the last point is that of the goal
		return pose.To(to.XMM, to.YMM)
	}
	past, _ := beyond(pose, to)
	heading := to.HeadingRad
	on := past + lookMM
	if on > 0 {
		heading = toward(to, way[1])
		leg := math.Hypot(way[1].XMM-to.XMM, way[1].YMM-to.YMM)
		on = min(on, leg)
	}
	s, c := math.Sincos(heading)
	return pose.To(to.XMM+on*c, to.YMM+on*s)
}
