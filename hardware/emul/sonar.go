package emul

import "time"

// Times of an HC-SR04. The data sheet gives the first one and the speed of sound; the others are as people measured them.
const (
	sonarTrigger = 10 * time.Microsecond  // shortest pulse that is taken
	sonarBurst   = 450 * time.Microsecond // from the end of the trigger to the begin of the echo pulse
	sonarNothing = 38 * time.Millisecond  // length of that pulse if nothing comes back
	sonarUS      = 1 / 0.1715             // microseconds of it a millimeter, at 343 m/s
)

// A Sonar is an HC-SR04: a pulse on its trigger sends a burst of sound, and its echo line is high for as long as the sound is under way.
// Without an echo the line is high for 38 ms. Triggers that come meanwhile are ignored. What it hears is decided when the burst is sent.
type Sonar struct {
	lines *Lines
	echo  string
	now   func() time.Time
	read  func() (mm float64, found bool)

	guarded
	high time.Time // since when the trigger is high
	rise time.Time // of the echo line; zero if nothing is under way
	fall time.Time
	up   bool // the echo line is high
}

// NewSonar wires the sensor to two lines. read gives the distance of what would return an echo now.
func NewSonar(lines *Lines, trigger, echo string, now func() time.Time, read func() (mm float64, found bool)) *Sonar {
	s := &Sonar{lines: lines, echo: echo, now: now, read: read}
	lines.Pull(trigger, false)
	lines.SetInput(echo, false)
	lines.OnOutput(trigger, s.trigger)
	lines.OnRead(echo, s.settle)
	return s
}

// trigger takes the level of its line.
func (s *Sonar) trigger(high bool) {
	now := s.now()
	s.settle()
	s.mu.Lock()
	since := s.high
	s.high = time.Time{}
	if high {
		s.high = now
	}
	send := !high && !since.IsZero() && now.Sub(since) >= sonarTrigger && s.rise.IsZero()
	s.mu.Unlock()
	if !send {
		return
	}
	length := sonarNothing
	if mm, found := s.read(); found {
		length = min(time.Duration(mm*sonarUS*float64(time.Microsecond)), sonarNothing)
	}
	s.mu.Lock()
	s.rise = now.Add(sonarBurst)
	s.fall = s.rise.Add(length)
	s.mu.Unlock()
}

// settle puts the edges on the echo line that have come by now.
func (s *Sonar) settle() {
	now := s.now()
	s.mu.Lock()
	rise, fall := s.rise, s.fall
	up := !rise.IsZero() && !s.up && !now.Before(rise)
	down := !rise.IsZero() && !now.Before(fall)
	s.up = (s.up || up) && !down
	if down {
		s.rise = time.Time{}
	}
	s.mu.Unlock()
	if up {
		s.lines.SetInputAt(s.echo, true, rise)
	}
	if down {
		s.lines.SetInputAt(s.echo, false, fall)
	}
}
