package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/path"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/enginetest"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// A script says what a behavior does in its hooks. It outlives incarnations, so that a test may change it at any time.
type script struct {
	init, enter, leave       func(c *behaviors.Control)
	start, end, update       func(c *behaviors.Control)
	wants                    func(c *behaviors.Control) bool
	always, whileOn, whileIn func(c *behaviors.Control, e behaviors.Event)
	resume                   func(c *behaviors.Control)
	wantsWith                func(c *behaviors.Control, data any) bool
	modify                   func(m *behaviors.Modifiers, of func(string) behaviors.Modifiers)
	hears                    []string
	setUp                    func(cfg *behaviors.Config)
	made                     int // incarnations
}

// scripted is the author's value of the class Script: it logs a hook, then does what the script says.
type scripted struct {
	r     *rig
	id    string
	s     *script
	stays bool
}

func (b *scripted) run(what string, f func(*behaviors.Control), c *behaviors.Control) {
	b.r.note(what + " " + b.id)
	if f != nil {
		f(c)
	}
}

func (b *scripted) Init(c *behaviors.Control)           { b.run("I", b.s.init, c) }
func (b *scripted) OnEnteredScope(c *behaviors.Control) { b.run("E", b.s.enter, c) }
func (b *scripted) OnLeftScope(c *behaviors.Control)    { b.run("L", b.s.leave, c) }
func (b *scripted) OnActivated(c *behaviors.Control)    { b.run("A", b.s.start, c) }
func (b *scripted) OnDeactivated(c *behaviors.Control)  { b.run("D", b.s.end, c) }

func (b *scripted) WantsToBeActivated(c *behaviors.Control) bool {
	return b.s.wants == nil || b.s.wants(c)
}

func (b *scripted) Update(c *behaviors.Control) {
	what := "u" // in scope
	if c.Activated() {
		what = "U"
	}
	b.run(what, b.s.update, c)
}

func (b *scripted) Subscriptions() []string { return b.s.hears }

func (b *scripted) event(what string, f func(*behaviors.Control, behaviors.Event), c *behaviors.Control, e behaviors.Event) {
	if f != nil {
		b.r.note(what + " " + b.id + " " + e.String())
		f(c, e)
	}
}

func (b *scripted) AlwaysHandle(c *behaviors.Control, e behaviors.Event) {
	b.event("always", b.s.always, c, e)
}

func (b *scripted) HandleWhileActivated(c *behaviors.Control, e behaviors.Event) {
	b.event("on", b.s.whileOn, c, e)
}

func (b *scripted) HandleWhileInScope(c *behaviors.Control, e behaviors.Event) {
	b.event("in", b.s.whileIn, c, e)
}

func (b *scripted) Modify(m *behaviors.Modifiers, of func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = !b.stays
	if b.s.modify != nil {
		b.s.modify(m, of)
	}
}

// gentle is the author's value of the class Gentle: a Script that may be interrupted politely.
type gentle struct{ scripted }

func (*gentle) GentlyInterruptible() {}

// worker is the author's value of the class Worker: a Script that is a helper, can be resumed, and answers questions with data.
type worker struct{ scripted }

func (*worker) HelpsWithTask()                   {}
func (b *worker) OnResumed(c *behaviors.Control) { b.run("R", b.s.resume, c) }
func (b *worker) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	return b.s.wantsWith == nil || b.s.wantsWith(c, data)
}

// quiet is the author's value of the class Quiet: it has no Update of its own, and handlers only.
type quiet struct {
	r     *rig
	id    string
	stays bool
}

func (q *quiet) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = !q.stays
}

func (q *quiet) Subscriptions() []string {
	return []string{behaviors.EventPoked, behaviors.EventIntent}
}

func (q *quiet) HandleWhileInScope(_ *behaviors.Control, e behaviors.Event) {
	q.r.note("in " + q.id + " " + e.String())
}

func (q *quiet) HandleWhileActivated(_ *behaviors.Control, e behaviors.Event) {
	q.r.note("on " + q.id + " " + e.String())
}

// patient is the author's value of the class Patient: a Quiet with an Update for the time while it is activated.
type patient struct{ quiet }

func (p *patient) UpdateWhileActivated(*behaviors.Control) { p.r.note("W " + p.id) }

// both is the author's value of the class Both: a Script with both kinds of Update.
type both struct{ scripted }

func (b *both) UpdateWhileActivated(*behaviors.Control) { b.r.note("W " + b.id) }

// A rig is an engine with direct calls over scripted behaviors.
type rig struct {
	t       *testing.T
	eng     *engine.Engine
	scripts map[string]*script
	log     []string
	tick    uint64
	seed    uint64
	out     *engine.Output
	events  []behaviors.Event
	cmds    []engine.Command
	plans   []actions.PathAnswer
	edit    func(s *hardware.Snapshot)
	opts    engine.Options
	strict  bool               // a violated invariant ends the test
	getIns  []*actiontest.Stub // made to answer the trigger word
}

var epoch = time.Unix(1_000_000, 0).UTC()

const period = 60 * time.Millisecond

// bootKeys is more of the boot configuration of the next rig, for example `"devBaseBehavior":"D"`.
type bootKeys string

// newRig builds a tree of lines "A > B C | "key": value", where B and C are what A may delegate to. The first line is
// the base, unless more names a stage that has another. A name that ends in + stays without a delegate; one that ends in ~
// is of the class Quiet, in * of the class Gentle, in ^ of the class Worker, in = of the class Patient, in & of the class Both, and ! makes it the fallback.
func newRig(t *testing.T, tree string, set func(r *rig), more ...any) *rig {
	t.Helper()
	r := &rig{t: t, scripts: map[string]*script{}, strict: true}
	reg := behaviors.NewRegistry(
		behaviors.Class{Name: "Script", New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.MayDelegateTo(cfg.RefsOr("next", behaviors.RefBehavior)...)
			cfg.Link(cfg.RefsOr("links", behaviors.RefBehavior)...)
			s := r.of(cfg.ID())
			s.made++
			if s.setUp != nil {
				s.setUp(cfg)
			}
			return &scripted{r: r, id: cfg.ID(), s: s, stays: cfg.BoolOr("stays", false)}
		}},
		behaviors.Class{Name: "Gentle", New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.MayDelegateTo(cfg.RefsOr("next", behaviors.RefBehavior)...)
			return &gentle{scripted{r: r, id: cfg.ID(), s: r.of(cfg.ID()), stays: cfg.BoolOr("stays", false)}}
		}},
		behaviors.Class{Name: "Worker", New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.MayDelegateTo(cfg.RefsOr("next", behaviors.RefBehavior)...)
			return &worker{scripted{r: r, id: cfg.ID(), s: r.of(cfg.ID()), stays: cfg.BoolOr("stays", false)}}
		}},
		behaviors.Class{Name: "Both", New: func(cfg *behaviors.Config) behaviors.Behavior {
			return &both{scripted{r: r, id: cfg.ID(), s: r.of(cfg.ID()), stays: cfg.BoolOr("stays", false)}}
		}},
		behaviors.Class{Name: "Patient", New: func(cfg *behaviors.Config) behaviors.Behavior {
			return &patient{quiet{r: r, id: cfg.ID(), stays: cfg.BoolOr("stays", false)}}
		}},
		behaviors.Class{Name: "Quiet", New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.Link(cfg.RefsOr("links", behaviors.RefBehavior)...)
			return &quiet{r: r, id: cfg.ID(), stays: cfg.BoolOr("stays", false)}
		}},
	)
	reg.WithAnswer(func(condition.Response) actions.Action {
		r.getIns = append(r.getIns, hold("get-in"))
		return r.getIns[len(r.getIns)-1]
	})
	docs, base, fallback := treeOf(t, tree)
	keys := ""
	for _, m := range more {
		switch m := m.(type) {
		case bootKeys:
			keys += "," + string(m)
		case engine.Stage:
			r.opts.Stage = m
		}
	}
	boot, diags := resources.Parse(catalog.BootFile, fmt.Appendf(nil,
		`{"normalBaseBehavior":%q,"fallbackBehavior":%q,"userIntents":["bye","hello","come_here"],"timers":["nap"],
		"features":["ActiveIntentFeedback","Chatting","Exploring","Onboarding"],"enabledFeatures":["ActiveIntentFeedback","Exploring"],"behaviorStats":["Jumps"]%s}`, base, fallback, keys))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	mood, diags := resources.Parse(catalog.MoodFile, []byte(moodData))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	cat, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot, Mood: &catalog.MoodFiles{Config: mood}}, reg)
	if len(diags) > 0 {
		t.Fatal(diags.String())
	}
	for _, e := range cat.Entries {
		e.First() // made with scripts that do not count
	}
	r.scripts = map[string]*script{}
	if set != nil {
		set(r)
	}
	r.opts.Catalog = cat
	eng, err := engine.New(r.opts)
	if err != nil {
		t.Fatal(err)
	}
	r.eng = eng
	if err := eng.Start(epoch); err != nil {
		t.Fatal(err)
	}
	return r
}

// of returns the script of a behavior.
func (r *rig) of(id string) *script {
	if r.scripts[id] == nil {
		r.scripts[id] = &script{}
	}
	return r.scripts[id]
}

func (r *rig) note(s string) { r.log = append(r.log, s) }

// step runs one tick and returns the hooks that ran, in order, separated by ", ".
func (r *rig) step() string {
	r.t.Helper()
	r.log = nil
	r.tick++
	now := epoch.Add(time.Duration(r.tick) * period)
	in := engine.Input{Tick: r.tick, Now: now, World: hardware.Snapshot{Now: now}, Events: r.events, Commands: r.cmds, Plans: r.plans, Seed: r.seed}
	if r.edit != nil {
		r.edit(&in.World)
	}
	r.events, r.cmds, r.plans = nil, nil, nil
	r.out = r.eng.Step(in)
	for i := range r.out.Plans {
		r.plans = append(r.plans, path.Plan(&r.out.Plans[i], path.R1))
	}
	if r.strict && len(r.out.Violations) > 0 {
		r.t.Fatalf("tick %d: %q", r.tick, r.out.Violations)
	}
	return strings.Join(r.log, ", ")
}

// wantNotes compares the hooks of the tick that was run last.
func (r *rig) wantNotes(hooks string) {
	r.t.Helper()
	if got := strings.Join(r.log, ", "); got != hooks {
		r.t.Errorf("tick %d:\n got %s\nwant %s", r.tick, got, hooks)
	}
}

// steps runs n ticks.
func (r *rig) steps(n int) {
	r.t.Helper()
	for range n {
		r.step()
	}
}

// want runs one tick and compares the hooks.
func (r *rig) want(hooks string) {
	r.t.Helper()
	if got := r.step(); got != hooks {
		r.t.Errorf("tick %d:\n got %s\nwant %s", r.tick, got, hooks)
	}
}

// emit raises an event for the next tick.
func (r *rig) emit(name, text string) {
	r.t.Helper()
	p, err := enginetest.Payload(name, text)
	if err != nil {
		r.t.Fatal(err)
	}
	r.events = append(r.events, behaviors.Event{Source: "test", Seq: uint64(len(r.events)), Payload: p})
}

// command gives an operator's command to the next tick.
func (r *rig) command(c engine.Command) { r.cmds = append(r.cmds, c) }

// intent posts a user intent for the next tick.
func (r *rig) intent(tag string) {
	r.command(engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: tag}})
}

// chain is the stack, base first.
func (r *rig) chain() string {
	var ids []string
	r.eng.Stack().Each(false, nil, func(n *stack.Node) bool {
		ids = append(ids, n.ID)
		return true
	})
	return strings.Join(ids, " ")
}

// wantChain compares the stack.
func (r *rig) wantChain(ids string) {
	r.t.Helper()
	if got := r.chain(); got != ids {
		r.t.Errorf("tick %d: the stack is %q, want %q", r.tick, got, ids)
	}
}

// happened lists the lifecycle events of the tick.
func (r *rig) happened() []string {
	var all []string
	for _, e := range r.out.Events {
		all = append(all, e.String())
	}
	return all
}

// wantEvent demands a lifecycle event of the tick.
func (r *rig) wantEvent(event string) {
	r.t.Helper()
	if all := r.happened(); !slices.Contains(all, event) {
		r.t.Errorf("tick %d: no %q in %q", r.tick, event, all)
	}
}

// wantNoRefusal demands that no request was refused in the tick.
func (r *rig) wantNoRefusal() {
	r.t.Helper()
	for _, e := range r.out.Events {
		if e.Kind == stack.EventRefused {
			r.t.Errorf("tick %d: %s", r.tick, e)
		}
	}
}

// pass asks id and delegates to it. A refusal fails the test.
func (r *rig) pass(c *behaviors.Control, id string, then behaviors.Callback) {
	r.t.Helper()
	if !c.Wants(id) {
		r.t.Errorf("tick %d: %s does not want", c.Tick(), id)
	}
	if !c.DelegateTo(id, then) {
		err := refusal(c)
		r.t.Errorf("tick %d: %v", c.Tick(), err)
	}
}

// once makes a hook that runs f in tick n only.
func once(n uint64, f func(c *behaviors.Control)) func(c *behaviors.Control) {
	return func(c *behaviors.Control) {
		if c.Tick() == n {
			f(c)
		}
	}
}

// calls makes a callback that logs its owner and the outcome.
func (r *rig) calls(name string) behaviors.Callback {
	return func(_ *behaviors.Control, o behaviors.Outcome) { r.note("back " + name + " " + ending(o)) }
}

func ending(o behaviors.Outcome) string {
	switch o.Ended {
	case behaviors.EndedBehavior:
		return "behavior"
	case behaviors.EndedAction:
		return o.Completion.Result.String()
	case behaviors.EndedCancelled:
		return "cancelled"
	case behaviors.EndedHelper:
		return map[bool]string{true: "success", false: "failure"}[o.Success]
	default:
		return "unknown"
	}
}

// reasonOf is the reason of a refusal.
func reasonOf(err error) stack.Reason {
	if r, ok := err.(*stack.Refusal); ok && r != nil {
		return r.Reason
	}
	return 0
}

// wantReason compares the reason of a refusal.
func (r *rig) wantReason(err error, want stack.Reason) {
	r.t.Helper()
	if got := reasonOf(err); got != want || want == 0 && err != nil {
		r.t.Errorf("tick %d: refused for %q, want %q (%v)", r.tick, got, want, err)
	}
}

// done is an action that succeeds in its first tick; hold is one that runs until told otherwise.
func done(label string) *actiontest.Stub {
	s := actiontest.NewStub(label, 0)
	s.Result = actions.Success
	return s
}

func hold(label string) *actiontest.Stub { return actiontest.NewStub(label, 0) }

// refusal is why the newest request of a Control was refused, as an error. A request that says that it was done, and has a refusal
// nevertheless, is a mistake of its own.
func refusal(c *behaviors.Control, done ...bool) error {
	r := c.Refusal()
	switch {
	case r == nil:
		return nil
	case slices.Contains(done, true) && !r.Applied:
		return fmt.Errorf("done, but refused: %s", r.Error())
	}
	return r
}

// asked is an answer with the reason why there is none.
func asked(c *behaviors.Control, yes bool) (bool, error) { return yes, refusal(c) }

// granted makes a request that answers nothing and reports whether it was granted.
func granted(c *behaviors.Control, request func()) bool {
	request()
	return c.Refusal() == nil
}
