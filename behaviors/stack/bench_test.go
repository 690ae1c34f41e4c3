package stack_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors/stack"
)

// plain is a host that does almost nothing, so that a benchmark measures the stack itself.
type plain struct{ updates int }

func (p *plain) Call(_ *stack.Node, h stack.Hook) error {
	if h == stack.HookUpdate {
		p.updates++
	}
	return nil
}

func (*plain) Foresee(*stack.Node, bool) stack.Foresight { return stack.SaysYes }

func (*plain) Ask([]*stack.Node) (int, bool, error) { return 1, true, nil }

func (p *plain) Batch(nodes []*stack.Node) []stack.Failure {
	for _, n := range nodes {
		_ = p.Call(n, stack.HookUpdate)
	}
	return nil
}

func (p *plain) Replace(*stack.Node) error { return nil }

// wide makes a stack of a base with n delegates, of which the first is activated.
func wide(t testing.TB, n int, updates bool) (*stack.Stack, *plain) {
	nodes := make([]*stack.Node, n)
	for i := range nodes {
		nodes[i] = &stack.Node{ID: fmt.Sprintf("b%04d", i), Updates: updates}
	}
	base := &stack.Node{ID: "base", Updates: true}
	base.SetDelegates(nodes, nil)
	p := &plain{}
	s, err := stack.New(p, slices.Concat(nodes, []*stack.Node{base}))
	if err != nil {
		t.Fatal(err)
	}
	s.Init()
	s.Configure(base)
	tick(s)
	push(t, s, base, nodes[0])
	tick(s)
	s.TakeEvents(nil)
	return s, p
}

// BenchmarkTick runs one tick of the bare stack with that many behaviors in scope (goal/M2 and goal/M3).
func BenchmarkTick(b *testing.B) {
	for _, kind := range []struct {
		name    string
		updates bool
	}{{"updating", true}, {"idle", false}} {
		for _, n := range []int{10, 100, 161, 1000} {
			b.Run(fmt.Sprintf("%s-%d", kind.name, n), func(b *testing.B) {
				s, _ := wide(b, n, kind.updates)
				b.ReportAllocs()
				for b.Loop() {
					tick(s)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/behavior")
			})
		}
	}
}

// BenchmarkDelegate runs a cancel, a question and a delegation (goal/M17).
func BenchmarkDelegate(b *testing.B) {
	s, _ := wide(b, 100, true)
	base, a := s.Layers()[0].Node(), s.Layers()[1].Node()
	var events []stack.Event
	b.ReportAllocs()
	for b.Loop() {
		if cancelled, _ := s.CancelDelegates(base); !cancelled {
			b.Fatal("nothing to cancel")
		}
		s.Ask(base, a)
		s.Delegate(base, a)
		events = s.TakeEvents(events[:0])
	}
}

// A tick in which the stack does not change allocates nothing (goal/M1).
func TestSteadyTickAllocatesNothing(t *testing.T) {
	for _, updates := range []bool{true, false} {
		s, p := wide(t, 161, updates)
		before := p.updates
		if n := testing.AllocsPerRun(100, func() { tick(s) }); n != 0 {
			t.Errorf("updates %v: %v allocations per tick", updates, n)
		}
		want := 101 * 2 // AllocsPerRun runs once more to warm up; two are on the stack
		if updates {
			want = 101 * 162
		}
		if p.updates-before != want {
			t.Errorf("updates %v: %d calls, want %d", updates, p.updates-before, want)
		}
	}
}
