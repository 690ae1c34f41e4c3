package barrier

import (
	"sync"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
)

// A mailbox is the mailbox of an actor that acts only when it is told to, on the goroutine of who tells it: behaviors and
// actions, stepped by the tick. System messages wait for the next delivery; user messages that anybody else sends are
// refused and counted, because nothing but the barrier may reach a behavior, and so is a Stop that does not come from its
// parent: nobody can take an actor away between two hooks.
//
// deliver must not be called by two goroutines at once, but may be called again, by another goroutine, while a delivery
// waits for an answer: a behavior that cancels itself.
type mailbox struct {
	invoker    actor.MessageInvoker
	unexpected func(msg any)
	pending    atomic.Bool // system messages wait
	ending     atomic.Bool // its parent stops it; a Stop from anybody else is refused
	dead       atomic.Bool // the incarnation was given up: everything is dropped

	mu     sync.Mutex
	system []any
}

// PostUserMessage implements actor.Mailbox.
func (l *mailbox) PostUserMessage(msg any) {
	if l.unexpected != nil {
		l.unexpected(msg)
	}
}

// PostSystemMessage implements actor.Mailbox.
func (l *mailbox) PostSystemMessage(msg any) {
	if _, stop := msg.(*actor.Stop); stop && !l.ending.Load() {
		l.PostUserMessage(msg)
		return
	}
	l.mu.Lock()
	if !l.dead.Load() {
		l.system = append(l.system, msg)
		l.pending.Store(true)
	}
	l.mu.Unlock()
}

// RegisterHandlers implements actor.Mailbox. The dispatcher is never used.
func (l *mailbox) RegisterHandlers(invoker actor.MessageInvoker, _ actor.Dispatcher) {
	l.invoker = invoker
}

// Start implements actor.Mailbox.
func (l *mailbox) Start() {}

// UserMessageCount implements actor.Mailbox.
func (l *mailbox) UserMessageCount() int { return 0 }

// kill makes the mailbox a black hole: whatever the given-up incarnation still does, nobody hears of it.
func (l *mailbox) kill() {
	l.mu.Lock()
	l.dead.Store(true)
	l.system = nil
	l.pending.Store(false)
	l.mu.Unlock()
}

// deliver runs the waiting system messages and then msg, if it is not nil and the actor was not given up. Whoever calls it
// with user code behind it recovers its panic and tells escalate.
func (l *mailbox) deliver(msg any) {
	if l.pending.Load() {
		for m, ok := l.next(); ok; m, ok = l.next() {
			l.invoker.InvokeSystemMessage(m)
		}
	}
	if msg != nil && !l.dead.Load() {
		l.invoker.InvokeUserMessage(msg)
	}
}

// escalate makes a panic of the delivery of msg protoactor's failure of the actor.
func (l *mailbox) escalate(failure error, msg any) {
	if !l.dead.Load() {
		l.invoker.EscalateFailure(failure, msg)
	}
}

// next pops one system message. Suspension means nothing here: the engine knows a failed incarnation as lost and delivers nothing to it.
func (l *mailbox) next() (any, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.system) > 0 {
		m := l.system[0]
		l.system = l.system[1:]
		switch m.(type) {
		case *actor.SuspendMailbox, *actor.ResumeMailbox:
		default:
			return m, true
		}
	}
	l.system = nil
	l.pending.Store(false)
	return nil, false
}
