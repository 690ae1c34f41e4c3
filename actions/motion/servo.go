package motion

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// Limits, presets and tolerances of head and lift.
const (
	HeadMinRad    = -22 * rad
	HeadMaxRad    = 45 * rad
	HeadGroundRad = -15 * rad
	HeadBlockRad  = -17.5 * rad
	HeadTolRad    = 2 * rad

	LiftMinMM      = 32.0
	LiftMaxMM      = 92.0
	LiftLowDockMM  = 32.0
	LiftHighDockMM = 76.0
	LiftCarryMM    = 92.0
	LiftTolMM      = 5.0
)

// HeadParams configure a MoveHead.
type HeadParams struct {
	AngleRad float64 // clipped to -22° … 45°
	// Relative adds the angle at the start.
	Relative bool
	// ToleranceRad defaults to 2°, which is also the least.
	ToleranceRad float64
	// VariabilityRad is the largest random angle added.
	VariabilityRad float64
	// MaxRadPS limits the speed; 0 = as fast as possible.
	MaxRadPS float64
}

// A MoveHead moves the head to an angle.
type MoveHead struct {
	refusal
	params HeadParams
	id     uint64
	fixed  bool // the target is known
	settle settle
}

// NewMoveHead returns the action.
func NewMoveHead(p HeadParams) *MoveHead {
	why := actions.Finite(
		actions.Num("AngleRad", p.AngleRad), actions.Num("ToleranceRad", p.ToleranceRad), actions.Num("VariabilityRad", p.VariabilityRad), actions.Num("MaxRadPS", p.MaxRadPS),
	)
	p.ToleranceRad = max(p.ToleranceRad, HeadTolRad)
	return &MoveHead{refusal: why, params: p}
}

// Name is MoveHead.
func (*MoveHead) Name() string { return "MoveHead" }

// Type is MOVE_HEAD_TO_ANGLE.
func (*MoveHead) Type() actions.Type { return actions.TypeMoveHeadToAngle }

// Tracks is the head.
func (*MoveHead) Tracks() actions.Tracks { return actions.Head }

// Init sends the command, unless the head is there already.
func (h *MoveHead) Init(env *actions.Env) actions.Result {
	s := env.World.Servos
	h.id = 0
	switch {
	case h.refusal != "":
		return actions.Abort
	case lacks(s, s.Value.NoHead):
		return actions.Success
	case !s.OK():
		return actions.SendMessageToRobotFailed
	}
	h.aim(env, s.Value.HeadRad)
	h.id, h.settle = 0, settle{}
	if h.there(s.Value) {
		return actions.Success
	}
	h.id = env.NextID()
	env.Send(hardware.MoveHead{ID: h.id, AngleRad: h.params.AngleRad, MaxRadPS: h.params.MaxRadPS})
	return actions.Success
}

// aim fixes the target once; a retry keeps it.
func (h *MoveHead) aim(env *actions.Env, nowRad float64) {
	if h.fixed {
		return
	}
	h.fixed = true
	if h.params.Relative {
		h.params.AngleRad += nowRad
	}
	if h.params.VariabilityRad > 0 {
		h.params.AngleRad += (2*env.Rand.Float64() - 1) * h.params.VariabilityRad
	}
	low, _ := env.World.Servos.Value.Low()
	high, _ := env.World.Servos.Value.High()
	h.params.AngleRad = min(max(h.params.AngleRad, low), high) // as the driver does, or it would never be there
}

// CheckIfDone waits for the acknowledgement and the standstill in tolerance.
func (h *MoveHead) CheckIfDone(env *actions.Env) actions.Result {
	s := env.World.Servos
	if h.id == 0 {
		return actions.Success
	}
	return h.settle.step(env, s.OK() && s.Value.RefusedID != h.id, s.Value.HeadID == h.id && !s.Value.HeadMoving, h.there(s.Value))
}

func (h *MoveHead) there(s hardware.ServoState) bool {
	return !s.HeadMoving && math.Abs(s.HeadRad-h.params.AngleRad) <= h.params.ToleranceRad
}

// lacks reports whether the robot has no joints at all, or not this one. Then there is nothing to move, and an action that would is done: a
// robot without head looks the way it looks.
func lacks(s hardware.Reading[hardware.ServoState], this bool) bool {
	return s.Quality == hardware.Absent || this
}

// LiftParams configure a MoveLift.
type LiftParams struct {
	HeightMM float64 // clipped to 32 … 92
	// ToleranceMM defaults to 5.
	ToleranceMM float64
	// MaxMMPS limits the speed; 0 = as fast as possible.
	MaxMMPS float64
}

// A MoveLift moves the lift to a height.
type MoveLift struct {
	refusal
	params LiftParams
	id     uint64
	settle settle
}

// NewMoveLift returns the action.
func NewMoveLift(p LiftParams) *MoveLift {
	why := actions.Finite(actions.Num("HeightMM", p.HeightMM), actions.Num("ToleranceMM", p.ToleranceMM), actions.Num("MaxMMPS", p.MaxMMPS))
	p.HeightMM = min(max(p.HeightMM, LiftMinMM), LiftMaxMM)
	p.ToleranceMM = orDefault(p.ToleranceMM, LiftTolMM)
	return &MoveLift{refusal: why, params: p}
}

// Name is MoveLift.
func (*MoveLift) Name() string { return "MoveLift" }

// Type is MOVE_LIFT_TO_HEIGHT.
func (*MoveLift) Type() actions.Type { return actions.TypeMoveLiftToHeight }

// Tracks is the lift.
func (*MoveLift) Tracks() actions.Tracks { return actions.Lift }

// Init sends the command, unless the lift is there already.
func (l *MoveLift) Init(env *actions.Env) actions.Result {
	s := env.World.Servos
	l.id = 0
	switch {
	case l.refusal != "":
		return actions.Abort
	case lacks(s, s.Value.NoLift):
		return actions.Success
	case !s.OK():
		return actions.SendMessageToRobotFailed
	}
	_, low := s.Value.Low()
	_, high := s.Value.High()
	l.params.HeightMM = min(max(l.params.HeightMM, low), high) // as the driver does, or it would never be there
	l.id, l.settle = 0, settle{}
	if l.there(s.Value) {
		return actions.Success
	}
	l.id = env.NextID()
	env.Send(hardware.MoveLift{ID: l.id, HeightMM: l.params.HeightMM, MaxMMPS: l.params.MaxMMPS})
	return actions.Success
}

// CheckIfDone waits for the acknowledgement and the standstill in tolerance.
func (l *MoveLift) CheckIfDone(env *actions.Env) actions.Result {
	s := env.World.Servos
	if l.id == 0 {
		return actions.Success
	}
	return l.settle.step(env, s.OK() && s.Value.RefusedID != l.id, s.Value.LiftID == l.id && !s.Value.LiftMoving, l.there(s.Value))
}

func (l *MoveLift) there(s hardware.ServoState) bool {
	return !s.LiftMoving && math.Abs(s.LiftMM-l.params.HeightMM) <= l.params.ToleranceMM
}

// settleTime is how long an acknowledged servo may stand short of its target before that counts as no progress. It may
// not have begun to move yet.
const settleTime = 500 * time.Millisecond

// settle decides when a servo action ends.
type settle struct{ since time.Time }

// step takes three facts: the servo answers and did not refuse, it stands with our command acknowledged, it is on target.
func (s *settle) step(env *actions.Env, ok, still, there bool) actions.Result {
	switch {
	case !ok:
		return actions.SendMessageToRobotFailed
	case !still:
		s.since = time.Time{}
		return actions.Running
	case there:
		return actions.Success
	case s.since.IsZero():
		s.since = env.Now
	case env.Now.Sub(s.since) >= settleTime:
		return actions.MotorStoppedMakingProgress
	}
	return actions.Running
}
