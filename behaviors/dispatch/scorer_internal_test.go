package dispatch

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
)

func moodOf(happy, social float64) (m condition.Mood) {
	m[condition.Happy], m[condition.Social] = happy, social
	return m
}

// Rules: P-7, data/2.1.5b, data/2.1.5c.
func TestScoreIsMeanOfEmotionScores(t *testing.T) {
	line := condition.NewGraph(condition.Node{X: -1, Y: -1}, condition.Node{X: 1, Y: 1})
	both := scorer{Emotions: []emotionScorer{{emotion: condition.Happy, Graph: curve{line}}, {emotion: condition.Social, Graph: curve{line}}}}
	for _, c := range []struct{ happy, social, want float64 }{
		{0.5, 0.3, 0.4},
		{1, -0.5, 0.25},
		{0, 1, 0},
		{1, 0, 0}, // any zero makes the whole zero
	} {
		if got := both.base(&condition.View{Mood: moodOf(c.happy, c.social)}); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("happy %g, social %g scores %g, want %g", c.happy, c.social, got, c.want)
		}
	}
	s := scorer{
		Flat:   2,
		Active: &penalty{condition.NewGraph(condition.Node{X: 0, Y: 1}, condition.Node{X: 10, Y: 0})},
		Again:  &penalty{condition.NewGraph(condition.Node{X: 0, Y: 0}, condition.Node{X: 10, Y: 1})},
	}
	if a, b := s.whileActive(&condition.View{}, 4*time.Second), s.after(&condition.View{}, 4*time.Second); a != 1.2 || b != 0.8 {
		t.Errorf("active for 4 s: %g, ended 4 s ago: %g", a, b)
	}
}
