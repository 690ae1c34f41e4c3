package dispatch

import (
	"time"

	"github.com/robotd/robotd/behaviors"
)

// An entry is one behavior of a list with a cooldown.
type entry struct {
	Behavior string        `key:"behavior" delegate:"true" doc:"the behavior"`
	Length   time.Duration `key:"cooldown_s" range:"-315360000..315360000" doc:"pause after a run; negative: it runs only once"`
	Spread   float64       `key:"cooldown_random_factor" range:"0..10" default:"0" why:"most pauses are exact" doc:"how much of the pause is drawn by chance, to either side"`
	Ignored  bool          `key:"ignoreFastForward" default:"false" why:"a developer who makes cooldowns shorter means all of them" doc:"the console variable TimeMultiplier does not make this pause shorter"`
}

// A pause is the state of an entry's cooldown.
type pause struct {
	*entry
	until time.Time // free from this instant on
	spent bool      // ran, and may do so only once
}

// pausesOf makes the cooldowns of a list, in its order. None runs.
func pausesOf[E any](entries []E, of func(*E) *entry) []pause {
	pauses := make([]pause, len(entries))
	for i := range entries {
		pauses[i].entry = of(&entries[i])
	}
	return pauses
}

// candidatesOf makes the list of the behaviors.
func candidatesOf(pauses []pause) *behaviors.Candidates {
	ids := make([]string, len(pauses))
	for i := range pauses {
		ids[i] = pauses[i].Behavior
	}
	return behaviors.NewCandidates(ids...)
}

// on reports whether the entry is on cooldown. At exactly the end of the cooldown it is free.
func (e *pause) on(now time.Time) bool { return e.spent || now.Before(e.until) }

// left is the time until the entry is free. It has no meaning for an entry that is spent.
func (e *pause) left(now time.Time) time.Duration { return max(0, e.until.Sub(now)) }

// start starts the cooldown with a freshly drawn length.
func (e *pause) start(c *behaviors.Control) {
	if e.Length < 0 {
		e.spent = true
		return
	}
	length := e.Length
	if e.Spread > 0 {
		low, high := max(0, 1-e.Spread), 1+e.Spread
		length = time.Duration(float64(length) * (low + (high-low)*c.Rand().Float64()))
	}
	if !e.Ignored {
		length /= c.View().Faster()
	}
	e.until = c.Now().Add(length)
}

// clear ends the cooldown.
func (e *pause) clear() { e.until, e.spent = time.Time{}, false }
