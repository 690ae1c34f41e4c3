package barrier

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
)

// A mailbox is a synchronous mailbox: it delivers a message on the goroutine that calls deliver. Behavior and action actors
// have one, and so has their parent. System messages wait for the next delivery. User messages that come any other way are
// refused and counted, because only the barrier may reach a behavior. So is a Stop that does not come from the parent: no
// sender can take an actor away between two hooks.
//
// Two goroutines must not call deliver at once, but another goroutine may call it again while the hook of a delivery waits
// for an answer: a behavior that cancels itself gets its OnDeactivated that way.
//
// It is 64 bytes, one cache line: each behavior in scope has one, and each tick touches them all.
type mailbox struct {
	invoker    actor.MessageInvoker
	unexpected func(to string, msg any)
	pid        atomic.Pointer[actor.PID] // of the actor; nil while it is made
	pending    atomic.Bool               // system messages wait
	ending     atomic.Bool               // its parent stops it; a Stop from another sender is refused
	dead       atomic.Bool               // the actor was discarded: everything is dropped
	gen        uint32                    // of a behavior's name; grows when its actor is discarded

	mu     sync.Mutex
	system *systemMessage // the oldest that waits
}

// A systemMessage waits for its turn in a mailbox; few do at any time.
type systemMessage struct {
	msg  any
	next *systemMessage
}

// PostUserMessage implements actor.Mailbox.
func (m *mailbox) PostUserMessage(msg any) {
	if m.unexpected != nil {
		m.unexpected(m.name(), msg)
	}
}

// name is the actor's own name, without that of its parent.
func (m *mailbox) name() string {
	pid := m.pid.Load()
	if pid == nil {
		return ""
	}
	return pid.Id[strings.LastIndexByte(pid.Id, '/')+1:]
}

// PostSystemMessage implements actor.Mailbox.
func (m *mailbox) PostSystemMessage(msg any) {
	if _, stop := msg.(*actor.Stop); stop && !m.ending.Load() {
		m.PostUserMessage(msg)
		return
	}
	m.mu.Lock()
	if !m.dead.Load() {
		last := &m.system
		for *last != nil {
			last = &(*last).next
		}
		*last = &systemMessage{msg: msg}
		m.pending.Store(true)
	}
	m.mu.Unlock()
}

// RegisterHandlers implements actor.Mailbox. The dispatcher is never used.
func (m *mailbox) RegisterHandlers(invoker actor.MessageInvoker, _ actor.Dispatcher) {
	m.invoker = invoker
}

// Start implements actor.Mailbox.
func (m *mailbox) Start() {}

// UserMessageCount implements actor.Mailbox.
func (m *mailbox) UserMessageCount() int { return 0 }

// kill makes the mailbox drop everything, so that nothing the discarded actor still does has an effect.
func (m *mailbox) kill() {
	m.mu.Lock()
	m.dead.Store(true)
	m.system = nil
	m.pending.Store(false)
	m.mu.Unlock()
}

// deliver runs the waiting system messages and then msg, if it is not nil and the actor was not discarded. It does not recover:
// the worker does, and calls escalate.
func (m *mailbox) deliver(msg any) {
	if m.pending.Load() {
		for sys, ok := m.next(); ok; sys, ok = m.next() {
			m.invoker.InvokeSystemMessage(sys)
		}
	}
	if msg != nil && !m.dead.Load() {
		m.invoker.InvokeUserMessage(msg)
	}
}

// escalate makes a panic of the delivery of msg protoactor's failure of the actor.
func (m *mailbox) escalate(failure error, msg any) {
	if !m.dead.Load() {
		m.invoker.EscalateFailure(failure, msg)
	}
}

// next pops one system message. Suspend and resume are dropped: the engine knows that a failed incarnation is lost, and
// delivers nothing to it.
func (m *mailbox) next() (any, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.system != nil {
		msg := m.system.msg
		m.system = m.system.next
		switch msg.(type) {
		case *actor.SuspendMailbox, *actor.ResumeMailbox:
		default:
			return msg, true
		}
	}
	m.pending.Store(false)
	return nil, false
}
