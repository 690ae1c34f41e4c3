package animation_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/actions/animation"
)

// draw counts what a group answers to evenly spread draws.
func draw(g *animation.Group, m animation.Moment, used map[string]time.Time) map[string]int {
	got := map[string]int{}
	for i := range 100 {
		m.Roll = float64(i) / 100
		got[g.Entries[g.Choose(m, func(clip string) time.Time { return used[clip] })].Clip]++
	}
	return got
}

// A clip is drawn by weight among those that mood, head angle and cooldown allow.
func TestGroupChoosesByWeightMoodHeadAndCooldown(t *testing.T) {
	now := time.Unix(1000, 0)
	const low, medium, frustrated = 0, 1, 3
	g := &animation.Group{Entries: []animation.Entry{
		{Clip: "a", Weight: 3, Cooldown: 10 * time.Second},
		{Clip: "b", Weight: 1},
		{Clip: "sleepy", Weight: 4, Moods: 1 << low},
		{Clip: "up", Weight: 4, Moods: 1 << frustrated, Head: animation.Span{Min: 0.3, Max: 1}},
	}}
	for name, c := range map[string]struct {
		m    animation.Moment
		used map[string]time.Time
		want map[string]int
	}{
		"weight":           {animation.Moment{Now: now, Mood: medium}, nil, map[string]int{"a": 75, "b": 25}},
		"mood":             {animation.Moment{Now: now, Mood: low}, nil, map[string]int{"a": 38, "b": 12, "sleepy": 50}},
		"head down":        {animation.Moment{Now: now, Mood: frustrated, HeadRad: 0.2}, nil, map[string]int{"a": 75, "b": 25}},
		"head up":          {animation.Moment{Now: now, Mood: frustrated, HeadRad: 0.4}, nil, map[string]int{"a": 38, "b": 12, "up": 50}},
		"cooldown":         {animation.Moment{Now: now, Mood: medium}, map[string]time.Time{"a": now.Add(-9 * time.Second)}, map[string]int{"b": 100}},
		"cooldown is over": {animation.Moment{Now: now, Mood: medium}, map[string]time.Time{"a": now.Add(-10 * time.Second)}, map[string]int{"a": 75, "b": 25}},
	} {
		got := draw(g, c.m, c.used)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v", name, got)
		}
		for clip, n := range c.want {
			if got[clip] != n {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
	}
}

// A group always answers: with the clip that is ready first while all cool down, and without regard to mood and head if they allow none.
func TestGroupAnswersWhenNothingIsAllowed(t *testing.T) {
	now := time.Unix(1000, 0)
	g := &animation.Group{Entries: []animation.Entry{
		{Clip: "slow", Weight: 1, Cooldown: time.Minute, Moods: 1}, {Clip: "quick", Weight: 1, Cooldown: 20 * time.Second, Moods: 1},
	}}
	used := map[string]time.Time{"slow": now.Add(-15 * time.Second), "quick": now.Add(-5 * time.Second)}
	if got := draw(g, animation.Moment{Now: now}, used); got["quick"] != 100 {
		t.Errorf("all cool down: %v", got)
	}
	if got := draw(g, animation.Moment{Now: now, Mood: 3}, nil); got["slow"] != 50 || got["quick"] != 50 {
		t.Errorf("another mood: %v", got)
	}
	if n := testing.AllocsPerRun(100, func() { g.Choose(animation.Moment{Now: now, Roll: 0.5}, func(string) time.Time { return now }) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
