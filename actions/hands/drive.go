package hands

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/compound"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// DriveParams configure a Drive.
type DriveParams struct {
	ID int // of the cube
	// Not are faces that are not to be used, for another attempt.
	Not []int
}

const (
	// driveTimeout covers a way across a table and the looks at its end.
	driveTimeout = 60 * time.Second
	// maxExact is how often it corrects its place at the end. exactMM and exactRad are good enough.
	maxExact          = 3
	exactMM, exactRad = 1.8, 1.5 * rad
	// wayTolMM is how exactly it drives there before it looks.
	wayTolMM = 5.0
	// reachMM is how near to a pre-action pose the cube is no obstacle.
	reachMM = PreDockMM + DockMM + 40
)

type drivePhase uint8

const (
	driveWay drivePhase = iota
	driveFace
	driveLook
	driveExact
)

var driveNames = [...]string{"on the way", "turning to the cube", "looking", "correcting"}

// A Drive drives to the nearest pre-action pose of a cube that it can reach, looks at the cube over several images and corrects its place. If
// something that nobody knew of is in the way there, it tries another face.
// It ends with SUCCESS, BAD_OBJECT, NO_PREACTION_POSES if there is room at no face, DID_NOT_REACH_PREACTION_POSE, VISUAL_OBSERVATION_FAILED if the cube
// is not seen from there, or a result of a drive.
type Drive struct {
	params DriveParams
	goals  []hardware.Pose
	left   []int // faces that are not to be used any more
	face   int
	sub    actions.SubAction
	head   actions.SubAction
	sight  sight
	phase  drivePhase
	since  time.Time
	exact  int
	turned bool // has looked for the cube by a turn
}

// NewDrive returns the action.
func NewDrive(p DriveParams) *Drive { return &Drive{params: p} }

// Name is DriveToObject.
func (*Drive) Name() string { return "DriveToObject" }

// Type is DRIVE_TO_OBJECT.
func (*Drive) Type() actions.Type { return actions.TypeDriveToObject }

// Tracks is head and body.
func (*Drive) Tracks() actions.Tracks { return actions.Head | actions.Body }

// FailOffTreads is true.
func (*Drive) FailOffTreads() bool { return true }

// Looks is for the markers of cubes.
func (*Drive) Looks() hardware.Look { return lookForCubes }

// Timeout is a minute.
func (*Drive) Timeout() time.Duration { return driveTimeout }

// Status is the phase.
func (d *Drive) Status() string { return driveNames[d.phase] }

// Payload names the cube.
func (d *Drive) Payload() any { return Payload{ID: d.params.ID, Face: d.face} }

// Init chooses the pose.
func (d *Drive) Init(env *actions.Env) actions.Result {
	if !env.World.Motors.OK() {
		return actions.SendMessageToRobotFailed
	}
	if env.World.Body.OnContacts || env.World.Body.OnPlatform {
		return actions.ShouldntDriveOnCharger
	}
	o, ok := cubeOf(env.World, d.params.ID)
	if !ok {
		return actions.BadObject
	}
	d.left = append(d.left[:0], d.params.Not...)
	d.sight.begin(d.params.ID)
	d.head.Begin(env, motion.NewMoveHead(motion.HeadParams{AngleRad: motion.HeadBlockRad}))
	return d.choose(env, o, actions.NoPreactionPoses)
}

// choose begins the way to the best pose that is left; without one it ends with why.
func (d *Drive) choose(env *actions.Env, o hardware.KnownObject, why actions.Result) actions.Result {
	d.goals = PreActions(env.World, o, d.left...)
	if len(d.goals) == 0 {
		return why
	}
	d.exact, d.turned = 0, false
	d.phase, d.face = driveWay, NearestFace(o.Pose, d.goals[0])
	d.sub.Begin(env, d.way(env))
	return actions.Success
}

// another tries another face after a failure that is one of this place: something that nobody knew of is in the way.
func (d *Drive) another(env *actions.Env, o hardware.KnownObject, why actions.Result) actions.Result {
	local := why.Category() == actions.CategoryRetry || why == actions.PathPlanningFailedAbort || why == actions.VisualObservationFailed
	if !local || len(d.left) >= Faces {
		return why
	}
	face := NearestFace(o.Pose, env.World.Body.Pose)
	if slices.Contains(d.left, face) {
		face = d.face
	}
	d.left = append(d.left, face)
	if res := d.choose(env, o, why); res != actions.Success {
		return res
	}
	return actions.Running
}

// way drives to the goal that is reached best. The cube itself is no obstacle at the end.
func (d *Drive) way(env *actions.Env) actions.Action {
	p := motion.PoseParams{
		Goals: d.goals, Near: []int{d.params.ID}, ReachMM: reachMM, ToleranceMM: wayTolMM, ToleranceRad: 2 * motion.MinTurnTolRad, ObstaclesEndMM: reachMM,
	}
	if env.World.Body.Carrying {
		p.SpeedMMPS = DockMMPS
	}
	return motion.NewDriveToPose(p)
}

// CheckIfDone drives, turns, looks and corrects.
func (d *Drive) CheckIfDone(env *actions.Env) actions.Result {
	o, ok := cubeOf(env.World, d.params.ID)
	if !ok {
		return actions.BadObject
	}
	d.head.Step(env) // one that does not move may still look right
	d.sight.look(env.World)
	if d.phase == driveLook {
		return d.look(env, o)
	}
	res := d.sub.Step(env)
	switch {
	case res == actions.Running:
		return res
	case d.phase == driveWay && res == actions.Success:
		if d.turn(env, o) {
			return actions.Running
		}
	case d.phase == driveExact && res.Category() == actions.CategoryRetry: // how well it stands is seen by looking
	case res != actions.Success:
		return d.another(env, o, res)
	}
	d.phase, d.since = driveLook, env.Now
	d.sight.wait(env.World.Now)
	return actions.Running
}

// turn turns to the cube, and reports false if it looks there already.
func (d *Drive) turn(env *actions.Env, o hardware.KnownObject) bool {
	_, bearing := env.World.Body.Pose.To(o.Pose.XMM, o.Pose.YMM)
	if math.Abs(bearing) <= 3*motion.MinTurnTolRad {
		return false
	}
	d.phase = driveFace
	d.sub.Begin(env, motion.NewTurnInPlace(motion.TurnParams{AngleRad: bearing}))
	return true
}

// look waits for enough sightings and corrects the place, if that is worth it.
func (d *Drive) look(env *actions.Env, o hardware.KnownObject) actions.Result {
	n := d.sight.fresh
	if n < lookSights && env.Now.Sub(d.since) < lookTime {
		return actions.Running
	}
	if n < leastSights {
		if !d.turned && d.turn(env, o) {
			d.turned = true
			return actions.Running
		}
		return d.another(env, o, actions.VisualObservationFailed)
	}
	p := env.World.Body.Pose
	d.face = NearestFace(d.sight.sum, p)
	m := MissOf(d.sight.sum, d.face, p)
	off := math.Hypot(m.OffMM-PreDockMM, m.SideMM)
	switch {
	case off <= exactMM && math.Abs(m.TurnRad) <= exactRad:
		return actions.Success
	case d.exact >= maxExact && off <= 2*exactMM && math.Abs(m.TurnRad) <= 2*exactRad:
		return actions.Success
	case d.exact >= maxExact:
		return d.another(env, o, actions.DidNotReachPreactionPose)
	}
	d.exact++
	d.phase = driveExact
	if off <= exactMM {
		d.sub.Begin(env, motion.NewTurnInPlace(motion.TurnParams{AngleRad: -m.TurnRad, SpeedRadPS: 1}))
	} else {
		d.sub.Begin(env, toPose(At(d.sight.sum, d.face, PreDockMM)))
	}
	return actions.Running
}

// Stop ends what moves.
func (d *Drive) Stop(env *actions.Env) {
	d.sub.Stop(env)
	d.head.Stop(env)
}

// DriveThen drives to a pre-action pose of a cube and then does what begins there. A drive that fails is ignored: the second action says more
// exactly what is wrong, and its type, payload and result are those of the whole.
func DriveThen(id int, then actions.Action) actions.Action {
	return compound.NewSequential(compound.Params{Name: "DriveAnd" + then.Name(), Children: []compound.Child{
		{Action: NewDrive(DriveParams{ID: id}), Ignore: true}, {Action: then, Proxy: true},
	}})
}
