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
// else may. Work must not lock its thread: in virtual time all executors run on one.
type Executor interface {
	hardware.Clock
	// Post runs f as soon as the executor is free.
	Post(f func())
	// Timer makes a timer that runs f on the executor. It is not set. Setting it again allocates nothing.
	Timer(f func()) Timer
	// Watch judges the executor's work, which may never return, until done is called, once. Unless that is within d, it calls
	// f on a goroutine of its own: after d with the verdict so far, and if that is Late, once more when the work hangs. In
	// virtual time, where a hang visibly stops the run, it does nothing.
	Watch(d time.Duration, f func(Verdict)) (done func())
	// Close ends the executor when its present work is done. Work that waits is dropped.
	Close()
}

// A Timer runs the function that it was made with on its executor, once each time that it is set. Only work of the executor
// uses it, and before the first work whoever opened the executor.
type Timer interface {
	// Set lets the function run d after the executor's Now, or as soon as the executor is free afterwards, instead of whenever the
	// timer was set for before.
	Set(d time.Duration)
	// Stop takes a Set back if its work has not begun to wait for the executor.
	Stop()
}
