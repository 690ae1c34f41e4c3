package barrier

import (
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/actors/clock"
)

// seldom is how often a barrier in virtual time asks for a first look.
const seldom = 20 * time.Millisecond

// A seldomLookout is the lookout in virtual time, where a hook that hangs only ends the run. A tick there takes some tens of
// microseconds: to set an alarm in each, and to have the runtime read the clock for it whenever goroutines change, costs more than a
// hundredth of all. The first ring comes every now and then, in whatever tick that is, and is from no timer of the runtime.
type seldomLookout struct {
	ring  func()
	inner clock.Alarm // made with the first tick
	set   atomic.Bool // inner is set for a first ring
	next  clock.Alarm // for the others; made for the first of them
	asked bool        // next may be set
}

// Begin implements clock.Lookout.
func (a *seldomLookout) Begin(time.Time) {
	if a.set.Load() {
		return
	}
	a.set.Store(true)
	if a.inner == nil {
		a.inner = clock.NewAlarm(a.rings)
	}
	a.inner.Set(seldom)
}

func (a *seldomLookout) rings() {
	a.set.Store(false)
	a.ring()
}

// Set implements clock.Lookout.
func (a *seldomLookout) Set(d time.Duration) {
	if a.next == nil {
		a.next = clock.NewAlarm(a.ring)
	}
	a.next.Set(d)
	a.asked = true
}

// Stop implements clock.Lookout. A first ring between two ticks does nothing.
func (a *seldomLookout) Stop() {
	if a.asked {
		a.asked = false
		a.next.Stop()
	}
}

// Close implements clock.Lookout.
func (a *seldomLookout) Close() {
	for _, alarm := range []clock.Alarm{a.inner, a.next} {
		if alarm != nil {
			alarm.Close()
		}
	}
}
