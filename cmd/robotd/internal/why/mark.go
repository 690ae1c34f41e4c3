package why

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// A time in a recorded text is an instant, so that a text does not change while time passes: "reset {t:12.5} ago". A reader writes its
// distance from the tick that it asks about.
const (
	markBegin = "{t:"
	markEnd   = "}"
)

// markAt writes an elapsed time as the instant that it is about; at is the time of the evaluation.
func markAt(at time.Duration) func(time.Duration) string {
	return func(elapsed time.Duration) string {
		return markBegin + strconv.FormatFloat((at-elapsed).Seconds(), 'f', 3, 64) + markEnd
	}
}

// Expand writes the times in a recorded text as they were at an instant, in seconds.
func Expand(text string, at float64) string {
	before, rest, found := strings.Cut(text, markBegin)
	if !found {
		return text
	}
	number, after, found := strings.Cut(rest, markEnd)
	s, err := strconv.ParseFloat(number, 64)
	if !found || err != nil {
		return text
	}
	return before + Spoken(math.Abs(at-s)) + Expand(after, at)
}

// Spoken writes a time in seconds as people say it.
func Spoken(s float64) string { return condition.Spoken(secondsOf(s)) }

// expandValue is Expand for a value: one that is only a time becomes its distance in seconds.
func expandValue(v any, at float64) any {
	text, ok := v.(string)
	if !ok {
		return v
	}
	if number, found := strings.CutPrefix(text, markBegin); found {
		if s, err := strconv.ParseFloat(strings.TrimSuffix(number, markEnd), 64); err == nil {
			return math.Round(math.Abs(at-s)*1000) / 1000
		}
	}
	return Expand(text, at)
}

func expandGates(gs []control.WhyGate, at float64) {
	for i := range gs {
		g := &gs[i]
		g.Text = Expand(g.Text, at)
		for name, v := range g.Values {
			g.Values[name] = expandValue(v, at)
		}
		expandGates(g.Parts, at)
	}
}
