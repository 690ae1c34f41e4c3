package actors

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors"
)

// blocking is a panic value whose Error method does not return.
type blocking struct{ release <-chan struct{} }

func (s blocking) Error() string {
	<-s.release
	return "at last"
}

// panicking is a panic value whose Error method panics with the value itself.
type panicking struct{}

func (b panicking) Error() string { panic(b) }

// The methods of a panic value are the author's code. One that blocks holds its own worker, and not the tick.
// Rules: Q-8.
func TestBlockingPanicValueDoesNotStallTick(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	for _, c := range []struct {
		name         string
		value        any
		reason, text string
	}{
		{"blocks", blocking{release}, "hang", "exceeded its budget"},
		{"panics", panicking{}, "panic", "panic: actors.panicking"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var struck atomic.Bool
			cat := actorstest.Authors(t, []string{"R", "A"}, func(id string) *actorstest.Authored {
				return &actorstest.Authored{Update: func(*behaviors.Control) {
					if id == "A" && struck.CompareAndSwap(false, true) {
						panic(c.value)
					}
				}}
			})
			w := newWatcher()
			live(t, cat, w, testPeriod, testBudget)
			awaitTick(t, w, "A.Update failed")
			awaitTick(t, w, "")
			f := w.blamed()
			if len(f) != 1 || f[0].Actor != "behavior/A" || f[0].Reason != c.reason || !strings.Contains(f[0].Text, c.text) {
				t.Errorf("blamed %+v", f)
			}
		})
	}
}
