package enginetest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
)

// A story runs one case of the traces of package engine, which are about what the base layer adds to the stack: callbacks,
// actions, the decision to end, handlers, conditions, intents.
//
//	tree
//	R+ > A B | "key": value   R may delegate to A and B; + stays without a delegate; JSON keys may follow.
//	                          ~ instead has no Update, and ! is the fallback. The first line is the base.
//	hears A ping              what A subscribes to
//	failures 1                the second failure of a behavior disables it
//	A.init: fail              what Init does
//	----
//	ok
//
//	tick                      runs one tick, after
//	event ping text           an event of that tick
//	intent hello              a user intent, "run A" and "cancel": operator commands
//	end job SUCCESS           the action "job" ends when it is stepped next
//	A.update: pass B then     what a hook does, once
//	----
//	U A, A B, U B             the hooks in their order: E enter, L leave, A activated, D deactivated, U Update, u Update in scope,
//	                          W asked, I Init, "back" callback; and what else can be seen
//	* B.replaced              refusals and failures, in their order
//
//	ticks 3   stack   held   starts A   state A   reset-now A   shutdown
type story struct {
	bench
	tree    storyTree
	scripts map[string][][]string // by "A.update": the steps of each call
	ends    map[string]actions.Result
	log     []string
}

// NewStory returns what carries out the commands of one case, on an engine over a hook runner.
func NewStory(open func() Runner) stacktest.Command { return newStory(open).do }

func newStory(open func() Runner) *story {
	s := &story{bench: bench{open: open}, ends: map[string]actions.Result{}}
	s.lost = s.tellLost
	return s
}

// tellLost notes a hook that is not run again, and passes over what it did then.
func (s *story) tellLost(v *engine.Verdict, _ func() *behaviors.Request) {
	for h, hook := range hooks {
		if h.String() == v.Where {
			s.note("%s %s", s.letter(h, v.Who), v.Who)
			s.take(v.Who, hook)
		}
	}
}

// hooks are the names of the hooks in scripts.
var hooks = map[stack.Hook]string{
	stack.HookInit: "init", stack.HookEnteredScope: "enter", stack.HookLeftScope: "leave", stack.HookWants: "wants",
	stack.HookActivated: "start", stack.HookDeactivated: "end", stack.HookUpdate: "update",
}

// letter is what a hook is noted as.
func (s *story) letter(h stack.Hook, id string) string {
	if h == stack.HookUpdate && s.eng.Stack().Find(id).Activated() {
		return "U"
	}
	return [...]string{"I", "E", "W", "A", "u", "D", "L"}[h]
}

// NewTapedStory is NewStory from a recording: what the story on the hook runner recorded goes through bytes and is decided again
// by direct calls.
func NewTapedStory(open func() Runner) stacktest.Command {
	live, again, t := newStory(open), newStory(Direct), NewTape()
	live.recorder = engine.NewRecorder(t.Write)
	return func(command string, input []string) ([]string, error) {
		lines, err := live.do(command, input)
		if err != nil || !live.decides(command) {
			return lines, err
		}
		for i := range live.calls(command) {
			if again.entry, err = t.Next(); err != nil {
				return nil, err
			}
			if lines, err = again.once(command, input, i); err != nil {
				return nil, err
			}
		}
		return lines, nil
	}
}

// decides reports whether a command calls the engine.
func (s *story) decides(command string) bool { return s.calls(command) > 0 }

// calls is how often it does.
func (s *story) calls(command string) int {
	switch words := strings.Fields(command); words[0] {
	case "tree", "tick", "reset-now", "shutdown":
		return 1
	case "ticks":
		n, _ := strconv.Atoi(strings.Join(words[1:], ""))
		return n
	}
	return 0
}

func (s *story) do(command string, input []string) (lines []string, err error) {
	if s.calls(command) == 0 {
		return s.show(strings.Fields(command))
	}
	for i := range s.calls(command) {
		if lines, err = s.once(command, input, i); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// show answers a question about the present state.
func (s *story) show(words []string) ([]string, error) {
	switch {
	case words[0] == "stack" && len(words) == 1:
		var ids []string
		s.eng.Stack().Each(false, nil, func(n *stack.Node) bool { ids = append(ids, n.ID); return true })
		return []string{strings.Join(append([]string{"stack:"}, ids...), " ")}, nil
	case words[0] == "starts" && len(words) == 2 && s.eng.Cell(words[1]) != nil:
		return []string{strconv.FormatUint(s.eng.Cell(words[1]).Started(), 10)}, nil
	case words[0] == "state" && len(words) == 2 && s.eng.Cell(words[1]) != nil:
		return []string{s.eng.Cell(words[1]).State()}, nil
	case words[0] == "held" && len(words) == 1:
		return []string{s.held()}, nil
	}
	return nil, fmt.Errorf("unknown command %q", words)
}

// held is what is locked, runs, is wanted and was suggested now.
func (s *story) held() string {
	all := []string{"held:"}
	for _, h := range s.eng.Actions().Tracks().Holders() {
		if len(h.Holders) > 0 {
			all = append(all, fmt.Sprintf("%s by %s", h.Name, strings.Join(h.Holders, " ")))
		}
	}
	for _, a := range s.eng.Actions().Running() {
		all = append(all, "action "+a.Name)
	}
	v := s.eng.View()
	if v.Intent.Pending != nil {
		all = append(all, v.Intent.Pending.Tag+" pending")
	}
	if v.Intent.Active != nil {
		all = append(all, v.Intent.Active.Tag+" active")
	}
	for _, name := range slices.Sorted(maps.Keys(v.Suggestions)) {
		all = append(all, "suggested "+name)
	}
	if len(all) == 1 {
		all = append(all, "nothing")
	}
	return strings.Replace(strings.Join(all, ", "), ":, ", ": ", 1)
}

// once makes the i-th call of the engine that a command stands for.
func (s *story) once(command string, input []string, i int) ([]string, error) {
	words := strings.Fields(command)
	if words[0] == "tree" {
		return s.build(input)
	}
	var events []behaviors.Event
	var commands []engine.Command
	s.scripts = map[string][][]string{}
	if i == 0 {
		for _, line := range input {
			if err := s.input(line, &events, &commands); err != nil {
				return nil, err
			}
		}
	}
	var out *engine.Output
	switch words[0] {
	case "reset-now":
		if len(words) != 2 {
			return nil, fmt.Errorf("%q: want one behavior", command)
		}
		var err error
		if out, err = s.resetNow(words[1]); err != nil {
			return nil, err
		}
	case "shutdown":
		out = s.shutdown()
	default:
		out = s.step(events, commands)
	}
	return s.lines(out.Events), nil
}

// lines says what happened: the hooks, and the events that no hook shows.
func (s *story) lines(events []stack.Event) []string {
	lines := []string{"nothing"}
	if len(s.log) > 0 {
		lines[0] = strings.Join(s.log, ", ")
	}
	s.log = nil
	for _, e := range events {
		switch e.Kind {
		case stack.EventInit, stack.EventEnteredScope, stack.EventLeftScope, stack.EventActivated, stack.EventDeactivated, stack.EventPush, stack.EventPop:
		default:
			lines = append(lines, "* "+e.String())
		}
	}
	for _, v := range s.violations() {
		lines = append(lines, "VIOLATED "+v)
	}
	return lines
}

func (s *story) build(input []string) ([]string, error) {
	tree, err := parseStory(input)
	if err != nil {
		return nil, err
	}
	s.tree, s.scripts = tree, map[string][][]string{}
	for _, line := range tree.scripts {
		if err := s.script(line); err != nil {
			return nil, err
		}
	}
	cat, err := tree.catalog(s)
	if err != nil {
		return nil, err
	}
	events, err := s.start(cat, tree.failures)
	if err != nil {
		return nil, err
	}
	s.log = slices.DeleteFunc(s.log, func(l string) bool { return strings.HasPrefix(l, "I ") })
	if lines := s.lines(events); len(lines) > 1 || lines[0] != "nothing" {
		return lines, nil
	}
	return []string{"ok"}, nil
}

// input reads one line before a tick.
func (s *story) input(line string, events *[]behaviors.Event, commands *[]engine.Command) error {
	words := strings.Fields(line)
	arg := strings.Join(words[1:], " ")
	switch {
	case strings.Contains(line, ":"):
		return s.script(line)
	case words[0] == "event" && len(words) > 1:
		*events = append(*events, behaviors.Event{Source: "test", Seq: uint64(len(*events)), Tag: words[1], Text: strings.Join(words[2:], " ")})
	case words[0] == "intent" && len(words) == 2:
		*commands = append(*commands, engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: arg}})
	case words[0] == "run" && len(words) == 2:
		*commands = append(*commands, engine.Command{Kind: engine.RunBehavior, ID: arg})
	case line == "cancel":
		*commands = append(*commands, engine.Command{Kind: engine.Cancel})
	case words[0] == "end" && len(words) == 3:
		for _, r := range []actions.Result{actions.Success, actions.Abort, actions.Timeout, actions.Retry} {
			if r.String() == words[2] {
				s.ends[words[1]] = r
				return nil
			}
		}
		return fmt.Errorf("%q: unknown result", line)
	default:
		return fmt.Errorf("%q is none of the known inputs", line)
	}
	return nil
}

// script reads "A.update: step; step".
func (s *story) script(line string) error {
	head, body, _ := strings.Cut(line, ":")
	head = strings.TrimSpace(head)
	_, hook, _ := strings.Cut(head, ".")
	if !slices.Contains(storyHooks, hook) {
		return fmt.Errorf("%q: unknown hook, want one of %v", line, storyHooks)
	}
	var steps []string
	for step := range strings.SplitSeq(body, ";") {
		step = strings.TrimSpace(step)
		if !knownStep(step) {
			return fmt.Errorf("%q: unknown step %q, want one of %v", line, step, verbs)
		}
		if step == "fail" && slices.Contains(storyHooks[7:], hook) {
			return fmt.Errorf("%q: let the hook fail that it is part of: a recording does not know how far a lost one came", line)
		}
		steps = append(steps, step)
	}
	s.scripts[head] = append(s.scripts[head], steps)
	return nil
}

// storyHooks are the hooks of a behavior, and the parts of its Update.
var storyHooks = []string{"init", "enter", "leave", "wants", "start", "end", "update", "back", "always", "on", "in"}

func (s *story) note(format string, args ...any) { s.log = append(s.log, fmt.Sprintf(format, args...)) }

// take removes and returns the steps of the present call of a hook.
func (s *story) take(id, hook string) []string {
	key := id + "." + hook
	calls := s.scripts[key]
	if len(calls) == 0 {
		return nil
	}
	s.scripts[key] = calls[1:]
	return calls[0]
}
