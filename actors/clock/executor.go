package clock

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// A Timeline tells time and runs what is due.
type Timeline interface {
	Now() time.Time
	// Open starts the executor of one participant. At one instant executors of lower rank go first, then those of lower
	// name. Names are unique.
	Open(name string, rank int) Executor
}

// An Executor runs the work of one participant in order, one piece at a time. Work may sleep on the executor's clock; nothing
// else may.
type Executor interface {
	hardware.Clock
	// Post runs f as soon as the executor is free.
	Post(f func())
	// At runs f at instant t, or as soon as the executor is free afterwards. The returned function cancels it if it has not
	// begun.
	At(t time.Time, f func()) (cancel func())
	// Watch judges the executor's work, which may never return, until done is called, once. Unless that is within d, it calls
	// f on a goroutine of its own: after d with the verdict so far, and if that is Late, once more when the work hangs. In
	// virtual time, where a hang visibly stops the run, it does nothing.
	Watch(d time.Duration, f func(Verdict)) (done func())
	// Close ends the executor when its present work is done. Work that waits is dropped.
	Close()
}
