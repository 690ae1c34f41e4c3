package dispatch

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
)

func TestGraph(t *testing.T) { // data/5.2
	ramp := graph{{0, 0}, {10, 1}, {20, 0.5}}
	step := graph{{0, 1}, {5, 1}, {5, 3}, {6, 4}}
	for _, c := range []struct {
		g       graph
		x, want float64
	}{
		{ramp, -1, 0},
		{ramp, 0, 0},
		{ramp, 5, 0.5},
		{ramp, 10, 1},
		{ramp, 15, 0.75},
		{ramp, 20, 0.5},
		{ramp, 1e6, 0.5},
		{step, 4.9, 1},
		{step, 5, 3},
		{step, 5.5, 3.5},
		{graph{{3, 7}}, 0, 7},
		{graph{{3, 7}}, 9, 7},
		{graph{{2, 1}, {2, 5}}, 2, 5},
		{graph{{2, 1}, {2, 5}}, 1.9, 1},
	} {
		if got := c.g.factor(c.x); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v at %g = %g, want %g", c.g, c.x, got, c.want)
		}
	}
	if graph(nil).factor(3) != 1 {
		t.Error("a missing graph is no penalty")
	}
}

func moodOf(happy, social float64) (m condition.Mood) {
	m[condition.Happy], m[condition.Social] = happy, social
	return m
}

func TestEmotionScores(t *testing.T) { // P-7, data/2.1.5
	line := graph{{-1, -1}, {1, 1}}
	both := scorer{emotions: []emotionScorer{{emotion: condition.Happy, graph: line}, {emotion: condition.Social, graph: line}}}
	for _, c := range []struct{ happy, social, want float64 }{
		{0.5, 0.3, 0.4},
		{1, -0.5, 0.25},
		{0, 1, 0},
		{1, 0, 0}, // any zero makes the whole zero
	} {
		m := &moods{now: moodOf(c.happy, c.social)}
		if got := both.base(m); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("happy %g, social %g scores %g, want %g", c.happy, c.social, got, c.want)
		}
	}
	s := scorer{flat: 2, active: graph{{0, 1}, {10, 0}}, again: graph{{0, 0}, {10, 1}}}
	if a, b := s.whileActive(&moods{}, 4*time.Second), s.after(&moods{}, 4*time.Second); a != 1.2 || b != 0.8 {
		t.Errorf("active for 4 s: %g, ended 4 s ago: %g", a, b)
	}
}

func TestEmotionChangeLooksSixtyTicksBack(t *testing.T) { // data/5.3 trackDelta
	m := &moods{past: make([]condition.Mood, deltaTicks)}
	delta := func() float64 { return math.Round(m.delta(condition.Happy)*1000) / 1000 }
	m.note(1, moodOf(0.5, 0))
	if delta() != 0 {
		t.Error("one mood is no change")
	}
	for tick := uint64(2); tick <= 61; tick++ {
		m.note(tick, moodOf(0.5+float64(tick-1)/1000, 0))
	}
	if delta() != 0.06 { // tick 61 against tick 1
		t.Errorf("after sixty ticks %g", delta())
	}
	for tick := uint64(62); tick <= 100; tick++ {
		m.note(tick, moodOf(0.56, 0))
	}
	if delta() != 0.021 { // tick 100 against tick 40
		t.Errorf("a while later %g", delta())
	}
	m.note(200, moodOf(0.9, 0))
	if delta() != 0 {
		t.Error("what was before a gap counts")
	}
	m.note(200, moodOf(0.8, 0)) // again in one tick, after a reactivation
	m.note(201, moodOf(0.9, 0))
	if delta() != 0.1 {
		t.Errorf("after the gap %g", delta())
	}
}
