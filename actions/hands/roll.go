package hands

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
)

// RollParams configure a Roll.
type RollParams struct {
	ID int // of the cube
	// Deep pulls farther, for a second attempt.
	Deep bool
}

const (
	// holdMM is the height of the lift at which the claws hold the upper edge, whatever the lift measures wrongly.
	holdMM = RollMM - 10
	// pullMM is how far it drives back while the lift pulls the upper edge down, lookBackMM how far after that to see the cube. Both together lead
	// little farther back than where it stood before it docked, because nothing tells of an edge behind it.
	pullMM, lookBackMM = 28.0, 60.0
	deepMM             = 8.0
)

// Phases of a roll after the contact.
const (
	rollHold = iota + 1
	rollPull
	rollBack
	rollLook
)

// A Roll docks with the lift over the cube, from a pre-action pose, and pulls its upper edge down: the cube tips by a quarter turn towards the
// robot. It succeeds when another side of the cube is seen up. It ends as Align does, or with STILL_CARRYING_OBJECT, BAD_OBJECT (it does
// not stand on the ground, or another one stands on it), VISUAL_OBSERVATION_FAILED if it is not seen afterwards, and
// LAST_PICK_AND_PLACE_FAILED if it was not rolled.
type Roll struct {
	docking
	params RollParams
	up     uint8
	pull   actions.SubAction
	failed actions.Result // of the half of the pull that failed first; SUCCESS if none did
}

// NewRoll returns the action.
func NewRoll(p RollParams) *Roll { return &Roll{params: p} }

// Name is RollObject.
func (*Roll) Name() string { return "RollObject" }

// Type is ROLL_OBJECT_LOW.
func (*Roll) Type() actions.Type { return actions.TypeRollObjectLow }

// Payload names the cube.
func (r *Roll) Payload() any { return Payload{ID: r.params.ID, Face: r.approach.face} }

// Status is the phase.
func (r *Roll) Status() string { return r.status("taking hold", "pulling", "backing away", "looking") }

// Init checks the cube and begins to dock.
func (r *Roll) Init(env *actions.Env) actions.Result {
	o, ok := cubeOf(env.World, r.params.ID)
	_, loaded := Upon(env.World, r.params.ID)
	switch {
	case env.World.Body.Carrying:
		return actions.StillCarryingObject
	case !ok, loaded, o.BaseMM > CubeMM/2:
		return actions.BadObject
	}
	r.up = o.Up
	return r.dock(env, r.params.ID, RollMM, 0)
}

// CheckIfDone docks, pulls and looks.
func (r *Roll) CheckIfDone(env *actions.Env) actions.Result {
	if res := lost(env); res != actions.Success {
		return res
	}
	if !r.docked {
		res := r.approach.step(env)
		if o, ok := cubeOf(env.World, r.params.ID); ok {
			r.up = o.Up // as it was seen last before the pull
		}
		if res != actions.Success {
			return res
		}
		r.docked = true
		r.pull.Begin(env, motion.NewMoveLift(motion.LiftParams{HeightMM: motion.LiftLowDockMM}))
		return r.enter(env, rollHold, nil)
	}
	switch r.phase {
	case rollHold:
		return r.hold(env)
	case rollPull:
		return r.pulled(env, r.pull.Step(env), r.sub.Step(env))
	case rollBack:
		res := r.sub.Step(env)
		if res == actions.Success || res.Category() == actions.CategoryRetry { // something behind it stopped it: it may see enough
			r.approach.sight.again(env.World.Now)
			return r.enter(env, rollLook, nil)
		}
		return res
	}
	return r.look(env)
}

// hold lowers the lift until the claws hold the edge, and then also drives back.
func (r *Roll) hold(env *actions.Env) actions.Result {
	switch lift := r.pull.Step(env); {
	case lift == actions.Running && env.World.Servos.Value.LiftMM > holdMM:
		return lift
	case lift != actions.Running && lift != actions.Success && lift != actions.MotorStoppedMakingProgress:
		return lift
	}
	way := -pullMM
	if r.params.Deep {
		way -= deepMM
	}
	r.failed = actions.Success
	return r.enter(env, rollPull, motion.NewDriveStraight(motion.StraightParams{DistanceMM: way, SpeedMMPS: finalMMPS}))
}

// pulled waits for both halves of the pull and ends with the first failure. A half that ended answers SUCCESS from then on, so its failure is kept.
func (r *Roll) pulled(env *actions.Env, lift, drive actions.Result) actions.Result {
	if lift == actions.MotorStoppedMakingProgress { // the cube holds against it
		lift = actions.Success
	}
	for _, res := range [...]actions.Result{drive, lift} {
		if r.failed == actions.Success && res != actions.Running {
			r.failed = res
		}
	}
	switch {
	case lift == actions.Running, drive == actions.Running:
		return actions.Running
	case r.failed != actions.Success:
		return r.failed
	}
	return r.enter(env, rollBack, back(lookBackMM))
}

// look compares what is up with what was.
func (r *Roll) look(env *actions.Env) actions.Result {
	s := &r.approach.sight
	s.look(env.World)
	switch n := len(s.seen); {
	case n > 0 && s.seen[n-1].Up != r.up:
		return actions.Success
	case env.Now.Sub(r.since) < stillTime, n == 0 && env.Now.Sub(r.since) < lookTime:
		return actions.Running
	case n == 0:
		return actions.VisualObservationFailed
	}
	return actions.LastPickAndPlaceFailed
}

// Stop ends the pull, too.
func (r *Roll) Stop(env *actions.Env) {
	r.docking.Stop(env)
	r.pull.Stop(env)
}
