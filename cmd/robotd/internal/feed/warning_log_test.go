package feed

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// The order of the entries does not change with their counts.
func TestWarningLogCountsByKindAndReason(t *testing.T) {
	s := NewTroubles(func() time.Time { return epoch }, epoch)
	refused := stack.Event{Kind: stack.EventRefused, ID: "A", To: "B", Op: stack.OpDelegate, Reason: stack.NotAsked}
	newer := refused
	newer.ID = "C"
	out := &engine.Output{
		Events: []stack.Event{
			refused, newer,
			{Kind: stack.EventActivated, ID: "A", Text: stack.Resumed},
			{Kind: stack.EventCycle, ID: "A", To: "B", Text: "again"},
		},
		Misuses:  []stack.Refusal{{By: "A", Op: stack.OpPower, Reason: stack.NotSet}},
		Warnings: []engine.Warning{{Kind: engine.WarnIntentLate, What: "hello"}},
	}
	s.ObserveTick(event.Tick{}, out, nil)
	s.ObserveTick(event.Tick{}, &engine.Output{Warnings: out.Warnings}, nil)
	want := []control.WarningState{
		{Kind: "cycle", What: "A and B", Count: 1, Text: `cycle of "A" and "B" again`},
		{Kind: "misuse", What: "power-save request: not_set", Count: 1, Text: "behaviors: A: power-save request: not_set"},
		{Kind: "refusal", What: "not_asked", Count: 2, Text: newer.String()},
		{Kind: "warning", What: "intent_late", Count: 2, Text: `intent_late: "hello"`},
	}
	if got := s.State(0).Warnings; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// Pairs of behaviors are no fixed set, so the log is bounded. Known entries go on counting when it is full.
func TestWarningLogIsBounded(t *testing.T) {
	s := NewTroubles(func() time.Time { return epoch }, epoch)
	out := &engine.Output{}
	for i := range maxWarnings + 10 {
		out.Events = append(out.Events, stack.Event{Kind: stack.EventCycle, ID: "A", To: fmt.Sprintf("B%04d", i)})
	}
	s.ObserveTick(event.Tick{}, out, nil)
	s.ObserveTick(event.Tick{}, out, nil)
	got := s.State(0).Warnings
	if len(got) != maxWarnings || got[0].Count != 2 || got[0].What != "A and B0000" {
		t.Errorf("%d entries, the first %+v", len(got), got[0])
	}
}
