package motion

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

const (
	// maxCorrections limits the turns that follow the first one to remove the error that the gyro measures.
	maxCorrections = 3
	// maxTurnRad refuses nonsense: 25 revolutions.
	maxTurnRad = 25 * 2 * math.Pi
)

// TurnParams configure a TurnInPlace.
type TurnParams struct {
	// AngleRad is relative to the heading at the start, its sign is the direction and it may exceed a revolution; with
	// Absolute it is a heading in the odometry frame, reached the shortest way.
	AngleRad float64
	Absolute bool
	// SpeedRadPS defaults to that of the motion profile, else to 2. It is clipped to 300°/s.
	SpeedRadPS float64
	// ToleranceRad defaults to 2°, which is also the least.
	ToleranceRad float64
	// VariabilityRad is the largest random angle added.
	VariabilityRad float64
	// AllowOnCharger lets the robot turn while it stands on the charger.
	AllowOnCharger bool
	// Retreat allows turning while the cliff sensors see an edge.
	Retreat bool
	// AllowedTreads defaults to OnTreads and InAir. A turn that began on treads ends when they are left in any case.
	AllowedTreads []hardware.Treads
}

// A TurnPayload is the payload of a finished turn.
type TurnPayload struct {
	Relocalizations int // how often the odometry frame changed during the turn
}

// A TurnInPlace turns the robot around the middle of its axle. Wheels slip in turns, so it compares the heading that
// the body estimator takes from the gyro with the target and corrects up to three times.
type TurnInPlace struct {
	refusal
	params      TurnParams
	askedRadPS  float64 // 0 = the profile's speed
	seg         segment
	varied      bool
	leftRad     float64 // to go; signed
	lastRad     float64 // heading at the last step
	begun       bool    // leftRad is known
	corrections int
	origin      uint64
	moved       int
}

// NewTurnInPlace returns the action.
func NewTurnInPlace(p TurnParams) *TurnInPlace {
	why := actions.Finite(
		actions.Num("AngleRad", p.AngleRad), actions.Num("SpeedRadPS", p.SpeedRadPS), actions.Num("ToleranceRad", p.ToleranceRad), actions.Num("VariabilityRad", p.VariabilityRad),
	)
	p.ToleranceRad = max(p.ToleranceRad, MinTurnTolRad)
	return &TurnInPlace{refusal: why, params: p, askedRadPS: p.SpeedRadPS}
}

// Name is TurnInPlace.
func (*TurnInPlace) Name() string { return "TurnInPlace" }

// Type is TURN_IN_PLACE.
func (*TurnInPlace) Type() actions.Type { return actions.TypeTurnInPlace }

// Tracks is the body.
func (*TurnInPlace) Tracks() actions.Tracks { return actions.Body }

// FailOffTreads is true: leaving the treads ends a turn.
func (*TurnInPlace) FailOffTreads() bool { return true }

// Timeout is the default, or twice the time of a long turn.
func (t *TurnInPlace) Timeout() time.Duration {
	return max(actions.DefaultTimeout, driveTime(t.params.AngleRad, orDefault(t.params.SpeedRadPS, TurnRadPS)))
}

// Payload is a TurnPayload.
func (t *TurnInPlace) Payload() any { return TurnPayload{Relocalizations: t.moved} }

// Init finds the angle to go. An absolute turn that is in tolerance already is done without motion.
func (t *TurnInPlace) Init(env *actions.Env) actions.Result {
	switch {
	case t.refusal != "", math.Abs(t.params.AngleRad) > maxTurnRad:
		return actions.Abort
	case !t.treadsAllowed(env):
		return actions.InvalidOffTreadsState
	}
	if res := canDrive(env, t.params.AllowOnCharger); res != actions.Success {
		return res
	}
	if !t.varied && t.params.VariabilityRad > 0 {
		t.params.AngleRad += (2*env.Rand.Float64() - 1) * t.params.VariabilityRad
	}
	t.varied = true
	t.params.SpeedRadPS = min(orDefault(t.askedRadPS, orDefault(env.Profile.TurnRadPS, TurnRadPS)), MaxTurnRadPS)
	b := env.World.Body
	t.origin, t.corrections = b.Origin, 0
	switch {
	case t.params.Absolute:
		t.leftRad = hardware.WrapRad(t.params.AngleRad - b.Pose.HeadingRad)
	case !t.begun: // a retry turns only the rest
		t.leftRad = t.params.AngleRad
	}
	t.begun, t.lastRad = true, b.Pose.HeadingRad
	if t.params.Absolute && t.inTolerance() || t.leftRad == 0 {
		return actions.Success
	}
	t.turn(env)
	return actions.Success
}

func (t *TurnInPlace) turn(env *actions.Env) {
	t.seg.begin(env, hardware.Drive{
		Kind: hardware.Turn, AngleRad: t.leftRad, SpeedRadPS: t.params.SpeedRadPS, AccelMMPS2: AccelMMPS2,
		Retreat: t.params.Retreat,
	})
}

// CheckIfDone keeps count of the heading, follows the segment and corrects.
func (t *TurnInPlace) CheckIfDone(env *actions.Env) actions.Result {
	if !t.seg.active() {
		return actions.Success
	}
	t.measure(env)
	if !t.treadsAllowed(env) {
		return actions.InvalidOffTreadsState
	}
	res := t.seg.step(env)
	switch {
	case res != actions.Success:
		return res
	case t.inTolerance():
		return actions.Success
	case t.corrections >= maxCorrections:
		return actions.MotorStoppedMakingProgress
	}
	t.corrections++
	t.turn(env)
	return actions.Running
}

// measure subtracts the angle turned since the last step, which is far less than half a revolution.
func (t *TurnInPlace) measure(env *actions.Env) {
	b := env.World.Body
	if b.Origin != t.origin {
		t.origin = b.Origin
		t.moved++
	} else {
		t.leftRad -= hardware.WrapRad(b.Pose.HeadingRad - t.lastRad)
	}
	t.lastRad = b.Pose.HeadingRad
}

func (t *TurnInPlace) inTolerance() bool { return math.Abs(t.leftRad) <= t.params.ToleranceRad }

func (t *TurnInPlace) treadsAllowed(env *actions.Env) bool {
	now := env.World.Body.Treads
	if t.params.AllowedTreads == nil {
		return now == hardware.OnTreads || now == hardware.InAir
	}
	for _, a := range t.params.AllowedTreads {
		if a == now {
			return true
		}
	}
	return false
}

// Stop ends a segment that still runs.
func (t *TurnInPlace) Stop(env *actions.Env) { t.seg.drop(env) }

// Reset keeps the rest of a relative turn.
func (t *TurnInPlace) Reset() { t.seg = segment{} }
