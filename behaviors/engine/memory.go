package engine

import (
	"maps"
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// LongestAge is the age from which on a memory tells no two apart. A clock that was set makes ages of decades, and some below zero.
const LongestAge = 10 * 365 * 24 * time.Hour

// A Memory is what survives the end of an engine: what the robot feels, counted, timed and saw. Times are ages, so that it belongs to no
// clock. What authors' code keeps in its own values is not part of it.
type Memory struct {
	Off    time.Duration // since it was taken: emotions fade meanwhile
	Mood   []Feeling
	Events []Age // emotion events, for what a repetition counts
	Timers []Age // named timers
	Stats  []Count
	Seen   hardware.Remembered
	// Features are those that an operator switched on or off.
	Features []Overridden
	// Reactions are those that people chose.
	Reactions []Chosen
}

// A Feeling is the value of one emotion.
type Feeling struct {
	Emotion string
	Value   float64
	Age     time.Duration // since it was moved
}

// An Age is how long ago something happened.
type Age struct {
	Name string
	Age  time.Duration
}

// A Count is the value of one counter.
type Count struct {
	Name string
	N    uint64
}

// Older returns the memory some time later. An age that reaches the longest grows no further.
func (m *Memory) Older(by time.Duration) *Memory {
	c := Memory{Off: m.Off + by, Mood: slices.Clone(m.Mood), Events: slices.Clone(m.Events), Timers: slices.Clone(m.Timers), Stats: m.Stats, Seen: m.Seen.Older(by), Features: m.Features, Reactions: m.Reactions}
	for i := range c.Mood {
		c.Mood[i].Age += by
	}
	for i := range c.Events {
		c.Events[i].Age += by
	}
	for i := range c.Timers {
		c.Timers[i].Age += by
	}
	c.limit()
	return &c
}

// Memory is what the engine would like to know after its end. It is called between two ticks, and shares nothing with the engine.
func (e *Engine) Memory() *Memory {
	v, now := e.view, e.view.Now
	m := &Memory{Events: agesOf(e.mood.last, now), Timers: agesOf(v.Timers, now), Seen: e.estimator.Remembered(now), Features: e.feature.remembered(), Reactions: e.rememberedReactions()}
	for i, name := range condition.EmotionNames() {
		if v.Mood[i] != 0 {
			m.Mood = append(m.Mood, Feeling{name, v.Mood[i], now.Sub(e.mood.moved[i])})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.stats)) {
		m.Stats = append(m.Stats, Count{name, e.stats[name]})
	}
	m.limit()
	return m
}

// limit brings every age between zero and the longest. What it changes is shared with nothing.
func (m *Memory) limit() {
	ages := []*time.Duration{&m.Off}
	for i := range m.Mood {
		ages = append(ages, &m.Mood[i].Age)
	}
	for _, list := range [][]Age{m.Events, m.Timers} {
		for i := range list {
			ages = append(ages, &list[i].Age)
		}
	}
	for i := range m.Seen.Faces {
		ages = append(ages, &m.Seen.Faces[i].Age)
	}
	for i := range m.Seen.Places {
		ages = append(ages, &m.Seen.Places[i].Age)
	}
	for _, age := range ages {
		*age = min(max(*age, 0), LongestAge)
	}
}

func agesOf(at map[string]time.Time, now time.Time) (ages []Age) {
	for _, name := range slices.Sorted(maps.Keys(at)) {
		ages = append(ages, Age{name, now.Sub(at[name])})
	}
	return ages
}

// remember takes up a memory at the start, which is also when every emotion's clock begins. Names that nothing declares any more are kept: the
// definitions may come back.
func (e *Engine) remember(m *Memory, now time.Time) {
	e.mood.begin(now)
	if m == nil {
		return
	}
	names := condition.EmotionNames()
	e.change(func(v *condition.View) {
		for _, f := range m.Mood {
			if i := slices.Index(names, f.Emotion); i >= 0 {
				v.Mood[i] = e.mood.within(condition.Emotion(i), f.Value)
				e.mood.moved[i] = now.Add(-f.Age)
			}
		}
		if len(m.Timers) > 0 {
			v.Timers = instants(m.Timers, now)
		}
	})
	if m.Off > 0 {
		e.mood.faded = now.Add(-m.Off)
	}
	if len(m.Events) > 0 {
		e.mood.last = instants(m.Events, now)
	}
	for _, c := range m.Stats {
		if e.stats == nil {
			e.stats = map[string]uint64{}
		}
		e.stats[c.Name] = c.N
	}
	e.estimator.Remember(m.Seen, now)
	e.feature.remember(m.Features)
	e.rememberReactions(m.Reactions)
}

func instants(ages []Age, now time.Time) map[string]time.Time {
	at := make(map[string]time.Time, len(ages))
	for _, a := range ages {
		at[a.Name] = now.Add(-a.Age)
	}
	return at
}
