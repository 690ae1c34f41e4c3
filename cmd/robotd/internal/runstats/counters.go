package runstats

import (
	"slices"
	"sync/atomic"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/behaviors/stack"
)

// Counters counts ticks, failures, refusals and activations since start. The atomic counters may be read at any time, the rest only
// on the stack supervisor's goroutine or after the robot has stopped.
type Counters struct {
	Ticks, Missed, Skipped, Refusals, Violations atomic.Uint64
	Panics, Hangs, Restarts, Faults, Misuses     atomic.Uint64
	Warnings, Cycles, Resumed                    atomic.Uint64

	activations map[string]uint64
	lifecycle   *LifecycleChecker
	looks       *Looks
	times       *Times
	hash        *tape.Hasher // nil: not wanted
	report      func(violation string)
	last        uint64 // tick
}

// NewCounters returns counters at zero. With hashed they compute the decision hash. Report, if not nil, is called for each violation.
func NewCounters(hashed bool, report func(string)) *Counters {
	c := &Counters{activations: map[string]uint64{}, lifecycle: NewLifecycleChecker(), looks: NewLooks(), times: NewTimes(), report: report}
	if hashed {
		c.hash = tape.NewHasher()
	}
	return c
}

// Observe implements event.Observer.
func (c *Counters) Observe(r event.Record) {
	if _, ok := r.(*event.Sample); ok { // hundreds of times a second
		return
	}
	switch r := r.(type) {
	case *event.Tick:
		c.Ticks.Add(1)
		c.Skipped.Add(r.Skipped)
		if r.Missed {
			c.Missed.Add(1)
		}
	case event.Failure:
		c.Faults.Add(1)
		switch r.Reason {
		case "panic", "goexit":
			c.Panics.Add(1)
		case "hang":
			c.Hangs.Add(1)
		}
	case event.Restart:
		c.Restarts.Add(1)
	}
}

// ObserveTick implements actors.TickObserver. The last call is that of the final drain.
func (c *Counters) ObserveTick(tick event.Tick, o *engine.Output, e *engine.Engine) {
	c.Misuses.Add(uint64(len(o.Misuses)))
	c.Warnings.Add(uint64(len(o.Warnings)))
	for _, v := range o.Violations {
		c.violation(v)
	}
	for _, e := range o.Events {
		if wrong := c.lifecycle.Read(e); wrong != "" {
			c.violation("lifecycle-grammar: " + wrong)
		}
		switch e.Kind {
		case stack.EventActivated:
			c.activations[e.ID]++
			if e.Text == stack.Resumed {
				c.Resumed.Add(1)
			}
		case stack.EventCycle:
			c.Cycles.Add(1)
		case stack.EventRefused:
			c.Refusals.Add(1)
		case stack.EventReplaced:
			c.Restarts.Add(1)
		}
	}
	if drained := tick.N == c.last; drained {
		for _, id := range c.lifecycle.Resting() {
			c.violation("lifecycle-grammar: " + id + " was never popped")
		}
		return
	}
	c.last = tick.N
	if e != nil {
		c.looks.Add(e.View().World)
		c.times.Add(e)
	}
	if c.hash != nil {
		c.hash.Add(o)
	}
}

func (c *Counters) violation(text string) {
	c.Violations.Add(1)
	if c.report != nil {
		c.report(text)
	}
}

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}
