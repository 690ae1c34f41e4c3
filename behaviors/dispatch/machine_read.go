package dispatch

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// A transition leads from one state to another once its condition is met.
type transition struct {
	to    int
	when  condition.Condition
	event string // emotionEvent, raised before the change
}

// Codes of diagnostics about state machines.
const (
	codeState      = "states-invalid"    // an impossible state or transition
	codeSuspicious = "states-suspicious" // warning: possible, but hardly meant
	anyState       = "*"                 // from every state
	maxStates      = 256                 // bounds the checks that compare states with states
)

// NewStateMachine reads a StateMachine. Transitions may name the custom conditions, besides the stateTimerConditions of the file;
// custom may be nil.
func NewStateMachine(cfg *behaviors.Config, custom map[string]condition.Condition) *StateMachine {
	m := &StateMachine{now: none, replace: map[int]int{}, suggest: map[string]int{}}
	r := machineReader{m: m, cfg: cfg, states: m.readStates(cfg), custom: map[string]condition.Condition{}}
	for name, c := range custom {
		r.custom[name] = c
	}
	r.timers()
	r.transitions()
	m.initial = r.state(cfg.Object, "initialState", cfg.String("initialState"))
	r.resumes()
	m.putDown = cfg.DelegateOr("putDownBehavior", "")
	cfg.Declare("use_debug_lights", "emotionEvent") // earlier files have them; they have no effect here
	r.warn()
	return m
}

func (m *StateMachine) readStates(cfg *behaviors.Config) []*resources.Object {
	list := cfg.Objects("states")
	if cfg.Has("states") && (len(list) == 0 || len(list) > maxStates) {
		cfg.KeyErrorf("states", codeState, "has %d states; a machine has 1 to %d", len(list), maxStates)
		list = list[:min(len(list), maxStates)] // the checks below compare states with states
	}
	for _, o := range list {
		s := state{
			name:     o.String("name"),
			behavior: o.RefOr("behavior", behaviors.RefBehavior, ""),
			getIn:    o.RefOr("getInBehavior", behaviors.RefBehavior, ""),
			timer:    o.RefOr("resetBehaviorTimer", behaviors.RefTimer, ""),
			intent:   o.RefOr("activateIntent", behaviors.RefIntent, ""),
		}
		o.Declare("debugColor")
		if o.FloatRangeOr("ensureMinStimValue", -1, -1, 1) > 0 {
			o.KeyWarnf("ensureMinStimValue", codeSuspicious, "has no effect: emotions are moved by events only; give the transition an emotionEvent")
		}
		cfg.MayDelegateTo(s.behavior, s.getIn)
		switch ends := o.BoolOr("cancelSelf", false); {
		case ends && s.behavior != "":
			o.KeyErrorf("cancelSelf", codeState, "state %q has a behavior; keep one of the two", s.name)
		case !ends && s.behavior == "":
			o.Errorf(o.Pos(), codeState, `%s: state %q needs "behavior" or "cancelSelf": true`, o.Path(), s.name)
		}
		if s.name == anyState || s.name == "" && o.Has("name") {
			o.KeyErrorf("name", codeState, "%q is no name for a state", s.name)
		}
		if m.index(s.name) != none {
			o.KeyErrorf("name", codeState, "there is a state %q already", s.name)
		}
		o.Finish()
		m.states = append(m.states, s)
	}
	return list
}

// index is the number of a state, or none.
func (m *StateMachine) index(name string) int {
	return slices.IndexFunc(m.states, func(s state) bool { return s.name == name })
}

func (m *StateMachine) names() []string {
	names := make([]string, len(m.states))
	for i := range m.states {
		names[i] = m.states[i].name
	}
	return names
}

// machineReader reads what refers to states.
type machineReader struct {
	m       *StateMachine
	cfg     *behaviors.Config
	states  []*resources.Object
	custom  map[string]condition.Condition
	reached []bool // states that something leads to

	timersLeft map[string]*resources.Object // stateTimerConditions that nothing refers to so far
}

// state resolves the name of a state that stands at a key; none after an error.
func (r *machineReader) state(o *resources.Object, key, name string) int {
	if i := r.m.index(name); i != none {
		return i
	}
	if name != "" || o.Has(key) {
		r.unknown(o, o.ValuePos(key), key, name)
	}
	return none
}

func (r *machineReader) unknown(o *resources.Object, at resources.Pos, key, name string) {
	o.Report(resources.Diagnostic{
		Line: at.Line, Col: at.Col, Severity: resources.Error, Code: codeState,
		Message: fmt.Sprintf("%s: there is no state %q", key, name), Hint: resources.DidYouMean(name, r.m.names()),
	})
}

// timers reads the conditions over the time in the present state.
func (r *machineReader) timers() {
	r.timersLeft = map[string]*resources.Object{}
	for _, o := range r.cfg.ObjectsOr("stateTimerConditions") {
		name, begin := o.String("name"), o.Seconds("begin_s")
		o.Finish()
		if _, taken := r.custom[name]; taken {
			o.KeyErrorf("name", codeState, "there is a condition %q already", name)
			continue
		}
		r.custom[name] = r.m.timer(name, begin)
		r.timersLeft[name] = o
	}
}

// timer is met once the present state has been active for so long.
func (m *StateMachine) timer(name string, begin time.Duration) condition.Condition {
	return condition.Func(name, func(v *condition.View) bool { return m.inState(v.Now) >= begin })
}

func (r *machineReader) transitions() {
	r.reached = make([]bool, len(r.m.states))
	for _, o := range r.cfg.ObjectsOr("transitionDefinitions") {
		from := r.from(o)
		for _, list := range []struct {
			key string
			of  func(s *state) *[]transition
		}{
			{"interruptingTransitions", func(s *state) *[]transition { return &s.byForce }},
			{"nonInterruptingTransitions", func(s *state) *[]transition { return &s.politely }},
			{"exitTransitions", func(s *state) *[]transition { return &s.atEnd }},
		} {
			for _, t := range o.ObjectsOr(list.key) {
				r.transition(t, from, list.of)
			}
		}
		o.Finish()
	}
}

// from reads which states a definition is about: a name, "*" for all, or a list of names.
func (r *machineReader) from(o *resources.Object) []int {
	v := o.Required("from")
	names := []string{}
	switch {
	case v.Kind() == resources.KindMissing:
		return nil
	case v.Kind() == resources.KindArray:
		if names = o.Strings("from"); len(names) == 0 {
			o.KeyErrorf("from", codeState, `the list is empty; name a state, or write "*" for all of them`)
		}
	default:
		name := o.String("from")
		if name == anyState {
			all := make([]int, len(r.m.states))
			for i := range all {
				all[i] = i
			}
			return all
		}
		if v.Kind() == resources.KindString {
			names = []string{name}
		}
	}
	var from []int
	for _, name := range names {
		if i := r.m.index(name); i != none {
			from = append(from, i)
		} else {
			r.unknown(o, o.ValuePos("from"), "from", name)
		}
	}
	return from
}

// transition reads one transition. All states that it leads from share its condition: only that of the present state is active.
func (r *machineReader) transition(o *resources.Object, from []int, of func(s *state) *[]transition) {
	t := transition{to: r.state(o, "to", o.String("to")), event: o.RefOr("emotionEvent", behaviors.RefEmotionEvent, "")}
	if sub := o.Object("condition"); sub != nil {
		t.when = condition.ParseWith(sub, r.custom)
		for name := range r.timersLeft {
			if strings.Contains(sub.Value().Raw(), strconv.Quote(name)) {
				delete(r.timersLeft, name)
			}
		}
	}
	o.Finish()
	if t.to == none || t.when == nil {
		return
	}
	r.reached[t.to] = true
	for _, i := range from {
		list := of(&r.m.states[i])
		*list = append(*list, t)
	}
}

// resumes reads in which state the machine resumes.
func (r *machineReader) resumes() {
	if o, ok := r.cfg.ObjectOr("resumeReplacements"); ok {
		for _, name := range o.Keys() {
			from, to := r.m.index(name), r.state(o, name, o.String(name))
			if from == none {
				r.unknown(o, o.KeyPos(name), "resumeReplacements", name)
			}
			if from != none && to != none {
				r.m.replace[from], r.reached[to] = to, true
			}
		}
	}
	if o, ok := r.cfg.ObjectOr("postBehaviorSuggestionResumeOverrides"); ok {
		for _, word := range o.Keys() {
			if !slices.Contains(condition.Suggestions(), word) {
				continue // Finish reports it, with the nearest one
			}
			if to := r.state(o, word, o.String(word)); to != none {
				r.m.suggest[word], r.reached[to] = to, true
			}
		}
		o.Declare(condition.Suggestions()...)
		o.Finish()
	}
}

// warn reports what is hardly meant: states without a transition to or from them, and timers that no transition uses.
func (r *machineReader) warn() {
	silent := r.cfg.BoolOr("ignoreMissingTransitions", false)
	for i := range r.m.states {
		s, o := &r.m.states[i], r.states[i]
		_, replaced := r.m.replace[i]
		switch {
		case !silent && i != r.m.initial && !r.reached[i]:
			o.KeyWarnf("name", codeSuspicious, "nothing leads to state %q; add a transition, or ignoreMissingTransitions", s.name)
		case s.behavior != "" && len(s.byForce)+len(s.politely)+len(s.atEnd) == 0:
			o.KeyWarnf("name", codeSuspicious, "nothing leads out of state %q", s.name)
		case s.behavior == "" && !replaced:
			o.KeyWarnf("name", codeSuspicious, "the machine that ended in state %q ends there at once when it is activated again; replace the state in resumeReplacements", s.name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.timersLeft)) {
		o := r.timersLeft[name]
		o.KeyWarnf("name", codeSuspicious, "no transition refers to the condition %q", name)
	}
}
