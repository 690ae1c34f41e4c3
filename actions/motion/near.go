package motion

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// NearParams configure a DriveNear.
type NearParams struct {
	Target Target
	// DistanceMM from the middle of the axle to the target, at the end.
	DistanceMM float64
	// ToleranceMM defaults to 10.
	ToleranceMM float64
	// SpeedMMPS defaults to 100, TurnRadPS to 2.
	SpeedMMPS, TurnRadPS float64
	// AllowObstacles makes the drive ignore the range sensor.
	AllowObstacles bool
}

// A DriveNear drives straight towards a target until it is at a given distance, then looks at it. It only looks at a
// target that is nearer already.
type DriveNear struct {
	params  NearParams
	sub     actions.SubAction
	kind    actions.Type
	turning bool
}

// NewDriveNear returns the action.
func NewDriveNear(p NearParams) *DriveNear {
	p.ToleranceMM = orDefault(p.ToleranceMM, PoseTolMM)
	d := &DriveNear{params: p, kind: actions.TypeDriveToPose}
	if _, ok := p.Target.(ObjectTarget); ok {
		d.kind = actions.TypeDriveToObject
	}
	return d
}

// Name is DriveNear.
func (*DriveNear) Name() string { return "DriveNear" }

// Type is DRIVE_TO_OBJECT for objects and DRIVE_TO_POSE for everything else.
func (d *DriveNear) Type() actions.Type { return d.kind }

// Tracks is body and head.
func (*DriveNear) Tracks() actions.Tracks { return actions.Body | actions.Head }

// FailOffTreads is true.
func (*DriveNear) FailOffTreads() bool { return true }

// Timeout is that of a drive and a turn.
func (*DriveNear) Timeout() time.Duration { return poseTimeout + actions.DefaultTimeout }

// Status is the current leg.
func (d *DriveNear) Status() string { return d.sub.Status() }

// Init finds the target and begins the drive.
func (d *DriveNear) Init(env *actions.Env) actions.Result {
	switch {
	case d.params.DistanceMM <= 0:
		return actions.NoDistanceSet
	case d.params.Target == nil:
		return actions.NoGoalSet
	}
	if res := canDrive(env, false); res != actions.Success {
		return res
	}
	place, res := d.params.Target.Find(env.World)
	if res != actions.Success {
		return res
	}
	d.turning = false
	pose := env.World.Body.Pose
	distance, _ := pose.To(place.XMM, place.YMM)
	if distance <= d.params.DistanceMM+d.params.ToleranceMM {
		d.turn(env)
		return actions.Success
	}
	share := (distance - d.params.DistanceMM) / distance
	d.sub.Begin(env, NewDriveToPose(PoseParams{
		Goal: hardware.Pose{
			XMM: pose.XMM + share*(place.XMM-pose.XMM),
			YMM: pose.YMM + share*(place.YMM-pose.YMM),
		},
		AnyHeading: true, ToleranceMM: d.params.ToleranceMM, SpeedMMPS: d.params.SpeedMMPS,
		TurnRadPS: d.params.TurnRadPS, AllowObstacles: d.params.AllowObstacles,
	}))
	return actions.Success
}

func (d *DriveNear) turn(env *actions.Env) {
	d.turning = true
	d.sub.Begin(env, NewTurnTowards(TowardsParams{Target: d.params.Target, SpeedRadPS: d.params.TurnRadPS}))
}

// CheckIfDone drives, then turns to the target's newest place.
func (d *DriveNear) CheckIfDone(env *actions.Env) actions.Result {
	res := d.sub.Step(env)
	if res != actions.Success || d.turning {
		return res
	}
	d.turn(env)
	return actions.Running
}

// Stop ends the leg.
func (d *DriveNear) Stop(env *actions.Env) { d.sub.Stop(env) }
