package actors

import (
	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/hardware"
)

// A backlog is what waits for an actor, and runs the actor on its dispatcher while something does. System messages go first; a
// suspended actor gets nothing else. It does what the library's unbounded mailbox does and allocates nothing for a message.
type backlog struct {
	invoker    actor.MessageInvoker
	dispatcher actor.Dispatcher
	work       func() // run

	mu        hardware.Guard // left open in virtual time
	system    fifo
	user      fifo
	scheduled bool // run is under way, or will be
	suspended bool
}

// RegisterHandlers implements actor.Mailbox.
func (b *backlog) RegisterHandlers(invoker actor.MessageInvoker, dispatcher actor.Dispatcher) {
	b.invoker, b.dispatcher = invoker, dispatcher
}

// Start implements actor.Mailbox.
func (b *backlog) Start() {}

// UserMessageCount implements actor.Mailbox.
func (b *backlog) UserMessageCount() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.user.len()
}

// add queues a message, and schedules the actor unless it runs already. It reports false if as many messages as the limit wait in
// the queue already; 0 is no limit.
func (b *backlog) add(to *fifo, msg any, limit int) bool {
	begin, ok := b.put(to, msg, limit)
	if begin {
		b.dispatcher.Schedule(b.work)
	}
	return ok
}

// put queues a message, within the limit. It reports whether the actor must be run, and whether there was room.
func (b *backlog) put(to *fifo, msg any, limit int) (begin, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if limit > 0 && to.len() >= limit {
		return false, false
	}
	to.push(msg)
	begin = !b.scheduled
	b.scheduled = true
	return begin, true
}

// begin says that the actor begins to work, unless it works already or is suspended; for any other actor nothing waits. Then run or runFirst
// must follow.
func (b *backlog) begin() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.scheduled || b.suspended {
		return false
	}
	b.scheduled = true
	return true
}

// A task is a message that can do its work without a context.
type task interface{ do() }

// run works on what waits.
func (b *backlog) run() { b.runFirst(nil) }

// runFirst does a task, unless it is nil, and works on what waits then.
func (b *backlog) runFirst(t task) {
	for b.runUntilPanic(t) {
		t = nil
	}
}

// runUntilPanic works until nothing is left, or until a message panics. It reports a panic.
func (b *backlog) runUntilPanic(first task) (panicked bool) {
	var msg any
	panicked = true // or ended its goroutine
	defer func() {
		if !panicked {
			return
		}
		if r := recover(); r != nil {
			b.invoker.EscalateFailure(r, msg)
		}
	}()
	if first != nil {
		msg = first
		first.do()
	}
	for {
		var system bool
		if msg, system = b.take(); msg == nil {
			return false
		}
		if system {
			b.invoker.InvokeSystemMessage(msg)
		} else {
			b.invoker.InvokeUserMessage(msg)
		}
	}
}

// take removes the next message. Without one, the next message that is added schedules the actor again.
func (b *backlog) take() (msg any, system bool) {
	b.mu.Lock()
	if b.system.len() > 0 {
		msg = b.control()
		system = msg != nil
	}
	switch {
	case system:
	case b.suspended || b.user.len() == 0:
		b.scheduled = false
	default:
		msg = b.user.pop()
	}
	b.mu.Unlock()
	return msg, system
}

// control removes the next system message that the actor works on itself; nil if there is none. mu is held.
func (b *backlog) control() any {
	for b.system.len() > 0 {
		switch msg := b.system.pop().(type) {
		case *actor.SuspendMailbox:
			b.suspended = true
		case *actor.ResumeMailbox:
			b.suspended = false
		default:
			return msg
		}
	}
	return nil
}

// A fifo is a queue of messages whose memory is used again.
type fifo struct {
	messages []any
	first    int
}

func (q *fifo) len() int { return len(q.messages) - q.first }

func (q *fifo) push(msg any) {
	if q.first > len(q.messages)/2 { // a queue that is never empty must not grow
		n := copy(q.messages, q.messages[q.first:])
		clear(q.messages[n:])
		q.messages, q.first = q.messages[:n], 0
	}
	q.messages = append(q.messages, msg)
}

func (q *fifo) pop() any {
	msg := q.messages[q.first]
	q.messages[q.first] = nil
	q.first++
	if q.first == len(q.messages) {
		q.messages, q.first = q.messages[:0], 0
	}
	return msg
}
