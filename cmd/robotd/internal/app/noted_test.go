package app

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

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
	tally := NewTally(false, nil)
	tally.ObserveTick(event.Tick{N: 1}, &engine.Output{Events: out.Events[2:], Warnings: out.Warnings}, nil)
	if got := [...]uint64{tally.Warnings.Load(), tally.Cycles.Load(), tally.Resumed.Load()}; got != [...]uint64{1, 1, 1} {
		t.Errorf("counted warnings, cycles, resumed: %v", got)
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

// A cycle is told of loudly once in a while, and the page's log says who went on after an interrupt.
func TestReporterTellsOfCyclesAndReturns(t *testing.T) {
	now := epoch
	log, lines := tape()
	ring := NewRing(epoch)
	p := newReporter(log, ring, func() time.Time { return now })
	tree, err := OpenTree("")
	if err != nil {
		t.Fatal(err)
	}
	cat, diags := tree.Catalog()
	if cat == nil {
		t.Fatal(diags)
	}
	e, err := engine.New(engine.Options{Catalog: cat})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Start(epoch); err != nil {
		t.Fatal(err)
	}
	e.Step(engine.Input{Tick: 1, Now: epoch})
	top := e.Stack().Top().ID
	cycle := stack.Event{Kind: stack.EventCycle, ID: "A", To: "B"}
	p.ObserveTick(event.Tick{N: 1}, &engine.Output{Events: []stack.Event{
		cycle, cycle, {Kind: stack.EventPush, ID: top}, {Kind: stack.EventActivated, ID: top, Text: stack.Resumed},
	}}, e)
	if n := lines("control goes back and forth"); n != 1 {
		t.Errorf("%d lines of two cycles", n)
	}
	all := ring.Lines()
	if len(all) != 1 {
		t.Fatalf("%+v", all)
	}
	if want := " (" + top + " resumed)"; !strings.HasSuffix(all[0].Text, want) {
		t.Errorf("%q does not end with %q", all[0].Text, want)
	}
}
