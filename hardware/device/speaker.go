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
	// madeWithin is how long a voice may take until a sound is heard. After that the sound is its caption.
	madeWithin = 5 * time.Second
)

// Speaker is the voice. Without a [Voice] it only measures the time that a sound takes, so that actions that wait for the end of a sound work
// as with one. With a voice a sound lasts as long as the audio that was made of it.
type Speaker struct {
	core
	voice   Voice
	mouth   *Mouth
	playing string
	text    string // what is spoken; "" for a clip
	id      uint64
	begin   time.Time
	until   time.Time
	heard   bool // the voice has begun it
	last    hardware.SpeakerState
}

// NewSpeaker returns the voice of a board.
func NewSpeaker(b Board) *Speaker {
	return &Speaker{core: newCore(hardware.Speaker, speakerPeriod), voice: b.Voice, mouth: b.Mouth}
}

// Open makes the voice silent.
func (p *Speaker) Open(clk hardware.Clock) error {
	p.clk = clk
	return p.Halt()
}

// Poll ends a sound whose time is over.
func (p *Speaker) Poll(now time.Time) (hardware.Sample, error) {
	if p.playing != "" && !p.waits(now) && !now.Before(p.until) {
		p.end()
	}
	p.last = hardware.SpeakerState{Playing: p.playing, ID: p.id, Busy: p.playing != ""}
	return p.good(&p.last)
}

// waits asks the voice how the sound stands, and reports whether it is still being made.
func (p *Speaker) waits(now time.Time) bool {
	if p.voice == nil || p.heard {
		return false
	}
	s := p.voice.State()
	switch {
	case s.ID != p.id || s.Silent:
		return false
	case s.Begun.IsZero():
		return now.Before(p.begin.Add(madeWithin))
	}
	p.heard = true
	p.until = s.Begun.Add(min(s.Length, maxSound))
	if p.text != "" {
		p.mouth.say(&utterance{p.text, s.Begun, s.Length, s.Loud})
	}
	return false
}

// end makes the speaker idle.
func (p *Speaker) end() {
	p.playing, p.text = "", ""
	p.mouth.say(nil)
}

// Apply starts or stops a sound. A new sound replaces the current one.
func (p *Speaker) Apply(now time.Time, c hardware.Command) error {
	switch c := c.(type) {
	case hardware.PlaySound:
		p.id, p.playing, p.text = c.ID, c.Clip, c.Text
		length := clipTime
		if c.Text != "" {
			p.playing = c.Text
			length = max(minSpeech, time.Duration(utf8.RuneCountInString(c.Text))*perRune)
		}
		if c.Duration > 0 {
			length = c.Duration
		}
		length = min(length, maxSound)
		p.begin, p.until, p.heard = now, now.Add(length), false
		p.mouth.say(nil)
		if p.voice != nil {
			p.voice.Start(c)
		} else if c.Text != "" {
			p.mouth.say(&utterance{text: c.Text, begin: now, length: length})
		}
	case hardware.StopSound:
		p.quiet()
	default:
		return p.unknownCommand(c)
	}
	return nil
}

func (p *Speaker) quiet() {
	p.end()
	if p.voice != nil {
		p.voice.Stop()
	}
}

// Halt silences the voice.
func (p *Speaker) Halt() error {
	p.quiet()
	return nil
}
