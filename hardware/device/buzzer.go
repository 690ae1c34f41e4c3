package device

import (
	"time"
	"unicode/utf8"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// Rhythm of a buzzer, which has one pitch: a beep for a clip, and short ones for a text, as many as it has words of some length.
const (
	beepTime    = 60 * time.Millisecond
	beepPause   = 90 * time.Millisecond
	runesABeep  = 6
	mostBeeps   = 6
	beepsOfClip = 2
)

// Buzzer is a speaker that is on or off: a line. It beeps at the begin of a sound and is silent for the rest of its time, so that who waits
// for the end of a sound waits as long as with a voice.
type Buzzer struct {
	Speaker
	part  *profile.Speaker
	lines hardware.Lines
	line  hardware.Line
	beeps int // of the present sound that are left
	next  time.Time
	high  bool
}

// NewBuzzer returns the buzzer, not opened.
func NewBuzzer(b Board, s *Safety) *Buzzer {
	return &Buzzer{Speaker: *NewSpeaker(Board{Mouth: b.Mouth}), part: b.robot().Speaker, lines: s.lines}
}

// Open requests the line, low.
func (p *Buzzer) Open(clk hardware.Clock) error {
	if err := p.Speaker.Open(clk); err != nil {
		return err
	}
	if err := p.request(); err != nil {
		return p.fail("open line", err)
	}
	return nil
}

func (p *Buzzer) request() error {
	if p.line != nil {
		return nil
	}
	line, err := p.lines.Output(p.part.Line, false)
	if err != nil {
		return err
	}
	p.line, p.high = line, false
	return nil
}

// Poll switches the line and ends a sound whose time is over.
func (p *Buzzer) Poll(now time.Time) (hardware.Sample, error) {
	p.health.Reads++
	err := p.request()
	if err == nil {
		err = p.beep(now)
	}
	if err != nil {
		p.health.Errors++
		p.release()
		return p.bad(now, "beep", err, p.last)
	}
	return p.Speaker.Poll(now)
}

// beep brings the line to its level of this instant. The level is written each time, which shows a line that is lost.
func (p *Buzzer) beep(now time.Time) error {
	switch {
	case p.playing == "":
		p.beeps, p.high = 0, false
	case p.next.After(now):
	case p.high:
		p.high, p.next = false, now.Add(beepPause)
	case p.beeps > 0:
		p.beeps--
		p.high, p.next = true, now.Add(beepTime)
	}
	return p.line.Set(p.high)
}

// Deadline is the next change of the line.
func (p *Buzzer) Deadline() time.Time {
	if p.high || p.beeps > 0 {
		return p.next
	}
	return time.Time{}
}

// Apply starts or stops a sound.
func (p *Buzzer) Apply(now time.Time, c hardware.Command) error {
	if err := p.Speaker.Apply(now, c); err != nil {
		return err
	}
	if play, ok := c.(hardware.PlaySound); ok {
		p.beeps, p.next = beepsOfClip, now
		if play.Text != "" {
			p.beeps = min(1+utf8.RuneCountInString(play.Text)/runesABeep, mostBeeps)
		}
		return nil
	}
	return p.silence()
}

func (p *Buzzer) silence() error {
	p.beeps, p.high = 0, false
	if p.line == nil {
		return nil
	}
	if err := p.line.Set(false); err != nil {
		p.release()
		return p.fail("silence", err)
	}
	return nil
}

func (p *Buzzer) release() {
	p.beeps, p.high = 0, false
	if p.line != nil {
		_ = p.line.Close()
		p.line = nil
	}
}

// Halt silences the buzzer and releases the line.
func (p *Buzzer) Halt() error {
	_ = p.Speaker.Halt()
	err := p.silence()
	p.release()
	return err
}
