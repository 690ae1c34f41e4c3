package enginetest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
	"github.com/robotd/robotd/resources/tracetest"
)

// A trace runs one case on an engine: the traces of package stack, and those of package engine, which are about what the base
// layer adds: callbacks, actions, the decision to end, handlers, conditions, intents. See its Command.
type trace struct {
	bench
	tree     tree
	log      stacktest.Log
	scripts  stacktest.Scripts
	results  map[string]actions.Result // of actions, when they are stepped next
	events   []behaviors.Event         // of the next tick, as are the commands
	commands []engine.Command
}

// RunFile runs every case of a trace file of package stack or engine, in the form of package tracetest, on engines over hook runners that open makes.
func RunFile(t *testing.T, path string, open func() Runner, rewrite bool) {
	t.Helper()
	tracetest.Run(t, path, func(testing.TB) tracetest.Environment { return Environment(open) }, rewrite)
}

// Environment carries out the commands of one case on an engine over a hook runner that open makes.
func Environment(open func() Runner) tracetest.Environment { return newTrace(open).Command }

// RunFileTaped is RunFile from a recording: the life on the hook runner is recorded, goes through bytes, and is decided again by
// direct calls, which give the lines.
func RunFileTaped(t *testing.T, path string, open func() Runner) {
	t.Helper()
	tracetest.Run(t, path, func(testing.TB) tracetest.Environment { return taped(open) }, false)
}

func newTrace(open func() Runner) *trace {
	w := &trace{bench: bench{open: open}, results: map[string]actions.Result{}}
	w.lost = w.playLost
	return w
}

func taped(open func() Runner) tracetest.Environment {
	live, again, rec := newTrace(open), newTrace(Direct), NewTape()
	live.recorder = tape.NewRecorder(rec.Write)
	return func(c *tracetest.Command) (lines []string, err error) {
		n, err := live.allowed(c)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			if _, err = live.Command(c); err != nil {
				return nil, err
			}
			return again.Command(c)
		}
		for i := range n {
			if _, err = live.once(c, i); err != nil {
				return nil, err
			}
			if again.entry, err = rec.Next(); err != nil {
				return nil, err
			}
			if lines, err = again.once(c, i); err != nil {
				return nil, err
			}
		}
		return live.violated(again.violated(lines)), nil
	}
}

// calls is how often a command calls the engine.
func calls(c *tracetest.Command) (int, error) {
	switch c.Verb() {
	case "tree", "chain", "cancel-delegates", "cancel-self", "reset-now", "shutdown":
		return 1, nil
	case "tick":
		return stacktest.Count(c)
	}
	return 0, nil
}

// allowed is calls for a command that may come now.
func (w *trace) allowed(c *tracetest.Command) (int, error) {
	if w.eng == nil && c.Verb() != "tree" {
		return 0, errors.New("a case begins with tree")
	}
	return calls(c)
}

// Command carries out one command. They are those of stacktest.Direct, and
//
//	event NAME [text]  an event of the next tick; see Payload
//	intent TAG         a user intent; run ID and cancel are an operator's commands
//	result job ABORT   how the action "job" ends when it is stepped next
//	held               prints what is locked, runs, is wanted and was suggested
//	starts A           prints how often A was activated; state A its debug state
func (w *trace) Command(c *tracetest.Command) (lines []string, err error) {
	n, err := w.allowed(c)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return w.between(c)
	}
	for i := range n {
		if lines, err = w.once(c, i); err != nil {
			return nil, err
		}
	}
	return w.violated(lines), nil
}

func (w *trace) violated(lines []string) []string {
	for _, v := range w.violations() {
		lines = append(lines, "VIOLATED "+v)
	}
	return lines
}

// once makes the i-th call of the engine that a command stands for.
func (w *trace) once(c *tracetest.Command, i int) ([]string, error) {
	if c.Verb() == "tree" {
		return w.build(c.Input)
	}
	w.scripts = stacktest.Scripts{}
	if i == 0 {
		w.scripts = stacktest.Shorthand(c)
		for _, line := range c.Input {
			if err := parseScript(line, w.scripts); err != nil {
				return nil, err
			}
		}
	}
	switch c.Verb() {
	case "reset-now":
		out, err := w.resetNow(strings.Join(c.Args(), " "))
		if err != nil {
			return nil, err
		}
		return w.log.Take(out.Events), nil
	case "shutdown":
		return w.log.Take(w.shutdown().Events), nil
	}
	out := w.step(w.events, w.commands)
	w.events, w.commands = nil, nil
	return w.log.Take(out.Events), nil
}

func (w *trace) build(input []tracetest.Line) (lines []string, err error) {
	if w.tree, err = parseTree(input); err != nil {
		return nil, err
	}
	w.scripts = w.tree.Scripts
	cat, err := w.tree.catalog(w)
	if err != nil {
		return nil, err
	}
	events, err := w.start(cat, w.tree.Failures)
	return stacktest.Quiet(w.log.Take(events)), err
}

// between carries out a command that does not call the engine: input of the next tick, or a question.
func (w *trace) between(c *tracetest.Command) ([]string, error) {
	words := append(c.Args(), "", "")
	id := words[0]
	cell := func() (*engine.Cell, error) {
		if found := w.eng.Cell(id); found != nil {
			return found, nil
		}
		return nil, fmt.Errorf("there is no behavior %q", id)
	}
	switch c.Verb() {
	case "event":
		p, err := Payload(id, strings.TrimSpace(strings.Join(words[1:], " ")))
		if err != nil {
			return nil, err
		}
		w.events = append(w.events, behaviors.Event{Source: "test", Seq: uint64(len(w.events)), Payload: p})
	case "intent":
		w.commands = append(w.commands, engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: id}})
	case "run", "reset-next": // what waits for the next tick comes to an engine as a command of that tick
		w.commands = append(w.commands, engine.Command{Kind: engine.RunBehavior, ID: id})
	case "cancel":
		w.commands = append(w.commands, engine.Command{Kind: engine.Cancel})
	case "result":
		r, ok := actions.ParseResult(words[1])
		if !ok {
			return nil, fmt.Errorf("unknown result %q", words[1])
		}
		w.results[id] = r
	case "stack":
		return []string{stacktest.State(w.eng.Stack())}, nil
	case "held":
		return []string{"held: " + w.held()}, nil
	case "starts":
		found, err := cell()
		if err != nil {
			return nil, err
		}
		return []string{fmt.Sprintf("starts %s %d", id, found.Started())}, nil
	case "state":
		found, err := cell()
		if err != nil {
			return nil, err
		}
		return []string{id + ": " + found.State()}, nil
	default:
		return nil, tracetest.Unknown(append(stacktest.Commands(), "event", "intent", "run", "cancel", "result", "held", "starts", "state")...)
	}
	return nil, nil
}

// held is what is locked, runs, is wanted and was suggested now.
func (w *trace) held() string {
	var all []string
	for _, h := range w.eng.Actions().Tracks().Holders() {
		if len(h.Holders) > 0 {
			all = append(all, fmt.Sprintf("%s by %s", h.Name, strings.Join(h.Holders, " ")))
		}
	}
	for _, a := range w.eng.Actions().Running() {
		all = append(all, "action "+a.Name)
	}
	v := w.eng.View()
	if v.Intent.Pending != nil {
		all = append(all, v.Intent.Pending.Tag+" pending")
	}
	if v.Intent.Active != nil {
		all = append(all, v.Intent.Active.Tag+" active")
	}
	for _, name := range slices.Sorted(maps.Keys(v.Suggestions)) {
		all = append(all, "suggested "+name)
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ")
}

// playLost runs the script of a hook that was lost in the recording: its requests come from there, not from a Control.
func (w *trace) playLost(v *tape.Verdict, next func() *behaviors.Request) {
	for h := stack.HookInit; h <= stack.HookLeftScope; h++ {
		if h.String() == v.Where {
			_, _ = w.log.Run(v.Who, h, w.scripts, &lostControl{trace: w, id: v.Who, next: next})
			return
		}
	}
	w.bad = append(w.bad, fmt.Sprintf("a verdict on %s.%s", v.Who, v.Where))
}
