package stack

import (
	"strings"
	"testing"
)

type yesHost struct{}

func (yesHost) Call(*Node, Hook) error         { return nil }
func (yesHost) Foresee(*Node, bool) Foresight  { return SaysYes }
func (yesHost) Ask([]*Node) (int, bool, error) { return 1, true, nil }
func (yesHost) Batch([]*Node) []Failure        { return nil }
func (yesHost) Replace(*Node) error            { return nil }

// Each invariant fails for a stack that was changed in a way that it forbids.
// Rules: M-9.
func TestEachInvariantFindsItsViolation(t *testing.T) {
	tamper := map[string][]func(s *Stack, r, a, b *Node){
		"activated-exactly-if-on-stack": {
			func(_ *Stack, _, a, _ *Node) { a.state = InScope },
			func(s *Stack, _, _, b *Node) { b.state = Activated },
			func(s *Stack, _, _, _ *Node) { s.layers = append(s.layers, s.layers[0]) },
		},
		"scope-count-is-sum-of-layers": {
			func(_ *Stack, _, a, _ *Node) { a.count++ },
			func(s *Stack, _, _, _ *Node) { s.layers[0].linked = append(s.layers[0].linked, s.base) },
		},
		"state-follows-count":                {func(_ *Stack, _, _, b *Node) { b.state = OutOfScope }},
		"scope-list-is-ordered-and-complete": {func(s *Stack, _, _, _ *Node) { s.scope = s.scope[1:] }, func(s *Stack, _, _, _ *Node) { s.scope[0], s.scope[1] = s.scope[1], s.scope[0] }},
		"each-layer-was-a-delegate-of-the-one-below": {
			func(s *Stack, _, _, _ *Node) { s.layers[0].delegates = nil },
			func(s *Stack, _, _, _ *Node) { s.root.delegates = nil },
		},
		"no-question-open-between-ticks": {func(s *Stack, _, _, _ *Node) { s.asking++ }},
		"one-update-per-tick-in-scope":   {func(_ *Stack, _, _, b *Node) { b.updated-- }},
		"never-without-a-behavior":       {func(s *Stack, _, _, _ *Node) { s.layers = nil }},
	}
	for _, inv := range Invariants() {
		if len(tamper[inv.Name]) == 0 {
			t.Errorf("%s: no case breaks it", inv.Name)
		}
		for i, f := range tamper[inv.Name] {
			r, a, b := &Node{ID: "R"}, &Node{ID: "A"}, &Node{ID: "B"}
			if err := r.SetDelegates([]*Node{a, b}, nil); err != nil {
				t.Fatal(err)
			}
			s, err := New(yesHost{}, []*Node{r, a, b})
			if err != nil {
				t.Fatal(err)
			}
			s.Init()
			s.Configure(r)
			s.Begin(1)
			if wants, _ := s.Ask(r, a); !wants || s.Delegate(r, a) != nil {
				t.Fatal("A is not activated")
			}
			s.Walk()
			s.Scope()
			if bad := s.Violations(); len(bad) > 0 {
				t.Fatalf("before: %q", bad)
			}
			f(s, r, a, b)
			if bad := s.Violations(); !strings.Contains(strings.Join(bad, "\n"), inv.Name+": ") {
				t.Errorf("%s does not notice change %d: %q", inv.Name, i+1, bad)
			}
		}
	}
}

// A buffer of events is used again up to its limit, and given up beyond it.
func TestBuffersOfEventsAreKeptUpToTheLimit(t *testing.T) {
	for size, kept := range map[int]bool{3: true, keptEvents: true, keptEvents + 1: false} {
		s := &Stack{events: append(make([]Event, 0, size), Event{ID: "A"})}
		got := s.TakeEvents(make([]Event, 1, size))
		if len(got) != 1 || got[0].ID != "A" || len(s.events) != 0 {
			t.Errorf("%d: %v, %v left", size, got, s.events)
		}
		if (cap(s.events) == size) != kept {
			t.Errorf("%d: own %d", size, cap(s.events))
		}
	}
}

// Between two whole checks a change of layers or scope is checked in its own tick, a missing Update and an open question in every tick, and
// what no event announced is found by the whole check.
func TestTickViolationsFindEverythingWithin64Ticks(t *testing.T) {
	for name, c := range map[string]struct {
		tamper func(s *Stack, b *Node)
		tick   uint64 // in which it is found
	}{
		"missing update":           {func(_ *Stack, b *Node) { b.updated-- }, 2},
		"open question":            {func(s *Stack, _ *Node) { s.asking++ }, 2},
		"state that nobody set":    {func(_ *Stack, b *Node) { b.state = OutOfScope }, fullCheck},
		"scope that lost a member": {func(s *Stack, _ *Node) { s.scope = s.scope[:1] }, fullCheck},
		"count after an event":     {func(s *Stack, b *Node) { s.enter(b); b.count++ }, 2},
	} {
		r, b := &Node{ID: "R"}, &Node{ID: "S"}
		if err := r.SetDelegates([]*Node{b}, nil); err != nil {
			t.Fatal(err)
		}
		s, err := New(yesHost{}, []*Node{r, b})
		if err != nil {
			t.Fatal(err)
		}
		s.Init()
		s.Configure(r)
		found := uint64(0)
		for tick := uint64(1); tick <= fullCheck && found == 0; tick++ {
			s.Begin(tick)
			s.Walk()
			s.Scope()
			if tick == 2 {
				c.tamper(s, b)
			}
			if len(s.TickViolations()) > 0 {
				found = tick
			}
		}
		if found != c.tick {
			t.Errorf("%s: found in tick %d, want %d", name, found, c.tick)
		}
	}
}
