package dispatch

import (
	"fmt"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
)

// A StateMachine gives control to the behavior of its present state, and changes state when a condition of that state is met
// (P-9). It remembers its state when it loses control, and goes on with it when it gets control back; it ends by itself only in
// a state that says cancelSelf.
//
// Its Update checks the transitions, which break the present state. The steps of a state (put down what the robot carries, get in, then
// the behavior) are a chain of callbacks.
type StateMachine struct {
	params machineParams

	now     int    // present state, or none before the first activation
	carries []bool // by state: its behavior may be activated while carrying
	phase   phase
	claimed bool        // the intent of the present state
	entered time.Time   // the present state, moved on by every pause
	left    time.Time   // the newest deactivation
	began   time.Time   // the first activation
	lefts   []time.Time // by state: when it was left last; zero if never
}

// phase is the step of the present state that runs.
type phase uint8

const (
	phaseIdle    phase = iota
	phasePutDown       // of a carried object; no transition breaks it
	phaseGetIn         // only interrupting transitions break it
	phaseMain          // the state's behavior
)

// suggestionTicks is how old a post-behavior suggestion may be to decide where a machine resumes.
const suggestionTicks = 5

// StateMachineClass is the class StateMachine.
func StateMachineClass() behaviors.Class {
	return behaviors.Class{
		Name: "StateMachine",
		Doc:  "Gives control to the behavior of its present state; conditions change the state.",
		New:  func(cfg *behaviors.Config) behaviors.Behavior { return NewStateMachine(cfg, nil) },
	}
}

// Modify lets the machine run anywhere; its states decide what it does there.
func (m *StateMachine) Modify(mods *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	mods.WhenCarryingObject, mods.WhenOffTreads, mods.WhenOnCharger, mods.AlwaysDelegates = true, true, true, false
	for i := range m.carries {
		b := m.params.States[i].Behavior
		m.carries[i] = b == "" || of(b).WhenCarryingObject
	}
}

// State is the name of the present state; empty before the first activation.
func (m *StateMachine) State() string {
	if m.now == none {
		return ""
	}
	return m.params.States[m.now].Name
}

// OnActivated enters the initial state the first time. Later it resumes, without get-in and without a reset of the state's timer: in the
// state that it was in, in the replacement of that state, or in the state that a behavior suggested just now.
func (m *StateMachine) OnActivated(c *behaviors.Control) {
	if m.now == none {
		m.enter(c, m.params.initial, false)
		return
	}
	last := m.now
	to := m.resumeAt(c)
	if to == last {
		m.entered = m.entered.Add(c.Now().Sub(m.left)) // the pause does not count
	} else {
		m.entered = c.Now()
	}
	m.enter(c, to, true)
}

// resumeAt returns the state to resume in, and uses the suggestions up.
func (m *StateMachine) resumeAt(c *behaviors.Control) int {
	to := m.now
	if r, ok := m.params.replace[to]; ok {
		to = r
	}
	if len(m.params.suggest) == 0 {
		return to
	}
	newest, found := uint64(0), ""
	for word := range m.params.suggest {
		at, offered := c.View().Suggestions[word]
		if !offered || c.Tick()-at > suggestionTicks {
			continue
		}
		if found == "" || at > newest || at == newest && word < found {
			newest, found = at, word
		}
	}
	if found != "" {
		to = m.params.suggest[found]
	}
	c.ClearSuggestions()
	return to
}

// OnDeactivated leaves the state and remembers it.
func (m *StateMachine) OnDeactivated(c *behaviors.Control) {
	m.left = c.Now()
	m.leave(c)
}

// UpdateWhileActivated makes at most one transition: the first one in the order of the file whose condition is met.
func (m *StateMachine) UpdateWhileActivated(c *behaviors.Control) {
	if c.Stopping() || m.phase == phasePutDown && c.IsControlDelegated() {
		return
	}
	s := &m.params.States[m.now]
	if m.follow(c, s.byForce) || m.phase == phaseGetIn && c.IsControlDelegated() {
		return
	}
	if c.CanInterruptGently() && m.follow(c, s.politely) {
		return
	}
	if c.IsControlDelegated() || m.follow(c, s.atEnd) {
		return
	}
	m.main(c)
}

// follow makes the first transition whose condition is met.
func (m *StateMachine) follow(c *behaviors.Control, ts []transition) bool {
	for i := range ts {
		t := &ts[i]
		if !t.when.Met(c.View()) {
			continue
		}
		if t.event != "" {
			c.Emotions().Trigger(t.event)
		}
		again := t.to == m.now // a restart is a return, with the clock running on
		m.leave(c)
		c.CancelDelegates()
		if !again {
			m.entered = c.Now()
		}
		m.enter(c, t.to, again)
		return true
	}
	return false
}

// leave makes the present state's conditions inactive and releases its intent.
func (m *StateMachine) leave(c *behaviors.Control) {
	s := &m.params.States[m.now]
	s.setActive(c, false)
	m.lefts[m.now] = c.Now()
	if m.claimed {
		c.Intents().Release()
	}
	m.claimed, m.phase = false, phaseIdle
}

// enter begins a state. When it resumes, it leaves out get-in and timer.
func (m *StateMachine) enter(c *behaviors.Control, to int, resuming bool) {
	if m.now == none {
		m.entered, m.began = c.Now(), c.Now()
	}
	m.now = to
	s := &m.params.States[to]
	c.SetState(s.Name)
	if p := c.View().Intent.Pending; p != nil && p.Tag == s.Intent {
		_, m.claimed = c.Intents().Claim(s.Intent)
	}
	s.setActive(c, true)
	m.phase = phaseIdle
	if s.Least > noLeast && !resuming {
		c.Emotions().AtLeast(condition.Stimulated, s.Least)
	}
	switch {
	case s.Behavior == "": // ends below
	case m.start(c, phasePutDown, m.needPutDown(), m.putDownDone):
	case !resuming && m.start(c, phaseGetIn, s.GetIn, m.getInDone):
	default:
		m.main(c)
	}
	if s.Timer != "" && !resuming {
		c.ResetTimer(s.Timer)
	}
	if s.Behavior == "" {
		c.CancelSelf()
	}
}

// needPutDown returns the behavior that puts down the carried object, if the state's own behavior may not run with it.
func (m *StateMachine) needPutDown() string {
	if m.carries[m.now] {
		return ""
	}
	return m.params.PutDown
}

// start delegates to a behavior of the present state, if there is one and it wants control.
func (m *StateMachine) start(c *behaviors.Control, p phase, id string, then behaviors.Callback) bool {
	if id == "" || !c.Wants(id) || !c.DelegateTo(id, then) {
		return false
	}
	m.phase = p
	return true
}

// putDownDone goes on as after a fresh entry into the state, even on a resume.
func (m *StateMachine) putDownDone(c *behaviors.Control, _ behaviors.Outcome) {
	if !m.start(c, phaseGetIn, m.params.States[m.now].GetIn, m.getInDone) {
		m.main(c)
	}
}

func (m *StateMachine) getInDone(c *behaviors.Control, _ behaviors.Outcome) { m.main(c) }

// main starts the state's behavior. If that does not want control the machine is idle, and asks again in every Update.
func (m *StateMachine) main(c *behaviors.Control) {
	m.phase = phaseIdle
	m.start(c, phaseMain, m.params.States[m.now].Behavior, nil)
}

// inState is how long the present state has been active at now, pauses left out.
func (m *StateMachine) inState(now time.Time) time.Duration {
	return now.Sub(m.entered)
}

// leftAgo is how long ago a state was left, by name; false if it never was.
func (m *StateMachine) leftAgo(name string, now time.Time) (ago time.Duration, ever bool) {
	i := m.params.index(name)
	if i == none || m.lefts[i].IsZero() {
		return 0, false
	}
	return now.Sub(m.lefts[i]), true
}

func (s *state) setActive(c *behaviors.Control, active bool) {
	for list, ts := range [][]transition{s.byForce, s.politely, s.atEnd} {
		for i := range ts {
			c.Vision().SetConditionActive(fmt.Sprint(list, "/", i), ts[i].when, active)
		}
	}
}
