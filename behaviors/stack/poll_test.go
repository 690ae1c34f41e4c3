package stack_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/stack"
)

// pollHost answers questions by chance, which depends on tick, behavior and how often it was asked in the tick. Some answers need its
// hook, which may ask others and fail.
type pollHost struct {
	s     *stack.Stack
	seed  uint64
	asked map[*stack.Node]uint64 // in this tick
	lost  int
	// What hooks do, and what the ballots are told: each in its order.
	log, answers strings.Builder
}

func (h *pollHost) roll(n *stack.Node, what uint64) *rand.Rand {
	return rand.New(rand.NewPCG(h.seed, h.s.Tick()<<16|uint64(n.ID[0])<<8|h.asked[n]<<4|what))
}

func (h *pollHost) Call(*stack.Node, stack.Hook) error        { return nil }
func (h *pollHost) Batch(nodes []*stack.Node) []stack.Failure { return nil }
func (h *pollHost) Replace(*stack.Node) error                 { return nil }

func (h *pollHost) Foresee(n *stack.Node, turn bool) stack.Foresight {
	seen := []stack.Foresight{stack.Unknown, stack.Unknown, stack.SaysNo, stack.SaysNo, stack.SaysYes, stack.TakesNot}[h.roll(n, 1).IntN(6)]
	if turn {
		h.asked[n]++
	}
	return seen
}

func (h *pollHost) Ask(nodes []*stack.Node) (ran int, yes bool, err error) {
	for i, n := range nodes {
		if i > 0 { // its gates are evaluated in its hook
			h.asked[n]++
		}
		fmt.Fprintln(&h.log, "hook", n.ID)
		overtaken, lost := h.s.Overtaken(), h.lost
		roll := h.roll(n, 2)
		for range roll.IntN(3) {
			other := h.s.Nodes()[roll.IntN(len(h.s.Nodes()))]
			h.s.Asks(n)
			wants, refusal := h.s.Ask(n, other)
			fmt.Fprintln(&h.log, n.ID, "asks", other.ID, wants, refusal)
		}
		ran++
		if roll.IntN(12) == 0 {
			h.lost++
			return ran, false, errors.New("lost")
		}
		if yes = roll.IntN(4) == 0; yes || h.s.Overtaken() != overtaken || h.lost != lost {
			break
		}
	}
	return ran, yes, nil
}

// ballot is a list of candidates that asks to the first yes, or all. Some have control already, some are not worth a question.
type ballot struct {
	h     *pollHost
	nodes []*stack.Node
	skip  []bool
	has   int
	all   bool
}

func (b *ballot) Next(i int) int {
	for ; i < len(b.nodes); i++ {
		if !b.skip[i] {
			return i
		}
	}
	return -1
}

func (b *ballot) Candidate(i int) (*stack.Node, bool) { return b.nodes[i], i == b.has }

func (b *ballot) Answer(i int, yes bool) bool {
	fmt.Fprintln(&b.h.answers, i, yes)
	return b.all || !yes
}

// one asks the candidates of a ballot one after another.
func (b *ballot) one(s *stack.Stack, by *stack.Node) {
	for i := b.Next(0); i >= 0 && !by.Broken(); i = b.Next(i + 1) {
		n, yes := b.Candidate(i)
		if !yes {
			yes, _ = s.Ask(by, n)
		}
		if !b.Answer(i, yes) {
			return
		}
	}
}

func pollLife(t *testing.T, seed uint64, together bool) string {
	t.Helper()
	h := &pollHost{seed: seed, asked: map[*stack.Node]uint64{}}
	base := &stack.Node{ID: "Z"}
	nodes := []*stack.Node{base}
	for _, id := range strings.Split("A B C D E F G H", " ") {
		nodes = append(nodes, &stack.Node{ID: id})
	}
	if err := base.SetDelegates(nodes[1:8], nil); err != nil { // H stays out of scope
		t.Fatal(err)
	}
	s, err := stack.New(h, nodes)
	if err != nil {
		t.Fatal(err)
	}
	h.s = s
	if s.Init() != nil || s.Configure(base) != nil {
		t.Fatal("not ready")
	}
	for tick := range uint64(30) {
		clear(h.asked)
		_, _, _ = s.Begin(tick+1), s.Walk(), s.Scope()
		rng := rand.New(rand.NewPCG(seed, tick))
		b := &ballot{h: h, has: rng.IntN(14) - 4, all: rng.IntN(2) == 0}
		for range 10 {
			b.nodes, b.skip = append(b.nodes, nodes[rng.IntN(len(nodes))]), append(b.skip, rng.IntN(5) == 0)
		}
		if rng.IntN(8) == 0 {
			b.nodes[3] = nil
		}
		by := nodes[rng.IntN(4)]
		if together {
			s.Poll(by, b)
		} else {
			b.one(s, by)
		}
		_ = s.Repair()
		for _, e := range s.TakeEvents(nil) {
			fmt.Fprintf(&h.log, "%+v\n", e)
		}
		for _, n := range nodes {
			at, answer := n.Asked()
			fmt.Fprintln(&h.log, n.ID, at, answer, n.State())
		}
		if bad := s.Violations(); len(bad) > 0 || s.Asking() {
			fmt.Fprintln(&h.log, bad, s.Asking())
			t.Errorf("seed %d: %v", seed, bad)
		}
	}
	return h.log.String() + h.answers.String()
}

// A poll asks as if one were asked after another: in the order of turns, answers, stamps, refusals and losses.
// Rules: L-3, L-6, M-32.
func TestPollAsksAsIfOneAfterAnother(t *testing.T) {
	for seed := range uint64(400) {
		one, two := strings.Split(pollLife(t, seed, false), "\n"), strings.Split(pollLife(t, seed, true), "\n")
		for i := range min(len(one), len(two)) {
			if one[i] != two[i] {
				t.Fatalf("seed %d, one after another: %s\ntogether: %s\nafter %s", seed, one[i], two[i], strings.Join(one[max(0, i-8):i], "\n"))
			}
		}
		if len(one) != len(two) {
			t.Fatalf("seed %d: %d and %d lines", seed, len(one), len(two))
		}
	}
}
