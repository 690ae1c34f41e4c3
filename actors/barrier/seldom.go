package barrier

import (
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/actors/clock"
)

// seldom is how often a barrier in virtual time asks for a first look.
const seldom = 20 * time.Millisecond

// A seldomAlarm is the first alarm of the ticks in virtual time, where a hook that hangs only ends the run. A tick there takes some tens of
// microseconds: to set an alarm in each, and to have the runtime read the clock for it whenever goroutines change, costs more than a
// hundredth of all. It rings every now and then, in whatever tick that is, and is no timer of the runtime.
type seldomAlarm struct {
	ring  func()
	inner clock.Alarm // made with the first tick
	set   atomic.Bool
}

// Set implements clock.Alarm.
func (a *seldomAlarm) Set(time.Duration) {
	if a.set.Load() {
		return
	}
	a.set.Store(true)
	if a.inner == nil {
		a.inner = clock.NewAlarm(a.rings)
	}
	a.inner.Set(seldom)
}

func (a *seldomAlarm) rings() {
	a.set.Store(false)
	a.ring()
}

// Stop implements clock.Alarm: a look between two ticks does nothing.
func (a *seldomAlarm) Stop() {}

// Close implements clock.Alarm.
func (a *seldomAlarm) Close() {
	if a.inner != nil {
		a.inner.Close()
	}
}
