package actors

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// watcher keeps what observers saw.
type watcher struct {
	mu       sync.Mutex
	failures []event.Failure
	ticks    chan tickSeen
}

type tickSeen struct {
	timing     event.Tick
	at         time.Time // when the tick was complete
	events     []string
	violations []string
	stack      []string
}

func newWatcher() *watcher { return &watcher{ticks: make(chan tickSeen, 4096)} }

func (w *watcher) Observe(r event.Record) {
	if f, ok := r.(event.Failure); ok {
		w.mu.Lock()
		w.failures = append(w.failures, f)
		w.mu.Unlock()
	}
}

func (w *watcher) ObserveTick(t event.Tick, o *engine.Output, e *engine.Engine) {
	seen := tickSeen{timing: t, at: time.Now(), violations: o.Violations}
	for _, ev := range o.Events {
		seen.events = append(seen.events, ev.String())
	}
	e.Stack().Each(false, nil, func(n *stack.Node) bool {
		seen.stack = append(seen.stack, n.ID)
		return true
	})
	select {
	case w.ticks <- seen:
	default:
	}
}

func (w *watcher) blamed() []event.Failure {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]event.Failure(nil), w.failures...)
}

// live starts a robot without devices in real time and stops it at the end of the test.
func live(t testing.TB, cat *catalog.Catalog, w *watcher, period, budget time.Duration) *System {
	t.Helper()
	s, err := Start(Config{Catalog: cat, Period: period, Budget: budget, Observer: w, Ticks: []TickObserver{w}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}
