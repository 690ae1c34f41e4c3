package motion

import (
	"cmp"
	"math"
	"slices"
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
	// Goals are alternatives, instead of Goal: the one with the shortest way, or the nearest one where nobody plans.
	Goals []hardware.Pose
	// Near are the IDs of objects that the robot wants to get near to: within ReachMM of a goal the way leads as near to them as the goal lies.
	Near    []int
	ReachMM float64
	// AnyHeading accepts any heading at the goal.
	AnyHeading bool
	// ToleranceMM defaults to 10, ToleranceRad to 10° (at least 2°).
	ToleranceMM, ToleranceRad float64
	// SpeedMMPS defaults to 100, TurnRadPS to 2.
	SpeedMMPS, TurnRadPS float64
	// AllowObstacles makes the drive go straight and ignore the range sensor. Otherwise it plans a way, and plans anew around what comes into
	// it; where nobody plans, an obstacle nearer than 60 mm ahead ends the drive with FAILED_TRAVERSING_PATH.
	AllowObstacles bool
	// ObstaclesEndMM is the distance to the goal below which obstacles are ignored: the obstacle may be the goal itself.
	ObstaclesEndMM float64
	// AllowOnCharger lets the robot start on the charger.
	AllowOnCharger bool
}

// A DriveToPose turns to the goal, drives there and turns to the final heading. If it misses the goal it corrects, at most three times. With
// [actions.Env.Paths] it asks for a way around what is known, and for another one when something comes into it: what the range sensor meets it
// looks at from side to side first. Without a way it ends with PATH_PLANNING_FAILED_ABORT.
type DriveToPose struct {
	refusal
	params  PoseParams
	sub     actions.SubAction
	phase   posePhase
	replans int
	origin  uint64
	forward bool
	planned bool // a way is asked for
	guide   guide
}

type posePhase uint8

const (
	posePlan posePhase = iota
	poseTurn
	poseDrive
	poseAlign
	posePlanning // a way is computed
	poseFollow   // along a way of several points
	poseHalt     // the wheels come to rest, because something is in the way
	poseLook     // from side to side
	poseBack     // away from what stopped the wheels
)

// NewDriveToPose returns the action.
func NewDriveToPose(p PoseParams) *DriveToPose {
	why := actions.Finite(
		actions.Num("Goal.XMM", p.Goal.XMM), actions.Num("Goal.YMM", p.Goal.YMM), actions.Num("Goal.HeadingRad", p.Goal.HeadingRad),
		actions.Num("ToleranceMM", p.ToleranceMM), actions.Num("ToleranceRad", p.ToleranceRad), actions.Num("SpeedMMPS", p.SpeedMMPS),
		actions.Num("TurnRadPS", p.TurnRadPS), actions.Num("ObstaclesEndMM", p.ObstaclesEndMM), actions.Num("ReachMM", p.ReachMM),
	)
	for _, g := range p.Goals {
		if why == "" {
			why = actions.Finite(actions.Num("Goals.XMM", g.XMM), actions.Num("Goals.YMM", g.YMM), actions.Num("Goals.HeadingRad", g.HeadingRad))
		}
	}
	p.ToleranceMM = orDefault(p.ToleranceMM, PoseTolMM)
	p.ToleranceRad = max(orDefault(p.ToleranceRad, PoseTolRad), MinTurnTolRad)
	d := &DriveToPose{refusal: why, params: p}
	if d.guide.goals = p.Goals; len(p.Goals) == 0 {
		d.guide.goals = []hardware.Pose{p.Goal}
	}
	return d
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

// Status is the state of the path, or the current leg where nobody plans.
func (d *DriveToPose) Status() string {
	if d.planned {
		return d.guideStatus()
	}
	return d.sub.Status()
}

// Init checks goal, motors and charger.
func (d *DriveToPose) Init(env *actions.Env) actions.Result {
	if d.refusal != "" {
		return actions.BadPose
	}
	d.origin, d.phase, d.replans = env.World.Body.Origin, posePlan, 0
	res := canDrive(env, d.params.AllowOnCharger)
	if d.planned = env.Paths != nil && !d.params.AllowObstacles; d.planned && res == actions.Success {
		d.guide = guide{goals: d.guide.goals, met: d.guide.met}
		if d.arrived(env) {
			return res // it has nothing to plan
		}
		d.ask(env)
		return res
	}
	d.params.Goal = nearestOf(env.World.Body.Pose, d.guide.goals)
	return res
}

// arrived reports whether the robot is at a goal, which becomes that of the drive, with the heading to turn to at most.
func (d *DriveToPose) arrived(env *actions.Env) bool {
	for _, g := range d.guide.goals {
		if d.params.Goal = g; d.near(env) {
			d.guide.way = d.guide.goals[:0:0]
			return true
		}
	}
	return false
}

// nearestOf is the goal nearest to a pose, the first of equals.
func nearestOf(pose hardware.Pose, goals []hardware.Pose) hardware.Pose {
	return slices.MinFunc(goals, func(a, b hardware.Pose) int {
		da, _ := pose.To(a.XMM, a.YMM)
		db, _ := pose.To(b.XMM, b.YMM)
		return cmp.Compare(da, db)
	})
}

// CheckIfDone runs the legs one after the other, without an idle tick between them.
func (d *DriveToPose) CheckIfDone(env *actions.Env) actions.Result {
	if env.World.Body.Origin != d.origin {
		d.stopLeg(env)
		return actions.BadPose // the goal was in a frame that no longer exists
	}
	if d.planned {
		return d.guided(env)
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
	return d.leg(env)
}

// leg goes on with the helper that runs.
func (d *DriveToPose) leg(env *actions.Env) actions.Result {
	res := d.sub.Step(env)
	switch {
	case res == actions.Running:
		return res
	case d.planned && res == actions.MotorStoppedMakingProgress && d.phase == poseDrive && d.forward:
		return d.bumped(env)
	case res.Category() == actions.CategoryRetry:
	case res != actions.Success:
		return res
	case d.phase == poseTurn:
		d.goOn(env)
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
	switch bearing, _ := d.toNext(env); {
	case d.near(env) && (d.params.AnyHeading || d.aligned(env)):
		return true
	case d.near(env):
		d.phase, d.forward = poseAlign, false
		d.begin(env, NewTurnInPlace(TurnParams{
			AngleRad: d.params.Goal.HeadingRad, Absolute: true, SpeedRadPS: d.params.TurnRadPS,
			ToleranceRad: d.params.ToleranceRad / 2, AllowOnCharger: d.params.AllowOnCharger,
		}))
	case math.Abs(bearing) > d.turnRad():
		d.phase, d.forward = poseTurn, false
		d.begin(env, NewTurnInPlace(TurnParams{
			AngleRad: bearing, SpeedRadPS: d.params.TurnRadPS, AllowOnCharger: d.params.AllowOnCharger,
		}))
	default:
		d.goOn(env)
	}
	return false
}

// turnRad is the bearing of the next point that the robot turns to standing.
func (d *DriveToPose) turnRad() float64 {
	if len(d.guide.way) > 1 {
		return sharpRad / 2
	}
	return straightRad
}

// goOn begins to drive: along the way, or straight to the goal.
func (d *DriveToPose) goOn(env *actions.Env) {
	if len(d.guide.way) <= 1 {
		d.drive(env)
		return
	}
	d.phase, d.forward = poseFollow, true
	d.guide.follow.begin(env)
	d.await(env)
}

// begin begins a helper.
func (d *DriveToPose) begin(env *actions.Env, a actions.Action) {
	d.await(env)
	d.sub.Begin(env, a)
}

// stopLeg ends whatever drives.
func (d *DriveToPose) stopLeg(env *actions.Env) {
	d.sub.Stop(env)
	d.guide.follow.seg.drop(env)
}

// drive begins the straight leg.
func (d *DriveToPose) drive(env *actions.Env) {
	_, distance := d.toNext(env)
	d.phase, d.forward = poseDrive, distance > 0
	d.begin(env, NewDriveStraight(StraightParams{
		DistanceMM: distance, SpeedMMPS: d.params.SpeedMMPS, AllowOnCharger: d.params.AllowOnCharger,
	}))
}

// toNext is the turn and the signed distance to the next point of the way, or to the goal's position. A near goal behind the robot is reached
// backward.
func (d *DriveToPose) toNext(env *actions.Env) (bearingRad, distanceMM float64) {
	if w := d.guide.way; len(w) > 1 {
		distanceMM, bearingRad = env.World.Body.Pose.To(w[0].XMM, w[0].YMM)
		return bearingRad, distanceMM
	}
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

// Stop ends the leg and gives up a plan.
func (d *DriveToPose) Stop(env *actions.Env) {
	d.stopLeg(env)
	d.guide.dropPlan(env)
}

// Reset plans from the current place of the robot. What was met is kept.
func (d *DriveToPose) Reset() { d.phase = posePlan }
