package motion

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// Numbers of driving to a pose.
const (
	PoseTolMM  = 10.0
	PoseTolRad = 10 * rad
	// ObstacleMM is the distance to something ahead at which a drive gives up.
	ObstacleMM = 60.0

	// maxReplans limits the new plans after the first one.
	maxReplans = 3
	// reverseMM is the distance below which a goal behind the robot is reached backward: turning twice takes longer.
	reverseMM = 40.0
	// straightRad is the bearing that is straight enough to drive without turning first.
	straightRad = MinTurnTolRad
	// poseTimeout covers a drive across a table with every correction.
	poseTimeout = 60 * time.Second
)

// PoseParams configure a DriveToPose.
type PoseParams struct {
	// Goal is in the odometry frame of the start.
	Goal hardware.Pose
	// AnyHeading accepts any heading at the goal.
	AnyHeading bool
	// ToleranceMM defaults to 10, ToleranceRad to 10° (at least 2°).
	ToleranceMM, ToleranceRad float64
	// SpeedMMPS defaults to 100, TurnRadPS to 2.
	SpeedMMPS, TurnRadPS float64
	// AllowObstacles makes the drive ignore the range sensor. Otherwise an obstacle nearer than 60 mm ahead ends the
	// drive with FAILED_TRAVERSING_PATH.
	AllowObstacles bool
	// ObstaclesEndMM is the distance to the goal below which obstacles are ignored: the obstacle may be the goal itself.
	ObstaclesEndMM float64
	// AllowOnCharger lets the robot start on the charger.
	AllowOnCharger bool
}

// A DriveToPose turns to the goal, drives there and turns to the final heading. If it misses the goal it plans again, at
// most three times.
type DriveToPose struct {
	refusal
	params  PoseParams
	sub     actions.SubAction
	phase   posePhase
	replans int
	origin  uint64
	forward bool
}

type posePhase uint8

const (
	posePlan posePhase = iota
	poseTurn
	poseDrive
	poseAlign
)

// NewDriveToPose returns the action.
func NewDriveToPose(p PoseParams) *DriveToPose {
	why := finite(
		number{"Goal.XMM", p.Goal.XMM}, number{"Goal.YMM", p.Goal.YMM}, number{"Goal.HeadingRad", p.Goal.HeadingRad},
		number{"ToleranceMM", p.ToleranceMM}, number{"ToleranceRad", p.ToleranceRad}, number{"SpeedMMPS", p.SpeedMMPS},
		number{"TurnRadPS", p.TurnRadPS}, number{"ObstaclesEndMM", p.ObstaclesEndMM},
	)
	p.ToleranceMM = orDefault(p.ToleranceMM, PoseTolMM)
	p.ToleranceRad = max(orDefault(p.ToleranceRad, PoseTolRad), MinTurnTolRad)
	return &DriveToPose{refusal: why, params: p}
}

// Name is DriveToPose.
func (*DriveToPose) Name() string { return "DriveToPose" }

// Type is DRIVE_TO_POSE.
func (*DriveToPose) Type() actions.Type { return actions.TypeDriveToPose }

// Tracks is the body.
func (*DriveToPose) Tracks() actions.Tracks { return actions.Body }

// FailOffTreads is true.
func (*DriveToPose) FailOffTreads() bool { return true }

// Timeout is a minute.
func (*DriveToPose) Timeout() time.Duration { return poseTimeout }

// Status is the current leg.
func (d *DriveToPose) Status() string { return d.sub.Status() }

// Init checks goal, motors and charger.
func (d *DriveToPose) Init(env *actions.Env) actions.Result {
	if d.refusal != "" {
		return actions.BadPose
	}
	d.origin, d.phase, d.replans = env.World.Body.Origin, posePlan, 0
	return canDrive(env, d.params.AllowOnCharger)
}

// CheckIfDone runs the legs one after the other, without an idle tick between them.
func (d *DriveToPose) CheckIfDone(env *actions.Env) actions.Result {
	if env.World.Body.Origin != d.origin {
		d.sub.Stop(env)
		return actions.BadPose // the goal was in a frame that no longer exists
	}
	if d.blocked(env) {
		d.sub.Stop(env)
		return actions.FailedTraversingPath
	}
	if d.phase == posePlan {
		if d.plan(env) {
			return actions.Success
		}
	}
	res := d.sub.Step(env)
	switch {
	case res == actions.Running:
		return res
	case res.Category() == actions.CategoryRetry:
	case res != actions.Success:
		return res
	case d.phase == poseTurn:
		d.drive(env)
		return actions.Running
	case d.at(env):
		return actions.Success
	}
	if d.phase != poseDrive || !d.near(env) { // arriving before the last turn is no new plan
		if d.replans++; d.replans > maxReplans {
			return actions.FailedTraversingPath
		}
	}
	d.phase = posePlan
	return actions.Running
}

// plan begins the next leg and reports true if there is none.
func (d *DriveToPose) plan(env *actions.Env) bool {
	switch bearing, _ := d.leg(env); {
	case d.near(env) && (d.params.AnyHeading || d.aligned(env)):
		return true
	case d.near(env):
		d.phase, d.forward = poseAlign, false
		d.sub.Begin(env, NewTurnInPlace(TurnParams{
			AngleRad: d.params.Goal.HeadingRad, Absolute: true, SpeedRadPS: d.params.TurnRadPS,
			ToleranceRad: d.params.ToleranceRad / 2, AllowOnCharger: d.params.AllowOnCharger,
		}))
	case math.Abs(bearing) > straightRad:
		d.phase, d.forward = poseTurn, false
		d.sub.Begin(env, NewTurnInPlace(TurnParams{
			AngleRad: bearing, SpeedRadPS: d.params.TurnRadPS, AllowOnCharger: d.params.AllowOnCharger,
		}))
	default:
		d.drive(env)
	}
	return false
}

// drive begins the straight leg.
func (d *DriveToPose) drive(env *actions.Env) {
	_, distance := d.leg(env)
	d.phase, d.forward = poseDrive, distance > 0
	d.sub.Begin(env, NewDriveStraight(StraightParams{
		DistanceMM: distance, SpeedMMPS: d.params.SpeedMMPS, AllowOnCharger: d.params.AllowOnCharger,
	}))
}

// leg is the turn and the signed distance to the goal's position. A near goal behind the robot is reached backward.
func (d *DriveToPose) leg(env *actions.Env) (bearingRad, distanceMM float64) {
	distanceMM, bearingRad = env.World.Body.Pose.To(d.params.Goal.XMM, d.params.Goal.YMM)
	if distanceMM < reverseMM && math.Abs(bearingRad) > math.Pi/2 {
		return hardware.WrapRad(bearingRad + math.Pi), -distanceMM
	}
	return bearingRad, distanceMM
}

func (d *DriveToPose) at(env *actions.Env) bool {
	return d.near(env) && (d.params.AnyHeading || d.aligned(env))
}

// near tests each axis on its own.
func (d *DriveToPose) near(env *actions.Env) bool {
	p := env.World.Body.Pose
	return math.Abs(p.XMM-d.params.Goal.XMM) <= d.params.ToleranceMM &&
		math.Abs(p.YMM-d.params.Goal.YMM) <= d.params.ToleranceMM
}

func (d *DriveToPose) aligned(env *actions.Env) bool {
	return math.Abs(hardware.WrapRad(env.World.Body.Pose.HeadingRad-d.params.Goal.HeadingRad)) <= d.params.ToleranceRad
}

// blocked reports an obstacle while driving forward.
func (d *DriveToPose) blocked(env *actions.Env) bool {
	if d.phase != poseDrive || !d.forward || d.params.AllowObstacles || !blocked(env, ObstacleMM) {
		return false
	}
	left, _ := env.World.Body.Pose.To(d.params.Goal.XMM, d.params.Goal.YMM)
	return left > d.params.ObstaclesEndMM
}

// Stop ends the leg.
func (d *DriveToPose) Stop(env *actions.Env) { d.sub.Stop(env) }

// Reset plans from the current place of the robot.
func (d *DriveToPose) Reset() { d.phase = posePlan }
