package express

import (
	"time"
	"unicode/utf8"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// Speech without a given duration is estimated at a calm speaker's pace.
const (
	perRune  = 70 * time.Millisecond
	sayExtra = 400 * time.Millisecond
)

// SayParams configure a SayText.
type SayParams struct {
	Text string
	// Duration is estimated from the text if zero.
	Duration time.Duration
}

// A SayText speaks a text and ends when the speaker is silent again. Cancelling it silences the speaker. It locks no
// track; a newer sound replaces it and ends it.
type SayText struct{ sound }

// NewSayText returns the action.
func NewSayText(p SayParams) *SayText {
	if p.Duration <= 0 {
		p.Duration = sayExtra + time.Duration(utf8.RuneCountInString(p.Text))*perRune
	}
	return &SayText{sound{name: "SayText", kind: actions.TypeSayText, text: p.Text, length: p.Duration}}
}

// SoundParams configure a PlaySound.
type SoundParams struct {
	Clip     string
	Duration time.Duration
}

// A PlaySound plays a clip and ends when the speaker is silent again.
type PlaySound struct{ sound }

// A SoundPayload is the payload of a PlaySound.
type SoundPayload struct{ Event string }

// NewPlaySound returns the action.
func NewPlaySound(p SoundParams) *PlaySound {
	return &PlaySound{sound{name: "PlaySound", kind: actions.TypeDeviceAudio, clip: p.Clip, length: p.Duration}}
}

// Payload names the clip.
func (p *PlaySound) Payload() any { return SoundPayload{Event: p.clip} }

// sound is the common implementation of SayText and PlaySound.
type sound struct {
	name       string
	kind       actions.Type
	clip, text string
	length     time.Duration
	id         uint64
	playing    bool
}

// Name is the kind of sound.
func (s *sound) Name() string { return s.name }

// Type is SAY_TEXT or DEVICE_AUDIO.
func (s *sound) Type() actions.Type { return s.kind }

// Tracks is none.
func (s *sound) Tracks() actions.Tracks { return 0 }

// Timeout leaves slack over the length.
func (s *sound) Timeout() time.Duration { return actions.DefaultTimeout + s.length }

// Status is the text or the clip.
func (s *sound) Status() string { return s.clip + s.text }

// Init sends the sound: ABORT if the speaker does not work.
func (s *sound) Init(env *actions.Env) actions.Result {
	if !env.World.Speaker.OK() {
		return actions.Abort
	}
	if s.clip == "" && s.text == "" {
		return actions.Success
	}
	s.id, s.playing = env.NextID(), true
	env.Send(hardware.PlaySound{ID: s.id, Clip: s.clip, Text: s.text, Duration: s.length})
	return actions.Success
}

// CheckIfDone waits until the speaker has taken the sound and finished it.
func (s *sound) CheckIfDone(env *actions.Env) actions.Result {
	if !s.playing {
		return actions.Success
	}
	sp := env.World.Speaker
	switch {
	case !sp.OK():
		s.playing = false
		return actions.Abort
	case sp.Value.ID > s.id: // replaced by a newer sound
		s.playing = false
		return actions.CancelledWhileRunning
	case sp.Value.ID < s.id, sp.Value.Busy:
		return actions.Running
	}
	s.playing = false
	return actions.Success
}

// Stop silences a sound that still plays.
func (s *sound) Stop(env *actions.Env) {
	if s.playing {
		s.playing = false
		env.Send(hardware.StopSound{})
	}
}
