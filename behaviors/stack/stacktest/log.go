package stacktest

import (
	"errors"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/resources/tracetest"
)

// A Control makes the requests of one scripted hook. Its errors are a *stack.Refusal or ErrLost.
type Control interface {
	Ask(to string) (wants bool, err error)
	Delegate(to string) error
	CancelDelegates() (cancelled bool, err error)
	CancelSelf() error
	// Facts is what the behavior is told about its own place now.
	Facts() Place
}

// A Doer is a Control that has steps of its own, or does a common step in its own way. It records the result of each such step.
type Doer interface {
	Do(s Step, l *Log) (known bool, err error)
}

// Place is what a behavior may know of its own place.
type Place struct {
	Activated, Delegated, InControl bool
	To                              string // the behavior that it delegated to; empty for none or an action
}

func (p Place) String() string {
	var words []string
	for _, f := range []struct {
		is   bool
		word string
	}{{p.Activated, "activated"}, {p.Delegated, "delegated"}, {p.To != "", "to " + p.To}, {p.InControl, "in-control"}} {
		if f.is {
			words = append(words, f.word)
		}
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, " ")
}

// A Log records the hooks of one tick as they are called.
type Log struct {
	tracetest.Log
	calls []Moment // every hook in order of its begin
}

// Run runs one scripted hook and records it. Hosts, direct or behind an actor, call it as the body of every hook. The
// error is ErrScripted, ErrLost, or nil.
func (l *Log) Run(id string, h stack.Hook, s Scripts, c Control) (answer bool, err error) {
	m := At(id, h)
	l.calls = append(l.calls, m)
	line := m.String()
	if h == stack.HookUpdate && !c.Facts().Activated {
		line += " in scope"
	}
	at := l.Enter(line)
	defer l.Leave()
	answer, err = l.Steps(s.Take(m), c)
	if h == stack.HookWants && err == nil {
		l.Add(at, map[bool]string{true: " yes", false: " no"}[answer])
	}
	return answer, err
}

// Steps does what a script says.
func (l *Log) Steps(steps []Step, c Control) (answer bool, err error) {
	answer = true
	for _, step := range steps {
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
	return answer, nil
}

// request makes one request and records it if it came to nothing.
func (l *Log) request(s Step, c Control) error {
	if d, ok := c.(Doer); ok {
		if known, err := d.Do(s, l); known {
			return err
		}
	}
	done, nothing := true, "nothing"
	var err error
	switch s.Verb {
	case Ask:
		nothing = "no"
		done, err = c.Ask(s.To)
	case Delegate:
		err = c.Delegate(s.To)
	case CancelSelf:
		err = c.CancelSelf()
	case CancelDelegates:
		done, err = c.CancelDelegates()
	case Facts:
		l.Printf("facts: %s", c.Facts())
	}
	return l.Answer(s, done, nothing, err)
}

// Answer records a request that came to nothing, and returns its error.
func (l *Log) Answer(s Step, done bool, nothing string, err error) error {
	if r := (*stack.Refusal)(nil); errors.As(err, &r) {
		nothing, done = r.Reason.String(), false
	} else if err != nil {
		return err
	}
	if !done {
		l.Printf("! %s: %s", s, nothing)
	}
	return err
}

// Take returns the lines of the hooks recorded since the last Take, followed by one "* fact" line for each event of the
// stack that no hook shows: faults, replacements, and lifecycle changes of a behavior whose incarnation was lost.
func (l *Log) Take(events []stack.Event) []string {
	lines := l.Lines()
	calls := slices.DeleteFunc(l.calls, func(m Moment) bool { return m.Hook == tracetest.Wants || m.Hook == tracetest.Update })
	for _, e := range events {
		hook, isHook := hookOf[e.Kind]
		switch {
		case isHook && len(calls) > 0 && calls[0] == At(e.ID, hook):
			calls = calls[1:]
		case e.Kind == stack.EventRefused && e.ID != "", e.Kind == stack.EventPush, e.Kind == stack.EventPop:
		default:
			lines = append(lines, "* "+Fact(e))
		}
	}
	for _, c := range calls {
		lines = append(lines, "* "+c.String()+" was called without its event")
	}
	l.calls = nil
	return lines
}

// Fact is an event in the words of a trace: what happened to a behavior has the name of its hook.
func Fact(e stack.Event) string {
	h, isHook := hookOf[e.Kind]
	switch {
	case isHook && e.Text != "":
		return At(e.ID, h).String() + " (" + e.Text + ")"
	case isHook:
		return At(e.ID, h).String()
	}
	return e.String()
}

// Refused is the line of a refusal outside the hook in which it was made.
func Refused(e stack.Event) string {
	verb := map[stack.Op]Verb{
		stack.OpAsk: Ask, stack.OpDelegate: Delegate, stack.OpCancelDelegates: CancelDelegates, stack.OpCancelSelf: CancelSelf, stack.OpAct: "act",
	}[e.Op]
	s := Step{Verb: verb, To: e.To}
	if verb == CancelSelf || verb == CancelDelegates {
		s.To = ""
	}
	return "! " + e.ID + ": " + s.String() + ": " + e.Reason.String()
}

var hookOf = map[stack.Kind]stack.Hook{
	stack.EventInit: stack.HookInit, stack.EventEnteredScope: stack.HookEnteredScope, stack.EventLeftScope: stack.HookLeftScope,
	stack.EventActivated: stack.HookActivated, stack.EventDeactivated: stack.HookDeactivated,
}
