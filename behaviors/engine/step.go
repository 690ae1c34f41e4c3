package engine

import (
	"errors"
	"fmt"
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// Step runs one tick. The returned Output is valid until the next Step.
func (e *Engine) Step(in Input) *Output {
	if e.recorder != nil {
		e.recorder.Begin(Call{Kind: CallStep, Input: in})
	}
	e.begin(&in)
	for _, c := range in.Commands {
		e.command(c)
	}
	begun := e.stack.Begin(in.Tick) == nil // its refusal is an event
	e.completions()
	e.reflex()
	e.events(in.Events)
	e.mark(PhaseFacts)
	if begun {
		e.walk()
	}
	e.mark(PhaseWalk)
	if begun {
		_ = e.stack.Scope()
	}
	e.mark(PhaseScope)
	e.followUp()
	_ = e.stack.Repair()
	e.recover()
	e.bootLoader()
	e.feature.follow()
	e.mark(PhaseRepair)
	e.act()
	e.endComponents()
	e.mark(PhaseActions)
	out := e.finish()
	e.recorded(out)
	return out
}

// A Phase is a part of a tick whose end the caller may want to know.
type Phase uint8

// The phases in their order. The caller carries out the effects and adds its own last phase.
const (
	PhaseFacts   Phase = iota // commands, reset and start, completions, events
	PhaseWalk                 // the stack, base to top
	PhaseScope                // everything else in scope
	PhaseRepair               // fresh incarnations
	PhaseActions              // the action list
	PhaseEffects              // invariants, commands to devices
	Phases       = int(PhaseEffects) + 1
)

func (p Phase) String() string {
	return [...]string{"facts", "walk", "scope", "repair", "actions", "effects"}[p]
}

// begin makes the view of the tick: the world, and the intents as they age.
func (e *Engine) begin(in *Input) {
	o := &e.out
	*o = Output{Tick: in.Tick, Commands: o.Commands[:0], Events: o.Events[:0], Done: o.Done[:0], Replies: o.Replies[:0], Warnings: o.Warnings[:0], Features: o.Features[:0], States: o.States[:0]}
	e.seed = in.Seed
	e.raised = e.raised[:0]
	m := e.buffers.next()
	w, v := &m.world, &m.view
	e.estimator.Looking(e.Look().Sees(hardware.SeeMarkers), in.Now)
	e.estimator.Update(&in.World, w) // fills it completely
	w.Body.CanDrive = w.Body.CanDrive && !e.halted
	e.happened.take(in.Events, in.Now)
	w.Body.PokedAt, w.Body.CubeTappedAt = e.happened.pokedAt, e.happened.tappedAt
	*v = *e.view
	v.Tick, v.Now, v.World = in.Tick, in.Now, w
	e.view = v
	if e.answers != nil {
		e.answers.Reset(in.Tick, in.Now)
	}
	e.paths.take(in.Plans)
	e.beginComponents()
}

// beginComponents opens the tick of what ages, and puts the schedule of the eyes that the last tick wanted into effect (T-2). It runs
// before any hook and before the view is handed out.
func (e *Engine) beginComponents() {
	e.intents.age()
	e.responses.expire()
	e.ageStream()
	e.power.step()
	e.cube.step()
	e.view.Services.Look, e.view.Services.Cube = e.Look(), e.cube.mode
	e.intents.feedback.age()
	e.mood.fade()
}

// endComponents ends the tick after the actions: it takes up the ended actions, decides what lights and display show, and publishes the vision modes of
// the next tick.
func (e *Engine) endComponents() {
	for i := range e.waiting {
		e.responses.ended(e.waiting[i].Tag)
		e.getOut.ended(e.waiting[i].Tag)
	}
	e.steer.step()
	e.lights.step()
	e.face.step(e.seed)
	e.out.Look = e.Look()
}

// resumeFirst refuses another base during an emergency stop.
const resumeFirst = "the robot is stopped; resume it first"

// command carries out one operator request. What cannot be done is refused with the nearest valid name.
func (e *Engine) command(c Command) {
	r := Reply{Number: c.Number}
	if e.halted && c.Kind.movesBase() {
		r.Err = resumeFirst
		e.out.Replies = append(e.out.Replies, r)
		return
	}
	switch c.Kind {
	case RunBehavior:
		cell := e.cells[c.ID]
		if cell == nil {
			r.Err = unknown("behavior", c.ID, e.catalog.IDs())
			break
		}
		if r.Err = unusable(cell.Node); r.Err != "" {
			break
		}
		e.execute(cell.Node, c.Times)
		r.Text = "running " + c.ID
	case Cancel:
		e.toBoot()
		r.Text = "back to " + e.boot.base.ID
	case SetStage:
		r.Text, r.Err = e.setStage(c.Stage)
	case SetBoot:
		cell := e.cells[c.ID]
		if cell == nil {
			r.Err = unknown("behavior", c.ID, e.catalog.IDs())
			break
		}
		e.setBoot(cell.Node, c.Now)
		r.Text = "the boot behavior is " + c.ID
	case BeginSelfTest:
		r.Text, r.Err = e.beginSelfTest()
	case EndSelfTest:
		r.Text, r.Err = e.endSelfTest()
	case SetChecks:
		e.unchecked = !c.On
		r.Text = map[bool]string{true: "invariants are checked", false: "invariants are not checked"}[c.On]
	case SetVar:
		r.Text, r.Err = e.setVar(c.ID, c.Value)
	case SetFeature:
		r.Text, r.Err = e.feature.override(c.ID, c.Force)
	case SetReaction:
		r.Text, r.Err = e.choose(c.ID, c.To)
	case PostIntent:
		intent := e.gated(&c)
		if err := e.intents.post(intent); err != "" {
			r.Err = err
			break
		}
		e.closeStream() // a command was heard
		r.Text = "intent " + intent.Tag + " is pending"
	case WakeWord:
		r.Text = e.triggerWord(c.EndsMute)
	case EStop:
		r.Text = e.emergencyStop(c.Stop)
	case Resume:
		r.Text, r.Err = e.resume(c.Stop)
	case Reload:
		r.Text, r.Err = e.reload(&c)
	case CancelActions:
		e.cancelActions()
		r.Text = "actions cancelled"
	case DoAction:
		r.Text, r.Err = e.operator.do(e, &c)
	case SteerBody:
		r.Text, r.Err = e.steer.order(e, &c)
	case CancelAction:
		r.Text, r.Err = e.operator.cancel(e, c.Tag)
	default:
		r.Err = fmt.Sprintf("unknown command %d", c.Kind)
	}
	e.out.Replies = append(e.out.Replies, r)
}

// unknown words a mistaken name with the nearest valid one.
func unknown(kind, name string, names []string) string {
	return resources.Unknown(kind, name, names).Error()
}

// events freezes the batch and hands each subscriber its own (T-12).
func (e *Engine) events(in []behaviors.Event) {
	all := append(in[:len(in):len(in)], e.raised...)
	if over := len(all) - maxEvents; over > 0 {
		e.out.Dropped = over
		all = withoutOldest(all, over)
	}
	for _, c := range e.heard {
		c.events = c.events[:0]
	}
	e.heard = e.heard[:0]
	for _, ev := range all {
		for _, c := range e.byEvent[ev.Name()] {
			c.Node.Nudge() // whether or not in scope now: who enters scope in this tick sees its events too (T-6, T-10)
			if len(c.events) == 0 {
				e.heard = append(e.heard, c)
			}
			c.events = append(c.events, ev)
		}
	}
}

// withoutOldest leaves out the n events that happened first, whatever their source, and keeps the order of the rest.
func withoutOldest(all []behaviors.Event, n int) []behaviors.Event {
	byAge := make([]int, len(all))
	for i := range byAge {
		byAge[i] = i
	}
	slices.SortStableFunc(byAge, func(a, b int) int { return all[a].At.Compare(all[b].At) })
	kept := byAge[n:]
	slices.Sort(kept)
	rest := make([]behaviors.Event, len(kept))
	for i, k := range kept {
		rest[i] = all[k]
	}
	return rest
}

// recover decides who takes over when the stack is empty: the operator's behavior runs once more, or the boot behavior is back; the
// fallback takes its place when that failed too often.
func (e *Engine) recover() {
	if e.stack.Depth() > 0 {
		return
	}
	next := e.stack.Pending() // a cycle was broken just now
	if next == nil {
		next = e.successor()
	}
	if next.Disabled() {
		if f := e.cells[e.catalog.Boot.Fallback]; f != nil {
			next = f.Node
		}
	}
	if next.Disabled() {
		e.revive(next)
	}
	if e.stack.Base() != next || e.stack.Pending() != nil {
		_ = e.stack.ResetNext(next)
	}
}

// revive gives a base that failed too often another chance a while after its last failure: there is never no behavior for
// good.
func (e *Engine) revive(n *stack.Node) {
	c := n.Data.(*Cell)
	if k := len(c.failures); k > 0 && e.view.Now.Sub(c.failures[k-1]) < failureWindow {
		return
	}
	c.own().failures = nil
	e.stack.Revive(n)
}

// act is the action phase: cancelled ones report, then every queue is stepped once (TICK-2).
func (e *Engine) act() {
	e.env.Now, e.env.World, e.env.Seed, e.env.Tick = e.view.Now, e.view.World, e.seed, e.out.Tick
	e.env.Animations = e.catalog.Animations
	e.waiting = append(append(e.waiting[:0], e.early...), e.actions.Update(&e.env)...)
	e.early = e.early[:0]
	for _, cmd := range e.actions.TakeCommands() {
		e.fromAction(cmd)
	}
	e.out.Done = append(e.out.Done, e.waiting...)
}

// fromAction takes a command of an action. What it shows reaches the devices through the layers of face and lights.
func (e *Engine) fromAction(cmd hardware.Command) {
	switch c := cmd.(type) {
	case hardware.ShowFace:
		e.face.fromAction(c)
	case hardware.SetLights:
		e.lights.fromAction(c)
	default:
		e.send(cmd)
	}
}

// finish takes the events and checks the invariants.
func (e *Engine) finish() *Output {
	e.out.Events = e.stack.TakeEvents(e.out.Events)
	e.states.take(&e.out)
	e.out.Violations = nil
	if !e.unchecked {
		e.out.Violations = e.check(e.stack)
	}
	return &e.out
}

// ResetNow pops the stack from the top at once, between two ticks, and leaves the named behavior to the next tick as its base
// (L-26): for a change that must not wait, where RunBehavior is carried out by the next tick. An unknown name is an error, and so is a reset
// during an emergency stop.
func (e *Engine) ResetNow(base string) (*Output, error) {
	c := e.cells[base]
	if c == nil {
		return nil, errors.New("engine: " + unknown("behavior", base, e.catalog.IDs()))
	}
	if e.halted {
		return nil, errors.New("engine: " + resumeFirst)
	}
	if e.recorder != nil {
		e.recorder.Begin(Call{Kind: CallReset, Base: base})
	}
	e.out = Output{Tick: e.view.Tick}
	e.boot.next, e.boot.run, e.boot.testing = nil, nil, false // what they waited for is over
	_ = e.stack.ResetNow(c.Node)                              // the base is known, and no hook runs
	e.out.Events = e.stack.TakeEvents(nil)
	e.states.take(&e.out)
	e.recorded(&e.out)
	return &e.out, nil
}

// Shutdown pops the stack from the top and cancels every action; the output holds the last events and commands.
func (e *Engine) Shutdown() *Output {
	if e.recorder != nil {
		e.recorder.Begin(Call{Kind: CallShutdown})
	}
	e.out = Output{Tick: e.view.Tick}
	_ = e.stack.Shutdown()
	e.actions.Clear()
	for _, cmd := range e.actions.TakeCommands() {
		e.fromAction(cmd)
	}
	e.send(hardware.StopWheels{})
	e.out.Events = e.stack.TakeEvents(nil)
	e.states.take(&e.out)
	e.recorded(&e.out)
	return &e.out
}
