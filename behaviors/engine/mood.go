package engine

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
)

const (
	// moodStep is the change away from zero from which on an emotion begins to fade anew (data/5.1b).
	moodStep = 0.05
)

// mood is the state of the emotions besides their values, which are in the view.
type mood struct {
	core    *core
	buffers *tickBuffers
	moved   [condition.Emotions]time.Time // since when each fades
	faded   time.Time                     // the newest fading
	last    map[string]time.Time          // when each event happened last
	fixes   []fix                         // oldest first
}

// A fix holds an emotion at a value for a behavior.
type fix struct {
	cell    *Cell
	key     string
	emotion condition.Emotion
	value   float64
}

// begin starts the clock of every emotion: until one is moved away from zero, it fades by the time since the start (data/5.1b).
func (m *mood) begin(now time.Time) {
	for i := range m.moved {
		m.moved[i] = now
	}
}

// fit brings the emotions, and what holds them, into the ranges of a changed catalog.
func (m *mood) fit() {
	for i := range m.fixes {
		m.fixes[i].value = m.within(m.fixes[i].emotion, m.fixes[i].value)
	}
	m.core.change(func(v *condition.View) {
		for i := range v.Mood {
			v.Mood[i] = m.within(condition.Emotion(i), v.Mood[i])
		}
	})
}

// fade lets the emotions fade by the time since the last tick and takes the sample of this one. It runs before the view
// of the tick is handed out.
func (m *mood) fade() {
	v := m.core.view
	from, dt := m.faded, v.Now.Sub(m.faded)
	if m.faded.IsZero() || dt < 0 {
		from, dt = v.Now, 0
	}
	for i := range v.Mood {
		if v.Mood[i] == 0 {
			continue
		}
		em := condition.Emotion(i)
		if _, fixed := m.fixed(em); fixed {
			continue
		}
		age := min(from.Sub(m.moved[i]), LongestAge) // a clock that was set makes any age
		v.Mood[i] = m.within(em, faded(&m.core.catalog.Mood.Fading[i], v.Mood[i], age, min(dt, LongestAge)))
	}
	m.faded = v.Now
	v.MoodHistory = m.buffers.felt(v.MoodHistory, v.Mood)
}

// faded is the value of an emotion dt later; age is the time since it was moved.
func faded(f *catalog.Fading, value float64, age, dt time.Duration) float64 {
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

// request makes an emotion event happen; one that nothing declares is refused. Without any mood data nothing is a mistake.
func (m *mood) request(c *Cell, r *behaviors.Request) {
	if r.OK = m.trigger(r.Key); !r.OK && !r.On && len(m.core.catalog.Mood.Events) > 0 {
		m.core.refuse(c, r, stack.UnknownName)
	}
}

// trigger makes an emotion event happen; false means that there is none of that name (data/5.4c, data/5.4d).
func (m *mood) trigger(name string) bool {
	ev := m.core.catalog.Mood.Events[name]
	if ev == nil {
		return false
	}
	now, since := m.core.view.Now, math.Inf(1)
	if at, ever := m.last[name]; ever {
		since = now.Sub(at).Seconds()
	}
	if m.last == nil {
		m.last = map[string]time.Time{}
	}
	m.last[name] = now
	factor := ev.Penalty.At(since)
	m.core.change(func(v *condition.View) {
		for _, a := range ev.Affectors {
			if _, fixed := m.fixed(a.Emotion); !fixed {
				m.move(v, a.Emotion, a.Value*factor)
			}
		}
	})
	return true
}

// move adds to an emotion within its range. A step away from zero, or across it, makes it fade anew.
func (m *mood) move(v *condition.View, em condition.Emotion, by float64) {
	old := v.Mood[em]
	value := m.within(em, old+by)
	if value*old < 0 || math.Abs(value)-math.Abs(old) > moodStep {
		m.moved[em] = v.Now
	}
	v.Mood[em] = value
}

func (m *mood) within(em condition.Emotion, value float64) float64 {
	r := m.core.catalog.Mood.Range[em]
	return min(max(value, r.Min), r.Max)
}

// fixed is the value at which an emotion is held: that of the latest fix.
func (m *mood) fixed(em condition.Emotion) (float64, bool) {
	for _, f := range slices.Backward(m.fixes) {
		if f.emotion == em {
			return f.value, true
		}
	}
	return 0, false
}

// fix holds an emotion for c under a key; the same key twice is refused.
func (m *mood) fix(c *Cell, r *behaviors.Request) {
	to := r.Args.(behaviors.EmotionFix)
	switch {
	case slices.ContainsFunc(m.fixes, func(f fix) bool { return f.cell == c && f.key == r.Key }):
		m.core.refuse(c, r, stack.AlreadySet)
	case int(to.Emotion) >= condition.Emotions || math.IsNaN(to.Value):
		m.core.refuse(c, r, stack.UnknownName)
	default:
		m.fixes = append(m.fixes, fix{c, r.Key, to.Emotion, m.within(to.Emotion, to.Value)})
		m.hold(to.Emotion)
	}
}

// unfix releases one fix of c; the emotion goes on from where it is, or to what an earlier fix holds.
func (m *mood) unfix(c *Cell, key string) bool {
	i := slices.IndexFunc(m.fixes, func(f fix) bool { return f.cell == c && f.key == key })
	if i < 0 {
		return false
	}
	em := m.fixes[i].emotion
	m.fixes = slices.Delete(m.fixes, i, i+1)
	m.hold(em)
	return true
}

// hold puts an emotion to the value of its latest fix, if it has one.
func (m *mood) hold(em condition.Emotion) {
	m.moved[em] = m.core.view.Now
	if value, fixed := m.fixed(em); fixed && m.core.view.Mood[em] != value {
		m.core.change(func(v *condition.View) { v.Mood[em] = value })
	}
}

// atLeast raises an emotion that is below a value; a fixed one stays where it is.
func (m *mood) atLeast(c *Cell, r *behaviors.Request) {
	to := r.Args.(behaviors.EmotionFix)
	if int(to.Emotion) >= condition.Emotions || math.IsNaN(to.Value) {
		m.core.refuse(c, r, stack.UnknownName)
		return
	}
	by := to.Value - m.core.view.Mood[to.Emotion]
	if _, fixed := m.fixed(to.Emotion); !fixed && by > 0 {
		m.core.change(func(v *condition.View) { m.move(v, to.Emotion, by) })
	}
}

// drop releases every fix of c.
func (m *mood) drop(c *Cell) {
	for _, f := range slices.Clone(m.fixes) {
		if f.cell == c {
			m.unfix(c, f.key)
		}
	}
}

// feel triggers the emotion event of an action's end.
func (m *mood) feel(done *actions.Completion) {
	results := m.core.catalog.Mood.Results
	if len(results) == 0 {
		return
	}
	if event := results[catalog.ActionEnd{Type: done.Type, Category: done.Result.Category()}]; event != "" {
		m.trigger(event)
	}
}
