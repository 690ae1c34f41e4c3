package actors

import (
	"fmt"
	"slices"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
)

// A scribe is the actor of a backlog: it writes down what it gets, and a panic for the message "panic".
type scribe struct {
	lines  []string
	queued []func()
}

func (s *scribe) InvokeSystemMessage(msg any) { s.lines = append(s.lines, fmt.Sprint("system ", msg)) }

func (s *scribe) InvokeUserMessage(msg any) {
	if msg == "panic" {
		panic("boom")
	}
	s.lines = append(s.lines, fmt.Sprint(msg))
}

func (s *scribe) EscalateFailure(reason, msg any) {
	s.lines = append(s.lines, fmt.Sprint(reason, " at ", msg))
}

func (s *scribe) Schedule(f func()) { s.queued = append(s.queued, f) }
func (s *scribe) Throughput() int   { return 1 }

func newBacklog() (*mailbox, *scribe) {
	m := &mailbox{admit: func(any) bool { return true }}
	s := &scribe{}
	filtered(m)().RegisterHandlers(s, s)
	return m, s
}

// System messages go first, a suspended actor gets nothing else, a panic ends no other message, and the actor is scheduled once.
func TestBacklogOrdersMessagesAsTheLibraryDoes(t *testing.T) {
	m, s := newBacklog()
	for _, msg := range []any{"a", "panic", "b"} {
		m.PostUserMessage(msg)
	}
	m.PostSystemMessage("first")
	if n := m.UserMessageCount(); n != 3 || len(s.queued) != 1 {
		t.Errorf("%d messages wait, %d runs are scheduled", n, len(s.queued))
	}
	s.queued[0]()
	m.PostSystemMessage(&actor.SuspendMailbox{})
	m.PostUserMessage("c")
	m.PostSystemMessage("second")
	s.queued[1]()
	s.lines = append(s.lines, "suspended")
	m.PostSystemMessage(&actor.ResumeMailbox{})
	s.queued[2]()
	want := []string{"system first", "a", "boom at panic", "b", "system second", "suspended", "c"}
	if !slices.Equal(s.lines, want) || len(s.queued) != 3 || m.UserMessageCount() != 0 {
		t.Errorf("%q, want %q; %d runs, %d wait", s.lines, want, len(s.queued), m.UserMessageCount())
	}
}

// A chore is a task: it does something and writes itself down.
type chore struct {
	name string
	on   *scribe
	also func()
}

func (c *chore) String() string { return c.name }

func (c *chore) do() {
	c.on.lines = append(c.on.lines, "did "+c.name)
	if c.also != nil {
		c.also()
	}
}

// A task is done at once only by an actor that does nothing, waits for nothing and is not suspended; else it is a message like others. What
// comes while it is done follows it, and a panic in it is a failure of the actor.
// Rules: Q-8.
func TestTaskIsDoneAtOnceOnlyIfNothingWaits(t *testing.T) {
	m, s := newBacklog()
	task := func(name string, also func()) *chore { return &chore{name, s, also} }
	m.wake(task("a", func() {
		m.wake(task("b", nil)) // the actor works
		m.PostUserMessage("c")
		m.PostSystemMessage("first")
	}))
	m.PostUserMessage("d")
	m.wake(task("e", nil)) // d waits
	s.queued[0]()
	m.wake(task("f", func() { panic("boom") }))
	m.PostSystemMessage(&actor.SuspendMailbox{})
	m.wake(task("g", nil)) // it is suspended as soon as that is taken
	s.queued[1]()
	m.wake(task("h", nil))
	s.lines = append(s.lines, "suspended")
	m.PostSystemMessage(&actor.ResumeMailbox{})
	s.queued[2]()
	m.wake(task("i", nil))
	m.kill()
	m.wake(task("k", nil))
	want := []string{"did a", "system first", "b", "c", "d", "e", "did f", "boom at f", "suspended", "g", "h", "did i"}
	if !slices.Equal(s.lines, want) || len(s.queued) != 3 || m.UserMessageCount() != 0 {
		t.Errorf("%q, want %q; %d runs, %d wait", s.lines, want, len(s.queued), m.UserMessageCount())
	}
}

// A message costs no memory, even if the actor is never without one.
func TestBacklogAllocatesNothingForAMessage(t *testing.T) {
	m, s := newBacklog()
	s.lines, s.queued = make([]string, 0, 1<<16), make([]func(), 0, 1<<16)
	var msg any = "m"
	m.PostUserMessage(msg)
	m.PostUserMessage(msg)
	if n := testing.AllocsPerRun(1000, func() {
		m.PostUserMessage(msg)
		m.take()
	}); n != 0 || cap(m.user.messages) > 8 {
		t.Errorf("%v allocations, room for %d messages", n, cap(m.user.messages))
	}
}
