package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
)

// Until an emotion is moved away from zero, its clock is that of the start: a first small step fades like any other, and never grows.
// Rules: data/5.1b, data/5.1c.
func TestSmallFirstStepFadesSinceTheStart(t *testing.T) {
	r := newRig(t, "R+", nil)
	r.triggers("R", []string{"whisper"})
	tick := r.pace(time.Second)
	tick()
	r.feels(condition.Social, 0.04)
	for range 10 { // 0.6 is left a second after the start, 0.2 from the next one on
		tick()
		r.feels(condition.Social, 0.04*0.2/0.6)
	}
}

// A clock that was set by decades makes nothing grow, and no age of a memory leaves the range that a memory file may have.
// Rules: data/5.1a, data/5.1c.
func TestAgesOfAMemoryStayInRangeWhenTheClockIsSet(t *testing.T) {
	for _, c := range []struct{ jump, least, most time.Duration }{
		{time.Second, 3 * time.Second, 5 * time.Second},
		{40 * 365 * 24 * time.Hour, engine.LongestAge, engine.LongestAge},
		{-time.Hour, 0, 0}, // nothing happens in the future
	} {
		r := newRig(t, "R+", nil)
		r.of("R").start = func(c *behaviors.Control) { c.ResetTimer("nap") }
		r.triggers("R", []string{"nudge", "whisper"})
		tick := r.pace(time.Second)
		for range 3 {
			tick()
		}
		r.pace(3*time.Second + c.jump)()
		m := r.eng.Memory()
		ages := []time.Duration{m.Mood[0].Age, m.Mood[1].Age, m.Timers[0].Age, m.Events[0].Age}
		if slices.Min(ages) < c.least || slices.Max(ages) > c.most {
			t.Errorf("a jump of %v: %v", c.jump, ages)
		}
		r.feels(condition.Confident, 0.05)
	}
}
