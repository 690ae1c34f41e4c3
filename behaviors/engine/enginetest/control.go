package enginetest

import (
	"fmt"
	"slices"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
	"github.com/robotd/robotd/resources/tracetest"
)

// The steps that an engine adds to those of package tracetest. A step that gives control away may end in "then": it has a
// callback, whose script is that of "A.callback".
const (
	cancelDelegate   tracetest.Verb = "cancel-and-delegate"
	cancelDelegateIf tracetest.Verb = "cancel-and-delegate-if-wanted"
	act              tracetest.Verb = "act"
	cancelAct        tracetest.Verb = "cancel-and-act"
	cancelWith       tracetest.Verb = "cancel-with-callback"
	lock             tracetest.Verb = "lock" // the head, by a key
	suppress         tracetest.Verb = "suppress"
	claim            tracetest.Verb = "claim" // an intent
	heldNow          tracetest.Verb = "held"  // records what the command of that name prints
	setDebugState    tracetest.Verb = "state"
)

var vocabulary = func() tracetest.Vocabulary {
	giving := tracetest.Target | tracetest.Then
	v := tracetest.Common(map[tracetest.Verb]tracetest.Form{
		tracetest.Delegate: giving, cancelDelegate: giving, cancelDelegateIf: giving, act: giving, cancelAct: giving,
		cancelWith: tracetest.Alone, heldNow: tracetest.Alone,
		lock: tracetest.Target, suppress: tracetest.Target, claim: tracetest.Target, setDebugState: tracetest.Target,
	})
	v.Hooks = append(v.Hooks, tracetest.Parts()...)
	return v
}()

// parseScript reads "A.Update: step; step".
func parseScript(line tracetest.Line, into stacktest.Scripts) error {
	one := stacktest.Scripts{}
	if err := vocabulary.Parse(line, one); err != nil {
		return err
	}
	for m, lists := range one {
		if slices.Contains(tracetest.Parts(), m.Hook) && slices.Contains(lists[0], tracetest.Step{Verb: tracetest.Fail}) {
			return line.Errorf("%q: let the hook fail that it is part of: a recording does not know how far a lost one came", line.Text)
		}
		into.Add(m.ID, m.Hook, lists[0]...)
	}
	return nil
}

// control makes the requests of a scripted hook through the Control of its behavior.
type control struct {
	behavior *idle
	c        *behaviors.Control
}

// Do implements stacktest.Doer.
func (r *control) Do(s stacktest.Step, l *stacktest.Log) (known bool, err error) {
	var then behaviors.Callback
	if s.Then {
		then = r.behavior.callback
	}
	w := r.behavior.trace
	var done bool
	switch s.Verb {
	case tracetest.Delegate:
		done = r.c.DelegateTo(s.To, then)
	case cancelDelegate:
		done = r.c.CancelAndDelegateTo(s.To, then)
	case cancelDelegateIf:
		done = r.c.CancelAndDelegateIfWanted(s.To, then)
	case act:
		done = r.c.Act(&job{w, s.To}, then)
	case cancelAct:
		done = r.c.CancelAndAct(&job{w, s.To}, then)
	case cancelWith:
		if !r.c.IsControlDelegated() { // Control asks for nothing then
			return true, l.Answer(s, false, "nothing", nil)
		}
		done = r.c.CancelDelegatesWithCallback()
	case lock:
		done = r.c.Tracks().Lock(s.To, actions.Head)
	case suppress:
		done = true
		r.c.Suppression().ThisTick(s.To)
	case claim:
		_, done = r.c.Intents().Claim(s.To)
	case heldNow:
		done = true
		l.Printf("held: %s", w.held())
	case setDebugState:
		done = true
		r.c.SetState(s.To)
	default:
		return false, nil
	}
	return true, l.Answer(s, done, "no", r.refused(done))
}

// refused is the refusal of the newest request, as an error; nil if it came to something.
func (r *control) refused(done bool) error {
	if refusal := r.c.Refusal(); !done && refusal != nil {
		return refusal
	}
	return nil
}

// Ask implements stacktest.Control.
func (r *control) Ask(to string) (bool, error) {
	wants := r.c.Wants(to)
	return wants, r.refused(wants)
}

// Delegate implements stacktest.Control. Do has it.
func (r *control) Delegate(to string) error {
	return r.refused(r.c.DelegateTo(to, nil))
}

// CancelDelegates implements stacktest.Control.
func (r *control) CancelDelegates() (bool, error) {
	if r.c.CancelDelegates() {
		return true, nil
	}
	return false, r.behavior.trace.hidden(r.c.ID())
}

// CancelSelf implements stacktest.Control.
func (r *control) CancelSelf() error { return r.refused(r.c.CancelSelf()) }

// Facts implements stacktest.Control.
func (r *control) Facts() stacktest.Place {
	return stacktest.Place{
		Activated: r.c.Activated(), Delegated: r.c.IsControlDelegated(), InControl: r.c.InControl(), To: r.c.Delegate(),
	}
}

// hidden is what the stack says to a cancellation inside a question (L-6).
func (w *trace) hidden(id string) error {
	if !w.eng.Stack().Asking() {
		return nil
	}
	return &stack.Refusal{Op: stack.OpCancelDelegates, By: id, To: id, Reason: stack.Hidden}
}

// lostControl gives a script the answers of a replay to the requests that the recorded hook made. A script that would
// make others is wrong: the recording holds what the same script did.
type lostControl struct {
	trace *trace
	id    string
	next  func() *behaviors.Request
}

// Do implements stacktest.Doer: of an engine's steps, a hook that is lost may only take these.
func (l *lostControl) Do(s stacktest.Step, log *stacktest.Log) (known bool, err error) {
	switch s.Verb {
	case heldNow:
		log.Printf("held: %s", l.trace.held())
	case act:
		_, err = l.make(behaviors.ReqAct, "")
		err = log.Answer(s, true, "", err)
	case tracetest.Ask, tracetest.Delegate, tracetest.CancelDelegates, tracetest.CancelSelf, tracetest.Facts:
		return false, nil
	default:
		l.trace.bad = append(l.trace.bad, fmt.Sprintf("%s: %q in a hook that is lost", l.id, s))
	}
	return true, err
}

// make makes the next recorded request, which must be this one.
func (l *lostControl) make(kind behaviors.RequestKind, to string) (*behaviors.Request, error) {
	r := l.next()
	if r == nil || r.Kind != kind || r.ID != to {
		l.trace.bad = append(l.trace.bad, fmt.Sprintf("the recorded %s requests %+v, not %d of %q", l.id, r, kind, to))
		return nil, stacktest.ErrLost
	}
	if l.trace.eng.Cell(l.id).Lost() {
		return nil, stacktest.ErrLost
	}
	if r.Refusal != nil {
		return r, r.Refusal
	}
	return r, nil
}

// Ask implements stacktest.Control.
func (l *lostControl) Ask(to string) (bool, error) {
	r, err := l.make(behaviors.ReqAsk, to)
	return err == nil && r.OK, err
}

// Delegate implements stacktest.Control.
func (l *lostControl) Delegate(to string) error {
	_, err := l.make(behaviors.ReqDelegate, to)
	return err
}

// CancelDelegates implements stacktest.Control.
func (l *lostControl) CancelDelegates() (bool, error) {
	if s := l.trace.eng.Stack(); !s.IsControlDelegated(s.Find(l.id)) {
		return false, l.trace.hidden(l.id) // Control asks for nothing then
	}
	r, err := l.make(behaviors.ReqCancelDelegates, "")
	return err == nil && r.OK, err
}

// CancelSelf implements stacktest.Control.
func (l *lostControl) CancelSelf() error {
	_, err := l.make(behaviors.ReqCancelSelf, "")
	return err
}

// Facts implements stacktest.Control.
func (l *lostControl) Facts() stacktest.Place {
	s := l.trace.eng.Stack()
	return stacktest.Requests{Stack: s, By: s.Find(l.id)}.Facts()
}
