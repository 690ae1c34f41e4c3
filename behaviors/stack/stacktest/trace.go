package stacktest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/resources/tracetest"
)

// RunFile runs every case of a trace file on a stack of its own; see [Direct.Command].
func RunFile(t *testing.T, path string, rewrite bool) {
	t.Helper()
	tracetest.Run(t, path, func(testing.TB) tracetest.Environment { return NewDirect().Command }, rewrite)
}

// Command carries out one command of a trace and returns its lines, followed by the violated invariants. The commands are
//
//	tree                makes the behaviors; see ParseTree
//	tick [N]            runs ticks, and prints the last one; its input is scripts
//	chain R A B         a tick in which R asks and delegates to A, and A in its activation to B
//	cancel-delegates A  a tick in which A cancels its delegates; cancel-self A, likewise
//	reset-now A         changes the base between two ticks; reset-next A with the next tick (L-26, L-27)
//	shutdown            ends everything
//	stack               prints the layers, and what else is in scope
func (d *Direct) Command(c *tracetest.Command) ([]string, error) {
	lines, err := d.execute(c)
	if err != nil {
		return nil, err
	}
	for _, v := range d.Violations() {
		lines = append(lines, "VIOLATED "+v)
	}
	return lines, nil
}

func (d *Direct) execute(c *tracetest.Command) ([]string, error) {
	if c.Verb() == "tree" {
		tree, err := ParseTree(c.Input)
		if err != nil {
			return nil, err
		}
		lines, err := d.Build(tree)
		return Quiet(lines), err
	}
	if d.Stack == nil {
		return nil, errors.New("a case begins with tree")
	}
	scripts := Shorthand(c)
	for _, line := range c.Input {
		if err := tracetest.Common(nil).Parse(line, scripts); err != nil {
			return nil, err
		}
	}
	switch c.Verb() {
	case "tick":
		return d.ticks(c, scripts)
	case "chain", "cancel-delegates", "cancel-self":
		return d.Tick(scripts), nil
	case "stack":
		return []string{d.State()}, nil
	case "shutdown":
		return d.Shutdown(), nil
	case "reset-now", "reset-next":
		if len(c.Args()) != 1 {
			return nil, fmt.Errorf("want one behavior")
		}
		return d.Reset(c.Args()[0], c.Verb() == "reset-now", scripts)
	}
	return nil, tracetest.Unknown(Commands()...)
}

// Commands are the words that Command knows.
func Commands() []string {
	return []string{"tree", "tick", "chain", "cancel-delegates", "cancel-self", "reset-now", "reset-next", "shutdown", "stack"}
}

// Quiet leaves out the Init hooks of a tree, of which only unusual ones are of interest.
func Quiet(lines []string) []string {
	var kept []string
	for _, l := range lines {
		if !strings.HasSuffix(l, "."+tracetest.Init) || strings.HasPrefix(l, "* ") {
			kept = append(kept, l)
		}
	}
	return kept
}

// Shorthand turns the commands that stand for scripts into those.
func Shorthand(c *tracetest.Command) Scripts {
	s := Scripts{}
	switch args := c.Args(); c.Verb() {
	case "chain":
		hook := stack.HookUpdate
		for i := 0; i+1 < len(args); i++ {
			s.Add(args[i], hook.String(), Step{Verb: Ask, To: args[i+1]}, Step{Verb: Delegate, To: args[i+1]})
			hook = stack.HookActivated
		}
	case "cancel-delegates", "cancel-self":
		for _, id := range args {
			s.Add(id, stack.HookUpdate.String(), Step{Verb: Verb(c.Verb())})
		}
	}
	return s
}

// ticks runs a number of ticks, the first one with scripts, and prints those of the last one.
func (d *Direct) ticks(c *tracetest.Command, s Scripts) ([]string, error) {
	n, err := Count(c)
	if err != nil {
		return nil, err
	}
	for range n - 1 {
		d.Tick(s)
		s = Scripts{}
	}
	return d.Tick(s), nil
}

// Count is the number of ticks of a command.
func Count(c *tracetest.Command) (int, error) {
	if len(c.Args()) == 0 {
		return 1, nil
	}
	n, err := strconv.Atoi(strings.Join(c.Args(), " "))
	if err != nil || n < 1 {
		return 0, fmt.Errorf("want a positive number, not %q", strings.Join(c.Args(), " "))
	}
	return n, nil
}
