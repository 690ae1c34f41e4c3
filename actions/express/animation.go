package express

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/hardware"
)

// animTimeout is the timeout of an animation that ends by itself.
const animTimeout = 60 * time.Second

// Forever as AnimParams.Loops plays until the action is cancelled.
const Forever = -1

// AnimParams configure a PlayAnimation.
type AnimParams struct {
	// Clip names a clip of the resource tree; Custom is played instead if it has frames.
	Clip   string
	Custom animation.Clip
	// Loops defaults to 1; Forever has no end and no timeout.
	Loops int
	// TracksToLock names the tracks that the animation must not drive (TRK-10).
	TracksToLock actions.Tracks
	// LiftSafe leaves the lift alone while it carries something on treads.
	LiftSafe bool
	// Timeout defaults to 60 s for each loop.
	Timeout time.Duration
}

// A PlayAnimation plays a clip. It locks no track itself (TRK-10). It skips keyframes of locked tracks and of hardware
// that does not work, and, unless the clip allows them, body moves on the charger. An edge, a stall or a fault during a
// body move ends the animation with ANIM_ABORTED. What it shows is given back when it ends.
type PlayAnimation struct {
	params AnimParams
	clip   *animation.Clip
	start  time.Time // of this loop
	next   int       // frame
	loops  int       // finished
	body   bodyMove
	sound  uint64            // id of the newest sound, 0 if none
	face   *animation.Curve  // nil: the face changes at its keyframes only
	shown  hardware.ShowFace // of the curve
}

// An AnimPayload is the payload of a PlayAnimation.
type AnimPayload struct{ Name string }

// NewPlayAnimation returns the action.
func NewPlayAnimation(p AnimParams) *PlayAnimation {
	if p.Loops == 0 {
		p.Loops = 1
	}
	if p.Timeout <= 0 {
		p.Timeout = animTimeout * time.Duration(max(1, p.Loops))
	}
	if len(p.Custom.Frames) > 0 {
		p.Clip = p.Custom.Name
	}
	return &PlayAnimation{params: p}
}

// Name is PlayAnimation.
func (*PlayAnimation) Name() string { return "PlayAnimation" }

// Type is PLAY_ANIMATION.
func (*PlayAnimation) Type() actions.Type { return actions.TypePlayAnimation }

// Tracks is none.
func (*PlayAnimation) Tracks() actions.Tracks { return 0 }

// Timeout is the given one, and none for an endless animation.
func (a *PlayAnimation) Timeout() time.Duration {
	if a.params.Loops < 0 {
		return actions.NoTimeout
	}
	return a.params.Timeout
}

// Payload names the clip.
func (a *PlayAnimation) Payload() any { return AnimPayload{Name: a.params.Clip} }

// Status is the clip.
func (a *PlayAnimation) Status() string { return a.params.Clip }

// Init finds the clip: NO_ANIM_NAME without a name, ANIM_ABORTED for one that does not exist.
func (a *PlayAnimation) Init(env *actions.Env) actions.Result {
	a.clip = &a.params.Custom
	if len(a.clip.Frames) == 0 {
		if a.params.Clip == "" {
			return actions.NoAnimName
		}
		if a.clip = env.Clip(a.params.Clip); a.clip == nil {
			return actions.AnimAborted
		}
	}
	if a.face = a.clip.Face; a.face == nil {
		a.face = animation.CurveOf(a.clip.Frames)
	}
	a.start, a.next, a.loops = env.Now, 0, 0
	a.body, a.sound, a.shown = bodyMove{}, 0, hardware.ShowFace{}
	return actions.Success
}

// CheckIfDone plays the frames that are due and keeps the body moving.
func (a *PlayAnimation) CheckIfDone(env *actions.Env) actions.Result {
	blocked := a.blocked(env)
	if !a.body.step(env, blocked) {
		return actions.AnimAborted
	}
	for a.next < len(a.clip.Frames) && env.Now.Sub(a.start) >= a.clip.Frames[a.next].At {
		a.play(env, a.clip.Frames[a.next].Do, blocked)
		a.next++
	}
	a.follow(env, blocked)
	if a.next < len(a.clip.Frames) || env.Now.Sub(a.start) < a.clip.Length || a.body.active() {
		return actions.Running
	}
	if a.loops++; a.params.Loops > 0 && a.loops >= a.params.Loops {
		return actions.Success
	}
	a.start, a.next = env.Now, 0
	return actions.Running
}

// blocked returns the tracks whose keyframes are skipped now.
func (a *PlayAnimation) blocked(env *actions.Env) actions.Tracks {
	w, t := env.World, env.Tracks.Mask()|a.params.TracksToLock
	if b := w.Body; (b.OnContacts || b.OnPlatform) && !a.clip.OnCharger || !w.Motors.OK() {
		t |= actions.Body
	}
	if a.params.LiftSafe && w.Body.Carrying && w.Body.Treads == hardware.OnTreads {
		t |= actions.Lift
	}
	if !w.Servos.OK() {
		t |= actions.Head | actions.Lift
	}
	if !w.Display.OK() {
		t |= actions.Face
	}
	if !w.Lights.OK() {
		t |= actions.Backpack
	}
	if !w.Speaker.OK() {
		t |= actions.Audio
	}
	return t
}

// follow shows the curve of the face as it is now, if that is new.
func (a *PlayAnimation) follow(env *actions.Env, blocked actions.Tracks) {
	if a.face == nil || blocked&actions.Face != 0 {
		return
	}
	if f, begun := a.face.At(env.Now.Sub(a.start)); begun && f != a.shown {
		a.shown = f
		env.Send(f)
	}
}

// play performs one cue, unless its track is blocked.
func (a *PlayAnimation) play(env *actions.Env, do animation.Cue, blocked actions.Tracks) {
	if blocked&trackOf(do) != 0 {
		return
	}
	switch c := do.(type) {
	case animation.Eyes:
		if a.face == nil {
			env.Send(hardware.ShowFace{Face: string(c)})
		}
	case animation.Glow:
		rgb := hardware.RGB(c)
		env.Send(hardware.SetLights{Colors: [5]hardware.RGB{rgb, rgb, rgb, rgb, rgb}})
	case animation.Lights:
		env.Send(hardware.SetLights{Colors: c})
	case animation.Sound:
		a.sound = env.NextID()
		env.Send(hardware.PlaySound{ID: a.sound, Clip: c.Clip, Duration: c.Length})
	case animation.Speech:
		a.sound = env.NextID()
		env.Send(hardware.PlaySound{ID: a.sound, Text: c.Text, Duration: c.Length})
	case animation.HeadTo:
		env.Send(hardware.MoveHead{ID: env.NextID(), AngleRad: c.AngleRad, MaxRadPS: c.MaxRadPS})
	case animation.LiftTo:
		env.Send(hardware.MoveLift{ID: env.NextID(), HeightMM: c.HeightMM, MaxMMPS: c.MaxMMPS})
	case animation.Roll:
		a.body.begin(env, hardware.Drive{Kind: hardware.Straight, DistanceMM: c.DistanceMM, SpeedMMPS: c.SpeedMMPS})
	case animation.Spin:
		a.body.begin(env, hardware.Drive{Kind: hardware.Turn, AngleRad: c.AngleRad, SpeedRadPS: c.SpeedRadPS})
	}
}

// trackOf is the track that a cue needs.
func trackOf(do animation.Cue) actions.Tracks {
	switch do.(type) {
	case animation.Eyes, animation.Look:
		return actions.Face
	case animation.Glow, animation.Lights:
		return actions.Backpack
	case animation.Sound, animation.Speech:
		return actions.Audio
	case animation.HeadTo:
		return actions.Head
	case animation.LiftTo:
		return actions.Lift
	default:
		return actions.Body
	}
}

// Stop ends a body move and a sound that still run. What display and lights show goes with the action (TRK-14).
func (a *PlayAnimation) Stop(env *actions.Env) {
	a.body.stop(env)
	if sp := env.World.Speaker; a.sound != 0 && sp.OK() && (sp.Value.ID < a.sound || sp.Value.ID == a.sound && sp.Value.Busy) {
		env.Send(hardware.StopSound{})
	}
	a.sound = 0
}

// bodyMove is the wheel motion of an animation. It renews the lease of its segment until the segment is done, or until
// another holder locks the body.
type bodyMove struct {
	id   uint64
	cmd  hardware.Command
	seen bool
}

func (b *bodyMove) active() bool { return b.cmd != nil }

func (b *bodyMove) begin(env *actions.Env, d hardware.Drive) {
	d.ID = env.NextID()
	*b = bodyMove{id: d.ID, cmd: d}
	env.Send(b.cmd)
}

// step renews the move and reports false if the motors gave it up.
func (b *bodyMove) step(env *actions.Env, blocked actions.Tracks) bool {
	if !b.active() {
		return true
	}
	if blocked&actions.Body != 0 { // send no stop: the new holder drives the wheels
		b.cmd = nil
		return true
	}
	m := env.World.Motors.Value
	if m.Segment != b.id {
		if b.seen { // another command replaced the segment
			b.cmd = nil
			return true
		}
		env.Send(b.cmd)
		return true
	}
	b.seen = true
	switch m.Phase {
	case hardware.PhaseDone:
		b.cmd = nil
	case hardware.PhaseAborted:
		b.cmd = nil
		return false
	default:
		env.Send(b.cmd)
	}
	return true
}

func (b *bodyMove) stop(env *actions.Env) {
	if b.active() && env.Tracks.Mask()&actions.Body == 0 {
		b.cmd = nil
		env.Send(hardware.StopWheels{})
	}
}
