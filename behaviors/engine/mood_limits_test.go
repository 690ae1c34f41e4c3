package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/resources"
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

// A feeler triggers and fixes in its first tick.
type feeler struct{}

func (feeler) OnActivated(c *behaviors.Control) {
	c.Emotions().Trigger("shock")
	c.Emotions().Fix("k", condition.Trust, 0.9)
	c.Emotions().Fix("later", condition.Trust, 0.8)
}

func (feeler) Update(c *behaviors.Control) {
	if c.Tick() == 4 {
		c.Emotions().Unfix("later")
	}
}

func (feeler) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// A reload with narrower ranges takes emotions, and what behaviors hold them at, into them at once.
// Rules: L-44, data/5.1a.
func TestReloadWithNarrowerRangesClampsEmotions(t *testing.T) {
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Feeler", New: func(*behaviors.Config) behaviors.Behavior { return feeler{} }})
	build := func(most string) *catalog.Catalog {
		t.Helper()
		doc, _ := resources.Parse("A.json", []byte(`{"behaviorClass":"Feeler","behaviorID":"A"}`))
		boot, _ := resources.Parse(catalog.BootFile, []byte(`{"normalBaseBehavior":"A","fallbackBehavior":"A","userIntents":[]}`))
		mood, _ := resources.Parse(catalog.MoodFile, []byte(`{
			"valueRanges": [{"emotionType": "Happy", "min": 0, "max": `+most+`}, {"emotionType": "Trust", "min": 0, "max": `+most+`}],
			"eventMapper": {"emotionEvents": [{"name": "shock", "emotionAffectors": [{"emotionType": "Happy", "value": 1}]}]}}`))
		cat, diags := catalog.Build(catalog.Sources{Behaviors: []*resources.Document{doc}, Boot: boot, Mood: &catalog.MoodFiles{Config: mood}}, reg)
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		return cat
	}
	wide, narrow := build("1"), build("0.4")
	change := func(*engine.Command) (*catalog.Change, error) { return catalog.Compare(wide, narrow) }
	eng, err := engine.New(engine.Options{Catalog: wide, Changes: change})
	if err == nil {
		err = eng.Start(epoch)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ happy, trust float64 }{{1, 0.8}, {1, 0.8}, {0.4, 0.4}, {0.4, 0.4}} {
		in := engine.Input{Tick: uint64(i + 1), Now: epoch.Add(time.Duration(i+1) * period), Seed: 1}
		if in.World.Now = in.Now; i == 2 {
			in.Commands = []engine.Command{{Kind: engine.Reload}}
		}
		eng.Step(in)
		if m := eng.View().Mood; m[condition.Happy] != want.happy || m[condition.Trust] != want.trust {
			t.Errorf("tick %d: happy %g, trust %g, want %+v", i+1, m[condition.Happy], m[condition.Trust], want)
		}
	}
}
