package hands

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

const (
	// releaseMM is the way back that takes the fingers out of a cube and lets the camera see it.
	releaseMM = 40.0
	// releasedTime is how long vision may still say that the lift holds what was put down.
	releasedTime = time.Second
)

// Phases of putting down after the contact.
const (
	placeLower = iota + 1
	placeBack
	placeVerify
	placeLook // where the cube stands, after it was put on another one
)

// A release lowers the lift to where a cube stands, and backs away.
type release struct {
	docking
	heightMM float64
	id       int // that was carried
}

// begin fails with NOT_CARRYING_OBJECT_ABORT without a cube on the lift.
func (r *release) begin(env *actions.Env) actions.Result {
	if !env.World.Body.Carrying {
		return actions.NotCarryingObjectAbort
	}
	r.id = env.World.Body.CarriedID
	return ready(env)
}

// Payload names the cube that was on the lift.
func (r *release) Payload() any { return Payload{ID: r.id} }

// Status is the phase.
func (r *release) Status() string {
	return r.status("lowering", "backing away", "checking the lift", "looking")
}

// lower begins to put the cube down.
func (r *release) lower(env *actions.Env) actions.Result {
	r.docked = true
	return r.enter(env, placeLower, moveLift(r.heightMM))
}

// step lowers, backs away and verifies. STILL_CARRYING_OBJECT means that vision sees the cube on the lift afterwards.
func (r *release) step(env *actions.Env) actions.Result {
	res := r.sub.Step(env)
	if res == actions.Running {
		return res
	}
	switch r.phase {
	case placeLower: // a cube that stands higher than thought stops the lift early
		if res != actions.Success && res != actions.MotorStoppedMakingProgress {
			return res
		}
		return r.enter(env, placeBack, back(releaseMM))
	case placeBack:
		if res != actions.Success {
			return res
		}
		return r.enter(env, placeVerify, nil)
	}
	switch {
	case !env.World.Vision.OK():
		return actions.VisualObservationFailed
	case !env.World.Body.Carrying:
		return actions.Success
	case env.Now.Sub(r.since) < releasedTime:
		return actions.Running
	}
	return actions.StillCarryingObject
}

// A PlaceOnGround puts what is on the lift on the ground in front of the robot and backs away. It ends with SUCCESS, NOT_CARRYING_OBJECT_ABORT,
// PLACEMENT_GOAL_NOT_FREE if something is known to be there, STILL_CARRYING_OBJECT, or a result of a motion.
type PlaceOnGround struct{ release }

// NewPlaceOnGround returns the action.
func NewPlaceOnGround() *PlaceOnGround {
	return &PlaceOnGround{release{heightMM: motion.LiftLowDockMM}}
}

// Name is PlaceObjectOnGround.
func (*PlaceOnGround) Name() string { return "PlaceObjectOnGround" }

// Type is PLACE_OBJECT_LOW.
func (*PlaceOnGround) Type() actions.Type { return actions.TypePlaceObjectLow }

// Init checks the lift and the place, and begins.
func (p *PlaceOnGround) Init(env *actions.Env) actions.Result {
	if res := p.begin(env); res != actions.Success {
		return res
	}
	if !PlaceFree(env.World, env.World.Body.Pose, closeMM) {
		return actions.PlacementGoalNotFree
	}
	p.lower(env)
	return actions.Success
}

// CheckIfDone puts the cube down.
func (p *PlaceOnGround) CheckIfDone(env *actions.Env) actions.Result {
	if res := lost(env); res != actions.Success {
		return res
	}
	return p.step(env)
}

// A PutDown turns to the nearest direction in which the ground is free, and puts what is on the lift there. It ends as PlaceOnGround does.
type PutDown struct {
	PlaceOnGround
	turning bool
}

// NewPutDown returns the action.
func NewPutDown() *PutDown { return &PutDown{PlaceOnGround: *NewPlaceOnGround()} }

// Name is PutDownObject.
func (*PutDown) Name() string { return "PutDownObject" }

// Init chooses the direction.
func (p *PutDown) Init(env *actions.Env) actions.Result {
	if res := p.begin(env); res != actions.Success {
		return res
	}
	turn, ok := freeTurn(env.World)
	if !ok {
		return actions.PlacementGoalNotFree
	}
	if p.turning = turn != 0; p.turning {
		p.docked, p.phase = true, placeLower // for the status
		p.sub.Begin(env, motion.NewTurnInPlace(motion.TurnParams{AngleRad: turn, SpeedRadPS: 1}))
		return actions.Success
	}
	p.lower(env)
	return actions.Success
}

// CheckIfDone turns and puts the cube down.
func (p *PutDown) CheckIfDone(env *actions.Env) actions.Result {
	if !p.turning {
		return p.PlaceOnGround.CheckIfDone(env)
	}
	if res := lost(env); res != actions.Success {
		return res
	}
	res := p.sub.Step(env)
	if res == actions.Success {
		p.turning = false
		return p.lower(env)
	}
	return res
}

// freeTurn is the smallest turn after which the place in front of the robot is free, with room around it if there is such a place.
func freeTurn(w *hardware.World) (turnRad float64, ok bool) {
	for _, keep := range [...]float64{roomyMM, closeMM} {
		for i := range 12 {
			turn := float64((i+1)/2) * 30 * rad
			if i%2 == 1 {
				turn = -turn
			}
			p := w.Body.Pose
			p.HeadingRad += turn
			if PlaceFree(w, p, keep) {
				return turn, true
			}
		}
	}
	return 0, false
}

// PlaceOnParams configure a PlaceOn.
type PlaceOnParams struct {
	ID int // of the cube that stands below afterwards
}

// A PlaceOn puts what is on the lift on another cube that stands on the ground, from a pre-action pose before that. It ends as Align does, or with
// NOT_CARRYING_OBJECT_ABORT, BAD_OBJECT, PLACEMENT_GOAL_NOT_FREE (something stands on it, or it stands high itself), STILL_CARRYING_OBJECT,
// VISUAL_OBSERVATION_FAILED if the cube is not seen afterwards, or LAST_PICK_AND_PLACE_FAILED if it is seen on the ground.
type PlaceOn struct {
	release
	params PlaceOnParams
}

// NewPlaceOn returns the action.
func NewPlaceOn(p PlaceOnParams) *PlaceOn {
	return &PlaceOn{release: release{heightMM: motion.LiftHighDockMM}, params: p}
}

// Name is PlaceObjectOn.
func (*PlaceOn) Name() string { return "PlaceObjectOn" }

// Type is PLACE_OBJECT_HIGH.
func (*PlaceOn) Type() actions.Type { return actions.TypePlaceObjectHigh }

// Init checks both cubes and begins to dock with the lift up.
func (p *PlaceOn) Init(env *actions.Env) actions.Result {
	if res := p.begin(env); res != actions.Success {
		return res
	}
	o, ok := cubeOf(env.World, p.params.ID)
	_, taken := Upon(env.World, p.params.ID)
	switch {
	case !ok, p.params.ID == p.id:
		return actions.BadObject
	case taken, o.BaseMM > CubeMM/2:
		return actions.PlacementGoalNotFree
	}
	return p.dock(env, p.params.ID, motion.LiftCarryMM, 0)
}

// CheckIfDone docks, lowers and verifies.
func (p *PlaceOn) CheckIfDone(env *actions.Env) actions.Result {
	if res := lost(env); res != actions.Success {
		return res
	}
	if !p.docked {
		if !env.World.Body.Carrying {
			return actions.NotCarryingObjectAbort // it slipped off on the way
		}
		if res := p.approach.step(env); res != actions.Success {
			return res
		}
		return p.lower(env)
	}
	if p.phase == placeLook {
		return p.look(env)
	}
	if res := p.step(env); res != actions.Success || p.id == 0 { // a cube that vision could not name on the lift cannot be found now
		return res
	}
	p.approach.sight.begin(p.id)
	p.approach.sight.again(env.World.Now)
	return p.enter(env, placeLook, nil)
}

// look waits for sightings of the cube from images taken after the release, and tells from the newest whether it stands high.
func (p *PlaceOn) look(env *actions.Env) actions.Result {
	s := &p.approach.sight
	s.look(env.World)
	switch n := len(s.seen); {
	case n < leastSights && env.Now.Sub(p.since) < lookTime:
		return actions.Running
	case n == 0:
		return actions.VisualObservationFailed
	case s.seen[n-1].BaseMM < CubeMM/2:
		return actions.LastPickAndPlaceFailed
	}
	return actions.Success
}
