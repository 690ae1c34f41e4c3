package hands

import (
	"math"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// KnockOverParams configure a KnockOver.
type KnockOverParams struct {
	ID int // of the upper cube of a stack
}

const (
	// freeMM is the way back that takes the robot off the lower cube, so that the turn leaves that where it is.
	freeMM = 6.0
	// sweepRad is the turn that takes the upper cube aside: 33 mm, more than the 15 mm at which a cube still stands on another one.
	sweepRad = 35 * rad
	// besideMM is where it then comes down, from the middle of the stack, and besideRoomMM how much room it needs there.
	besideMM, besideRoomMM = 50.0, 60.0
)

// Phases of a knock-over after the contact.
const (
	knockRaise = iota + 1
	knockFree
	knockSweep
	knockDrop
	knockBack
	knockReturn
	knockLook
)

// A KnockOver sweeps the upper cube off a stack, from a pre-action pose: it lifts it a little, turns aside where there is room, and drops it. It
// succeeds when the cube is seen on the ground. It ends as Align does, or with STILL_CARRYING_OBJECT, BAD_OBJECT (it stands on the ground),
// PLACEMENT_GOAL_NOT_FREE (there is room on neither side), VISUAL_OBSERVATION_FAILED if the cube is not seen afterwards, and
// LAST_PICK_AND_PLACE_FAILED if it still stands high.
type KnockOver struct {
	docking
	params KnockOverParams
	turn   float64 // of the sweep
}

// NewKnockOver returns the action.
func NewKnockOver(p KnockOverParams) *KnockOver { return &KnockOver{params: p} }

// Name is KnockOver.
func (*KnockOver) Name() string { return "KnockOver" }

// Type is FLIP_BLOCK.
func (*KnockOver) Type() actions.Type { return actions.TypeFlipBlock }

// Payload names the cube.
func (k *KnockOver) Payload() any { return Payload{ID: k.params.ID, Face: k.approach.face} }

// Status is the phase.
func (k *KnockOver) Status() string {
	return k.status("lifting", "getting free", "sweeping", "dropping", "backing away", "turning back", "looking")
}

// Init checks the cube and begins to dock.
func (k *KnockOver) Init(env *actions.Env) actions.Result {
	o, ok := cubeOf(env.World, k.params.ID)
	switch {
	case env.World.Body.Carrying:
		return actions.StillCarryingObject
	case !ok, o.BaseMM < CubeMM/2:
		return actions.BadObject
	}
	return k.dock(env, k.params.ID, liftFor(o.BaseMM), 0)
}

// CheckIfDone docks, sweeps and looks.
func (k *KnockOver) CheckIfDone(env *actions.Env) actions.Result {
	if res := lost(env); res != actions.Success {
		return res
	}
	if !k.docked {
		if res := k.approach.step(env); res != actions.Success {
			return res
		}
		side := roomBeside(env.World, k.params.ID)
		if side == 0 {
			return actions.PlacementGoalNotFree
		}
		k.docked, k.turn = true, side*sweepRad
		return k.enter(env, knockRaise, moveLift(motion.LiftCarryMM))
	}
	if k.phase == knockLook {
		return k.look(env)
	}
	switch res := k.sub.Step(env); {
	case res == actions.Running:
		return res
	case res == actions.MotorStoppedMakingProgress && (k.phase == knockRaise || k.phase == knockDrop): // the cube is in the way of the lift
	case res != actions.Success:
		return res
	}
	return k.next(env)
}

// next begins what follows a phase.
func (k *KnockOver) next(env *actions.Env) actions.Result {
	switch k.phase {
	case knockRaise:
		return k.enter(env, knockFree, back(freeMM))
	case knockFree:
		return k.enter(env, knockSweep, motion.NewTurnInPlace(motion.TurnParams{AngleRad: k.turn}))
	case knockSweep:
		return k.enter(env, knockDrop, motion.NewMoveLift(motion.LiftParams{HeightMM: motion.LiftLowDockMM, ToleranceMM: liftTolMM}))
	case knockDrop:
		return k.enter(env, knockBack, back(lookBackMM))
	case knockBack:
		return k.enter(env, knockReturn, motion.NewTurnInPlace(motion.TurnParams{AngleRad: -k.turn / 2}))
	}
	k.approach.sight.again(env.World.Now)
	return k.enter(env, knockLook, nil)
}

// look waits for a sighting of the cube on the ground.
func (k *KnockOver) look(env *actions.Env) actions.Result {
	s := &k.approach.sight
	s.look(env.World)
	switch n := len(s.seen); {
	case n > 0 && s.seen[n-1].BaseMM < CubeMM/2:
		return actions.Success
	case n < leastSights && env.Now.Sub(k.since) < lookTime, env.Now.Sub(k.since) < stillTime:
		return actions.Running
	case n == 0:
		return actions.VisualObservationFailed
	}
	return actions.LastPickAndPlaceFailed
}

// roomBeside is the side of a robot in front of a stack to which the upper cube may fall: 1 is left, -1 right, 0 neither.
func roomBeside(w *hardware.World, id int) float64 {
	o, ok := cubeOf(w, id)
	if !ok {
		return 0
	}
	for _, side := range [...]float64{1, -1} {
		sin, cos := math.Sincos(w.Body.Pose.HeadingRad + side*math.Pi/2)
		place := hardware.Pose{XMM: o.Pose.XMM + besideMM*cos, YMM: o.Pose.YMM + besideMM*sin}
		if roomAt(w, place, o.Pose) {
			return side
		}
	}
	return 0
}

// roomAt reports whether nothing is known at a place, except a stack.
func roomAt(w *hardware.World, place, stack hardware.Pose) bool {
	for i := range w.Objects {
		o := &w.Objects[i]
		if o.Origin == w.Body.Origin && !near(o.Pose, stack, CubeMM*0.75) && near(o.Pose, place, besideRoomMM) {
			return false
		}
	}
	if w.Map == nil {
		return true
	}
	for i := range w.Map.Marks {
		m := &w.Map.Marks[i]
		if m.Kind == hardware.MarkEdge && near(hardware.Pose{XMM: m.XMM, YMM: m.YMM}, place, besideRoomMM+m.RadiusMM) {
			return false
		}
	}
	return true
}
