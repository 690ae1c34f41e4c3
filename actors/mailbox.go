package actors

import (
	"fmt"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/clock"
)

// maxMailbox bounds what waits for a device whose driver does not return. A healthy device has two or three messages. At the
// limit commands are refused with a reason.
const maxMailbox = 1024

// A mailbox is a filtered mailbox: it admits the messages that its actor works on and refuses all others on the sender's
// goroutine, before they take up room or time. An unauthorized sender that knows a PID can neither flood the actor nor stop
// it. Only the robot itself stops its actors, when it ends.
type mailbox struct {
	backlog
	name       string
	admit      func(msg any) bool
	full       func(msg any) // called with a message beyond the limit; nil: there is no limit
	unexpected func(to string, msg any)
	ending     *atomic.Bool
	dead       atomic.Bool // the actor was replaced: everything is dropped
}

// filtered makes the mailbox of an actor.
func filtered(m *mailbox) actor.MailboxProducer {
	m.work = m.run
	return func() actor.Mailbox { return m }
}

// kill makes the mailbox drop everything.
func (m *mailbox) kill() { m.dead.Store(true) }

// PostUserMessage implements actor.Mailbox.
func (m *mailbox) PostUserMessage(msg any) {
	switch {
	case m.dead.Load():
	case !m.admit(msg):
		m.unexpected(m.name, msg)
	case m.full == nil:
		m.add(&m.user, msg, 0)
	case !m.add(&m.user, msg, maxMailbox):
		m.full(msg)
	}
}

// wake is PostUserMessage by work of the actor's own executor, which has nothing else to do. An actor for which nothing waits does the task at
// once: as its message, with its supervision, but not by way of the queue and the context, which would take as long as a register's read.
func (m *mailbox) wake(t task) {
	if m.dead.Load() {
		return
	}
	if m.begin() {
		m.runFirst(t)
		return
	}
	switch begin, ok := m.put(&m.user, t, maxMailbox); {
	case !ok:
		m.full(t)
	case begin:
		m.run()
	}
}

// PostSystemMessage implements actor.Mailbox.
func (m *mailbox) PostSystemMessage(msg any) {
	if _, stop := msg.(*actor.Stop); stop && !m.ending.Load() {
		m.unexpected(m.name, msg)
		return
	}
	if m.dead.Load() {
		return
	}
	m.add(&m.system, msg, 0)
}

// ofStack admits what the stack supervisor works on.
func ofStack(msg any) bool {
	switch msg.(type) {
	case *clock.Tick, *Drain:
		return true
	}
	return false
}

// ofDevice admits what a device actor works on.
func ofDevice(msg any) bool {
	switch msg.(type) {
	case *poll, *Apply:
		return true
	}
	return false
}

// errFull refuses a command to a device whose mailbox is full.
var errFull = fmt.Sprintf("refused: %d messages wait for the device already", maxMailbox)
