package condition_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors/condition"
)

// The limits of an emotion are included, and a single value has a small tolerance.
// Rules: 6.5/Emotion, DT-C04, data/3.3f.
func TestEmotionLimitsAreIncluded(t *testing.T) {
	type step struct {
		value float64
		want  bool
	}
	for _, c := range []struct {
		keys  string
		of    condition.Emotion
		steps []step
	}{
		{`"emotion": "Confident", "max": -0.5`, condition.Confident, []step{{0, false}, {-1, true}, {-0.5, true}, {1, false}}},
		{`"emotion": "Confident", "min": -0.5`, condition.Confident, []step{{-1, false}, {-0.5, true}, {1, true}}},
		{`"emotion": "Confident", "min": -0.75, "max": -0.5`, condition.Confident, []step{{-0.8, false}, {-0.4, false}, {-0.6, true}}},
		{`"emotion": "Confident", "value": -0.33`, condition.Confident, []step{{-1, false}, {-0.330001, true}, {-0.3301, false}}},
		{`"emotion": "Stimulated", "value": 0.5`, condition.Stimulated, []step{{-1, false}, {0.500001, true}}},
	} {
		r := newRig(t)
		cond := r.parse(`{"conditionType": "Emotion", ` + c.keys + `}`)
		for _, s := range c.steps {
			r.view.Mood = condition.Mood{}
			r.view.Mood[c.of] = s.value
			if got := cond.Met(r.view); got != s.want {
				t.Errorf("%s at %g: %v", cond, s.value, got)
			}
		}
	}
}

// mood makes a mood of two emotions.
func mood(stimulated, confident float64) condition.Mood {
	return condition.Mood{condition.Stimulated: stimulated, condition.Confident: confident}
}

// Low stimulation wins over frustration; the limits belong to the lower word.
// Rules: data/5.5.
func TestSimpleMoodWords(t *testing.T) {
	for _, c := range []struct {
		stimulated, confident float64
		want                  condition.SimpleMood
	}{
		{0, 0, condition.LowStim},
		{0.2, -1, condition.LowStim},
		{0.21, -0.29, condition.MedStim},
		{0.21, -0.3, condition.Frustrated},
		{0.8, 0, condition.MedStim},
		{0.81, 0, condition.HighStim},
		{1, -1, condition.Frustrated},
	} {
		m := mood(c.stimulated, c.confident)
		if got := m.Simple(); got != c.want {
			t.Errorf("stimulated %g, confident %g: %v, want %v", c.stimulated, c.confident, got, c.want)
		}
	}
}

// The condition is met by the present mood, or by a transition since one tick ago; a second evaluation gives the same answer.
// Rules: data/3.3g, data/3.4h.
func TestSimpleMoodTransitionsLastOneTick(t *testing.T) {
	low, med, high := mood(0, 0), mood(0.5, 0), mood(1, 0)
	for _, c := range []struct {
		keys     string
		was, is  condition.Mood
		expected bool
	}{
		{`"mood": "MedStim"`, med, med, true},
		{`"mood": "MedStim"`, med, low, false},
		{`"from": "LowStim"`, low, med, true},
		{`"from": "LowStim"`, low, high, true},
		{`"from": "LowStim"`, low, low, false},
		{`"from": "LowStim"`, med, high, false},
		{`"to": "MedStim"`, low, med, true},
		{`"to": "MedStim"`, high, med, true},
		{`"to": "MedStim"`, med, med, false},
		{`"from": "LowStim", "to": "HighStim"`, low, high, true},
		{`"from": "LowStim", "to": "HighStim"`, low, med, false},
		{`"from": "LowStim", "to": "HighStim"`, med, high, false},
	} {
		r := newRig(t)
		cond := r.parse(`{"conditionType": "SimpleMood", ` + c.keys + `}`)
		r.view.MoodHistory, r.view.Mood = condition.MoodHistory{high, low, c.was, c.was}, c.is
		if first, second := cond.Met(r.view), cond.Met(r.view); first != c.expected || second != c.expected {
			t.Errorf("%s, was %v, is %v: %v, then %v", cond, c.was, c.is, first, second)
		}
	}
}

// The change over n ticks is measured from the sample of n ticks ago, or from the oldest one if the history is shorter.
// Rules: DT-M02, data/5.1h.
func TestMoodDeltaOverShortHistoryUsesOldestSample(t *testing.T) {
	r := newRig(t)
	sample := func(happy float64) condition.Mood { return condition.Mood{condition.Happy: happy} }
	r.view.MoodHistory = condition.MoodHistory{sample(0), sample(0.5), sample(1), sample(1)}
	r.view.Mood = sample(-0.5)
	for n, want := range []float64{0, -1.5, -1, -0.5, -0.5, -0.5} {
		if got := r.view.MoodDelta(condition.Happy, n); got != want {
			t.Errorf("over %d ticks: %g, want %g", n, got, want)
		}
	}
	r.view.MoodHistory = nil
	if got := r.view.MoodDelta(condition.Happy, 3); got != -0.5 {
		t.Errorf("without a history: %g", got)
	}
}

// A gate follows its feature, both ways.
// Rules: 6.5/FeatureGate, DT-C17, data/3.3h, data/5.7a.
func TestFeatureGateFollowsItsFeature(t *testing.T) {
	r := newRig(t)
	on, off := r.parse(`{"conditionType": "FeatureGate", "feature": "Exploring"}`), r.parse(`{"conditionType": "FeatureGate", "feature": "Exploring", "expected": false}`)
	for _, enabled := range []bool{true, false} {
		r.view.Features = map[string]bool{"Exploring": enabled, "Other": true}
		r.want(on, enabled)
		r.want(off, !enabled)
	}
	r.view.Features = nil
	r.want(on, false)
}

// Rules: DT-C15.
func TestConsoleVarComparesItsVariable(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "ConsoleVar", "variable": "TestBEIConsoleVar", "value": 5}`)
	zero := r.parse(`{"conditionType": "ConsoleVar", "variable": "TestBEIConsoleVar", "value": 0}`)
	r.want(zero, false) // never set
	for _, s := range []struct {
		value int32
		want  bool
	}{{0, false}, {1, false}, {5, true}, {1, false}} {
		r.view.Vars = map[string]int32{"TestBEIConsoleVar": s.value, "Other": 5}
		r.want(c, s.want)
		r.want(zero, s.value == 0)
	}
}
