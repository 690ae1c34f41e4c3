package look

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// A Mode says which parts of the robot follow a target.
type Mode uint8

// The modes.
const (
	HeadAndBody Mode = iota
	HeadOnly
	BodyOnly
)

// ModeNames are the names of the modes, as people write them.
var ModeNames = []string{"both", "head", "body"}

func (m Mode) String() string { return ModeNames[m] }

// Defaults of tracking. Pan and tilt time and the tolerances of 5° are those of the reference robot; the rest is what keeps R1 calm at its ten
// images a second with errors of about 1° each.
const (
	TrackTolRad    = 5 * rad
	TrackPanTime   = 250 * time.Millisecond
	TrackTiltTime  = 150 * time.Millisecond
	TrackLostAfter = 5 * time.Second
	TrackBodyRadPS = motion.TurnRadPS
	TrackHeadRadPS = 2.0

	// headEvery is the least time between two orders to the head, so that it gets somewhere in between.
	headEvery = 120 * time.Millisecond
	// brakeRadPS2 is how fast the turn slows down towards the target.
	brakeRadPS2 = 6.0
	// slowRadPS is the motion of a target that counts as standing.
	slowRadPS = 0.06
)

// TrackParams configure a Track. Zero values are the defaults.
type TrackParams struct {
	// Target is what is followed: a motion.FaceTarget, motion.ObjectTarget or motion.PointTarget, or a *MotionTarget. An ID of 0 is the one
	// that was seen last when the action begins.
	Target motion.Target
	Mode   Mode
	// PanTolRad and TiltTolRad are how far the target may be beside the middle before body and head move: 5°, at least 2°.
	PanTolRad, TiltTolRad float64
	// MaxBodyRadPS and MaxHeadRadPS limit the speeds: 2 rad/s.
	MaxBodyRadPS, MaxHeadRadPS float64
	// PanTime and TiltTime are the time in which an error is made good, within the limits of speed: 0.25 s and 0.15 s.
	PanTime, TiltTime time.Duration
	// FidgetMin and FidgetMax make the robot move a little although the error is below its tolerance, at random instants that far apart;
	// 0 never.
	FidgetMin, FidgetMax time.Duration
	// LostAfter ends it when no image had the target for so long: 5 s.
	LostAfter time.Duration
	// For ends it after a time; 0 never. KeepEyes lets it go on for at most that much longer while the face looks into the camera.
	For, KeepEyes time.Duration
	// Stop ends it with SUCCESS when the target is where it should be; nil never.
	Stop *StopCriteria
}

// StopCriteria are when a Track has reached what it is for. A zero limit does not count.
type StopCriteria struct {
	PanTolRad, TiltTolRad float64       // largest errors
	MinMM, MaxMM          float64       // distance of the target
	Held                  time.Duration // how long all of that has to hold
}

// A TrackPayload is the payload of a Track.
type TrackPayload struct {
	FaceID, ObjectID int
	Sightings        int // how often the target was seen anew
}

// A Track turns body and head after a target until it is cancelled. It is interruptible and has no timeout (spec of tracking actions).
//
// It ends with SUCCESS when the stop criteria hold, its time is over, or the target is lost and there are no stop criteria; with TIMEOUT if it is
// lost and there are some; with NO_FACE or BAD_OBJECT if there never was one in the time after which it counts as lost. It fails in Init with SHOULDNT_DRIVE_ON_CHARGER for the body
// alone on the charger, SEND_MESSAGE_TO_ROBOT_FAILED without eyes or without the motors that the mode needs, and ABORT for numbers that
// are none; later with INVALID_OFF_TREADS_STATE, CANCELLED_WHILE_RUNNING at an edge, MOTOR_STOPPED_MAKING_PROGRESS or
// FAILED_TRAVERSING_PATH. Where the body must not turn, only the head follows; the status says why.
type Track struct {
	refusal
	params TrackParams
	target motion.Target // params.Target, with the one that is meant
	spin   motion.Spin
	course course

	since     time.Time // of the newest sighting, or the start
	began     time.Time
	good      time.Time // since when the criteria hold
	moved     time.Time // until then the body holds still
	fidget    time.Time
	origin    uint64
	seen      int
	headAt    time.Time // of the newest order to the head
	headTo    float64
	mm        float64 // distance of the target
	tiltRad   float64 // error of the head
	why       string  // the body holds still
	following bool
}

// NewTrack returns the action.
func NewTrack(p TrackParams) *Track {
	why := actions.Finite(actions.Num("PanTolRad", p.PanTolRad), actions.Num("TiltTolRad", p.TiltTolRad), actions.Num("MaxBodyRadPS", p.MaxBodyRadPS), actions.Num("MaxHeadRadPS", p.MaxHeadRadPS))
	if p.Mode > BodyOnly {
		why = "there is no such mode"
	}
	p.PanTolRad = max(orDefault(p.PanTolRad, TrackTolRad), motion.MinTurnTolRad)
	p.TiltTolRad = max(orDefault(p.TiltTolRad, TrackTolRad), motion.HeadTolRad)
	p.MaxBodyRadPS = min(orDefault(p.MaxBodyRadPS, TrackBodyRadPS), motion.MaxTurnRadPS)
	p.MaxHeadRadPS = orDefault(p.MaxHeadRadPS, TrackHeadRadPS)
	p.PanTime, p.TiltTime = orDefault(p.PanTime, TrackPanTime), orDefault(p.TiltTime, TrackTiltTime)
	p.LostAfter = orDefault(p.LostAfter, TrackLostAfter)
	return &Track{refusal: why, params: p, target: p.Target}
}

// NewTrackFace follows a face, the one seen last for id 0.
func NewTrackFace(id int, p TrackParams) *Track {
	p.Target = motion.FaceTarget{ID: id}
	return NewTrack(p)
}

// NewTrackObject follows an object, the one of a kind that was seen last for id 0; an empty kind is any.
func NewTrackObject(id int, kind string, p TrackParams) *Track {
	p.Target = motion.ObjectTarget{ID: id, Kind: kind}
	return NewTrack(p)
}

// NewTrackMotion turns to what moves in the picture. It waits for something that does.
func NewTrackMotion(p TrackParams) *Track {
	p.Target = &MotionTarget{}
	return NewTrack(p)
}

var trackTypes = [...]actions.Type{actions.TypeTrackGroundPoint, actions.TypeTrackFace, actions.TypeTrackObject, actions.TypeTrackMotion}

// Indices of trackTypes.
const (
	kindPoint = iota
	kindFace
	kindObject
	kindMotion
)

// kind is an index of trackTypes.
func (t *Track) kind() int {
	switch t.params.Target.(type) {
	case motion.FaceTarget:
		return kindFace
	case motion.ObjectTarget:
		return kindObject
	case *MotionTarget:
		return kindMotion
	}
	return kindPoint
}

// Name is Track with the kind of target.
func (t *Track) Name() string {
	return [...]string{"TrackGroundPoint", "TrackFace", "TrackObject", "TrackMotion"}[t.kind()]
}

// Type is TRACK_FACE, _OBJECT, _MOTION or _GROUND_POINT.
func (t *Track) Type() actions.Type { return trackTypes[t.kind()] }

// Tracks is head, body, or both.
func (t *Track) Tracks() actions.Tracks {
	return [...]actions.Tracks{actions.Head | actions.Body, actions.Head, actions.Body}[min(t.params.Mode, BodyOnly)]
}

// Timeout is none.
func (*Track) Timeout() time.Duration { return actions.NoTimeout }

// Interruptible is true (RUN-10).
func (*Track) Interruptible() bool { return true }

// FailOffTreads is true.
func (*Track) FailOffTreads() bool { return true }

// Looks is what the camera has to look for (RUN-6).
func (t *Track) Looks() hardware.Look { return modes(t.params.Target) }

// Payload is a TrackPayload.
func (t *Track) Payload() any {
	p := TrackPayload{Sightings: t.seen}
	switch k := t.target.(type) {
	case motion.FaceTarget:
		p.FaceID = k.ID
	case motion.ObjectTarget:
		p.ObjectID = k.ID
	}
	return p
}

// Status is what it does, and why the body holds still if it does.
func (t *Track) Status() string {
	switch {
	case !t.following:
		return "waiting for the target"
	case t.why != "" && t.params.Mode != HeadOnly:
		return "following, the body holds still: " + t.why
	}
	return "following"
}

// Refusal is what is wrong with the parameters, or what the robot lacks.
func (t *Track) Refusal() string {
	if t.refusal != "" {
		return string(t.refusal)
	}
	return t.why
}

// Init checks what it needs and chooses the target.
func (t *Track) Init(env *actions.Env) actions.Result {
	w := env.World
	t.why = ""
	switch {
	case t.refusal != "":
		return actions.Abort
	case t.params.Target == nil:
		return actions.NoGoalSet
	case t.params.Mode == HeadOnly && (w.Servos.Value.NoHead || w.Servos.Quality == hardware.Absent):
		t.why = "the robot has no head that moves"
		return actions.SendMessageToRobotFailed
	case w.Body.Treads != hardware.OnTreads:
		return actions.InvalidOffTreadsState
	case !w.Vision.OK(), t.params.Mode != HeadOnly && !w.Motors.OK(), t.params.Mode == HeadOnly && !headWorks(w):
		return actions.SendMessageToRobotFailed
	case t.params.Mode == BodyOnly && (w.Body.OnContacts || w.Body.OnPlatform):
		return actions.ShouldntDriveOnCharger
	}
	t.target = settle(w, t.params.Target, t.params.LostAfter)
	t.began, t.since, t.origin = env.Now, env.Now, w.Body.Origin
	return actions.Success
}

func headWorks(w *hardware.World) bool { return w.Servos.OK() && !w.Servos.Value.NoHead }

// CheckIfDone follows the target.
func (t *Track) CheckIfDone(env *actions.Env) actions.Result {
	w := env.World
	if w.Body.Origin != t.origin {
		t.origin, t.course, t.following = w.Body.Origin, course{}, false // what it knew of the direction is of the old frame
	}
	if !t.following {
		t.target = settle(w, t.params.Target, t.params.LostAfter)
	}
	place, res := t.target.Find(w)
	if res == actions.Success {
		t.see(w, place)
	}
	if env.Now.Sub(t.since) >= t.params.LostAfter {
		return t.lost(res)
	}
	if t.over(w) {
		return actions.Success
	}
	if !t.following {
		return t.pan(env, 0, 0)
	}
	t.tilt(env)
	heading, speed := t.course.now(env.Now)
	off := hardware.WrapRad(heading - w.Body.Pose.HeadingRad)
	if res := t.pan(env, off, speed); res != actions.Running {
		return res
	}
	return t.reached(env.Now, off)
}

// see takes a place of the target, which is new if its image is.
func (t *Track) see(w *hardware.World, p motion.Place) {
	at := p.SeenAt
	fixed := at.IsZero()
	if fixed {
		at = w.Now
	}
	t.mm, _ = w.Body.Pose.To(p.XMM, p.YMM)
	t.tiltRad = elevation(w, t.target, p) - w.Servos.Value.HeadRad
	if t.following && !at.After(t.course.at) {
		return
	}
	t.following = true
	if fixed || at.After(t.began) {
		t.since = w.Now
		t.seen++
	}
	t.course.see(toward(w.Body.Pose, p.XMM, p.YMM), at)
	if fixed || t.kind() == kindMotion {
		t.course.radPS = 0
	}
}

// lost is the result without a target: that of Find if there never was one.
func (t *Track) lost(res actions.Result) actions.Result {
	switch {
	case !t.following && t.kind() != kindMotion:
		return res
	case t.params.Stop != nil:
		return actions.Timeout
	}
	return actions.Success
}

// over reports whether its time is over, and nobody looks into its eyes any more.
func (t *Track) over(w *hardware.World) bool {
	past := w.Now.Sub(t.began) - t.params.For
	if t.params.For <= 0 || past < 0 {
		return false
	}
	return past >= t.params.KeepEyes || !t.eyeContact(w)
}

// eyesAge is how long ago the face may have looked into the camera to count as still looking.
const eyesAge = time.Second

func (t *Track) eyeContact(w *hardware.World) bool {
	f, ok := t.target.(motion.FaceTarget)
	for i := range w.Faces {
		if ok && w.Faces[i].ID == f.ID {
			return !w.Faces[i].EyesAt.IsZero() && w.Now.Sub(w.Faces[i].EyesAt) <= eyesAge
		}
	}
	return false
}

// tilt moves the head if the error is worth it.
func (t *Track) tilt(env *actions.Env) {
	w := env.World
	if t.params.Mode == BodyOnly || !headWorks(w) || math.Abs(t.tiltRad) <= t.params.TiltTolRad || env.Now.Sub(t.headAt) < headEvery {
		return
	}
	low, _ := w.Servos.Value.Low()
	high, _ := w.Servos.Value.High()
	to := min(max(w.Servos.Value.HeadRad+t.tiltRad, low), high)
	if math.Abs(to-w.Servos.Value.HeadRad) < motion.HeadTolRad || to == t.headTo && w.Servos.Value.HeadMoving {
		return // as far as it goes, or on its way
	}
	t.headAt, t.headTo = env.Now, to
	speed := min(math.Abs(t.tiltRad)/t.params.TiltTime.Seconds(), t.params.MaxHeadRadPS)
	env.Send(hardware.MoveHead{ID: env.NextID(), AngleRad: to, MaxRadPS: speed})
}

// pan turns the body towards a target that is off to a side and moves on at a speed.
func (t *Track) pan(env *actions.Env, off, speed float64) actions.Result {
	if t.params.Mode == HeadOnly {
		return actions.Running
	}
	w := env.World
	if w.Body.Moved {
		t.moved = env.Now.Add(movedPause)
	}
	if t.why = mayTurn(w); t.why == "" && env.Now.Before(t.moved) {
		t.why = "somebody moves it"
	}
	if t.why != "" {
		return t.spin.Step(env, 0)
	}
	limit := t.params.MaxBodyRadPS
	if w.Body.Carrying {
		limit = min(limit, loadedRadPS)
	}
	return t.spin.Step(env, t.rate(env, off, speed, limit))
}

// rate is the speed of the turn: that of the target, and what makes the error good in the pan time, but no more than what can be braked. A turn
// begins outside of the tolerance and ends near the middle.
func (t *Track) rate(env *actions.Env, off, speed, limit float64) float64 {
	begin := math.Abs(off) > t.params.PanTolRad || t.fidgets(env)
	goOn := t.spin.Turning() && (math.Abs(off) > t.params.PanTolRad/4 || math.Abs(speed) > slowRadPS)
	if !begin && !goOn {
		return 0
	}
	back := min(math.Abs(off)/t.params.PanTime.Seconds(), math.Sqrt(2*brakeRadPS2*math.Abs(off)))
	rate := speed + math.Copysign(back, off)
	if math.Abs(rate) < motion.SpinLeastRadPS/2 {
		return 0
	}
	return min(max(rate, -limit), limit)
}

// fidgets reports whether the robot moves a little now although it need not.
func (t *Track) fidgets(env *actions.Env) bool {
	if t.params.FidgetMax <= 0 || env.Now.Before(t.fidget) {
		return false
	}
	first := t.fidget.IsZero()
	span := max(t.params.FidgetMax-t.params.FidgetMin, 0)
	t.fidget = env.Now.Add(t.params.FidgetMin + time.Duration(env.Rand.Float64()*float64(span)))
	return !first
}

// reached tests the stop criteria.
func (t *Track) reached(now time.Time, off float64) actions.Result {
	c := t.params.Stop
	if c == nil {
		return actions.Running
	}
	switch {
	case c.PanTolRad > 0 && math.Abs(off) > c.PanTolRad, c.TiltTolRad > 0 && math.Abs(t.tiltRad) > c.TiltTolRad,
		c.MinMM > 0 && t.mm < c.MinMM, c.MaxMM > 0 && t.mm > c.MaxMM:
		t.good = time.Time{}
		return actions.Running
	}
	if t.good.IsZero() {
		t.good = now
	}
	if now.Sub(t.good) < c.Held {
		return actions.Running
	}
	return actions.Success
}

// Stop stops the turn. The runner stops head and body.
func (t *Track) Stop(env *actions.Env) { t.spin.Stop(env) }

// Reset begins anew, with the target that was chosen first.
func (t *Track) Reset() {
	*t = Track{refusal: t.refusal, params: t.params, target: t.target, seen: t.seen}
	t.params.Target = t.target
	if t.kind() == kindMotion {
		t.params.Target = &MotionTarget{}
	}
}
