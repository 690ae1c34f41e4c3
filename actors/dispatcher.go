package actors

import "github.com/robotd/robotd/actors/clock"

// An executorDispatcher runs protoactor mailboxes on an executor. A long-lived goroutine keeps its grown stack, which is most
// of what a message costs.
type executorDispatcher struct{ executor clock.Executor }

// Schedule implements actor.Dispatcher.
func (d executorDispatcher) Schedule(fn func()) { d.executor.Post(fn) }

// Throughput implements actor.Dispatcher: how many messages run before others get a chance. An executor has no others.
func (d executorDispatcher) Throughput() int { return 300 }

// firstInline runs the first activation of a mailbox where it is posted, and every later one on an executor.
type firstInline struct {
	then    executorDispatcher
	done    chan struct{}
	started bool
}

// Schedule implements actor.Dispatcher.
func (d *firstInline) Schedule(fn func()) {
	if d.started {
		d.then.Schedule(fn)
		return
	}
	d.started = true
	fn()
	close(d.done)
}

// Throughput implements actor.Dispatcher.
func (d *firstInline) Throughput() int { return d.then.Throughput() }
