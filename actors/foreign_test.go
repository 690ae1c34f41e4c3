package actors

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors"
)

// A goroutine that an author started makes a request while its hook runs, and the behavior loses its incarnation by that
// request. The hook is unwound at its next request. The goroutine is refused instead, because nothing would recover its panic.
func TestAuthorGoroutineIsRefusedWhereHookIsUnwound(t *testing.T) {
	for _, deep := range []int{0, 500} { // calls between the hook and its request
		refused, unwound := make(chan error, 1), make(chan bool, 1)
		var struck, parted atomic.Bool
		cat := actorstest.Authors(t, []string{"R", "A"}, func(id string) *actorstest.Authored {
			if id == "R" {
				return &actorstest.Authored{Update: func(c *behaviors.Control) {
					if c.InControl() && c.Wants("A") {
						c.DelegateTo("A", nil)
					}
				}}
			}
			return &actorstest.Authored{Update: func(c *behaviors.Control) {
				if struck.Swap(true) {
					return
				}
				told := make(chan error)
				go func() { told <- actorstest.Refusal(c, c.CancelSelf()) }()
				refused <- <-told
				whole := true
				defer func() { unwound <- whole }()
				descend(deep, func() { c.ResetTimer("nap") })
				whole = false
			}, End: func(*behaviors.Control) {
				if struck.Load() && !parted.Swap(true) {
					panic("a farewell that fails")
				}
			}}
		})
		w := newWatcher()
		s, err := Start(Config{Catalog: cat, Period: testPeriod, Budget: time.Minute, Observer: w, Ticks: []TickObserver{w}})
		if err != nil {
			t.Fatal(err)
		}
		if why := <-refused; !isStale(why) {
			t.Errorf("the goroutine is told %v, want stale", why)
		}
		if !<-unwound {
			t.Error("the hook went on although its incarnation was lost")
		}
		awaitTick(t, w, "A.replaced")
		awaitTick(t, w, "A.activated")
		if err := s.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		if b := w.blamed(); len(b) != 1 || b[0].Actor != "behavior/A" || b[0].Reason != "panic" || b[0].Where != "OnDeactivated" {
			t.Errorf("blamed %+v", b)
		}
	}
}

// descend calls f below n calls.
func descend(n int, f func()) {
	if n == 0 {
		f()
		return
	}
	descend(n-1, f)
}
