package feed

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// Limits of the lists of troubles. Newer failures replace older ones, slower hooks replace faster ones.
const (
	maxFailureKinds = 16
	maxSlowHooks    = 8
)

// Troubles keeps failures, slow hooks and the warning log for the page. It is safe for concurrent use.
type Troubles struct {
	now   func() time.Time
	start time.Time

	mu       sync.Mutex
	failures []control.FailureState // newest last
	slow     []control.SlowState
	warnings []control.WarningState // by kind and what
	counts   control.TroubleCounts
	changes  atomic.Uint64
}

// NewTroubles returns empty lists; times of failures count from start.
func NewTroubles(now func() time.Time, start time.Time) *Troubles {
	return &Troubles{now: now, start: start}
}

// Observe implements event.Observer.
func (t *Troubles) Observe(r event.Record) {
	switch r.(type) {
	case event.Failure, event.Overdue, event.Lapse, event.Slow, event.Zombies, event.Stale, event.Dropped, event.DeadLetter:
	default:
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.changes.Add(1)
	switch r := r.(type) {
	case event.Failure:
		t.failed(control.FailureState{Actor: r.Actor, Where: r.Where, Reason: r.Reason, Text: r.Text})
	case event.Overdue:
		t.failed(control.FailureState{Actor: r.Actor, Where: r.Stage, Reason: "overdue", Text: "did not stop within " + r.Limit.String()})
	case event.Lapse:
		t.failed(control.FailureState{Actor: "device/" + r.Device, Where: "control", Reason: "lapse", Text: "no control cycle for " + r.For.Round(time.Millisecond).String()})
	case event.Slow:
		t.counts.Slow++
		t.held(control.SlowState{Actor: r.Actor, Where: r.Where, Count: 1, WorstMS: float64(r.Took) / float64(time.Millisecond)})
	case event.Zombies:
		t.counts.Zombies, t.counts.ZombieLimit = r.N, r.Limit
	case event.Stale:
		t.counts.Stale += r.N
		t.counts.StaleBy = r.By
	case event.Dropped:
		t.counts.Dropped += r.N
	case event.DeadLetter:
		t.counts.DeadLetters++
	}
}

// failed counts a failure with those of its kind and moves the kind to the end.
func (t *Troubles) failed(f control.FailureState) {
	f.Count = 1
	like := func(o control.FailureState) bool {
		return o.Actor == f.Actor && o.Where == f.Where && o.Reason == f.Reason
	}
	if i := slices.IndexFunc(t.failures, like); i >= 0 {
		f.Count += t.failures[i].Count
		t.failures = slices.Delete(t.failures, i, i+1)
	}
	if len(t.failures) == maxFailureKinds {
		t.failures = slices.Delete(t.failures, 0, 1)
	}
	f.LastS = t.now().Sub(t.start).Seconds()
	t.failures = append(t.failures, f)
}

// held counts a slow hook. The list is sorted, the slowest first.
func (t *Troubles) held(s control.SlowState) {
	like := func(o control.SlowState) bool { return o.Actor == s.Actor && o.Where == s.Where }
	if i := slices.IndexFunc(t.slow, like); i >= 0 {
		t.slow[i].Count++
		t.slow[i].WorstMS = max(t.slow[i].WorstMS, s.WorstMS)
	} else {
		t.slow = append(t.slow, s)
	}
	slices.SortStableFunc(t.slow, func(a, b control.SlowState) int { return cmp.Compare(b.WorstMS, a.WorstMS) })
	t.slow = t.slow[:min(len(t.slow), maxSlowHooks)]
}

// State returns a copy for the page: failures newest first, slow hooks slowest first.
func (t *Troubles) State(events uint64) control.TroubleState {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := control.TroubleState{
		Failures: append([]control.FailureState{}, t.failures...), SlowHooks: append([]control.SlowState{}, t.slow...),
		Warnings: append([]control.WarningState{}, t.warnings...), TroubleCounts: t.counts,
	}
	slices.Reverse(s.Failures)
	s.Dropped += events
	return s
}

// Changes grows whenever the state changes.
func (t *Troubles) Changes() uint64 { return t.changes.Load() }
