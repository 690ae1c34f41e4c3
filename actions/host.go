package actions

import (
	"errors"
	"fmt"
)

// An Op is one call into an action.
type Op uint8

// The calls.
const (
	OpInit Op = iota
	OpCheck
	OpStop
	OpReset
	OpBegin         // the tracks, before the start
	OpGates         // timeout, delays and off-treads, in every tick
	OpInterruptible // may it be set aside?
	OpPayload       // facts for the completion
)

var opNames = [...]string{"Init", "CheckIfDone", "Stop", "Reset", "Tracks", "Timeout", "Interruptible", "Payload"}

func (o Op) String() string { return opNames[o] }

// ErrHung is what the error of [Host.Call] wraps when the action did not return in time. Hosts wrap it, so that whoever
// reads a [Completion] can tell an action that hung from one that panicked.
var ErrHung = errors.New("the action did not return in time")

// A Host carries the calls of a list into action code: directly, or to an actor per action.
type Host interface {
	// Adopt prepares for calls of r. It comes once, right before the first Call; runners that never start are never
	// adopted.
	Adopt(r *Runner)
	// Release ends what Adopt began. No Call of r follows.
	Release(r *Runner)
	// Call performs [Runner.Do] and returns its result. An error means that the action panicked or did not return in
	// time (the error then wraps ErrHung): the runner ends with ABORT, its tracks are freed, and nothing the action may
	// still do has an effect.
	// After an error the list touches the action no more.
	Call(r *Runner, op Op, env *Env) (Result, error)
}

// Direct is a Host that calls on the caller's goroutine and turns panics into errors. It cannot stop a hang.
type Direct struct{}

// Adopt does nothing.
func (Direct) Adopt(*Runner) {}

// Release does nothing.
func (Direct) Release(*Runner) {}

// Call calls and recovers.
func (Direct) Call(r *Runner, op Op, env *Env) (res Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			res, err = Abort, &PanicError{Op: op, Value: p}
		}
	}()
	return r.Do(op, env), nil
}

// A PanicError is the panic of an action.
type PanicError struct {
	Op    Op
	Value any
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic in %s: %v", e.Op, e.Value) }

// inline is the host of children: it lets a panic reach the host of the whole compound, which is one actor.
type inline struct{}

func (inline) Adopt(*Runner)   {}
func (inline) Release(*Runner) {}

func (inline) Call(r *Runner, op Op, env *Env) (Result, error) { return r.Do(op, env), nil }
