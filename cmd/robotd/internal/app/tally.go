package app

import (
	"slices"
	"sync/atomic"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// A Tally counts what went wrong or round since start. The counters may be read at any time; the rest only by the stack
// supervisor's goroutine, and by anybody once the robot has stopped.
type Tally struct {
	Ticks, Missed, Skipped, Refusals, Violations atomic.Uint64
	Panics, Hangs, Restarts, Faults, Misuses     atomic.Uint64
	Warnings, Cycles, Resumed                    atomic.Uint64

	activations map[string]uint64
	grammar     *Grammar
	hash        *engine.Hasher // nil: not wanted
	report      func(violation string)
	last        uint64 // tick
}

// NewTally returns zeros. hashed asks for the decision hash; report, if not nil, is told each violation.
func NewTally(hashed bool, report func(string)) *Tally {
	t := &Tally{activations: map[string]uint64{}, grammar: NewGrammar(), report: report}
	if hashed {
		t.hash = engine.NewHasher()
	}
	return t
}

// Observe implements event.Observer.
func (t *Tally) Observe(r event.Record) {
	switch r := r.(type) {
	case event.Tick:
		t.Ticks.Add(1)
		t.Skipped.Add(r.Skipped)
		if r.Missed {
			t.Missed.Add(1)
		}
	case event.Failure:
		t.Faults.Add(1)
		switch r.Reason {
		case "panic":
			t.Panics.Add(1)
		case "hang":
			t.Hangs.Add(1)
		}
	case event.Restart:
		t.Restarts.Add(1)
	}
}

// ObserveTick implements actors.TickObserver. The last call is that of the final drain.
func (t *Tally) ObserveTick(tick event.Tick, o *engine.Output, _ *engine.Engine) {
	t.Misuses.Add(uint64(len(o.Misuses)))
	t.Warnings.Add(uint64(len(o.Warnings)))
	for _, v := range o.Violations {
		t.violation(v)
	}
	for _, e := range o.Events {
		if wrong := t.grammar.Read(e); wrong != "" {
			t.violation("lifecycle-grammar: " + wrong)
		}
		switch e.Kind {
		case stack.EventActivated:
			t.activations[e.ID]++
			if e.Text == stack.Resumed {
				t.Resumed.Add(1)
			}
		case stack.EventCycle:
			t.Cycles.Add(1)
		case stack.EventRefused:
			t.Refusals.Add(1)
		case stack.EventReplaced:
			t.Restarts.Add(1)
		}
	}
	if drained := tick.N == t.last; drained {
		for _, id := range t.grammar.Resting() {
			t.violation("lifecycle-grammar: " + id + " was never popped")
		}
		return
	}
	t.last = tick.N
	if t.hash != nil {
		t.hash.Add(o)
	}
}

func (t *Tally) violation(text string) {
	t.Violations.Add(1)
	if t.report != nil {
		t.report(text)
	}
}

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}
