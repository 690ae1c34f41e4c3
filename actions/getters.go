package actions

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// getterValues holds the last values of an action's getters. Getters are author code like Init: [Runner.Do] calls them,
// where a host can abandon the call. A call that never returns may still write the values, but then they are not read.
type getterValues struct {
	kind          Type
	tracks        Tracks
	limit         time.Duration // timeout
	delay, pause  time.Duration // before Init, and before the second check
	offTreads     bool          // fails off treads
	interruptible bool
	payload       any
	status        string
	refusal       string
	look          hardware.Look // of an action whose Init succeeded
}

// gated reports whether an action has any getter that OpGates asks.
func gated(a Action) bool {
	switch a.(type) {
	case Timeouter, StartDelayer, CheckDelayer, OffTreadsFailer:
		return true
	}
	return false
}

// readGates reads the values that may change at any time (RUN-3).
func (f *getterValues) readGates(a Action) {
	f.limit, f.delay, f.pause, f.offTreads = DefaultTimeout, 0, 0, false
	if t, ok := a.(Timeouter); ok {
		f.limit = t.Timeout()
	}
	if t, ok := a.(StartDelayer); ok {
		f.delay = t.StartDelay()
	}
	if t, ok := a.(CheckDelayer); ok {
		f.pause = t.CheckDelay()
	}
	if t, ok := a.(OffTreadsFailer); ok {
		f.offTreads = t.FailOffTreads()
	}
}

// readPhase reads the values that the last step may have changed.
func (f *getterValues) readPhase(a Action) {
	f.kind = a.Type()
	if t, ok := a.(Statuser); ok {
		f.status = t.Status()
	}
}

// readLook reads what the camera shall look for.
func (f *getterValues) readLook(a Action) {
	if t, ok := a.(Looker); ok {
		f.look = t.Looks()
	}
}

// readRefusal reads why Init failed.
func (f *getterValues) readRefusal(a Action) {
	if t, ok := a.(Refuser); ok {
		f.refusal = t.Refusal()
	}
}
