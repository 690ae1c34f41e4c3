package stacktest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors/stack"
)

// A Control makes the requests of one scripted hook. An error is a *stack.Refusal or ErrLost.
type Control interface {
	Ask(to string) (wants bool, err error)
	Delegate(to string) error
	CancelDelegates() (cancelled bool, err error)
	CancelSelf() error
	// Facts is what the behavior is told about its own place now.
	Facts() (activated, delegated, inControl bool)
}

// A Log records the hooks of one tick as they are called, nested ones indented below the hook that caused them. It is
// not safe for concurrent use: exactly one hook runs at any time.
type Log struct {
	lines []string
	calls []Moment // every hook in order of its begin
	depth int
}

// Run runs one scripted hook and records it. Hosts, direct or behind an actor, call it as the body of every hook. The
// error is ErrScripted, ErrLost, or nil.
func (l *Log) Run(id string, h stack.Hook, s Scripts, c Control) (answer bool, err error) {
	at := len(l.lines)
	l.calls = append(l.calls, Moment{id, h})
	l.print(Moment{id, h}.String())
	l.depth++
	defer func() { l.depth-- }()
	answer = true
	for _, step := range s.take(id, h) {
		switch step.Verb {
		case Yes, No:
			answer = step.Verb == Yes
		case Fail:
			return false, ErrScripted
		default:
			if err := l.request(step, c); errors.Is(err, ErrLost) {
				return false, err
			}
		}
	}
	if h == stack.HookWants {
		l.lines[at] += map[bool]string{true: " yes", false: " no"}[answer]
	}
	return answer, nil
}

// request makes one request and records it if it changed nothing.
func (l *Log) request(s Step, c Control) error {
	var err error
	switch s.Verb {
	case Ask:
		_, err = c.Ask(s.To)
	case Delegate:
		err = c.Delegate(s.To)
	case CancelSelf:
		err = c.CancelSelf()
	case CancelDelegates:
		var any bool
		if any, err = c.CancelDelegates(); err == nil && !any {
			l.print("! cancel-delegates: nothing")
		}
	case Facts:
		l.print(factsLine(c.Facts()))
	}
	if r := (*stack.Refusal)(nil); errors.As(err, &r) {
		l.print(fmt.Sprintf("! %s: %s", s, r.Reason))
	}
	return err
}

func factsLine(activated, delegated, inControl bool) string {
	words := []string{"facts:"}
	for _, f := range []struct {
		is   bool
		word string
	}{{activated, "activated"}, {delegated, "delegated"}, {inControl, "in-control"}} {
		if f.is {
			words = append(words, f.word)
		}
	}
	if len(words) == 1 {
		words = append(words, "none")
	}
	return strings.Join(words, " ")
}

func (l *Log) print(text string) { l.lines = append(l.lines, strings.Repeat("  ", l.depth)+text) }

// Take returns the lines of the hooks recorded since the last Take, followed by one "* fact" line for each event of the
// stack that no hook shows: faults, replacements, and lifecycle changes of a behavior whose incarnation was lost.
func (l *Log) Take(events []stack.Event) []string {
	lines := l.lines
	calls := slices.DeleteFunc(l.calls, func(m Moment) bool { return m.Hook == stack.HookWants || m.Hook == stack.HookUpdate })
	for _, e := range events {
		hook, isHook := hookOf[e.Kind]
		switch {
		case isHook && len(calls) > 0 && calls[0] == (Moment{e.ID, hook}):
			calls = calls[1:]
		case e.Kind == stack.EventRefused && e.ID != "", e.Kind == stack.EventPush, e.Kind == stack.EventPop:
		default:
			lines = append(lines, "* "+e.String())
		}
	}
	for _, c := range calls {
		lines = append(lines, "* "+c.String()+" was called without its event")
	}
	l.lines, l.calls = nil, nil
	return lines
}

var hookOf = map[stack.Kind]stack.Hook{
	stack.EventInit: stack.HookInit, stack.EventEnteredScope: stack.HookEnteredScope, stack.EventLeftScope: stack.HookLeftScope,
	stack.EventActivated: stack.HookActivated, stack.EventDeactivated: stack.HookDeactivated,
}
