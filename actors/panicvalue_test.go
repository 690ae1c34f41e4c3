package actors

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors"
)

// secretive is what a hook panics with: an error that does not return from saying what it is.
type secretive struct{ release <-chan struct{} }

func (s secretive) Error() string {
	<-s.release
	return "at last"
}

// bottomless panics with itself when it is asked what it is.
type bottomless struct{}

func (b bottomless) Error() string { panic(b) }

// What a hook panics with is the author's, too: an error that locks what the hook holds keeps its own worker, not the tick.
// Rules: Q-8.
func TestBlockingPanicValueDoesNotStallTick(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	for _, c := range []struct {
		name         string
		value        any
		reason, text string
	}{
		{"blocks", secretive{release}, "hang", "exceeded its budget"},
		{"panics", bottomless{}, "panic", "panic: actors.bottomless"},
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
