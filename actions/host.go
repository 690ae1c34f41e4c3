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
	OpBegin         // the tracks, before the action starts
	OpGates         // timeout, delays and off-treads, in every tick
	OpInterruptible // may the action be interrupted?
	OpPayload       // payload of the completion
)

var opNames = [...]string{"Init", "CheckIfDone", "Stop", "Reset", "Tracks", "Timeout", "Interruptible", "Payload"}

func (o Op) String() string { return opNames[o] }

// ErrHung is wrapped by the error of [Host.Call] when the action did not return in time. It distinguishes an action that
// hung from one that panicked.
var ErrHung = errors.New("the action did not return in time")

// A Host performs the calls of a list on actions: directly, or on one actor per action.
type Host interface {
	// Adopt prepares for calls of r. The list calls it once, right before the first Call; a runner that never starts is
	// never adopted.
	Adopt(r *Runner)
	// Release undoes Adopt. No Call of r follows.
	Release(r *Runner)
	// Call performs [Runner.Do] and returns its result. An error means that the action panicked or did not return in
	// time (the error then wraps ErrHung). The runner then ends with ABORT, its tracks are freed, the list calls the
	// action no more, and later effects of the action are dropped.
	Call(r *Runner, op Op, env *Env) (Result, error)
}

// Direct is a Host that calls actions on the caller's goroutine and turns panics into errors. It cannot stop a hang.
type Direct struct{}

// Adopt does nothing.
func (Direct) Adopt(*Runner) {}

// Release does nothing.
func (Direct) Release(*Runner) {}

// Call performs the call and recovers a panic.
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

// inline is the host of children. A panic passes through it to the host of the whole compound, which is one actor.
type inline struct{}

func (inline) Adopt(*Runner)   {}
func (inline) Release(*Runner) {}

func (inline) Call(r *Runner, op Op, env *Env) (Result, error) { return r.Do(op, env), nil }
