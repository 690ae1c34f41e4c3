// Package stacktest helps to test the behavior stack and what drives it: scripted behaviors, the environment of the trace files of
// package stack, and a monitor of the lifecycle rules. It is imported by tests only.
//
// A trace file describes trees, ticks and what hooks do in them; [Direct] carries them out on the
// bare stack. Package enginetest runs the same files on an engine, on real actors and from a recording, with [Log.Run] as
// the body of each hook, and they must give the same lines.
package stacktest

import (
	"errors"
	"fmt"

	"github.com/robotd/robotd/behaviors/stack"
)

// A Host runs hooks on the caller's goroutine. It implements stack.Host.
type Host struct {
	// Stack is set after stack.New.
	Stack *stack.Stack
	// Body is the hook's code. An ErrLost that it returns is not reported, because the loss was, where it happened.
	Body func(n *stack.Node, h stack.Hook) (answer bool, err error)
	// Watch is called before each hook, and may be nil.
	Watch func(n *stack.Node, h stack.Hook)
	// MaxFailures of one behavior are answered with a fresh incarnation; the next one disables it. 0 means no limit.
	MaxFailures int

	failures map[*stack.Node]int
	lost     map[*stack.Node]bool // in the present batch
}

// Call implements stack.Host.
func (h *Host) Call(n *stack.Node, hook stack.Hook) error {
	_, err := h.run(n, hook)
	return err
}

// Foresee implements stack.Host: every behavior has code of its own.
func (h *Host) Foresee(*stack.Node, bool) stack.Foresight { return stack.Unknown }

// Ask implements stack.Host.
func (h *Host) Ask(nodes []*stack.Node) (ran int, yes bool, err error) {
	for ran < len(nodes) && !yes && err == nil && (ran == 0 || !nodes[ran].Broken()) {
		if h.Stack != nil {
			h.Stack.Asks(nodes[ran])
		}
		yes, err = h.run(nodes[ran], stack.HookWants)
		ran++
	}
	return ran, yes, err
}

func (h *Host) run(n *stack.Node, hook stack.Hook) (bool, error) {
	if h.lost[n] {
		return false, nil
	}
	if h.Watch != nil {
		h.Watch(n, hook)
	}
	answer, err := h.Body(n, hook)
	if errors.Is(err, ErrLost) {
		return false, nil
	}
	return answer, err
}

// Batch implements stack.Host. A behavior whose incarnation was lost earlier in the batch, by its Update or by its answer
// to a question, gets no hook any more.
func (h *Host) Batch(nodes []*stack.Node) []stack.Failure {
	var failed []stack.Failure
	for _, n := range nodes {
		if n.Broken() {
			continue
		}
		if err := h.Call(n, stack.HookUpdate); err != nil {
			failed = append(failed, stack.Failure{Node: n, Err: err})
			if h.lost == nil {
				h.lost = map[*stack.Node]bool{}
			}
			h.lost[n] = true
		}
	}
	clear(h.lost)
	return failed
}

// Replace implements stack.Host.
func (h *Host) Replace(n *stack.Node) error {
	if h.failures == nil {
		h.failures = map[*stack.Node]int{}
	}
	h.failures[n]++
	if h.MaxFailures > 0 && h.failures[n] > h.MaxFailures {
		return fmt.Errorf("%d failures", h.failures[n])
	}
	return nil
}

// Requests is the Control of a hook of By on the bare stack.
type Requests struct {
	Stack *stack.Stack
	By    *stack.Node
}

// Ask implements Control.
func (r Requests) Ask(to string) (bool, error) {
	wants, refusal := r.Stack.Ask(r.By, r.Stack.Find(to))
	return wants, r.result(refusal)
}

// Delegate implements Control.
func (r Requests) Delegate(to string) error {
	return r.result(r.Stack.Delegate(r.By, r.Stack.Find(to)))
}

// CancelDelegates implements Control.
func (r Requests) CancelDelegates() (bool, error) {
	cancelled, refusal := r.Stack.CancelDelegates(r.By)
	return cancelled, r.result(refusal)
}

// CancelSelf implements Control.
func (r Requests) CancelSelf() error { return r.result(r.Stack.CancelSelf(r.By)) }

// Facts implements Control.
func (r Requests) Facts() Place {
	p := Place{Activated: r.By.Activated(), Delegated: r.Stack.IsControlDelegated(r.By), InControl: r.Stack.InControl(r.By)}
	if to := r.Stack.DelegatedTo(r.By); to != nil && p.Delegated {
		p.To = to.ID
	}
	return p
}

func (r Requests) result(refusal *stack.Refusal) error {
	switch {
	case r.By.Broken():
		return ErrLost
	case refusal != nil:
		return refusal
	}
	return nil
}
