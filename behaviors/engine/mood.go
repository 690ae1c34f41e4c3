package engine

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
)

const (
	// moodStep is the change away from zero from which on an emotion begins to fade anew (data/5.1b).
	moodStep = 0.05
)

// mood is what the engine remembers of the emotions beside their values, which are in the view.
type mood struct {
	moved [condition.Emotions]time.Time // since when each fades
	faded time.Time                     // the newest fading
	last  map[string]time.Time          // when each event happened last
	fixes []fix                         // oldest first
}

// A fix holds an emotion at a value for a behavior.
type fix struct {
	cell    *Cell
	key     string
	emotion condition.Emotion
	value   float64
}

// fadeMood lets the emotions fade by the time since the last tick and takes the sample of this one. It runs before the view
// of the tick is handed out.
func (e *Engine) fadeMood() {
	v := e.view
	from, dt := e.mood.faded, v.Now.Sub(e.mood.faded)
	if e.mood.faded.IsZero() || dt < 0 {
		from, dt = v.Now, 0
	}
	for i := range v.Mood {
		em := condition.Emotion(i)
		if _, fixed := e.fixed(em); fixed || v.Mood[i] == 0 {
			continue
		}
		v.Mood[i] = fade(&e.catalog.Mood.Fading[i], v.Mood[i], from.Sub(e.mood.moved[i]), dt)
	}
	e.mood.faded = v.Now
	v.MoodHistory = e.buffers.felt(v.MoodHistory, v.Mood)
}

// fade is the value of an emotion dt later; age is the time since it was moved.
func fade(f *behaviors.Fading, value float64, age, dt time.Duration) float64 {
	switch {
	case f.Graph.Len() == 0:
		return value
	case f.BySlope:
		loss := f.Graph.At(value) * dt.Minutes()
		return math.Copysign(max(0, math.Abs(value)-loss), value)
	}
	before, after := f.Graph.At(age.Seconds()), f.Graph.At((age + dt).Seconds())
	if before == 0 {
		return 0
	}
	return value * after / before
}

// triggerEmotion makes an emotion event happen; false means that there is none of that name (data/5.4c, data/5.4d).
func (e *Engine) triggerEmotion(name string) bool {
	ev := e.catalog.Mood.Events[name]
	if ev == nil {
		return false
	}
	now, since := e.view.Now, math.Inf(1)
	if at, ever := e.mood.last[name]; ever {
		since = now.Sub(at).Seconds()
	}
	if e.mood.last == nil {
		e.mood.last = map[string]time.Time{}
	}
	e.mood.last[name] = now
	factor := ev.Penalty.At(since)
	e.change(func(v *condition.View) {
		for _, a := range ev.Affectors {
			if _, fixed := e.fixed(a.Emotion); !fixed {
				e.moveEmotion(v, a.Emotion, a.Value*factor)
			}
		}
	})
	return true
}

// moveEmotion adds to an emotion within its range. A step away from zero, or across it, makes it fade anew.
func (e *Engine) moveEmotion(v *condition.View, em condition.Emotion, by float64) {
	old := v.Mood[em]
	value := e.within(em, old+by)
	if value*old < 0 || math.Abs(value)-math.Abs(old) > moodStep {
		e.mood.moved[em] = v.Now
	}
	v.Mood[em] = value
}

func (e *Engine) within(em condition.Emotion, value float64) float64 {
	r := e.catalog.Mood.Range[em]
	return min(max(value, r.Min), r.Max)
}

// fixed is the value at which an emotion is held: that of the latest fix.
func (e *Engine) fixed(em condition.Emotion) (float64, bool) {
	for _, f := range slices.Backward(e.mood.fixes) {
		if f.emotion == em {
			return f.value, true
		}
	}
	return 0, false
}

// fixEmotion holds an emotion for c under a key; the same key twice is refused.
func (e *Engine) fixEmotion(c *Cell, key string, em condition.Emotion, value float64) bool {
	taken := slices.ContainsFunc(e.mood.fixes, func(f fix) bool { return f.cell == c && f.key == key })
	if taken || !c.Node.Activated() || int(em) >= condition.Emotions || math.IsNaN(value) {
		return false
	}
	e.mood.fixes = append(e.mood.fixes, fix{c, key, em, e.within(em, value)})
	e.holdEmotion(em)
	return true
}

// unfixEmotion releases one fix of c; the emotion goes on from where it is, or to what an earlier fix holds.
func (e *Engine) unfixEmotion(c *Cell, key string) bool {
	i := slices.IndexFunc(e.mood.fixes, func(f fix) bool { return f.cell == c && f.key == key })
	if i < 0 {
		return false
	}
	em := e.mood.fixes[i].emotion
	e.mood.fixes = slices.Delete(e.mood.fixes, i, i+1)
	e.holdEmotion(em)
	return true
}

// holdEmotion puts an emotion to the value of its latest fix, if it has one.
func (e *Engine) holdEmotion(em condition.Emotion) {
	e.mood.moved[em] = e.view.Now
	if value, fixed := e.fixed(em); fixed && e.view.Mood[em] != value {
		e.change(func(v *condition.View) { v.Mood[em] = value })
	}
}

// releaseMood gives back what c fixed.
func (e *Engine) releaseMood(c *Cell) {
	for _, f := range slices.Clone(e.mood.fixes) {
		if f.cell == c {
			e.unfixEmotion(c, f.key)
		}
	}
}

// feelResult makes the emotion event of an action's end happen.
func (e *Engine) feelResult(done *actions.Completion) {
	if len(e.catalog.Mood.Results) == 0 {
		return
	}
	if event := e.catalog.Mood.Results[behaviors.ActionEnd{Type: done.Type, Category: done.Result.Category()}]; event != "" {
		e.triggerEmotion(event)
	}
}
