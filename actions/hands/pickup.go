package hands

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// PickUpParams configure a PickUp.
type PickUpParams struct {
	ID int // of the cube
}

const (
	// A cube must be seen on the lift that soon after the lift stands, one that stood high in the longer time: the spec's 500 ms, and
	// what the camera needs for an image.
	liftedTime, liftedHighTime = time.Second, 2 * time.Second
	// awayMM is how far it backs away from a cube that it did not get, or from a stack.
	awayMM = 35.0
	// stillTime is how long a cube is watched that should lie still.
	stillTime = 500 * time.Millisecond
	// movedMM is by how much a cube lies elsewhere after it was moved.
	movedMM = 15.0
)

// Phases of a pick-up after the contact.
const (
	pickRaise = iota + 1
	pickVerify
	pickBack // away from the stack, with the cube, or from a cube that it missed
	pickLook
)

// A PickUp takes a cube from a pre-action pose: one that stands on the ground or on another cube. It succeeds when the cube is on the lift and
// stays there. A cube that is on it already is success at once; with another one it ends with STILL_CARRYING_OBJECT. With nothing on the
// lift it lowers it, backs away, looks, and ends with
// PICKUP_OBJECT_UNEXPECTEDLY_NOT_MOVING (the cube stands where it stood),
// PICKUP_OBJECT_UNEXPECTEDLY_MOVING (it moves although the lift stands),
// NOT_CARRYING_OBJECT_RETRY (it lies elsewhere), or
// LAST_PICK_AND_PLACE_FAILED (another cube is on the lift, or nobody knows).
type PickUp struct {
	docking
	params PickUpParams
	kind   actions.Type
	fail   actions.Result
	stood  hardware.Pose // where the cube was when it docked
	first  hardware.Pose // where it was seen first after a miss
}

// NewPickUp returns the action.
func NewPickUp(p PickUpParams) *PickUp {
	return &PickUp{params: p, kind: actions.TypePickAndPlaceIncomplete}
}

// Name is PickUpObject.
func (*PickUp) Name() string { return "PickUpObject" }

// Type is PICKUP_OBJECT_LOW or _HIGH as soon as it is known how high the cube stands, PICK_AND_PLACE_INCOMPLETE before.
func (p *PickUp) Type() actions.Type { return p.kind }

// Payload names the cube.
func (p *PickUp) Payload() any { return Payload{ID: p.params.ID, Face: p.approach.face} }

// Status is the phase.
func (p *PickUp) Status() string {
	return p.status("lifting", "checking the lift", "backing away", "looking what happened")
}

// Init finds the cube and begins to dock.
func (p *PickUp) Init(env *actions.Env) actions.Result {
	b := &env.World.Body
	o, ok := cubeOf(env.World, p.params.ID)
	switch {
	case b.Carrying && b.CarriedID == p.params.ID && b.CarriedID != 0:
		p.docked, p.phase, p.since = true, pickVerify, env.Now
		return actions.Success
	case b.Carrying:
		return actions.StillCarryingObject
	case !ok:
		return actions.BadObject
	}
	lift := liftFor(o.BaseMM)
	p.kind = actions.TypePickupObjectLow
	if lift == motion.LiftHighDockMM {
		p.kind = actions.TypePickupObjectHigh
	}
	return p.dock(env, p.params.ID, lift, 0)
}

// CheckIfDone docks, lifts and verifies.
func (p *PickUp) CheckIfDone(env *actions.Env) actions.Result {
	if res := lost(env); res != actions.Success {
		return res
	}
	if !p.docked {
		res := p.approach.step(env)
		if res != actions.Success {
			return res
		}
		p.docked = true
		return p.enter(env, pickRaise, moveLift(motion.LiftCarryMM))
	}
	res := p.sub.Step(env)
	if res == actions.Running {
		return res
	}
	switch p.phase {
	case pickRaise:
		if res != actions.Success && res != actions.MotorStoppedMakingProgress {
			return res
		}
		return p.enter(env, pickVerify, nil)
	case pickVerify:
		return p.verify(env)
	case pickBack:
		return p.backed(env, res)
	}
	return p.look(env)
}

// verify waits until vision says what is on the lift.
func (p *PickUp) verify(env *actions.Env) actions.Result {
	b := &env.World.Body
	limit := liftedTime
	if p.kind == actions.TypePickupObjectHigh {
		limit = liftedHighTime
	}
	switch {
	case b.Carrying && (b.CarriedID == p.params.ID || b.CarriedID == 0):
		p.fail = actions.Success
		if p.kind == actions.TypePickupObjectHigh && p.docked && p.approach.id == p.params.ID {
			return p.enter(env, pickBack, back(awayMM))
		}
		return actions.Success
	case b.Carrying:
		return actions.LastPickAndPlaceFailed
	case !env.World.Vision.OK():
		return actions.VisualObservationFailed
	case env.Now.Sub(p.since) < limit:
		return actions.Running
	}
	p.fail = actions.NotCarryingObjectRetry
	return p.enter(env, pickBack, back(awayMM))
}

// backed ends after a success. After a miss it lowers the lift, so that the next attempt begins low, and looks.
func (p *PickUp) backed(env *actions.Env, res actions.Result) actions.Result {
	if p.fail == actions.Success {
		if !env.World.Body.Carrying {
			return actions.NotCarryingObjectRetry // it slipped off on the way
		}
		return actions.Success
	}
	if res == actions.CancelledWhileRunning {
		return res
	}
	p.stood = p.approach.sight.sum
	p.approach.sight.again(env.World.Now)
	return p.enter(env, pickLook, moveLift(p.approach.liftMM))
}

// look tells from new sightings what happened to a cube that is not on the lift: it looks for half a second.
func (p *PickUp) look(env *actions.Env) actions.Result {
	s := &p.approach.sight
	fresh := s.look(env.World)
	switch waited := env.Now.Sub(p.since); {
	case fresh && len(s.seen) == 1:
		p.first, p.since = s.seen[0].Pose, env.Now
		return actions.Running
	case len(s.seen) == 0 && waited < lookTime, len(s.seen) > 0 && waited < stillTime:
		return actions.Running
	case len(s.seen) < 2:
		return p.fail
	}
	last := s.seen[len(s.seen)-1].Pose
	switch {
	case !near(last, p.first, movedMM):
		return actions.PickupObjectUnexpectedlyMoving
	case near(last, p.stood, movedMM):
		return actions.PickupObjectUnexpectedlyNotMoving
	}
	return p.fail
}
