package actions

import (
	"errors"
	"reflect"
	"time"
)

// ErrHung is what the error of [Host.Call] wraps when the action did not return in time. Hosts wrap it, so that whoever
// reads a [Completion] can tell an action that hung from one that panicked.
var ErrHung = errors.New("the action did not return in time")

// A Label is what an action says of itself before it is queued. [Describe] reads it where author code may run; the list
// itself calls no method of an action on its own goroutine. The zero Label says nothing.
type Label struct {
	name   string
	kind   Type
	known  bool
	broken bool // the getters panicked
}

// Known reports whether the label says anything.
func (l Label) Known() bool { return l.known && !l.broken }

// Name is what the action calls itself.
func (l Label) Name() string { return l.name }

// Kind is the type of the action.
func (l Label) Kind() Type { return l.kind }

// Describe asks an action for its name and type. A panic of either is remembered and makes [List.Queue] refuse. Call it on
// the goroutine that may be lost if the action does not return.
func Describe(a Action) (l Label) {
	if a == nil {
		return Label{}
	}
	l.known = true
	defer func() {
		if recover() != nil {
			l.broken = true
		}
	}()
	l.name, l.kind = a.Name(), a.Type()
	return l
}

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

// same reports whether two actions are one. Values that cannot be compared are never the same, however deep the reason.
func same(a, b Action) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}
