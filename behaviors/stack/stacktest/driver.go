package stacktest

import (
	"fmt"
	"strings"

	"github.com/robotd/robotd/behaviors/stack"
)

// Direct carries out the commands of a trace on the bare stack. Methods that run hooks return the lines of Log.Take.
type Direct struct {
	Stack   *stack.Stack
	Host    *Host
	monitor *Monitor
	log     Log
	scripts Scripts
	events  []stack.Event
}

// NewDirect returns a Direct without behaviors.
func NewDirect() *Direct { return &Direct{} }

// Build makes the behaviors, configures the base and runs every Init.
func (d *Direct) Build(t Tree) ([]string, error) {
	nodes := t.Nodes()
	d.Host = &Host{Body: d.body, MaxFailures: t.Failures}
	s, err := stack.New(d.Host, nodes)
	if err != nil {
		return nil, err
	}
	d.Stack, d.Host.Stack = s, s
	d.monitor = NewMonitor(s)
	d.Host.Watch = func(n *stack.Node, h stack.Hook) {
		d.drain()
		d.monitor.Hook(n, h)
	}
	d.scripts = t.Scripts
	_ = s.Init() // every refusal of a trace is in its log
	_ = s.Configure(s.Find(t.Base))
	return d.take(), nil
}

// body runs the scripts of every behavior. It does not record the Update of a behavior that has none.
func (d *Direct) body(n *stack.Node, h stack.Hook) (bool, error) {
	if h == stack.HookUpdate && !n.Updates {
		return false, nil
	}
	return d.log.Run(n.ID, h, d.scripts, Requests{d.Stack, n})
}

// Tick runs one whole tick.
func (d *Direct) Tick(s Scripts) []string {
	d.scripts = s
	if d.Stack.Begin(d.Stack.Tick()+1) != nil {
		return d.take()
	}
	_ = d.Stack.Walk()
	_ = d.Stack.Scope()
	d.drain()
	d.monitor.EndOfPasses()
	_ = d.Stack.Repair()
	return d.take()
}

// Reset changes the base, between two ticks: now, or with the next tick (L-26, L-27).
func (d *Direct) Reset(base string, now bool, s Scripts) ([]string, error) {
	n := d.Stack.Find(base)
	if n == nil {
		return nil, fmt.Errorf("no behavior %q", base)
	}
	d.scripts = s
	if now {
		_ = d.Stack.ResetNow(n)
	} else {
		_ = d.Stack.ResetNext(n)
	}
	return d.take(), nil
}

// Shutdown ends everything.
func (d *Direct) Shutdown() []string {
	_ = d.Stack.Shutdown()
	return d.take()
}

// State is State of the stack.
func (d *Direct) State() string { return State(d.Stack) }

// Violations are those of the stack, and what the monitor found.
func (d *Direct) Violations() []string { return append(d.Stack.Violations(), d.monitor.Take()...) }

// drain hands new events to the monitor before the next hook, so that it sees events and hooks in their real order.
func (d *Direct) drain() {
	events := d.Stack.TakeEvents(nil)
	d.events = append(d.events, events...)
	d.monitor.Events(events)
}

func (d *Direct) take() []string {
	d.drain()
	lines := d.log.Take(d.events)
	d.events = d.events[:0]
	return lines
}

// State prints a stack as "stack: base … top; scope: what else is in scope", with scope counts above 1.
func State(s *stack.Stack) string {
	var b strings.Builder
	b.WriteString("stack:")
	for i := range s.Layers() {
		printNode(&b, s.Layers()[i].Node())
	}
	b.WriteString("; scope:")
	s.EachInScope(func(n *stack.Node) { printNode(&b, n) })
	return b.String()
}

func printNode(b *strings.Builder, n *stack.Node) {
	b.WriteString(" " + n.ID)
	if n.Count() != 1 {
		fmt.Fprintf(b, "×%d", n.Count())
	}
}
