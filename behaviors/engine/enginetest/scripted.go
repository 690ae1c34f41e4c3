package enginetest

import (
	"errors"
	"slices"
	"strings"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
	"github.com/robotd/robotd/resources/tracetest"
)

// idle is a behavior without an Update: it records its hooks and does what the scripts say.
type idle struct {
	trace *trace
	id    string
}

// scripted has an Update.
type scripted struct{ idle }

// run is the code of every hook.
func (b *idle) run(h stack.Hook, c *behaviors.Control) bool {
	answer, err := b.trace.log.Run(b.id, h, b.trace.scripts, &control{b, c})
	fail(err)
	return answer
}

// fail loses the incarnation, in the words of the script.
func fail(err error) {
	switch {
	case errors.Is(err, stacktest.ErrScripted):
		panic(strings.TrimPrefix(err.Error(), "panic: ")) // which the engine puts in front
	case err != nil:
		panic(err)
	}
}

func (b *idle) Init(c *behaviors.Control)           { b.run(stack.HookInit, c) }
func (b *idle) OnEnteredScope(c *behaviors.Control) { b.run(stack.HookEnteredScope, c) }
func (b *idle) OnLeftScope(c *behaviors.Control)    { b.run(stack.HookLeftScope, c) }
func (b *idle) OnActivated(c *behaviors.Control)    { b.run(stack.HookActivated, c) }
func (b *idle) OnDeactivated(c *behaviors.Control)  { b.run(stack.HookDeactivated, c) }
func (b *scripted) Update(c *behaviors.Control)     { b.run(stack.HookUpdate, c) }

func (b *idle) WantsToBeActivated(c *behaviors.Control) bool { return b.run(stack.HookWants, c) }

func (b *idle) Subscriptions() []string { return b.trace.tree.hears[b.id] }

func (b *idle) AlwaysHandle(c *behaviors.Control, e behaviors.Event) {
	b.part(tracetest.AlwaysHandle, e.String(), c)
}

func (b *idle) HandleWhileActivated(c *behaviors.Control, e behaviors.Event) {
	b.part(tracetest.WhileActive, e.String(), c)
}

func (b *idle) HandleWhileInScope(c *behaviors.Control, e behaviors.Event) {
	b.part(tracetest.WhileInScope, e.String(), c)
}

func (b *idle) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = slices.Contains(b.trace.tree.alwaysDelegates, b.id)
}

// callback is that of a step that ends in "then".
func (b *idle) callback(c *behaviors.Control, o behaviors.Outcome) {
	how := "unknown"
	switch o.Ended {
	case behaviors.EndedBehavior:
		how = "behavior"
	case behaviors.EndedAction:
		how = o.Completion.Name + " " + o.Completion.Result.String()
	case behaviors.EndedCancelled:
		how = "cancelled"
	}
	b.part(tracetest.Callback, how, c)
}

// part runs a part of an Update.
func (b *idle) part(name, what string, c *behaviors.Control) {
	w, m := b.trace, stacktest.Moment{ID: b.id, Hook: name}
	w.log.Enter(m.String() + " " + strings.TrimSpace(what))
	defer w.log.Leave()
	_, err := w.log.Steps(w.scripts.Take(m), &control{b, c})
	fail(err)
}

// job is an action that runs until the trace says how it ends.
type job struct {
	trace *trace
	label string
}

func (j *job) Name() string                     { return j.label }
func (j *job) Type() actions.Type               { return actions.TypeWait }
func (j *job) Tracks() actions.Tracks           { return 0 }
func (j *job) Init(*actions.Env) actions.Result { return actions.Success }
func (j *job) Stop(*actions.Env)                { j.trace.log.Printf("%s.%s", j.label, actions.OpStop) }

func (j *job) CheckIfDone(*actions.Env) actions.Result {
	if r, ok := j.trace.results[j.label]; ok {
		return r
	}
	return actions.Running
}
