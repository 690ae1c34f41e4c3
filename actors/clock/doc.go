// Package clock is the one clock of a robot. Everything that waits takes its time from a [Timeline] and runs on an [Executor]
// of it, a goroutine that runs the work of one participant in order.
//
// [Live] is the monotonic clock of the machine: its executors run side by side. [Virtual] moves from one due instant to the
// next as fast as the machine can; exactly one of its executors runs at any moment, in a fixed order, so that equal runs are
// equal whatever the scheduling. A [Pacer] says when the ticks of a live robot are due, and a [Lookout] wakes its
// watchdog, on Linux with two threads of its own.
package clock
