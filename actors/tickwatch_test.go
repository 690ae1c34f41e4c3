package actors

import (
	"testing"
	"time"
)

// A tick in whose middle the process was stopped for longer than the limit is not over: the watch looks late by as much, and the tick
// has its limit again. A tick that takes the limit while the watch looks on time is over.
func TestTickOfAProcessThatStoodStillHasItsLimitAgain(t *testing.T) {
	over := make(chan string, 2)
	w := newTickWatch(time.Hour, func(where string) { over <- where })
	defer w.close()
	w.zero = w.zero.Add(-3 * time.Hour)
	w.begin()
	look := func(took, late time.Duration) time.Duration {
		now := time.Since(w.zero)
		w.begun.Store(int64(now - took))
		w.planned = now - late
		w.look()
		return time.Since(w.zero) - time.Duration(w.begun.Load())
	}
	if took := look(2*time.Hour, 90*time.Minute); len(over) != 0 || took > time.Hour {
		t.Errorf("over %d times after the process was stopped; the tick counts %v", len(over), took)
	}
	if look(30*time.Minute, 0); len(over) != 0 {
		t.Error("over within the limit")
	}
	if look(time.Hour, 0); len(over) != 1 {
		t.Errorf("over %d times after the limit", len(over))
	}
}

// A look between two ticks says nothing, and one in a tick judges the time since its begin, however old the watch is.
// Rules: goal/M5.
func TestTickWatchJudgesTickAndNotItself(t *testing.T) {
	over := 0
	w := newTickWatch(time.Hour, func(string) { over++ })
	defer w.close()
	w.zero = w.zero.Add(-3 * time.Hour)
	for _, step := range []func(){func() {}, w.begin, w.end} {
		step()
		w.planned = time.Since(w.zero) // the look is on time
		if w.look(); over > 0 {
			t.Fatal("a tick that has just begun, or none, took too long")
		}
	}
}
