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
