package catalog_test

import (
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
)

const plainBase = `
-- Base.json --
{"behaviorClass": "Plain", "behaviorID": "Base"}
`

// The graph named default fades every emotion that has no graph of its own, and no other.
// Rules: data/5.1e.
func TestDefaultDecayGraphIsForEmotionsWithoutOne(t *testing.T) {
	cat, diags := build(t, plainBase+`-- mood_config.json --
{"decayGraphs": [
  {"emotionType": "default", "graphType": "ValueSlope", "nodes": [{"x": 0, "y": 0.5}]},
  {"emotionType": "Happy", "graphType": "TimeRatio", "nodes": [{"x": 0, "y": 1}, {"x": 9, "y": 0}]}
]}
`)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for i, name := range condition.EmotionNames() {
		f := cat.Mood.Fading[i]
		if own := name == "Happy"; f.BySlope == own || f.Graph.At(0) != map[bool]float64{true: 1, false: 0.5}[own] {
			t.Errorf("%s fades by slope %v, from %g", name, f.BySlope, f.Graph.At(0))
		}
	}
}

// A file of emotion events is one event, or a list of them.
// Rules: DT-M04, data/5.4a.
func TestEmotionEventsComeAloneOrInAList(t *testing.T) {
	cat, diags := build(t, plainBase+`-- emotionevents/alone.json --
{"name": "Alone", "emotionAffectors": [{"emotionType": "Social", "value": -0.5}, {"emotionType": "Trust", "value": 0.25}]}
-- emotionevents/list.json --
{"emotionEvents": [{"name": "One", "emotionAffectors": []}, {"name": "Two", "emotionAffectors": []}]}
`)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	if got := cat.Mood.EventNames(); !slices.Equal(got, []string{"Alone", "One", "Two"}) {
		t.Errorf("events %q", got)
	}
	want := []catalog.Affector{{Emotion: condition.Social, Value: -0.5}, {Emotion: condition.Trust, Value: 0.25}}
	if got := cat.Mood.Events["Alone"].Affectors; !slices.Equal(got, want) {
		t.Errorf("affectors %v, want %v", got, want)
	}
}

// Of several definitions of an event the last one counts, with its own penalty; an event without one has the default penalty.
// Rules: DT-M05, data/5.4b, data/5.4c.
func TestLaterEmotionEventReplacesTheEarlier(t *testing.T) {
	cat, diags := build(t, plainBase+`-- mood_config.json --
{
  "defaultRepetitionPenalty": {"nodes": [{"x": 0, "y": 0.5}]},
  "eventMapper": {"emotionEvents": [{"name": "Praise", "emotionAffectors": [{"emotionType": "Happy", "value": 0.1}]}]}
}
-- emotionevents/a.json --
{"name": "Praise", "emotionAffectors": [{"emotionType": "Happy", "value": 0.2}], "repetitionPenalty": {"nodes": [{"x": 0, "y": 0.75}]}}
-- emotionevents/b.json --
{"name": "Praise", "emotionAffectors": [{"emotionType": "Happy", "value": 0.3}]}
`)
	if cat == nil || len(diags) != 2 {
		t.Fatalf("want a warning for each replacement:\n%s", diags)
	}
	e := cat.Mood.Events["Praise"]
	if len(e.Affectors) != 1 || e.Affectors[0].Value != 0.3 || e.Penalty.At(0) != 0.5 {
		t.Errorf("affectors %v, penalty %g", e.Affectors, e.Penalty.At(0))
	}
}
