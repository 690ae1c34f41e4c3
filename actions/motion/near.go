package motion

import (
	"math"
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
	// AllowObstacles makes the drive ignore the range sensor. Otherwise what the sensor meets before it can be the target ends the drive with
	// FAILED_TRAVERSING_PATH. There is nothing at a point.
	AllowObstacles bool
}

const (
	// cornerMM is how far before the middle of the target the range sensor may meet it: half of a cube, seen over its corner.
	cornerMM = 45.0
	// fineMM is the error of distance that is worth a correction, finePSMM its speed, maxFine how often it is corrected.
	fineMM   = 1.5
	finePSMM = 40.0
	maxFine  = 2
	// nodTime is how long the drive waits for the head to be level.
	nodTime = 2 * time.Second
	// objectTolRad is how exactly it looks at an object.
	objectTolRad = MinTurnTolRad
)

// A DriveNear drives straight towards a target until it is at a given distance, then looks at it. Near an object it looks again where that
// is, and corrects its distance. It only looks at a target that is nearer already. A head that carries the distance sensor is leveled before the
// drive: looking at a face, it would look over what is in the way.
type DriveNear struct {
	refusal
	params NearParams
	sub    actions.SubAction
	kind   actions.Type
	phase  nearPhase
	began  time.Time // the head began to move
	fine   int       // corrections to come
}

type nearPhase uint8

const (
	nearNod nearPhase = iota
	nearDrive
	nearTurn
	nearCorrect
)

// NewDriveNear returns the action.
func NewDriveNear(p NearParams) *DriveNear {
	why := actions.Finite(
		actions.Num("DistanceMM", p.DistanceMM), actions.Num("ToleranceMM", p.ToleranceMM), actions.Num("SpeedMMPS", p.SpeedMMPS), actions.Num("TurnRadPS", p.TurnRadPS),
	)
	p.ToleranceMM = orDefault(p.ToleranceMM, PoseTolMM)
	d := &DriveNear{refusal: why, params: p, kind: actions.TypeDriveToPose}
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
	case d.refusal != "":
		return actions.Abort
	case d.params.DistanceMM <= 0:
		return actions.NoDistanceSet
	case d.params.Target == nil:
		return actions.NoGoalSet
	}
	if res := canDrive(env, false); res != actions.Success {
		return res
	}
	d.params.Target = settleTarget(env.World, d.params.Target)
	place, res := d.params.Target.Find(env.World)
	if res != actions.Success {
		return res
	}
	d.fine = 0
	pose := env.World.Body.Pose
	distance, _ := pose.To(place.XMM, place.YMM)
	if distance <= d.params.DistanceMM+d.params.ToleranceMM {
		d.turn(env)
		return actions.Success
	}
	if d.kind == actions.TypeDriveToObject {
		d.fine = maxFine
	}
	if looksAside(env.World) {
		low, _ := env.World.Servos.Value.Low()
		d.phase, d.began = nearNod, env.Now
		d.sub.Begin(env, NewMoveHead(HeadParams{AngleRad: max(low, 0)}))
		return actions.Success
	}
	d.drive(env, place)
	return actions.Success
}

// looksAside reports whether the distance sensor is on a head that does not look ahead, and can.
func looksAside(w *hardware.World) bool {
	r, s := &w.Range.Value, &w.Servos
	low, _ := s.Value.Low()
	return s.OK() && !s.Value.NoHead && !r.LooksAhead(s.Value.HeadRad) && r.LooksAhead(max(low, 0))
}

// nodded begins the drive to where the target is now. The head may not have moved.
func (d *DriveNear) nodded(env *actions.Env) actions.Result {
	place, res := d.params.Target.Find(env.World)
	if res != actions.Success {
		return res
	}
	d.drive(env, place)
	return actions.Running
}

func (d *DriveNear) drive(env *actions.Env, place Place) {
	d.phase = nearDrive
	d.sub.Begin(env, NewDriveToPose(PoseParams{
		Goals: around(env.World.Body.Pose, place, d.params.DistanceMM), Near: nearTo(env.World, d.params.Target), ReachMM: d.params.DistanceMM,
		AnyHeading: true, ToleranceMM: d.params.ToleranceMM, SpeedMMPS: d.params.SpeedMMPS,
		TurnRadPS: d.params.TurnRadPS, AllowObstacles: d.params.AllowObstacles, ObstaclesEndMM: d.obstaclesEnd(env),
	}))
}

// nearSides is on how many sides of the target a drive may end.
const nearSides = 8

// around are the points at a distance from a place, the one on this side first.
func around(pose hardware.Pose, place Place, distanceMM float64) []hardware.Pose {
	goals := make([]hardware.Pose, nearSides)
	from := math.Atan2(pose.YMM-place.YMM, pose.XMM-place.XMM)
	for i := range goals {
		s, c := math.Sincos(from + float64(i)*2*math.Pi/nearSides)
		goals[i] = hardware.Pose{XMM: place.XMM + c*distanceMM, YMM: place.YMM + s*distanceMM}
	}
	return goals
}

// nearTo are the IDs of the objects that a target is.
func nearTo(w *hardware.World, t Target) []int {
	o, ok := t.(ObjectTarget)
	if !ok {
		return nil
	}
	if k, known := o.Object(w); known {
		return []int{k.ID}
	}
	return nil
}

// obstaclesEnd is the way to go at which what the range sensor meets is the target itself.
func (d *DriveNear) obstaclesEnd(env *actions.Env) float64 {
	if _, point := d.params.Target.(PointTarget); point {
		return 0
	}
	return max(ObstacleMM+noseMM(env)+cornerMM-d.params.DistanceMM, 0)
}

func (d *DriveNear) turn(env *actions.Env) {
	p := TowardsParams{Target: d.params.Target, SpeedRadPS: d.params.TurnRadPS}
	if d.kind == actions.TypeDriveToObject {
		p.ToleranceRad = objectTolRad
	}
	d.phase = nearTurn
	d.sub.Begin(env, NewTurnTowards(p))
}

// CheckIfDone drives, then turns to the target's newest place, and corrects the distance to it.
func (d *DriveNear) CheckIfDone(env *actions.Env) actions.Result {
	res := d.sub.Step(env)
	switch {
	case d.phase == nearNod && (res != actions.Running || env.Now.Sub(d.began) >= nodTime):
		return d.nodded(env)
	case res != actions.Success:
		return res
	case d.phase != nearTurn:
		d.turn(env)
		return actions.Running
	case d.correct(env):
		return actions.Running
	}
	return actions.Success
}

// correct begins a short drive to the wanted distance, and reports false if none is needed.
func (d *DriveNear) correct(env *actions.Env) bool {
	place, res := d.params.Target.Find(env.World)
	if d.fine == 0 || res != actions.Success {
		return false
	}
	distance, _ := env.World.Body.Pose.To(place.XMM, place.YMM)
	off := distance - d.params.DistanceMM
	if math.Abs(off) <= fineMM || math.Abs(off) > 2*d.params.ToleranceMM { // one that is far off has been moved
		return false
	}
	d.fine--
	d.phase = nearCorrect
	d.sub.Begin(env, NewDriveStraight(StraightParams{DistanceMM: off, SpeedMMPS: finePSMM}))
	return true
}

// Stop ends the leg.
func (d *DriveNear) Stop(env *actions.Env) { d.sub.Stop(env) }
