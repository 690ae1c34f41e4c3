package device

import (
	"time"
	"unicode/utf8"

	"github.com/robotd/robotd/hardware"
)

const (
	speakerPeriod = 50 * time.Millisecond

	// perRune is how long the voice takes for a character: about 16 a second, as people speak.
	perRune   = 60 * time.Millisecond
	minSpeech = 300 * time.Millisecond
	// clipTime is the length of a clip whose command names none.
	clipTime = 500 * time.Millisecond
	// maxSound limits one sound, so that a wrong command does not keep the robot talking.
	maxSound = time.Minute
)

// Speaker stands for the voice. This board has no chip for it; Speaker only measures the time that a sound takes, so that
// actions that wait for the end of a sound work as with a real speaker.
type Speaker struct {
	core
	playing string
	id      uint64
	until   time.Time
	last    hardware.SpeakerState
}

// NewSpeaker returns the voice.
func NewSpeaker() *Speaker { return &Speaker{core: newCore(hardware.Speaker, speakerPeriod)} }

// Open makes the voice silent.
func (p *Speaker) Open(clk hardware.Clock) error {
	p.clk = clk
	return p.Halt()
}

// Poll ends a sound whose time is over.
func (p *Speaker) Poll(now time.Time) (hardware.Sample, error) {
	if p.playing != "" && !now.Before(p.until) {
		p.playing = ""
	}
	p.last = hardware.SpeakerState{Playing: p.playing, ID: p.id, Busy: p.playing != ""}
	return p.good(&p.last)
}

// Apply starts or stops a sound. A new sound replaces the current one.
func (p *Speaker) Apply(now time.Time, c hardware.Command) error {
	switch c := c.(type) {
	case hardware.PlaySound:
		p.id, p.playing = c.ID, c.Clip
		length := clipTime
		if c.Text != "" {
			p.playing = c.Text
			length = max(minSpeech, time.Duration(utf8.RuneCountInString(c.Text))*perRune)
		}
		if c.Duration > 0 {
			length = c.Duration
		}
		p.until = now.Add(min(length, maxSound))
	case hardware.StopSound:
		p.playing = ""
	default:
		return p.unknownCommand(c)
	}
	return nil
}

// Halt silences the voice.
func (p *Speaker) Halt() error {
	p.playing = ""
	return nil
}
