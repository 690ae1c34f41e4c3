package runstats

import (
	"testing"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

func TestCountersCountCyclesResumesWarningsAndMisuses(t *testing.T) {
	c := NewCounters(false, nil)
	c.ObserveTick(event.Tick{N: 1}, &engine.Output{
		Events: []stack.Event{
			{Kind: stack.EventActivated, ID: "A", Text: stack.Resumed},
			{Kind: stack.EventCycle, ID: "A", To: "B", Text: "again"},
		},
		Warnings: []engine.Warning{{Kind: engine.WarnIntentLate, What: "hello"}},
		Misuses:  make([]stack.Refusal, 2),
	}, nil)
	if got := [...]uint64{c.Warnings.Load(), c.Cycles.Load(), c.Resumed.Load(), c.Misuses.Load()}; got != [...]uint64{1, 1, 1, 2} {
		t.Errorf("counted warnings, cycles, resumed, misuses: %v", got)
	}
}
