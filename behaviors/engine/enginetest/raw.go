package enginetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
	"github.com/robotd/robotd/resources"
)

// raw runs the traces of package stack on an engine: behaviors without conditions, callbacks and always-delegating, whose
// hooks do what the scripts say.
type raw struct {
	bench
	log     stacktest.Log
	scripts stacktest.Scripts
	base    string // of a reset that waits for the next tick
}

// NewRaw returns a driver for the traces of package stack, on an engine over a hook runner.
func NewRaw(open func() Runner) stacktest.Driver { return newRaw(open) }

func newRaw(open func() Runner) *raw {
	d := &raw{bench: bench{open: open}}
	d.lost = d.playLost
	return d
}

// Build implements stacktest.Driver.
func (d *raw) Build(t stacktest.Tree) ([]string, error) {
	cat, err := d.catalog(t)
	if err != nil {
		return nil, err
	}
	d.scripts = t.Scripts
	events, err := d.start(cat, t.Failures)
	return d.take(events), err
}

func (d *raw) catalog(t stacktest.Tree) (*behaviors.Catalog, error) {
	class := func(name string, wrap func(rawHooks) behaviors.Behavior) behaviors.Class {
		return behaviors.Class{Name: name, New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.MayDelegateTo(others(t.Delegates[cfg.ID()], cfg.ID())...)
			cfg.Link(t.Links[cfg.ID()]...)
			return wrap(rawHooks{d, cfg.ID()})
		}}
	}
	reg := behaviors.NewRegistry(
		class("Raw", func(b rawHooks) behaviors.Behavior { return &rawBehavior{b} }),
		class("Idle", func(b rawHooks) behaviors.Behavior { return &b }),
	)
	var docs []*resources.Document
	for _, id := range t.IDs {
		name := "Raw"
		if slices.Contains(t.Idle, id) {
			name = "Idle"
		}
		doc, diags := resources.Parse(id+".json", fmt.Appendf(nil, `{"behaviorClass":%q,"behaviorID":%q}`, name, id))
		if diags.HasErrors() {
			return nil, errors.New(diags.String())
		}
		docs = append(docs, doc)
	}
	boot, _ := resources.Parse(behaviors.BootFile, fmt.Appendf(nil, `{"normalBaseBehavior":%q,"fallbackBehavior":%q,"userIntents":[]}`, t.Base, t.Base))
	cat, diags := behaviors.NewCatalog(docs, boot, reg)
	if diags.HasErrors() {
		return nil, errors.New(diags.String())
	}
	for id, to := range t.Delegates { // the catalog refuses this; the stack must hold all the same (L-36)
		if slices.Contains(to, id) {
			cat.Find(id).Delegates = to
		}
	}
	return cat, nil
}

// others leaves out a behavior that lists itself.
func others(ids []string, me string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == me })
}

// Tick implements stacktest.Driver.
func (d *raw) Tick(s stacktest.Scripts) []string {
	d.scripts = s
	var commands []engine.Command
	if d.base != "" {
		commands = append(commands, engine.Command{Kind: engine.RunBehavior, ID: d.base})
		d.base = ""
	}
	return d.take(d.step(nil, commands).Events)
}

// Reset implements stacktest.Driver. What waits for the next tick comes to an engine as a command of that tick.
func (d *raw) Reset(base string, now bool, s stacktest.Scripts) ([]string, error) {
	d.scripts = s
	if !now {
		d.base = base
		return nil, nil
	}
	out, err := d.resetNow(base)
	if err != nil {
		return nil, err
	}
	return d.take(out.Events), nil
}

// Shutdown implements stacktest.Driver.
func (d *raw) Shutdown() []string { return d.take(d.shutdown().Events) }

// State implements stacktest.Driver.
func (d *raw) State() string { return stacktest.State(d.eng.Stack()) }

// Violations implements stacktest.Driver.
func (d *raw) Violations() []string { return d.violations() }

// take returns the lines of the present call. Hooks of an engine fail by panics, which the bare stack does not know; that is
// the one difference between the two that is evened out here.
func (d *raw) take(events []stack.Event) []string {
	events = slices.Clone(events)
	for i := range events {
		events[i].Text = strings.TrimPrefix(events[i].Text, "panic: ")
	}
	return d.log.Take(events)
}

// run is the code of every hook.
func (d *raw) run(id string, h stack.Hook, c *behaviors.Control) bool {
	answer, err := d.log.Run(id, h, d.scripts, &rawControl{driver: d, c: c})
	if err != nil {
		panic(err)
	}
	return answer
}

// playLost is run for a hook that was lost in the recording: the requests come from there, not from a Control.
func (d *raw) playLost(v *engine.Verdict, next func() *behaviors.Request) {
	for h := stack.HookInit; h <= stack.HookLeftScope; h++ {
		if h.String() == v.Where {
			_, _ = d.log.Run(v.Who, h, d.scripts, &lostControl{driver: d, id: v.Who, next: next})
			return
		}
	}
	d.bad = append(d.bad, fmt.Sprintf("a verdict on %s.%s", v.Who, v.Where))
}

// rawHooks are the hooks of a scripted behavior without an Update.
type rawHooks struct {
	driver *raw
	id     string
}

func (b *rawHooks) Init(c *behaviors.Control) { b.driver.run(b.id, stack.HookInit, c) }
func (b *rawHooks) OnEnteredScope(c *behaviors.Control) {
	b.driver.run(b.id, stack.HookEnteredScope, c)
}

func (b *rawHooks) OnLeftScope(c *behaviors.Control) { b.driver.run(b.id, stack.HookLeftScope, c) }

func (b *rawHooks) OnActivated(c *behaviors.Control) { b.driver.run(b.id, stack.HookActivated, c) }

func (b *rawHooks) OnDeactivated(c *behaviors.Control) { b.driver.run(b.id, stack.HookDeactivated, c) }

func (b *rawHooks) WantsToBeActivated(c *behaviors.Control) bool {
	return b.driver.run(b.id, stack.HookWants, c)
}

func (b *rawHooks) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// rawBehavior has an Update.
type rawBehavior struct{ rawHooks }

func (b *rawBehavior) Update(c *behaviors.Control) { b.driver.run(b.id, stack.HookUpdate, c) }

// rawControl makes the requests of a scripted hook through the Control of its behavior.
type rawControl struct {
	driver *raw
	c      *behaviors.Control
}

// Ask implements stacktest.Control.
func (r *rawControl) Ask(to string) (bool, error) {
	wants := r.c.Wants(to)
	return wants, r.driver.refused()
}

// Delegate implements stacktest.Control.
func (r *rawControl) Delegate(to string) error {
	r.c.DelegateTo(to, nil)
	return r.driver.refused()
}

// CancelDelegates implements stacktest.Control. Authors are told only that nothing was cancelled.
func (r *rawControl) CancelDelegates() (bool, error) {
	if r.c.CancelDelegates() {
		return true, nil
	}
	return false, r.driver.hidden(r.c.ID())
}

// CancelSelf implements stacktest.Control.
func (r *rawControl) CancelSelf() error {
	r.c.CancelSelf()
	return r.driver.refused()
}

// Facts implements stacktest.Control.
func (r *rawControl) Facts() (activated, delegated, inControl bool) {
	return r.c.Activated(), r.c.IsControlDelegated(), r.c.InControl()
}

// refused is the refusal of the newest request, as an error.
func (d *raw) refused() error {
	if d.refusal != nil {
		return d.refusal
	}
	return nil
}

// hidden is what the stack says to a cancellation inside a question (L-6).
func (d *raw) hidden(id string) error {
	if !d.eng.Stack().Asking() {
		return nil
	}
	return &stack.Refusal{Op: stack.OpCancelDelegates, By: id, To: id, Reason: stack.Hidden}
}

// lostControl gives a script the answers of a replay to the requests that the recorded hook made. A script that would
// make others is wrong: the recording holds what the same script did.
type lostControl struct {
	driver *raw
	id     string
	next   func() *behaviors.Request
}

// make makes the next recorded request, which must be this one.
func (l *lostControl) make(kind behaviors.RequestKind, to string) (*behaviors.Request, error) {
	r := l.next()
	if r == nil || r.Kind != kind || r.ID != to {
		l.driver.bad = append(l.driver.bad, fmt.Sprintf("the recorded %s requests %+v, not %d of %q", l.id, r, kind, to))
		return nil, stacktest.ErrLost
	}
	if l.driver.eng.Cell(l.id).Lost() {
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
	if s := l.driver.eng.Stack(); !s.IsControlDelegated(s.Find(l.id)) {
		return false, l.driver.hidden(l.id) // Control asks for nothing then
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
func (l *lostControl) Facts() (activated, delegated, inControl bool) {
	s := l.driver.eng.Stack()
	n := s.Find(l.id)
	return n.Activated(), s.IsControlDelegated(n), s.InControl(n)
}

// taped is a driver that gives the lines of a replay: the life on a hook runner is recorded, goes through bytes, and is decided
// again by direct calls.
type taped struct {
	live, again *raw
	tape        *Tape
}

// NewTaped returns a driver that runs the traces of package stack from a recording of a run over a hook runner.
func NewTaped(open func() Runner) stacktest.Driver {
	d := &taped{live: newRaw(open), again: newRaw(Direct), tape: NewTape()}
	d.live.recorder = engine.NewRecorder(d.tape.Write)
	return d
}

// next hands the entry that was just recorded to the replay.
func (d *taped) next() error {
	e, err := d.tape.Next()
	d.again.entry = e
	return err
}

// Build implements stacktest.Driver.
func (d *taped) Build(t stacktest.Tree) ([]string, error) {
	again := t
	again.Scripts = t.Scripts.Clone()
	if _, err := d.live.Build(t); err != nil {
		return nil, err
	}
	if err := d.next(); err != nil {
		return nil, err
	}
	return d.again.Build(again)
}

// Tick implements stacktest.Driver.
func (d *taped) Tick(s stacktest.Scripts) []string {
	again := s.Clone()
	d.live.Tick(s)
	if err := d.next(); err != nil {
		return []string{err.Error()}
	}
	return d.again.Tick(again)
}

// Reset implements stacktest.Driver.
func (d *taped) Reset(base string, now bool, s stacktest.Scripts) ([]string, error) {
	again := s.Clone()
	if _, err := d.live.Reset(base, now, s); err != nil || !now {
		return nil, err // what waits is part of the next tick's input
	}
	if err := d.next(); err != nil {
		return nil, err
	}
	return d.again.Reset(base, now, again)
}

// Shutdown implements stacktest.Driver.
func (d *taped) Shutdown() []string {
	d.live.Shutdown()
	if err := d.next(); err != nil {
		return []string{err.Error()}
	}
	return d.again.Shutdown()
}

// State implements stacktest.Driver.
func (d *taped) State() string { return d.again.State() }

// Violations implements stacktest.Driver.
func (d *taped) Violations() []string { return append(d.live.Violations(), d.again.Violations()...) }
