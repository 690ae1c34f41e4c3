package feed

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
)

// Failures of a kind are one line with a count, the newest first; the oldest kind gives way.
func TestTroublesListFailuresNewestFirst(t *testing.T) {
	now := epoch
	s := NewTroubles(func() time.Time { return now }, epoch)
	fail := func(actor string) {
		now = now.Add(time.Second)
		s.Observe(event.Failure{Actor: actor, Where: "Update", Reason: "hang", Text: "hang: " + actor})
	}
	for i := range maxFailureKinds + 1 {
		fail(fmt.Sprint("behavior/B", i))
	}
	fail("behavior/B3")
	s.Observe(event.Overdue{Actor: "device/motors", Stage: "halt", Limit: time.Second})
	got := s.State(0).Failures
	if len(got) != maxFailureKinds || got[0].Actor != "device/motors" || got[0].Reason != "overdue" {
		t.Fatalf("%d kinds, the newest %+v", len(got), got[0])
	}
	if f := got[1]; f.Actor != "behavior/B3" || f.Count != 2 || f.LastS != maxFailureKinds+2 || f.Where != "Update" || f.Text != "hang: behavior/B3" {
		t.Errorf("the one before %+v", f)
	}
	if last := got[maxFailureKinds-1]; last.Actor != "behavior/B2" {
		t.Errorf("the oldest %+v", last)
	}
}

// The slowest hooks stay, each with its worst time.
func TestTroublesKeepTheSlowestHooks(t *testing.T) {
	s := NewTroubles(func() time.Time { return epoch }, epoch)
	for i := range maxSlowHooks + 2 {
		s.Observe(event.Slow{Actor: fmt.Sprint("behavior/B", i), Where: "Update", Took: time.Duration(i+3) * time.Millisecond})
	}
	s.Observe(event.Slow{Actor: "behavior/B5", Where: "Update", Took: 40 * time.Millisecond})
	got := s.State(0)
	if len(got.SlowHooks) != maxSlowHooks || got.SlowHooks[0].Actor != "behavior/B5" || got.SlowHooks[0].Count != 2 || got.SlowHooks[0].WorstMS != 40 {
		t.Errorf("%+v", got.SlowHooks)
	}
	if got.Slow != maxSlowHooks+3 {
		t.Errorf("%d counted", got.Slow)
	}
}

func TestTroublesCountLossesAndZombies(t *testing.T) {
	s := NewTroubles(func() time.Time { return epoch }, epoch)
	for _, r := range []event.Record{
		event.Zombies{N: 3, Limit: 32},
		event.Zombies{N: 2, Limit: 32},
		event.Stale{N: 4, By: "A"},
		event.Stale{N: 1, By: "B"},
		event.Dropped{N: 7},
		event.DeadLetter{},
		event.DeadLetter{},
	} {
		s.Observe(r)
	}
	c := s.State(5).TroubleCounts
	if c.Zombies != 2 || c.ZombieLimit != 32 || c.Stale != 5 || c.StaleBy != "B" || c.Dropped != 12 || c.DeadLetters != 2 {
		t.Errorf("%+v", c)
	}
}
