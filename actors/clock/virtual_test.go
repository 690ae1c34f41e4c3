package clock

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// A journal is a virtual timeline and what its executors did when.
type journal struct {
	*Virtual
	lines []string
}

func newJournal(t *testing.T) *journal {
	j := &journal{Virtual: NewVirtual(begin)}
	t.Cleanup(j.Close)
	return j
}

func (j *journal) note(what string) {
	j.lines = append(j.lines, fmt.Sprint(j.Now().Sub(begin), " ", what))
}

func (j *journal) want(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(j.lines, want) {
		t.Errorf("the executors did\n%q, want\n%q", j.lines, want)
	}
}

func TestVirtualRunsWorkOfOneInstantByRankNameAndOrder(t *testing.T) {
	j := newJournal(t)
	last, second, first := j.Open("a", 2), j.Open("b", 1), j.Open("a2", 1)
	at := begin.Add(time.Second)
	last.At(at, func() { j.note("rank 2") })
	second.At(at, func() { j.note("b") })
	first.At(at, func() { j.note("a, first") })
	first.At(at, func() { j.note("a, second") })
	first.At(begin.Add(-time.Hour), func() { j.note("in the past") })
	second.Post(func() { j.note("posted") })
	cancel := second.At(at, func() { j.note("cancelled") })
	cancel()
	j.Run(begin.Add(time.Minute), nil)
	j.want(t, "0s in the past", "0s posted", "1s a, first", "1s a, second", "1s b", "1s rank 2")
	if now := j.Now().Sub(begin); now != time.Minute {
		t.Errorf("the run ends at %v, want 1m", now)
	}
}

func TestVirtualSleepLetsOtherExecutorsRun(t *testing.T) {
	j := newJournal(t)
	sleeper, other, early := j.Open("sleeper", 1), j.Open("other", 2), j.Open("early", 0)
	sleeper.Post(func() {
		j.note("asleep")
		sleeper.Sleep(0) // returns at once
		sleeper.Sleep(10 * time.Millisecond)
		early.Post(func() { j.note("early") })
		sleeper.Post(func() { j.note("posted by its own work") }) // in the same turn
		j.note("awake")
	})
	other.At(begin.Add(5*time.Millisecond), func() {
		j.note("other")
		sleeper.Post(func() { j.note("posted while it slept") })
	})
	j.Run(begin.Add(time.Second), nil)
	j.want(t, "0s asleep", "5ms other", "10ms awake", "10ms posted by its own work", "10ms early", "10ms posted while it slept")
}

func TestVirtualRunStopsBetweenTwoPiecesOfWork(t *testing.T) {
	j := newJournal(t)
	e := j.Open("e", 1)
	for i := range 3 {
		e.At(begin.Add(time.Duration(i)*time.Second), func() { j.note("work") })
	}
	j.Run(begin.Add(time.Minute), func() bool { return len(j.lines) == 2 })
	j.want(t, "0s work", "1s work")
	e.Close()
	j.Run(begin.Add(time.Minute), nil)
	j.want(t, "0s work", "1s work")
}
