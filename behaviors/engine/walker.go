package engine

import (
	"errors"
	"fmt"

	"github.com/robotd/robotd/behaviors/stack"
)

// A Walker moves the stack of an engine by hand, with the real hooks: for tools that go down every path of a tree. No behavior is updated and
// no action takes a step, so nothing happens but what the walker says. The engine must be started and have had no Step, and has none
// afterwards.
type Walker struct {
	e    *Engine
	lost []string // hooks that failed, since the last call of Failures
}

// NewWalker returns the walker of an engine.
func NewWalker(e *Engine) *Walker { return &Walker{e: e} }

// Moment makes the facts of a moment known. The first one starts the base.
func (w *Walker) Moment(in Input) {
	e := w.e
	e.begin(&in)
	for _, c := range in.Commands {
		e.command(c)
	}
	_ = e.stack.Begin(in.Tick)
	e.actions.Clear() // those that nobody owns, such as the answer to the trigger word
	_, _ = e.actions.Drain(), e.actions.TakeCommands()
	w.settle()
}

// settle replaces what failed.
func (w *Walker) settle() {
	_ = w.e.stack.Repair()
	for _, ev := range w.e.stack.TakeEvents(nil) {
		if ev.Kind == stack.EventFault || ev.Kind == stack.EventDisabled {
			w.lost = append(w.lost, ev.String())
		}
	}
}

// Failures are the hooks that failed since the last call.
func (w *Walker) Failures() []string {
	lost := w.lost
	w.lost = nil
	return lost
}

// Top is the behavior on top of the stack; nil if there is none.
func (w *Walker) Top() *Cell {
	n := w.e.stack.Top()
	if n == nil {
		return nil
	}
	return n.Data.(*Cell)
}

// Ask asks a delegate of the top whether it wants control now, and why not.
func (w *Walker) Ask(id string) (yes bool, why string) {
	top, d := w.Top(), w.e.cells[id]
	if top == nil || d == nil {
		return false, "there is no such behavior"
	}
	w.e.askers = append(w.e.askers, top)
	yes, refusal := w.e.stack.Ask(top.Node, d.Node)
	w.e.askers = w.e.askers[:len(w.e.askers)-1]
	w.settle()
	switch {
	case yes:
		return true, ""
	case refusal != nil:
		return false, refusal.Error()
	}
	return false, d.Why()
}

// Push gives a delegate of the top control, even if it did not want it. Then it takes back what the delegate gave on by itself.
func (w *Walker) Push(id string) error {
	top, d := w.Top(), w.e.cells[id]
	if top == nil || d == nil {
		return fmt.Errorf("there is no behavior %q to push", id)
	}
	d.Node.SayYes()
	refusal := w.e.delegate(top, id, false)
	if refusal == nil && d.Node.Activated() {
		w.clear(d)
	}
	w.settle()
	switch {
	case refusal != nil:
		return refusal
	case !d.Node.Activated():
		return ErrEnded
	}
	return nil
}

// ErrEnded says that a behavior ended in its own activation (L-9).
var ErrEnded = errors.New("it ends in its own activation")

// Clear takes back what the top of the stack below delegated by itself, as far down as the base.
func (w *Walker) Clear() {
	if base := w.e.stack.Base(); base != nil {
		w.clear(base.Data.(*Cell))
	}
	w.settle()
}

// clear takes control back to c.
func (w *Walker) clear(c *Cell) {
	_, _ = w.e.stack.CancelDelegates(c.Node)
	w.e.releaseDelegate(c)
}

// Pop takes control from the top.
func (w *Walker) Pop() error {
	top := w.Top()
	if top == nil {
		return errors.New("the stack is empty")
	}
	w.e.releaseDelegate(top)
	refusal := w.e.stack.CancelSelf(top.Node)
	if below := w.Top(); below != nil {
		w.e.releaseDelegate(below)
	}
	w.settle()
	if refusal != nil {
		return refusal
	}
	return nil
}

// Depth is the number of behaviors on the stack.
func (w *Walker) Depth() int { return w.e.stack.Depth() }

// Violations are the invariants of the stack that do not hold, but for those about updates, which a walk does not make.
func (w *Walker) Violations() (bad []string) {
	for _, inv := range stack.Invariants() {
		if text := inv.Check(w.e.stack); text != "" && inv.Name != stack.OneUpdatePerTick {
			bad = append(bad, inv.Name+": "+text)
		}
	}
	return bad
}
