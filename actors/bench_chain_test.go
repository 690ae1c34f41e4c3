package actors

import (
	"fmt"
	"testing"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// link is a behavior that delegates on as soon as it is activated. The last but one has three delegates and takes them in turn,
// because a top that stays the same would be a cycle of activations (L-41).
type link struct{ next []string }

func (l *link) OnActivated(c *behaviors.Control) {
	if len(l.next) == 0 {
		return
	}
	if id := l.next[c.Tick()%uint64(len(l.next))]; c.Wants(id) {
		c.DelegateTo(id, nil)
	}
}

func (l *link) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// restartingLink is the first of a chain, which begins again in every tick.
type restartingLink struct{ link }

func (l *restartingLink) Update(c *behaviors.Control) {
	c.CancelDelegates()
	l.OnActivated(c)
}

// chain is a catalog of behaviors that delegate down, n layers deep.
func chain(t testing.TB, n int) *catalog.Catalog {
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Link", New: func(cfg *behaviors.Config) behaviors.Behavior {
		l := link{next: cfg.DelegateList("next")}
		if cfg.ID() == "L0000" {
			return &restartingLink{l}
		}
		return &l
	}})
	const leaves = 3
	ids := numbered("L", n-1+leaves)
	files := make([]string, len(ids))
	for i, id := range ids {
		var next []string
		switch {
		case i < n-2:
			next = ids[i+1 : i+2]
		case i == n-2:
			next = ids[n-1:]
		}
		files[i] = actorstest.Listing("Link", id, next...)
	}
	return actorstest.Catalog(t, reg, ids[0], ids[0], files...)
}

// BenchmarkChain is a tick in which a chain of delegations as long as the name says is cancelled and formed again (goal/M17).
// The stack holds 64 layers, so the longest chain has 63 delegations. That it is complete when its tick ends is checked in
// every tick.
func BenchmarkChain(b *testing.B) {
	for _, delegations := range []int{10, 63} {
		b.Run(fmt.Sprint(delegations), func(b *testing.B) {
			over := false
			run, stop := inVirtualTime(b, chain(b, delegations+1), func(t event.Tick, o *engine.Output, e *engine.Engine) {
				begun, depth := 0, 0
				for i := range o.Events {
					if o.Events[i].Kind == stack.EventActivated {
						begun++
					}
				}
				e.Stack().Each(false, nil, func(*stack.Node) bool { depth++; return true })
				if t.N > 2 && !over && (begun != delegations || depth != delegations+1 || len(o.Violations) > 0) {
					b.Errorf("tick %d: %d delegations, %d layers, %v", t.N, begun, depth, o.Violations)
				}
			})
			defer func() { over = true; stop() }() // a stop empties the stack
			run(3)
			b.ReportAllocs()
			for b.Loop() {
				run(1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(delegations), "ns/delegation")
		})
	}
}
