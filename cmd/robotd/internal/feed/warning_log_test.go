package feed

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// What was refused, misused, lost or broken off is counted by kind and word, in an order that does not change with the counts.
func TestTroublesNoteWhatWasRefused(t *testing.T) {
	s := newTroubles(func() time.Time { return epoch }, epoch)
	refused := stack.Event{Kind: stack.EventRefused, ID: "A", To: "B", Op: stack.OpDelegate, Reason: stack.NotAsked}
	newer := refused
	newer.ID = "C"
	out := &engine.Output{
		Events: []stack.Event{
			refused, newer,
			{Kind: stack.EventActivated, ID: "A", Text: stack.Resumed},
			{Kind: stack.EventCycle, ID: "A", To: "B", Text: "again"},
		},
		Misuses:  []behaviors.Misuse{{By: "A", Facility: behaviors.FacilityPower, Mistake: behaviors.NotSet}},
		Warnings: []engine.Warning{{Kind: engine.WarnIntentLate, What: "hello"}},
	}
	s.ObserveTick(event.Tick{}, out, nil)
	s.ObserveTick(event.Tick{}, &engine.Output{Warnings: out.Warnings}, nil)
	want := []control.NotedState{
		{Kind: "cycle", What: "A and B", Count: 1, Text: `cycle of "A" and "B" again`},
		{Kind: "misuse", What: "power-save request: not set", Count: 1, Text: "behaviors: A: power-save request: not set"},
		{Kind: "refusal", What: "not_asked", Count: 2, Text: newer.String()},
		{Kind: "warning", What: "intent_late", Count: 2, Text: `intent_late: "hello"`},
	}
	if got := s.state(0).Noted; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// Pairs of behaviors are no fixed set: what is noted is bounded, and what is known goes on counting.
func TestNotedIsBounded(t *testing.T) {
	s := newTroubles(func() time.Time { return epoch }, epoch)
	out := &engine.Output{}
	for i := range maxNoted + 10 {
		out.Events = append(out.Events, stack.Event{Kind: stack.EventCycle, ID: "A", To: fmt.Sprintf("B%04d", i)})
	}
	s.ObserveTick(event.Tick{}, out, nil)
	s.ObserveTick(event.Tick{}, out, nil)
	got := s.state(0).Noted
	if len(got) != maxNoted || got[0].Count != 2 || got[0].What != "A and B0000" {
		t.Errorf("%d noted, the first %+v", len(got), got[0])
	}
}
