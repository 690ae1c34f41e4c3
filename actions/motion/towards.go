package motion

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// Numbers of turning towards something.
const (
	// faceFrames and faceWait bound the wait for a new sighting after the rough turn.
	faceFrames = 10
	faceWait   = 3 * time.Second
	// fineRad is the largest fine turn.
	fineRad = 45 * rad
)

// TowardsParams configure a TurnTowards.
type TowardsParams struct {
	Target Target
	// MaxTurnRad defaults to π. A target that needs more gives SUCCESS without motion.
	MaxTurnRad float64
	// ToleranceRad defaults to 5°.
	ToleranceRad float64
	// Verify waits after the turn, for at most ten images or 3 s, until the target is seen anew, and turns to where it
	// is then. It works for faces and objects.
	Verify bool
	// Require fails with NO_FACE or VISUAL_OBSERVATION_FAILED if that does not happen, or if there is no target at
	// all. Without it a missing face is SUCCESS without motion; a missing object or a bad point always fails.
	Require bool
	// SpeedRadPS defaults to 2.
	SpeedRadPS float64
}

// A TurnTowards turns body and head towards a point, a face or an object. If the head does not work, only the body turns.
type TurnTowards struct {
	refusal
	params TowardsParams
	sub    actions.SubAction
	phase  towardsPhase
	kind   actions.Type
	since  time.Time // end of the rough turn
	frames int
	seq    uint64
	image  time.Time // capture time of the newest image that was counted
}

type towardsPhase uint8

const (
	towardsRough towardsPhase = iota
	towardsLook
	towardsFine
)

// A TowardsPayload is the payload of a turn towards a face.
type TowardsPayload struct{ FaceID int }

// NewTurnTowards returns the action.
func NewTurnTowards(p TowardsParams) *TurnTowards {
	why := actions.Finite(actions.Num("MaxTurnRad", p.MaxTurnRad), actions.Num("ToleranceRad", p.ToleranceRad), actions.Num("SpeedRadPS", p.SpeedRadPS))
	p.MaxTurnRad = orDefault(p.MaxTurnRad, math.Pi)
	t := &TurnTowards{refusal: why, params: p, kind: actions.TypeTurnTowardsPose}
	switch p.Target.(type) {
	case FaceTarget:
		t.kind = actions.TypeTurnTowardsFace
	case ObjectTarget:
		t.kind = actions.TypeTurnTowardsObject
	}
	return t
}

// NewTurnTowardsFace turns to a face, the newest one for id 0, and verifies it.
func NewTurnTowardsFace(id int, require bool) *TurnTowards {
	return NewTurnTowards(TowardsParams{Target: FaceTarget{ID: id}, Verify: true, Require: require})
}

// NewTurnTowardsPose turns to a point of the odometry frame.
func NewTurnTowardsPose(xMM, yMM float64) *TurnTowards {
	return NewTurnTowards(TowardsParams{Target: PointTarget{XMM: xMM, YMM: yMM}})
}

// Name is TurnTowards with the kind of target.
func (t *TurnTowards) Name() string {
	switch t.kind {
	case actions.TypeTurnTowardsFace:
		return "TurnTowardsFace"
	case actions.TypeTurnTowardsObject:
		return "TurnTowardsObject"
	}
	return "TurnTowardsPose"
}

// Type is TURN_TOWARDS_FACE, _OBJECT or _POSE.
func (t *TurnTowards) Type() actions.Type { return t.kind }

// Tracks is body and head.
func (*TurnTowards) Tracks() actions.Tracks { return actions.Body | actions.Head }

// FailOffTreads is true.
func (*TurnTowards) FailOffTreads() bool { return true }

// Looks is for a target that is verified.
func (t *TurnTowards) Looks() hardware.Look {
	switch {
	case t.params.Verify && t.kind == actions.TypeTurnTowardsFace:
		return hardware.LookFor(hardware.SeeFaces, hardware.High)
	case t.params.Verify && t.kind == actions.TypeTurnTowardsObject:
		return hardware.LookFor(hardware.SeeMarkers, hardware.High)
	}
	return hardware.Look{}
}

// Status is the phase.
func (t *TurnTowards) Status() string {
	if t.phase == towardsLook {
		return "looking"
	}
	return t.sub.Status()
}

// Payload names the face.
func (t *TurnTowards) Payload() any {
	if f, ok := t.params.Target.(FaceTarget); ok {
		return TowardsPayload{FaceID: f.ID}
	}
	return nil
}

// Init finds the target and begins the rough turn.
func (t *TurnTowards) Init(env *actions.Env) actions.Result {
	t.phase = towardsRough
	switch {
	case t.refusal != "":
		return actions.Abort
	case t.params.Target == nil:
		return actions.BadPose
	}
	t.params.Target = settleTarget(env.World, t.params.Target)
	p, res := t.params.Target.Find(env.World)
	switch {
	case res == actions.NoFace && !t.params.Require:
		return actions.Success
	case res != actions.Success:
		return res
	}
	if f, ok := t.params.Target.(FaceTarget); ok && f.ID == 0 { // stay with the face chosen now
		if known, ok := f.face(env.World); ok {
			f.ID = known.ID
			t.params.Target = f
		}
	}
	t.turn(env, p, t.params.MaxTurnRad)
	return actions.Success
}

// turn begins a pan and tilt, unless the place is out of reach.
func (t *TurnTowards) turn(env *actions.Env, p Place, limitRad float64) {
	_, bearing := env.World.Body.Pose.To(p.XMM, p.YMM)
	if math.Abs(bearing) > limitRad {
		return
	}
	t.sub.Begin(env, NewPanAndTilt(PanTiltParams{
		BodyRad: bearing, HeadRad: p.ElevationRad, HeadOptional: true, ToleranceRad: t.params.ToleranceRad,
		SpeedRadPS: t.params.SpeedRadPS,
	}))
}

// CheckIfDone turns, waits for a new sighting if asked to, and turns to it.
func (t *TurnTowards) CheckIfDone(env *actions.Env) actions.Result {
	if t.phase == towardsLook {
		return t.look(env)
	}
	if !t.sub.Active() {
		return actions.Success
	}
	if res := t.sub.Step(env); res != actions.Success {
		return res
	}
	if t.phase == towardsFine || !t.params.Verify {
		return actions.Success
	}
	t.phase, t.since, t.frames, t.seq = towardsLook, env.Now, 0, env.World.Vision.Seq
	t.image = env.World.Vision.Value.CapturedAt
	return t.look(env)
}

// look waits for a sighting taken after the rough turn.
func (t *TurnTowards) look(env *actions.Env) actions.Result {
	p, res := t.params.Target.Find(env.World)
	if res == actions.Success && (p.SeenAt.IsZero() || p.SeenAt.After(t.since)) {
		t.phase = towardsFine
		t.turn(env, p, fineRad)
		return actions.Running
	}
	v := env.World.Vision
	if at := v.Value.CapturedAt; v.Seq != t.seq {
		if t.seq = v.Seq; at.IsZero() || at != t.image { // a reading is repeated until the next image
			t.image = at
			t.frames++
		}
	}
	if v.OK() && t.frames < faceFrames && env.Now.Sub(t.since) < faceWait {
		return actions.Running
	}
	switch {
	case !t.params.Require:
		return actions.Success
	case t.kind == actions.TypeTurnTowardsFace:
		return actions.NoFace
	}
	return actions.VisualObservationFailed
}

// Stop ends the turn.
func (t *TurnTowards) Stop(env *actions.Env) { t.sub.Stop(env) }
