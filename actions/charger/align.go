package charger

import (
	"math"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// AlignParams configure a TurnToAlign.
type AlignParams struct {
	// Charger is the charger's pose; nil = the remembered one.
	Charger *hardware.Pose
}

// A TurnToAlign turns so that the tail points at the middle of the charger.
type TurnToAlign struct {
	params AlignParams
	sub    actions.SubAction
}

// NewTurnToAlign returns the action.
func NewTurnToAlign(p AlignParams) *TurnToAlign { return &TurnToAlign{params: p} }

// Name is TurnToAlignWithCharger.
func (*TurnToAlign) Name() string { return "TurnToAlignWithCharger" }

// Type is TURN_TO_ALIGN_WITH_CHARGER.
func (*TurnToAlign) Type() actions.Type { return actions.TypeTurnToAlignWithCharger }

// Tracks is the body.
func (*TurnToAlign) Tracks() actions.Tracks { return actions.Body }

// FailOffTreads is true.
func (*TurnToAlign) FailOffTreads() bool { return true }

// Init finds the charger and begins the turn: BAD_OBJECT if none is known, BAD_POSE if the robot stands on its middle.
func (t *TurnToAlign) Init(env *actions.Env) actions.Result {
	c, ok := find(env, t.params.Charger)
	if !ok {
		return actions.BadObject
	}
	p := env.World.Body.Pose
	dx, dy := p.XMM-c.XMM, p.YMM-c.YMM
	if math.Hypot(dx, dy) < 1 {
		return actions.BadPose
	}
	t.sub.Begin(env, motion.NewTurnInPlace(motion.TurnParams{
		AngleRad: math.Atan2(dy, dx), Absolute: true, SpeedRadPS: alignRadPS, ToleranceRad: alignTolRad,
	}))
	return actions.Success
}

// CheckIfDone turns.
func (t *TurnToAlign) CheckIfDone(env *actions.Env) actions.Result { return t.sub.Step(env) }

// Stop ends the turn.
func (t *TurnToAlign) Stop(env *actions.Env) { t.sub.Stop(env) }
