package look

import (
	"fmt"
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

const (
	// VerifyImages is how many images a verification looks through, as the reference robot does.
	VerifyImages = 10
	// imageWait is how long no image may come before a verification gives up.
	imageWait = 3 * time.Second
	// verifyTolMM is how near to a pose a thing stands at it, along each axis.
	verifyTolMM = 10.0
)

// VerifyParams configure a Verify.
type VerifyParams struct {
	// Target is a motion.FaceTarget or motion.ObjectTarget; its ID 0 is any of them.
	Target motion.Target
	// Images defaults to 10.
	Images int
}

// A VerifyPayload is the payload of a verification: what was seen.
type VerifyPayload struct {
	FaceID, ObjectID int
	Images           int // that were looked through
}

// A Verify looks whether a face or an object is in view. It moves the lift out of the view first, to the nearer of its lowest and its carry height,
// unless it carries something. Head and body stay as they are.
//
// It ends with SUCCESS as soon as an image that was taken after its start has it, with VISUAL_OBSERVATION_FAILED after ten images without it, or 3 s
// without an image, and with SEND_MESSAGE_TO_ROBOT_FAILED without eyes. A lift that fails does not matter.
type Verify struct {
	params VerifyParams
	lift   actions.SubAction
	images images
	found  VerifyPayload
}

// NewVerify returns the action.
func NewVerify(p VerifyParams) *Verify {
	if p.Images <= 0 {
		p.Images = VerifyImages
	}
	return &Verify{params: p}
}

// NewVerifyFace looks for a face, any one for id 0.
func NewVerifyFace(id int) *Verify {
	return NewVerify(VerifyParams{Target: motion.FaceTarget{ID: id}})
}

// NewVerifyObject looks for an object, any one of the kind for id 0; an empty kind is any.
func NewVerifyObject(id int, kind string) *Verify {
	return NewVerify(VerifyParams{Target: motion.ObjectTarget{ID: id, Kind: kind}})
}

// face reports whether it looks for a face.
func (v *Verify) face() bool {
	_, ok := v.params.Target.(motion.FaceTarget)
	return ok
}

// Name is VisuallyVerifyFace or VisuallyVerifyObject.
func (v *Verify) Name() string {
	if v.face() {
		return "VisuallyVerifyFace"
	}
	return "VisuallyVerifyObject"
}

// Type is VISUALLY_VERIFY_FACE or _OBJECT.
func (v *Verify) Type() actions.Type {
	if v.face() {
		return actions.TypeVisuallyVerifyFace
	}
	return actions.TypeVisuallyVerifyObject
}

// Tracks is the lift.
func (*Verify) Tracks() actions.Tracks { return actions.Lift }

// Looks is what the camera has to look for (RUN-6).
func (v *Verify) Looks() hardware.Look { return modes(v.params.Target) }

// Payload is a VerifyPayload.
func (v *Verify) Payload() any {
	v.found.Images = v.images.n
	return v.found
}

// Status is the phase.
func (v *Verify) Status() string {
	if v.lift.Active() {
		return "moving the lift out of the view"
	}
	return "looking"
}

// Init moves the lift.
func (v *Verify) Init(env *actions.Env) actions.Result {
	switch {
	case v.params.Target == nil:
		return actions.NoGoalSet
	case !env.World.Vision.OK():
		return actions.SendMessageToRobotFailed
	}
	_, things := v.params.Target.(motion.ObjectTarget)
	v.found, v.images = VerifyPayload{}, images{things: things}
	clearView(env, &v.lift)
	return actions.Success
}

// clearView begins to move the lift out of the view, if it is in it.
func clearView(env *actions.Env, lift *actions.SubAction) {
	s := env.World.Servos
	if env.World.Body.Carrying || !s.OK() || s.Value.NoLift {
		return
	}
	to := motion.LiftLowDockMM
	if s.Value.LiftMM > (motion.LiftLowDockMM+motion.LiftCarryMM)/2 {
		to = motion.LiftCarryMM
	}
	if math.Abs(s.Value.LiftMM-to) > motion.LiftTolMM {
		lift.Begin(env, motion.NewMoveLift(motion.LiftParams{HeightMM: to}))
	}
}

// CheckIfDone looks through the images.
func (v *Verify) CheckIfDone(env *actions.Env) actions.Result {
	if v.lift.Step(env) == actions.Running {
		return actions.Running
	}
	v.images.begin(env.Now)
	if !v.images.look(env.World) {
		return actions.VisualObservationFailed
	}
	if v.sees(env.World) {
		return actions.Success
	}
	if v.images.n >= v.params.Images {
		return actions.VisualObservationFailed
	}
	return actions.Running
}

// sees reports whether an image since the start has the target.
func (v *Verify) sees(w *hardware.World) bool {
	switch t := v.params.Target.(type) {
	case motion.FaceTarget:
		for i := range w.Faces {
			if f := &w.Faces[i]; (t.ID == 0 || f.ID == t.ID) && f.SeenAt.After(v.images.since) {
				v.found.FaceID = f.ID
				return true
			}
		}
	case motion.ObjectTarget:
		o, ok := seen(w, t.ID, t.Kind, v.images.since)
		v.found.ObjectID = o.ID
		return ok
	default:
		p, res := t.Find(w)
		return res == actions.Success && p.SeenAt.After(v.images.since)
	}
	return false
}

// seen is an object that was seen after an instant: that with an ID, or for 0 the first of a kind.
func seen(w *hardware.World, id int, kind string, since time.Time) (hardware.KnownObject, bool) {
	for i := range w.Objects {
		o := &w.Objects[i]
		if o.Origin == w.Body.Origin && (id == 0 || o.ID == id) && (kind == "" || o.Kind == kind) && o.SeenAt.After(since) {
			return *o, true
		}
	}
	return hardware.KnownObject{}, false
}

// Stop stops the lift.
func (v *Verify) Stop(env *actions.Env) { v.lift.Stop(env) }

// Reset looks again.
func (v *Verify) Reset() { v.images = images{} }

// images counts those that were taken since an instant.
type images struct {
	since, last time.Time
	seq         uint64
	n           int
	things      bool // only those in which somebody looked for objects
}

// begin begins to count, if it has not begun.
func (m *images) begin(now time.Time) {
	if m.since.IsZero() {
		m.since, m.last = now, now
	}
}

// look takes the newest image and reports false if none comes any more.
func (m *images) look(w *hardware.World) bool {
	v := &w.Vision
	if !v.OK() {
		return false
	}
	if at := v.Value.CapturedAt; v.Seq != m.seq && (at.IsZero() || at.After(m.since)) && (at.IsZero() || at != m.last) && (!m.things || !v.Value.NoMarkers) {
		m.n++
		if m.last = at; at.IsZero() {
			m.last = w.Now
		}
	}
	m.seq = v.Seq
	return w.Now.Sub(m.last) < imageWait
}

// NothingParams configure a VerifyNothing.
type NothingParams struct {
	// XMM and YMM is the place in the odometry frame.
	XMM, YMM float64
	// ToleranceMM is how far beside it, along each axis, a thing still stands at it: 10.
	ToleranceMM float64
	// Images defaults to 10.
	Images int
}

// A VerifyNothing turns to a place on the ground and looks whether nothing stands there.
//
// It ends with SUCCESS after ten images of the place without an object at it, with VISUAL_OBSERVATION_FAILED as soon as one shows an object there, or when
// no image comes for 3 s; with BAD_POSE for a place that cannot be seen from here (nearer than 80 mm or farther than 800 mm), or in a frame that
// no longer exists; and with the results of a turn.
type VerifyNothing struct {
	refusal
	params NothingParams
	lift   actions.SubAction
	turn   actions.SubAction
	images images
	origin uint64
	why    string // it cannot look there
}

// NewVerifyNothing returns the action.
func NewVerifyNothing(p NothingParams) *VerifyNothing {
	why := actions.Finite(actions.Num("XMM", p.XMM), actions.Num("YMM", p.YMM), actions.Num("ToleranceMM", p.ToleranceMM))
	p.ToleranceMM = orDefault(p.ToleranceMM, verifyTolMM)
	if p.Images <= 0 {
		p.Images = VerifyImages
	}
	return &VerifyNothing{refusal: why, params: p}
}

// Refusal is what is wrong with the parameters or the place.
func (v *VerifyNothing) Refusal() string {
	if v.refusal != "" {
		return string(v.refusal)
	}
	return v.why
}

// Name is VisuallyVerifyNoObjectAtPose.
func (*VerifyNothing) Name() string { return "VisuallyVerifyNoObjectAtPose" }

// Type is VISUALLY_VERIFY_NO_OBJECT_AT_POSE.
func (*VerifyNothing) Type() actions.Type { return actions.TypeVisuallyVerifyNoObjectAtPose }

// Tracks is body, head and lift.
func (*VerifyNothing) Tracks() actions.Tracks { return actions.Body | actions.Head | actions.Lift }

// FailOffTreads is true.
func (*VerifyNothing) FailOffTreads() bool { return true }

// Looks is what the camera has to look for (RUN-6).
func (*VerifyNothing) Looks() hardware.Look {
	return hardware.LookFor(hardware.SeeMarkers, hardware.High)
}

// Status is the phase.
func (v *VerifyNothing) Status() string {
	switch {
	case v.lift.Active():
		return "moving the lift out of the view"
	case v.turn.Active():
		return "turning to the place"
	}
	return "looking"
}

// Init begins the turn.
func (v *VerifyNothing) Init(env *actions.Env) actions.Result {
	w := env.World
	d, bearing := w.Body.Pose.To(v.params.XMM, v.params.YMM)
	v.why = ""
	switch {
	case v.refusal != "":
		return actions.BadPose
	case d < sureNearMM, d > thingFarMM:
		v.why = fmt.Sprintf("the place is %.0f mm away; it sees the ground from %.0f to %.0f mm", d, sureNearMM, thingFarMM)
		return actions.BadPose
	case !w.Vision.OK():
		return actions.SendMessageToRobotFailed
	}
	v.images, v.origin = images{things: true}, w.Body.Origin
	clearView(env, &v.lift)
	down := min(math.Atan2(cubeMM/2-eyeMM, d), thingHeadRad)
	v.turn.Begin(env, motion.NewPanAndTilt(motion.PanTiltParams{BodyRad: bearing, HeadRad: down, HeadOptional: true}))
	return actions.Success
}

// CheckIfDone turns, then looks through the images.
func (v *VerifyNothing) CheckIfDone(env *actions.Env) actions.Result {
	w := env.World
	if w.Body.Origin != v.origin {
		return actions.BadPose
	}
	lift := v.lift.Step(env)
	if res := v.turn.Step(env); res != actions.Success {
		return res
	}
	if lift == actions.Running {
		return actions.Running
	}
	v.images.begin(env.Now)
	if _, bearing := w.Body.Pose.To(v.params.XMM, v.params.YMM); math.Abs(bearing) > sureSideRad {
		return actions.BadPose // on the charger only the head turns
	}
	switch {
	case !v.images.look(w), v.occupied(w):
		return actions.VisualObservationFailed
	case v.images.n >= v.params.Images:
		return actions.Success
	}
	return actions.Running
}

// occupied reports whether an image since the turn shows an object at the place.
func (v *VerifyNothing) occupied(w *hardware.World) bool {
	for i := range w.Objects {
		o := &w.Objects[i]
		at := math.Abs(o.Pose.XMM-v.params.XMM) <= v.params.ToleranceMM && math.Abs(o.Pose.YMM-v.params.YMM) <= v.params.ToleranceMM
		if at && o.Origin == w.Body.Origin && o.SeenAt.After(v.images.since) && (o.ID != w.Body.CarriedID || w.Body.CarriedID == 0) {
			return true
		}
	}
	return false
}

// Stop stops what moves.
func (v *VerifyNothing) Stop(env *actions.Env) {
	v.turn.Stop(env)
	v.lift.Stop(env)
}
