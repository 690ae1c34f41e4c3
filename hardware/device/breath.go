package device

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

const (
	// breathPX is how far the deepest breath raises the eyes, in pixels.
	breathPX = 3
	// A breath comes in during the first part of its time and goes out until the second.
	breathIn, breathOut = 0.4, 0.9
	// breathGap is the longest time between two polls that counts: a display that was gone goes on where it was.
	breathGap = time.Second
)

// lungs are where a face is in its breath. A rate that changes bends the breath and does not break it.
type lungs struct {
	phase float64 // of the breath, from 0 to 1
	at    time.Time
}

// rise lets the time until now pass and returns how far the eyes are raised, in pixels.
func (l *lungs) rise(now time.Time, b hardware.Breath) int {
	passed := min(max(now.Sub(l.at), 0), breathGap)
	l.at = now
	if b.PerMinute <= 0 || b.Depth <= 0 {
		l.phase = 0
		return 0
	}
	_, l.phase = math.Modf(l.phase + passed.Minutes()*b.PerMinute)
	return int(math.Round(breathPX * b.Depth * breathWave(l.phase)))
}

// breathWave is how full the lungs are at a phase: half a cosine up, half a longer one down, and a rest.
func breathWave(phase float64) float64 {
	switch {
	case phase < breathIn:
		return (1 - math.Cos(math.Pi*phase/breathIn)) / 2
	case phase < breathOut:
		return (1 + math.Cos(math.Pi*(phase-breathIn)/(breathOut-breathIn))) / 2
	}
	return 0
}
