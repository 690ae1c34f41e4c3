package why

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
)

// How much a line of the banner matters.
const (
	levelError = "error"
	levelWarn  = "warn"
	levelInfo  = "info"
)

// effects are what is missing while a device does not work, by weight.
var effects = []struct{ device, level, effect string }{
	{hardware.Motors, levelError, "it cannot drive"},
	{hardware.Cliff, levelError, "wheels held"},
	{hardware.IMU, levelWarn, "it does not feel how it is held"},
	{hardware.Battery, levelWarn, "the charge is unknown"},
	{hardware.Vision, levelWarn, "it sees neither faces nor cubes"},
	{hardware.Range, levelWarn, "it does not see what is ahead"},
	{hardware.Servos, levelWarn, "head and lift do not move"},
	{hardware.Touch, levelWarn, "it feels no hand"},
	{hardware.Charger, levelWarn, "it does not feel the charger"},
	{hardware.Display, levelWarn, "its face does not show"},
	{hardware.Lights, levelWarn, "its lights do not show"},
	{hardware.Speaker, levelWarn, "it makes no sound"},
}

// Banner lists what holds the robot back, the weightiest first. It is called again and again with what is, and remembers since when each
// line holds.
func (t *Teller) Banner(s *Situation) []control.BannerState {
	out, now := []control.BannerState{}, map[string]bool{}
	say := func(level, key, format string, args ...any) {
		if now[key] = true; !t.holds(key, s.AtS) {
			return
		}
		out = append(out, control.BannerState{Level: level, Text: fmt.Sprintf(format, args...), SinceS: seconds(secondsOf(t.since[key])), Key: key})
	}
	stopped(s, say)
	devices(s, levelError, say)
	lowBattery(s, say)
	for _, id := range s.Disabled {
		say(levelError, "disabled/"+id, "%s is out of use: it failed too often", id)
	}
	devices(s, levelWarn, say)
	if s.Unguarded {
		say(levelInfo, "unguarded", "nothing outside this process stops the wheels: keep the switch in reach")
	}
	if s.Recorder != "" {
		say(levelWarn, "recorder", "nothing is recorded: %s", s.Recorder)
	}
	if n := t.late.lately(s); n > 0 {
		ticks := "ticks"
		if n == 1 {
			ticks = "tick"
		}
		say(levelWarn, "late", "the machine is too slow: %d %s missed in the last minute", n, ticks)
	}
	held(s, say)
	for key := range t.since {
		if !now[key] {
			delete(t.since, key)
		}
	}
	return out
}

// lowBattery tells of a battery that is low, and what the robot does about it.
func lowBattery(s *Situation, say sayer) {
	switch {
	case s.Drained:
		say(levelError, "battery", "battery empty (%.1f V): it does not drive until the battery is charged or changed", s.Volts)
	case s.Battery != hardware.BatteryLow || s.Charging:
	case s.NoCharger:
		say(levelWarn, "battery", "battery low (%.1f V): it has no charger to go to; charge or change the battery", s.Volts)
	default:
		say(levelWarn, "battery", "battery low (%.1f V): it goes home", s.Volts)
	}
}

type sayer func(level, key, format string, args ...any)

func stopped(s *Situation, say sayer) {
	switch {
	case s.Stop.Line && s.runaway():
		say(levelError, "stop", "emergency stop, but the motors do not answer: the wheels may turn; switch the robot off")
	case s.Stop.Mind && s.Stop.Line:
		say(levelError, "stop", "emergency stop: the wheels are off until somebody resumes")
	case s.Stop.Line:
		say(levelError, "stop", "emergency stop: the wheels are off")
	case s.Stop.Mind:
		say(levelError, "stop", "emergency stop: the mind is stopped until somebody resumes")
	}
}

// runaway reports whether nobody knows what the wheels do: their chip holds its last duties, nothing else stops them, and it cannot be reached.
func (s *Situation) runaway() bool {
	return s.Unguarded && slices.ContainsFunc(s.Devices, func(d Device) bool {
		return d.Name == hardware.Motors && d.Quality != hardware.OK && d.Quality != hardware.Stale
	})
}

// devices tells of those that do not work. A reading that is only old matters where safety rests on it.
func devices(s *Situation, level string, say sayer) {
	for _, e := range effects {
		if e.level != level {
			continue
		}
		for _, d := range s.Devices {
			if d.Name != e.device || d.Quality == hardware.OK || d.Quality == hardware.Stale && level != levelError {
				continue
			}
			level := level
			if d.Quality == hardware.Absent && level == levelWarn {
				level = levelInfo // this robot may have none
			}
			key := "device/" + d.Name
			if d.Quality == hardware.Stale {
				key = "late/" + d.Name
			}
			effect := e.effect
			if d.Name == hardware.Motors && s.runaway() {
				effect = "the wheels may turn, keep the switch in reach"
			}
			say(level, key, "%s %s: %s%s", hardware.Spoken(d.Name), state(d.Quality), effect, cause(d.Cause))
		}
	}
}

func state(q hardware.Quality) string {
	switch q {
	case hardware.Failed:
		return "failed"
	case hardware.Stale:
		return "late"
	}
	return "absent"
}

func cause(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

// held tells what is no fault and keeps it from driving all the same.
func held(s *Situation, say sayer) {
	if s.Treads != hardware.OnTreads {
		say(levelInfo, "treads", "not on its treads (%s): it does not drive", strings.ToLower(catalog.Words(s.Treads.String())))
	}
	if s.Latched {
		say(levelInfo, "latched", "the wheels stopped at an edge")
	}
}

// patience is how long a device may be late before it is said: a machine that is busy for a moment holds nothing back.
const patience = 0.5

// holds notes since when something holds, and reports whether that is long enough to be said.
func (t *Teller) holds(key string, at float64) bool {
	since, known := t.since[key]
	if !known {
		since, t.since[key] = at, at
	}
	return !strings.HasPrefix(key, "late/") || at-since >= patience
}

// lateness remembers when ticks were missed.
type lateness struct {
	seen  uint64
	begun bool
	times []late
}

type late struct {
	at    float64
	count uint64
}

// lately is how many ticks were missed in the last minute; what was missed before the first call does not count.
func (l *lateness) lately(s *Situation) uint64 {
	if l.begun && s.Missed > l.seen {
		l.times = append(l.times, late{s.AtS, s.Missed - l.seen})
	}
	l.begun, l.seen = true, s.Missed
	for len(l.times) > 0 && s.AtS-l.times[0].at > 60 {
		l.times = l.times[1:]
	}
	var n uint64
	for _, t := range l.times {
		n += t.count
	}
	return n
}
