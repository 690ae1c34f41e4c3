package engine_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// moodData are the emotions of every rig. Happy fades like DT-M03; Confident does not fade; Stimulated loses 0.6 a minute;
// a fifth of Social stays.
const moodData = `{
  "decayGraphs": [
    { "emotionType": "Happy", "graphType": "TimeRatio", "nodes": [
      { "x": 0, "y": 1 }, { "x": 0.5, "y": 1 }, { "x": 1, "y": 0.9 }, { "x": 1.5, "y": 0.8 }, { "x": 2, "y": 0.5 },
      { "x": 2.5, "y": 0.5 }, { "x": 3, "y": 0.4 }, { "x": 3.5, "y": 0 }] },
    { "emotionType": "Stimulated", "graphType": "ValueSlope", "nodes": [{ "x": 0, "y": 0.6 }] },
    { "emotionType": "Social", "graphType": "TimeRatio", "nodes": [{ "x": 0, "y": 1 }, { "x": 2, "y": 0.2 }] }
  ],
  "valueRanges": [{ "emotionType": "Stimulated", "min": 0, "max": 1 }],
  "eventMapper": { "emotionEvents": [
    { "name": "whisper", "emotionAffectors": [{ "emotionType": "Social", "value": 0.04 }] },
    { "name": "nudge", "emotionAffectors": [{ "emotionType": "Confident", "value": 0.05 }] },
    { "name": "half", "emotionAffectors": [{ "emotionType": "Confident", "value": 0.5 }] },
    { "name": "worse", "emotionAffectors": [{ "emotionType": "Confident", "value": -1.5 }] },
    { "name": "joy", "emotionAffectors": [{ "emotionType": "Happy", "value": 1 }] },
    { "name": "grief", "emotionAffectors": [{ "emotionType": "Happy", "value": -2 }] },
    { "name": "turn", "emotionAffectors": [{ "emotionType": "Happy", "value": -0.8 }] },
    { "name": "hint", "emotionAffectors": [{ "emotionType": "Happy", "value": 0.04 }] },
    { "name": "shock", "emotionAffectors": [{ "emotionType": "Stimulated", "value": 0.7 }, { "emotionType": "Trust", "value": 0.25 }] },
    { "name": "again", "emotionAffectors": [{ "emotionType": "Trust", "value": 0.5 }],
      "repetitionPenalty": { "nodes": [{ "x": 0, "y": 0 }, { "x": 1, "y": 0.5 }, { "x": 2, "y": 1 }] } }
  ] },
  "actionResultEmotionEvents": { "WAIT": { "SUCCESS": "shock", "ABORT": "worse" } }
}`

// pace makes the clock of a rig go by d a tick from here on.
func (r *rig) pace(d time.Duration) func() {
	now := epoch.Add(time.Duration(r.tick) * period)
	return func() {
		r.t.Helper()
		now = now.Add(d)
		r.tick++
		r.out = r.eng.Step(engine.Input{Tick: r.tick, Now: now, World: hardware.Snapshot{Now: now}, Commands: r.cmds})
		r.cmds = nil
	}
}

// feels compares an emotion.
func (r *rig) feels(e condition.Emotion, want float64) {
	r.t.Helper()
	if got := r.eng.View().Mood[e]; !(math.Abs(got-want) <= 1e-6) { // not a number is never right
		r.t.Errorf("tick %d: %s is %.6f, want %g", r.tick, e, got, want)
	}
}

// triggers makes a behavior trigger events, one list a tick from the first tick on.
func (r *rig) triggers(id string, lists ...[]string) {
	r.of(id).update = func(c *behaviors.Control) {
		if n := int(c.Tick()) - 1; n < len(lists) {
			for _, event := range lists[n] {
				if !granted(c, func() { c.Emotions().Trigger(event) }) {
					r.t.Errorf("tick %d: no event %q", c.Tick(), event)
				}
			}
		}
	}
}

// Values are clamped to their range at each step; the change over a tick is that since its start or, seen in it, since the start of
// the one before.
// Rules: DT-M01, data/5.1a.
func TestEmotionsAddUpWithinTheirRange(t *testing.T) {
	r := newRig(t, "R+", nil)
	want := []struct{ value, delta float64 }{{0.5, 0.5}, {1, 1}, {1, 1}, {-0.5, -0.5}, {-1, -1}}
	r.of("R").update = once(1, func(c *behaviors.Control) {
		for i, event := range []string{"half", "half", "half", "worse", "worse"} {
			c.Emotions().Trigger(event)
			v := c.View()
			if got := v.Mood[condition.Confident]; got != want[i].value || v.MoodDelta(condition.Confident, 1) != want[i].delta {
				t.Errorf("after %d: %g, %g, want %+v", i+1, got, v.MoodDelta(condition.Confident, 1), want[i])
			}
		}
	})
	r.step()
	r.steps(3)
	r.feels(condition.Confident, -1)
}

// One event a tick; the samples are those of the starts of the ticks.
// Rules: DT-M02, data/5.1h.
func TestMoodHistoryKeepsOneEventPerTick(t *testing.T) {
	r := newRig(t, "R+", nil)
	r.triggers("R", []string{"half"}, []string{"half"}, []string{"half"}, []string{"worse"})
	r.steps(4)
	for n, want := range []float64{0, -1.5, -1, -0.5, -0.5} {
		if got := r.eng.View().MoodDelta(condition.Confident, n); got != want {
			t.Errorf("over %d ticks: %g, want %g", n, got, want)
		}
	}
}

// The history reaches 64 ticks back, and costs no allocation; that of a tick stays as it is for ever if a hook was lost in the
// tick, because the lost hook may still read it.
// Rules: data/5.1h.
func TestMoodHistoryOfLostHookIsNotReused(t *testing.T) {
	const lost = 300
	var zombie *condition.View
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			c.Emotions().Unfix("k")
			c.Emotions().Fix("k", condition.Trust, float64(c.Tick())/1e4) // no sample is like another
		}
		r.of("A").update = once(lost, func(c *behaviors.Control) {
			zombie = c.View()
			panic("boom")
		})
	})
	var all condition.MoodHistory
	for range 4 * lost {
		r.step()
		h := r.eng.View().MoodHistory
		all = append(all, h[len(h)-1])
		if want := all[max(0, len(all)-65):]; !slices.Equal(h, want) {
			t.Fatalf("tick %d: %v, want %v", r.tick, h, want)
		}
	}
	if zombie == nil || zombie.Tick != lost || !slices.Equal(zombie.MoodHistory, all[lost-65:lost]) {
		t.Error("what a lost hook may still read was changed")
	}
}

// An emotion fades by the time since it was moved, and in the same way below zero.
// Rules: DT-M03, data/5.1c.
func TestEmotionFadesByTimeRatio(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		r := newRig(t, "R+", nil)
		tick := r.pace(10 * time.Millisecond)
		r.of("R").update = once(1, func(c *behaviors.Control) {
			c.Emotions().Trigger(map[float64]string{1: "joy", -1: "grief"}[sign])
		})
		tick()
		at := 0
		for _, s := range []struct{ after, want float64 }{
			{0.5, 1},
			{0.8, 0.94},
			{1, 0.9},
			{1.25, 0.85},
			{1.5, 0.8},
			{1.75, 0.65},
			{2, 0.5},
			{2.5, 0.5},
			{2.75, 0.45},
			{3, 0.4},
			{3.25, 0.2},
			{3.5, 0},
			{5, 0},
		} {
			for ; at < int(math.Round(s.after*100)); at++ {
				tick()
			}
			r.feels(condition.Happy, sign*s.want)
		}
	}
}

// A step away from zero begins to fade anew, one towards zero or a small one does not, and one across zero does.
// Rules: data/5.1b.
func TestStepAwayFromZeroRestartsFading(t *testing.T) {
	for _, c := range []struct {
		event string
		want  float64 // half a second after the event, which comes two seconds after joy left 0.5
	}{
		{"hint", 0.54}, // 2 s to 2.5 s: nothing fades there, whichever clock counts
		{"joy", 1},
		{"grief", -1},
		{"turn", -0.3}, // nearer to zero, but on its other side
	} {
		r := newRig(t, "R+", nil)
		tick := r.pace(10 * time.Millisecond)
		r.of("R").update = func(c2 *behaviors.Control) {
			switch c2.Tick() {
			case 1:
				c2.Emotions().Trigger("joy")
			case 201:
				c2.Emotions().Trigger(c.event)
			}
		}
		for range 251 {
			tick()
		}
		r.feels(condition.Happy, c.want)
		for range 50 { // to 3 s of the first clock, to 1 s of a new one
			tick()
		}
		next := map[string]float64{"hint": 0.54 * 0.4 / 0.5, "joy": 0.9, "grief": -0.9, "turn": -0.27}[c.event]
		r.feels(condition.Happy, next)
	}
}

// ValueSlope: a loss for each minute, towards zero and never across it, whenever it was moved.
// Rules: data/5.1d, data/5.1e.
func TestEmotionFadesBySlope(t *testing.T) {
	r := newRig(t, "R+", nil)
	r.triggers("R", []string{"shock"})
	tick := r.pace(time.Second)
	tick()
	r.feels(condition.Stimulated, 0.7)
	for range 30 {
		tick()
	}
	r.feels(condition.Stimulated, 0.4)
	for range 60 {
		tick()
	}
	for range 2 { // and stays there
		r.feels(condition.Stimulated, 0)
		tick()
	}
	r.feels(condition.Trust, 0.25) // without a graph: kept
}

// TimeRatio: beyond the end of the graph the emotion is zero, also after a small step that started no new clock.
// Rules: data/5.1c.
func TestEmotionIsZeroBeyondEndOfDecayGraph(t *testing.T) {
	r := newRig(t, "R+", nil)
	r.triggers("R", []string{"joy"}, nil, nil, nil, nil, []string{"hint"})
	tick := r.pace(time.Second)
	for range 6 {
		tick()
	}
	r.feels(condition.Happy, 0.04)
	tick()
	r.feels(condition.Happy, 0)
}

// The factor of a repetition comes from the time since the event happened last; the first time from the right end.
// Rules: data/5.4c.
func TestRepeatedEmotionEventCountsLess(t *testing.T) {
	r := newRig(t, "R+", nil)
	r.triggers("R", []string{"again"}, []string{"again"}, nil, nil, []string{"again", "again"})
	tick := r.pace(500 * time.Millisecond)
	tick()
	r.feels(condition.Trust, 0.5)
	tick() // half a second later: a quarter
	r.feels(condition.Trust, 0.5+0.25*0.5)
	for range 3 { // one and a half seconds later: three quarters; at once again: nothing
		tick()
	}
	r.feels(condition.Trust, 1)
}

// The event of the file happens before the author's hook runs. An unknown name is a warning, and in scope nothing happens at all.
// Rules: B-11, data/1.4g, data/5.4d.
func TestActivationTriggersItsEmotionEvent(t *testing.T) {
	r := newRig(t, `R+ > A
A+ | "emotionEventOnActivated": "half"`, nil)
	r.of("R").update = once(2, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	r.of("A").update = func(c *behaviors.Control) {
		if !c.Activated() && granted(c, func() { c.Emotions().Trigger("half") }) {
			t.Error("triggered in scope")
		}
	}
	r.of("A").start = func(c *behaviors.Control) {
		if got := c.View().Mood[condition.Confident]; got != 0.5 {
			t.Errorf("in OnActivated: %g", got)
		}
		if granted(c, func() { c.Emotions().Trigger("halve") }) {
			t.Error("an event that does not exist")
		}
	}
	r.step()
	r.feels(condition.Confident, 0)
	r.step()
	r.feels(condition.Confident, 0.5)
	r.misused(stack.Refusal{Op: stack.OpEmotion, By: "A", To: "halve", Reason: stack.UnknownName})
}

// The result of an action raises its emotion event in the next tick.
// Rules: RUN-15, data/5.1g.
func TestEndOfActionRaisesEmotionEvent(t *testing.T) {
	for _, c := range []struct {
		result           actions.Result
		trust, confident float64
	}{{actions.Success, 0.25, 0}, {actions.Abort, 0, -1}, {actions.Retry, 0, 0}} {
		act := done("act")
		act.Kind, act.Result = actions.TypeWait, c.result
		r := newRig(t, "R+", nil)
		r.of("R").start = func(c *behaviors.Control) { c.Act(act, nil) }
		r.step()
		r.feels(condition.Trust, 0)
		r.step()
		r.feels(condition.Trust, c.trust)
		r.feels(condition.Confident, c.confident)
	}
}

// An emotion that is fixed neither follows events nor fades; the latest fix counts; all are undone at deactivation.
// Rules: data/5.1i.
func TestFixedEmotionIgnoresEventsAndFading(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", nil)
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 1:
			if !c.Emotions().Fix("k", condition.Stimulated, 0.5) || c.Emotions().Fix("k", condition.Happy, 0.5) {
				t.Error("a key once, and not twice")
			}
			r.pass(c, "A", nil)
		case 2:
			c.Emotions().Trigger("shock")
		case 3:
			c.CancelDelegates()
		case 4:
			if !granted(c, func() { c.Emotions().Unfix("k") }) || granted(c, func() { c.Emotions().Unfix("k") }) {
				t.Error("released once, and not twice")
			}
			c.Emotions().Trigger("shock")
		}
	}
	r.of("A").start = func(c *behaviors.Control) {
		c.Emotions().Fix("k", condition.Stimulated, 0.9)
		c.Emotions().Fix("low", condition.Confident, -7)
	}
	r.of("A").update = func(c *behaviors.Control) {
		if !c.Activated() && c.Emotions().Fix("x", condition.Happy, 1) {
			t.Error("fixed in scope")
		}
	}
	for _, want := range []float64{0.9, 0.9, 0.5, 1} {
		r.step()
		r.feels(condition.Stimulated, want)
	}
	r.feels(condition.Confident, -1) // as low as it goes
	r.step()
	r.feels(condition.Stimulated, 1-0.6*period.Minutes())
	r.feels(condition.Trust, 0.5) // the same event went on for what is not fixed
}

// Every behavior sees a transition, in the tick after the event at the latest.
// Rules: data/3.3g, data/3.4h.
func TestMoodTransitionIsSeenWithinOneTick(t *testing.T) {
	r := newRig(t, `R+ > A
A+ | "wantsToBeActivatedCondition": {"conditionType": "SimpleMood", "from": "LowStim", "to": "MedStim"}`, nil)
	var wanted []uint64
	r.of("R").update = func(c *behaviors.Control) {
		if c.Wants("A") {
			wanted = append(wanted, c.Tick())
		}
		if c.Tick() == 2 {
			c.Emotions().Trigger("shock")
		}
	}
	r.steps(5)
	if len(wanted) != 1 || wanted[0] != 3 {
		t.Errorf("wanted in ticks %v", wanted)
	}
}

// misused demands the record of a refused request of the tick.
func (r *rig) misused(want stack.Refusal) {
	r.t.Helper()
	if !slices.Contains(r.out.Misuses, want) {
		r.t.Errorf("tick %d: no %+v in %+v", r.tick, want, r.out.Misuses)
	}
}

// warned demands a warning of the tick.
func (r *rig) warned(want engine.Warning) {
	r.t.Helper()
	for _, w := range r.out.Warnings {
		if w == want {
			return
		}
	}
	r.t.Errorf("tick %d: no %q in %q", r.tick, want, r.out.Warnings)
}
