package actors

import (
	"fmt"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/clock"
)

// maxMailbox bounds what waits for a device whose driver does not return. A healthy one has two or three messages; at the
// limit commands are refused with a reason.
const maxMailbox = 1024

// A mailbox is the mailbox of an actor of the robot: it takes what its own kind sends and refuses the rest where it is sent, on
// the sender's goroutine, before it takes up room or time. Strangers who know a PID can neither flood the actor nor stop it:
// only the robot itself stops its actors, when it ends.
type mailbox struct {
	actor.Mailbox
	name       string
	admit      func(msg any) bool
	full       func(msg any) // told of what comes beyond the limit; nil: there is none
	unexpected func(to string, msg any)
	ending     *atomic.Bool
	dead       atomic.Bool // the actor was given up: everything is dropped
}

// gated makes the mailbox of an actor.
func filtered(g *mailbox) actor.MailboxProducer {
	g.Mailbox = actor.Unbounded()()
	return func() actor.Mailbox { return g }
}

// kill makes the mailbox a black hole.
func (g *mailbox) kill() { g.dead.Store(true) }

// PostUserMessage implements actor.Mailbox.
func (g *mailbox) PostUserMessage(msg any) {
	switch {
	case g.dead.Load():
	case !g.admit(msg):
		g.unexpected(g.name, msg)
	case g.full != nil && g.UserMessageCount() >= maxMailbox:
		g.full(msg)
	default:
		g.Mailbox.PostUserMessage(msg)
	}
}

// PostSystemMessage implements actor.Mailbox.
func (g *mailbox) PostSystemMessage(msg any) {
	if _, stop := msg.(*actor.Stop); stop && !g.ending.Load() {
		g.unexpected(g.name, msg)
		return
	}
	if g.dead.Load() {
		return
	}
	g.Mailbox.PostSystemMessage(msg)
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

// errFull words the refusal of a command to a device that does not work its mailbox off.
var errFull = fmt.Sprintf("refused: %d messages wait for the device already", maxMailbox)
