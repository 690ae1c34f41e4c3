package hands

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// lookForCubes is what all actions with cubes want the camera to do: an approach stops without fresh images.
var lookForCubes = hardware.LookFor(hardware.SeeMarkers, hardware.High)

const (
	// dockTimeout covers docking with every second look, and what the lift does then.
	dockTimeout = 40 * time.Second
	allMotors   = actions.Head | actions.Lift | actions.Body
)

// A Payload is the payload of everything that handles cubes.
type Payload struct {
	ID int // of the cube that was asked for; of the carried one when it was put down
	// Face is the face before which the robot stood last, or was to stand.
	Face int
}

// AlignParams configure an Align.
type AlignParams struct {
	ID int // of the cube
	// OffMM is the distance of the robot's front from the face, at the end; 0 touches it.
	OffMM float64
	// LiftMM is the height of the lift; 0 is that of the slot of the cube, as high as it stands.
	LiftMM float64
}

// An Align drives from a pre-action pose up to a face of a cube. It ends with SUCCESS, BAD_OBJECT, VISUAL_OBSERVATION_FAILED,
// DID_NOT_REACH_PREACTION_POSE, FAILED_TRAVERSING_PATH or a result of a motion.
type Align struct {
	docking
	params AlignParams
}

// NewAlign returns the action.
func NewAlign(p AlignParams) *Align { return &Align{params: p} }

// Name is AlignWithObject.
func (*Align) Name() string { return "AlignWithObject" }

// Type is ALIGN_WITH_OBJECT.
func (*Align) Type() actions.Type { return actions.TypeAlignWithObject }

// Payload names the cube.
func (a *Align) Payload() any { return Payload{ID: a.params.ID, Face: a.approach.face} }

// Init begins the approach.
func (a *Align) Init(env *actions.Env) actions.Result {
	lift := a.params.LiftMM
	if lift == 0 {
		if o, ok := cubeOf(env.World, a.params.ID); ok {
			lift = liftFor(o.BaseMM)
		}
	}
	return a.dock(env, a.params.ID, lift, a.params.OffMM)
}

// CheckIfDone approaches.
func (a *Align) CheckIfDone(env *actions.Env) actions.Result {
	if res := lost(env); res != actions.Success {
		return res
	}
	return a.approach.step(env)
}

// docking is what the actions that dock have in common.
type docking struct {
	approach approach
	docked   bool
	phase    int // of what follows the contact, from 1
	sub      actions.SubAction
	since    time.Time // of the phase
}

// Tracks is all motors.
func (*docking) Tracks() actions.Tracks { return allMotors }

// FailOffTreads is true.
func (*docking) FailOffTreads() bool { return true }

// Timeout is that of a docking.
func (*docking) Timeout() time.Duration { return dockTimeout }

// Looks is for the markers of cubes.
func (*docking) Looks() hardware.Look { return lookForCubes }

// dock checks the robot and begins the approach.
func (d *docking) dock(env *actions.Env, id int, liftMM, offMM float64) actions.Result {
	d.docked, d.phase = false, 0
	if res := ready(env); res != actions.Success {
		return res
	}
	d.approach.id, d.approach.liftMM, d.approach.offMM = id, liftMM, offMM
	return d.approach.begin(env)
}

// enter begins a phase after the contact, with an action or, with nil, a wait.
func (d *docking) enter(env *actions.Env, phase int, a actions.Action) actions.Result {
	d.phase, d.since = phase, env.Now
	d.sub.Stop(env)
	if a != nil {
		d.sub.Begin(env, a)
	}
	return actions.Running
}

// status is the phase of the approach, or one of the names of what follows.
func (d *docking) status(names ...string) string {
	if !d.docked {
		return d.approach.status()
	}
	return names[max(d.phase-1, 0)]
}

// Stop ends whatever moves.
func (d *docking) Stop(env *actions.Env) {
	d.approach.stop(env)
	d.sub.Stop(env)
}

// Status is the phase of the approach.
func (d *docking) Status() string { return d.approach.status() }

// lost reports devices that an action with a cube cannot go on without. Wheels and lift are told by the actions that move them.
func lost(env *actions.Env) actions.Result {
	if !env.World.Servos.OK() {
		return actions.SendMessageToRobotFailed
	}
	return actions.Success
}

// moveLift moves the lift to a height. With a cube on it that is as slow as it may be fast.
func moveLift(heightMM float64) actions.Action {
	return motion.NewMoveLift(motion.LiftParams{HeightMM: heightMM, ToleranceMM: liftTolMM, MaxMMPS: carryLiftMMPS})
}

// back drives backward with what is on the lift, or away from what was put down.
func back(mm float64) actions.Action {
	return motion.NewDriveStraight(motion.StraightParams{DistanceMM: -mm, SpeedMMPS: DockMMPS})
}

// carryLiftMMPS is the speed of the lift with a cube.
const carryLiftMMPS = 60.0
