package express

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// FaceParams configure a DisplayFace.
type FaceParams struct {
	Face string
	// Duration is how long the face is shown.
	Duration time.Duration
}

// A DisplayFace shows an expression for a while; then the display shows what it would show without it.
type DisplayFace struct {
	params FaceParams
	hold   hold
}

// NewDisplayFace returns the action.
func NewDisplayFace(p FaceParams) *DisplayFace { return &DisplayFace{params: p} }

// Name is DisplayFace.
func (*DisplayFace) Name() string { return "DisplayFace" }

// Type is DISPLAY_FACE_IMAGE.
func (*DisplayFace) Type() actions.Type { return actions.TypeDisplayFaceImage }

// Tracks is the display.
func (*DisplayFace) Tracks() actions.Tracks { return actions.Face }

// Timeout leaves slack over the duration.
func (d *DisplayFace) Timeout() time.Duration { return actions.DefaultTimeout + d.params.Duration }

// Init shows the face.
func (d *DisplayFace) Init(env *actions.Env) actions.Result {
	if !env.World.Display.OK() {
		return actions.SendMessageToRobotFailed
	}
	env.Send(hardware.ShowFace{Face: d.params.Face})
	return d.hold.begin(env, d.params.Duration)
}

// CheckIfDone waits for the duration.
func (d *DisplayFace) CheckIfDone(env *actions.Env) actions.Result { return d.hold.check(env) }

// LightParams configure a SetLights.
type LightParams struct {
	Colors [5]hardware.RGB
	// Duration is how long the colors are shown.
	Duration time.Duration
}

// A SetLights sets the back lights for a while; then they show what they would show without it.
type SetLights struct {
	params LightParams
	hold   hold
}

// NewSetLights returns the action.
func NewSetLights(p LightParams) *SetLights { return &SetLights{params: p} }

// Name is SetLights.
func (*SetLights) Name() string { return "SetLights" }

// Type is SET_LIGHTS.
func (*SetLights) Type() actions.Type { return actions.TypeSetLights }

// Tracks is the back lights.
func (*SetLights) Tracks() actions.Tracks { return actions.Backpack }

// Timeout leaves slack over the duration.
func (s *SetLights) Timeout() time.Duration { return actions.DefaultTimeout + s.params.Duration }

// Init sets the colors.
func (s *SetLights) Init(env *actions.Env) actions.Result {
	if !env.World.Lights.OK() {
		return actions.SendMessageToRobotFailed
	}
	env.Send(hardware.SetLights{Colors: s.params.Colors})
	return s.hold.begin(env, s.params.Duration)
}

// CheckIfDone waits for the duration.
func (s *SetLights) CheckIfDone(env *actions.Env) actions.Result { return s.hold.check(env) }

// hold keeps a track for a given duration.
type hold struct{ until time.Time }

func (h *hold) begin(env *actions.Env, d time.Duration) actions.Result {
	h.until = env.Now.Add(d)
	return actions.Success
}

func (h *hold) check(env *actions.Env) actions.Result {
	if env.Now.Before(h.until) {
		return actions.Running
	}
	return actions.Success
}
