package actions

import "time"

// facts are what the getters of an action said when they were asked last. Getters are author code like Init: they are
// asked by [Runner.Do], where a host can give them up, and a call that never returns keeps the facts, which nobody reads
// any more then.
type facts struct {
	kind          Type
	tracks        Tracks
	limit         time.Duration // timeout
	delay, pause  time.Duration // before Init, and before the second check
	offTreads     bool          // fails off treads
	interruptible bool
	payload       any
	status        string
}

// gated reports whether an action has any getter that OpGates asks.
func gated(a Action) bool {
	switch a.(type) {
	case Timeouter, StartDelayer, CheckDelayer, OffTreadsFailer:
		return true
	}
	return false
}

// readGates asks for what may change at any time (RUN-3).
func (f *facts) readGates(a Action) {
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

// readPhase asks for what the last step may have changed.
func (f *facts) readPhase(a Action) {
	f.kind = a.Type()
	if t, ok := a.(Statuser); ok {
		f.status = t.Status()
	}
}
