package behaviors

import (
	"strconv"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// An Instance is one incarnation of a behavior: the author's value with the base layer around it. It is touched only by
// the goroutine that runs its hook, and by the engine while no hook of it runs; a lost incarnation is dropped whole.
type Instance struct {
	// What every Update reads comes first.
	updater    Updater
	active     ActivatedUpdater
	cancels    []condition.Condition
	takesNone  bool // plain questions
	takesData  bool // questions with data
	activated  bool
	activating bool  // in its OnActivated
	cancelled  bool  // the delegate was cancelled with its callback kept
	looked     bool  // SetLook replaced what the modifiers say
	intentAt   int16 // of what the behavior responds to, in wants, from 1; 0 if it does not respond to intents

	ID    string
	Class *Class

	impl   Behavior
	wanter Wanter // nil if the class has no answer of its own
	wants  []condition.Condition
	heard  *heard // nil if it subscribes no event
	*keys

	mods        Modifiers
	activatedAt time.Time
	callback    Callback
	outcome     *Outcome // of an earlier delegate, which callback is of; nil if there is none. Never modified
	state       string
	decline     Decline // why it said no to the newest question
	reason      *Reason // of the class, for its newest answer; nil until it gives one
}

// intent is the condition by which the behavior responds to intents, one of wants; nil if it does not.
func (i *Instance) intent() *condition.UserIntentPending {
	if i.intentAt == 0 {
		return nil
	}
	return i.wants[i.intentAt-1].(*condition.UserIntentPending)
}

// respond makes p that condition.
func (i *Instance) respond(p *condition.UserIntentPending) {
	i.wants = append(i.wants, p)
	i.intentAt = int16(len(i.wants))
}

// heard is what a behavior subscribes.
type heard struct {
	names    []string                  // of events
	handlers []func(*Control, Payload) // set up by On, each for its type
}

// subscriptions is the behavior's own heard.
func (i *Instance) subscriptions() *heard {
	if i.heard == nil {
		i.heard = &heard{}
	}
	return i.heard
}

// Impl is the author's value, for tests and for behaviors that pass data to their delegates.
func (i *Instance) Impl() Behavior { return i.impl }

// Modifiers are the operation modifiers, complete after every Init.
func (i *Instance) Modifiers() Modifiers { return i.mods }

// State is the debug state name.
func (i *Instance) State() string { return i.state }

// HasUpdate reports whether an Update in scope has anything to run.
func (i *Instance) HasUpdate() bool { return i.updater != nil }

// Idle reports whether an Update of an activated behavior would do nothing: no hook, no event, no callback due, no cancel
// condition, and no reason to end. The engine then skips the call.
func (i *Instance) Idle(f Facts, events int) bool {
	return i.updater == nil && i.active == nil && events == 0 && len(i.cancels) == 0 &&
		(f.Delegated || i.callback == nil && !i.mods.AlwaysDelegates && !f.Stopping)
}

// Run runs one hook with its base-layer frame. It is the only way into a behavior.
func (i *Instance) Run(c *Control, inv *Invocation) {
	c.inv, c.rng = inv, nil
	switch inv.Hook {
	case stack.HookInit:
		if h, ok := i.impl.(Initer); ok {
			h.Init(c)
		}
	case stack.HookEnteredScope:
		i.look(c, i.mods.LookInScope)
		i.setActive(labelWants, i.wants, c, true)
		if h, ok := i.impl.(ScopeEnterer); ok {
			h.OnEnteredScope(c)
		}
	case stack.HookWants:
		inv.Answer = i.answer(c, int(inv.From), inv.Data)
	case stack.HookActivated:
		i.activate(c, inv.Resumed)
	case stack.HookUpdate:
		i.update(c)
	case stack.HookDeactivated:
		i.deactivate(c)
	case stack.HookLeftScope:
		i.look(c, hardware.Look{})
		i.setActive(labelWants, i.wants, c, false)
		if h, ok := i.impl.(ScopeLeaver); ok {
			h.OnLeftScope(c)
		}
	case stack.HookModify:
		if m, ok := i.impl.(Modifier); ok {
			i.modify(c, inv, m)
		}
	}
}

// Plain reports whether a hook runs no code of an author and makes no request, so that it may run on any goroutine while no other hook of
// the behavior does.
func (i *Instance) Plain(h stack.Hook) bool {
	switch h {
	case stack.HookInit:
		_, own := i.impl.(Initer)
		return !own
	case stack.HookEnteredScope:
		_, own := i.impl.(ScopeEnterer)
		return !own && i.sightless()
	case stack.HookLeftScope:
		_, own := i.impl.(ScopeLeaver)
		return !own && i.sightless()
	}
	return false
}

// sightless reports whether neither the behavior nor one of its gates asks for anything to be seen, and no gate is of an author.
func (i *Instance) sightless() bool {
	for _, w := range i.wants {
		if !condition.Own(w) || !condition.Looks(w).Empty() {
			return false
		}
	}
	return !i.looks()
}

// IsHelper reports whether the behavior is a helper.
func (i *Instance) IsHelper() bool {
	_, ok := i.impl.(Helper)
	return ok
}

// activate is B-11, in order. A resumed behavior differs in its hook only.
func (i *Instance) activate(c *Control, resumed bool) {
	i.activated, i.activatedAt = true, c.inv.View.Now
	i.forget()
	if p := i.intent(); p != nil {
		c.Intents().Claim(p.Matched()) // before its condition forgets the match; to have none is refused and recorded
	}
	if i.locks != 0 {
		c.Tracks().Lock(locksKey, i.locks)
	}
	if i.face != "" {
		c.Face().Hold(i.face)
	}
	i.answerWord(c)
	if active := i.mods.LookActive; !active.Empty() {
		i.look(c, active)
	} else {
		i.look(c, i.mods.LookInScope)
	}
	i.setActive(labelWants, i.wants, c, false)
	i.setActive(labelCancels, i.cancels, c, true)
	for _, t := range i.timers {
		c.ResetTimer(t)
	}
	if i.life.emotion != "" {
		c.Emotions().Trigger(i.life.emotion)
	}
	if i.mods.Cube != CubeNone {
		c.do(Request{Kind: ReqSubscribeCube, Args: CubeSubscription{i.mods.Cube, i.mods.CubeInBackground}})
	}
	i.activating = true
	if h, ok := i.impl.(Resumer); ok && resumed {
		h.OnResumed(c)
	} else if h, ok := i.impl.(Activator); ok {
		h.OnActivated(c)
	}
	i.activating = false
}

// deactivate is B-12, in order. What the engine holds for the behavior is released by requests, and released again by the
// engine itself if this incarnation fails on the way.
func (i *Instance) deactivate(c *Control) {
	i.activated = false
	if h, ok := i.impl.(Deactivator); ok {
		h.OnDeactivated(c)
	}
	c.do(Request{Kind: ReqReleaseDelegate})
	i.forget()
	i.look(c, i.mods.LookInScope)
	i.setActive(labelWants, i.wants, c, true)
	i.setActive(labelCancels, i.cancels, c, false)
	c.do(Request{Kind: ReqReleaseHoldings, Key: i.suggest})
}

// update is T-13: handlers, callback, hook, then the decision to end.
func (i *Instance) update(c *Control) {
	for _, e := range c.inv.Events {
		i.handle(c, e)
	}
	i.runCallback(c)
	if i.updater != nil {
		i.updater.Update(c)
	}
	if i.activated && i.active != nil {
		i.active.UpdateWhileActivated(c)
	}
	if !i.activated {
		return
	}
	end := (i.mods.AlwaysDelegates || c.inv.Facts.Stopping) && !c.IsControlDelegated()
	for _, w := range i.cancels { // all of them, always (T-13)
		if w.Met(c.inv.View) {
			end = true
		}
	}
	if end {
		c.CancelSelf()
	}
}

// handle delivers one event; which of the last handlers it goes to is decided after those before it (T-12).
func (i *Instance) handle(c *Control, e Event) {
	if i.heard != nil {
		for _, h := range i.heard.handlers {
			h(c, e.Payload)
		}
	}
	if h, ok := i.impl.(AlwaysHandler); ok {
		h.AlwaysHandle(c, e)
	}
	if i.activated {
		if h, ok := i.impl.(ActivatedHandler); ok {
			h.HandleWhileActivated(c, e)
		}
	} else if h, ok := i.impl.(InScopeHandler); ok {
		h.HandleWhileInScope(c, e)
	}
}

// runCallback calls the callback if it is due (C-7). It clears the callback before the call, so that the callback may delegate again.
func (i *Instance) runCallback(c *Control) {
	if !i.activated || i.callback == nil || c.IsControlDelegated() {
		return
	}
	i.hold(c.inv.Done)
	then, outcome := i.callback, i.outcome
	i.forget()
	then(c, *outcome)
}

// hold stores the outcome that the stored callback will get, unless one is stored already.
func (i *Instance) hold(ended *Outcome) {
	if i.outcome != nil {
		return
	}
	if ended == nil {
		ended = &Outcome{}
	}
	if i.cancelled {
		ended = &Outcome{Ended: EndedCancelled, Completion: ended.Completion}
	}
	i.outcome, i.cancelled = ended, false
}

// forget drops the stored callback and its outcome.
func (i *Instance) forget() {
	i.callback, i.cancelled, i.outcome = nil, false, nil
}

// look changes the behavior's own subscription of vision (B-22). A behavior that never looks sends no request.
func (i *Instance) look(c *Control, l hardware.Look) {
	if i.looks() {
		i.looked = false
		c.look("", l)
	}
}

// looks reports whether the behavior has a subscription of its own, or will have one.
func (i *Instance) looks() bool {
	return i.looked || !i.mods.LookInScope.Empty() || !i.mods.LookActive.Empty()
}

// Labels under which the conditions of the base layer subscribe to vision.
const labelWants, labelCancels = "wants", "cancels"

func (i *Instance) setActive(label string, cs []condition.Condition, c *Control, active bool) {
	for n, w := range cs {
		if look, sees := c.setActive(w, active); sees {
			c.look(label+strconv.Itoa(n), look)
		}
	}
}

// Subscriptions are the names of the events that the behavior wants to see: what it said when it was made, and since its Init what it
// said there. Read by the engine after Init.
func (i *Instance) Subscriptions() []string {
	if i.heard == nil {
		return nil
	}
	return i.heard.names
}

// HasModify reports whether class code computes operation modifiers.
func (i *Instance) HasModify() bool {
	_, ok := i.impl.(Modifier)
	return ok
}

// modify lets class code compute the operation modifiers: once on top of what JSON said (B-5, L-1), once alone, which is
// what other behaviors see of them whatever JSON says (P-3). Each other behavior is asked once.
func (i *Instance) modify(c *Control, inv *Invocation, class Modifier) {
	said := map[string]Modifiers{}
	of := func(id string) Modifiers {
		m, ok := said[id]
		if !ok {
			m = DefaultModifiers()
			if r := c.do(Request{Kind: ReqModifiers, ID: id}); r.OK {
				m = r.Modifiers
			}
			said[id] = m
		}
		return m
	}
	code := DefaultModifiers()
	class.Modify(&code, of)
	inv.Code = &code
	class.Modify(&i.mods, of)
}

// Feature is the product feature that runs while the behavior is on the stack: empty if it does not say, NoFeature if it says
// that it is none.
func (i *Instance) Feature() string { return i.life.feature }

// Stat is the counter that every activation increments; empty for none.
func (i *Instance) Stat() string { return i.life.stat }
