package behaviortest

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/path"
	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// Period is the default time between two ticks.
const Period = 60 * time.Millisecond

// Options describe a scenario.
type Options struct {
	// Classes are the classes that the files may name.
	Classes *behaviors.Registry
	// Files is an archive of definitions, see [Split].
	Files string
	// Catalog is used instead of Files if it is not nil.
	Catalog *catalog.Catalog
	// Base is the base behavior; "Base" if empty.
	Base string
	// Intents and Timers are the vocabulary of the files.
	Intents, Timers []string
	// Features are declared, and on.
	Features []string
	// Period between two ticks; 60 ms if zero.
	Period time.Duration
	// Begin is the first instant; one in January 1970, which no clock that was ever set shows, if zero.
	Begin time.Time
	// Seed of everything that is drawn.
	Seed uint64
	// Hooks runs the hooks and the actions; nil means by direct call.
	Hooks engine.HookRunner
	// Rest is called after each call of the engine on Hooks; nil means nothing.
	Rest func()
	// Taped records the life on Hooks, takes it through bytes entry by entry, and decides each again by direct calls. The
	// scenario is that of the replay: its engine, its behaviors, its orders to the body. Where it differs from the
	// recording the test ends. A test that changes the behaviors by itself makes a difference: those of the recording are others.
	Taped bool
	// Faults says that hooks may fail, because the test puts faults in. Without it a hook that fails ends the test.
	Faults bool
}

// An Env is a running scenario. It belongs to the goroutine of its test.
type Env struct {
	Engine *engine.Engine
	Body   *Body
	// Edit, if set, changes the readings of each tick after the body has made them.
	Edit func(s *hardware.Snapshot)
	// Out is the output of the newest tick.
	Out *engine.Output
	// Refused collects the refusals and misuses since the start: most tests want none.
	Refused []string

	t      testing.TB
	period time.Duration
	seed   uint64
	now    time.Time
	tick   uint64
	log    []string
	said   []string
	events []behaviors.Event
	ctl    []engine.Command
	plans  []actions.PathAnswer
	faults bool
	after  func() // called at the end of each step; may be nil
	decide func(in engine.Input) *engine.Output
}

// New builds and starts a scenario; the first tick is that of the first Step. A mistake in the files ends the test.
func New(t testing.TB, o Options) *Env {
	t.Helper()
	cat := o.Catalog
	if cat == nil {
		base := cmp.Or(o.Base, "Base")
		boot := catalog.Boot{Base: base, Fallback: base, Intents: o.Intents, Timers: o.Timers, Vocabulary: catalog.Vocabulary{Features: o.Features}}
		built, diags := Catalog(t, o.Files, o.Classes, boot)
		if len(diags) > 0 {
			t.Fatalf("the definitions are wrong:\n%s", diags.String())
		}
		cat = built
	}
	e := &Env{
		Body: NewBody(), t: t, seed: o.Seed, faults: o.Faults,
		period: cmp.Or(o.Period, Period), now: cmp.Or(o.Begin, time.Unix(1_000_000, 0).UTC()),
	}
	e.start(cat, o)
	return e
}

// Now is the instant of the newest tick.
func (e *Env) Now() time.Time { return e.now }

// Tick is the number of the newest tick.
func (e *Env) Tick() uint64 { return e.tick }

// Intent posts a user intent for the next tick.
func (e *Env) Intent(tag string) {
	e.ctl = append(e.ctl, engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: tag, Source: "test"}})
}

// WakeWord posts the trigger word for the next tick.
func (e *Env) WakeWord() { e.Command(engine.Command{Kind: engine.WakeWord}) }

// Command gives an operator's command in the next tick.
func (e *Env) Command(c engine.Command) { e.ctl = append(e.ctl, c) }

// Emit raises an event in the next tick.
func (e *Env) Emit(p behaviors.Payload) {
	e.events = append(e.events, behaviors.Event{Source: "test", Seq: uint64(len(e.events)), Payload: p, At: e.now})
}

// Step runs n ticks: the body moves for a period, the engine decides, the body gets its orders.
func (e *Env) Step(n int) {
	e.t.Helper()
	for range n {
		e.step()
	}
}

func (e *Env) step() {
	e.t.Helper()
	e.tick++
	e.now = e.now.Add(e.period)
	e.Body.Move(e.period)
	in := engine.Input{
		Tick: e.tick, Now: e.now, World: e.Body.Snapshot(e.now), Events: e.events, Commands: e.ctl, Plans: e.plans, Seed: e.seed,
	}
	if e.tick > 1 { // like the simulator's eyes, these do what the tick before wanted (T-2)
		in.World.Vision.Value = e.Engine.Look().Filter(in.World.Vision.Value)
	}
	if e.Edit != nil {
		e.Edit(&in.World)
	}
	e.events, e.ctl, e.plans = nil, nil, nil
	e.Out = e.decide(in)
	for i := range e.Out.Plans { // as in virtual time they are there in the next tick
		e.plans = append(e.plans, path.Plan(&e.Out.Plans[i], path.R1))
	}
	for _, c := range e.Out.Commands {
		if p, ok := c.(hardware.PlaySound); ok && p.Text != "" {
			e.said = append(e.said, p.Text)
		}
		e.Body.Apply(e.now, c)
	}
	e.record()
	if e.after != nil {
		e.after()
	}
}

// record collects the output of a tick, and fails the test for a violation or a failed hook.
func (e *Env) record() {
	e.t.Helper()
	for _, ev := range e.Out.Events {
		switch ev.Kind {
		case stack.EventFault, stack.EventDisabled, stack.EventEmpty, stack.EventBaseDeclined:
			if !e.faults {
				e.t.Fatalf("tick %d: %s", e.tick, ev)
			}
		case stack.EventRefused:
			e.Refused = append(e.Refused, ev.String())
		}
		e.log = append(e.log, ev.String())
	}
	for i := range e.Out.Misuses {
		e.Refused = append(e.Refused, e.Out.Misuses[i].Error())
	}
	for _, v := range e.Out.Violations {
		e.t.Fatalf("tick %d: %s", e.tick, v)
	}
}

// For runs ticks until d has passed.
func (e *Env) For(d time.Duration) {
	e.t.Helper()
	for end := e.now.Add(d); e.now.Before(end); {
		e.step()
	}
}

// Until runs ticks until done, and ends the test if that takes longer than limit.
func (e *Env) Until(limit time.Duration, what string, done func() bool) {
	e.t.Helper()
	for end := e.now.Add(limit); !done(); e.step() {
		if !e.now.Before(end) {
			e.t.Fatalf("not within %v: %s\n%s", limit, what, e.Describe())
		}
	}
}

// Active reports whether a behavior is on the stack.
func (e *Env) Active(id string) bool { return slices.Contains(e.Chain(), id) }

// Chain is the stack, base first.
func (e *Env) Chain() []string {
	layers := e.Engine.Stack().Layers()
	ids := make([]string, len(layers))
	for i := range layers {
		ids[i] = layers[i].Node().ID
	}
	return ids
}

// State is the debug state name of a behavior.
func (e *Env) State(id string) string {
	c := e.Engine.Cell(id)
	if c == nil {
		e.t.Fatalf("there is no behavior %q", id)
		return ""
	}
	return c.State()
}

// Started is how often a behavior was activated.
func (e *Env) Started(id string) uint64 { return e.Engine.Cell(id).Started() }

// Impl is the author's value of a behavior.
func (e *Env) Impl(id string) any { return e.Engine.Cell(id).Inc.Inst.Impl() }

// World is what the newest tick knew.
func (e *Env) World() *hardware.World { return e.Engine.View().World }

// Actions names the actions that run or wait.
func (e *Env) Actions() []string {
	var names []string
	for _, i := range e.Engine.Actions().Running() {
		names = append(names, i.Name)
	}
	return names
}

// Log returns the lifecycle events since the last call, such as "Greet.activated".
func (e *Env) Log() []string {
	log := e.log
	e.log = nil
	return log
}

// Said are the texts spoken since the start.
func (e *Env) Said() []string { return e.said }

// NoRefusals fails the test if a request of a behavior was refused: a mistake of its author.
func (e *Env) NoRefusals() {
	e.t.Helper()
	for _, r := range e.Refused {
		e.t.Errorf("refused: %s", r)
	}
}

// Describe draws the stack with its states and actions, for failure messages.
func (e *Env) Describe() string {
	s := ""
	for _, id := range e.Chain() {
		s += "  " + id + " (" + e.State(id) + ")\n"
	}
	for _, a := range e.Engine.Actions().Running() {
		s += "  action " + a.Name + " of " + a.Owner + ": " + a.Status + "\n"
	}
	return s
}
