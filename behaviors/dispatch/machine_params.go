package dispatch

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

type machineParams struct {
	States      []state      `key:"states" doc:"the states; one is the present state"`
	Initial     string       `key:"initialState" doc:"state of the first activation"`
	Timers      []stateTimer `key:"stateTimerConditions" default:"" why:"not every transition depends on time" doc:"conditions over the time in the present state"`
	Definitions []definition `key:"transitionDefinitions" default:"" why:"a machine of one state changes to no other" doc:"which state follows which"`
	PutDown     string       `key:"putDownBehavior" delegate:"true" default:"" why:"most machines never carry anything" doc:"puts down a carried object before a state whose behavior may not carry"`
	Replace     *names       `key:"resumeReplacements" default:"none" why:"most states can be resumed" doc:"state to resume in, by the state that lost control"`
	Suggest     *names       `key:"postBehaviorSuggestionResumeOverrides" default:"none" why:"few behaviors suggest what comes next" doc:"state to resume in, by the suggestion of a behavior that ended"`
	Silent      bool         `key:"ignoreMissingTransitions" default:"false" why:"a state that nothing leads to is hardly meant" doc:"says that it is"`

	// What the names mean.
	initial int
	replace map[int]int
	suggest map[string]int
}

const (
	anyState  = "*" // from every state
	maxStates = 256 // bounds the checks that compare states with states
)

// Check bounds the number of states.
func (p *machineParams) Check(o *resources.Object, _ *behaviors.Config) {
	list, _ := o.Optional("states")
	if n := len(p.States); list.Kind() == resources.KindArray && (n == 0 || n > maxStates) {
		o.KeyErrorf("states", codeState, "has %d states; a machine has 1 to %d", n, maxStates)
		p.States = p.States[:min(n, maxStates)]
	}
}

// noLeast is the ensureMinStimValue that raises nothing.
const noLeast = -1

// A state is one state of a StateMachine.
type state struct {
	Name     string  `key:"name" doc:"name that transitions use"`
	Behavior string  `key:"behavior" delegate:"true" default:"" why:"a state may end the machine instead (cancelSelf)" doc:"has control in this state"`
	GetIn    string  `key:"getInBehavior" delegate:"true" default:"" why:"most states begin at once" doc:"runs before the behavior, unless the machine resumes"`
	Timer    string  `key:"resetBehaviorTimer" ref:"timer" default:"" why:"few states have a timer that others read" doc:"timer that the beginning of the state sets"`
	Intent   string  `key:"activateIntent" ref:"intent" default:"" why:"few states answer an intent" doc:"intent that is claimed if it is pending"`
	Least    float64 `key:"ensureMinStimValue" range:"-1..1" default:"-1" why:"few states wake the robot up; -1 raises nothing" doc:"the least stimulation with which the state begins"`
	Ends     bool    `key:"cancelSelf" default:"false" why:"most states have a behavior" doc:"the machine ends in this state"`

	at       *resources.Object
	byForce  []transition
	politely []transition
	atEnd    []transition
}

// Check wants a name, and either a behavior or the end.
func (s *state) Check(o *resources.Object, _ *behaviors.Config) {
	s.at = o
	o.Declare("debugColor")
	o.Describe("debugColor", "accepted without effect")
	switch {
	case s.Ends && s.Behavior != "":
		o.KeyErrorf("cancelSelf", codeState, "state %q has a behavior; keep one of the two", s.Name)
	case !s.Ends && s.Behavior == "":
		o.Errorf(o.Pos(), codeState, `%s: state %q needs "behavior" or "cancelSelf": true`, o.Path(), s.Name)
	}
	if s.Name == anyState || s.Name == "" && o.Has("name") {
		o.KeyErrorf("name", codeState, "%q is no name for a state", s.Name)
	}
}

// A stateTimer is a condition over the time in the present state.
type stateTimer struct {
	Name  string        `key:"name" doc:"name of the condition"`
	Begin time.Duration `key:"begin_s" doc:"met after so long in the present state"`

	at *resources.Object
}

// Check keeps the place.
func (t *stateTimer) Check(o *resources.Object, _ *behaviors.Config) { t.at = o }

// A definition lists the transitions from some states.
type definition struct {
	ByForce  []transitionParams `key:"interruptingTransitions" default:"" why:"a definition may have any of the three lists" doc:"followed at any moment"`
	Politely []transitionParams `key:"nonInterruptingTransitions" default:"" why:"a definition may have any of the three lists" doc:"followed when the behavior may be interrupted gently"`
	AtEnd    []transitionParams `key:"exitTransitions" default:"" why:"a definition may have any of the three lists" doc:"followed when the behavior has ended"`

	at   *resources.Object
	all  bool // from every state
	from []string
}

// Check reads "from": the name of a state, "*" for all, or a list of names.
func (d *definition) Check(o *resources.Object, _ *behaviors.Config) {
	d.at = o
	o.Describe("from", `name of a state, a list of names, or "*" for all states`)
	v := o.Required("from")
	switch v.Kind() {
	case resources.KindMissing:
	case resources.KindArray:
		if d.from = o.Strings("from"); len(d.from) == 0 {
			o.KeyErrorf("from", codeState, `the list is empty; name a state, or write "*" for all of them`)
		}
	default:
		name := o.String("from")
		d.all = name == anyState
		if !d.all && v.Kind() == resources.KindString {
			d.from = []string{name}
		}
	}
}

// transitionParams are a transition as a file gives it.
type transitionParams struct {
	To    string `key:"to" doc:"the state that follows"`
	When  names  `key:"condition" doc:"when it does; customCondition may name a stateTimerCondition"`
	Event string `key:"emotionEvent" ref:"emotionEvent" default:"" why:"most transitions leave the mood alone" doc:"raised before the change"`

	at *resources.Object
}

// Check keeps the place.
func (t *transitionParams) Check(o *resources.Object, _ *behaviors.Config) { t.at = o }

// A transition leads from one state to another once its condition is met.
type transition struct {
	to    int
	when  condition.Condition
	event string
}

// names is an object that is read when all states are known.
type names struct{ at *resources.Object }

// ReadObject implements param.ObjectReader.
func (n *names) ReadObject(o *resources.Object, _ *behaviors.Config) { n.at = o }
