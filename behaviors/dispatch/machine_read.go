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
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/resources"
)

// Codes of diagnostics about state machines.
const (
	codeState      = "states-invalid"    // an impossible state or transition
	codeSuspicious = "states-suspicious" // warning: possible, but hardly meant
)

// NewStateMachine reads a StateMachine. Transitions may name the custom conditions, besides the stateTimerConditions of the file;
// custom may be nil.
func NewStateMachine(cfg *behaviors.Config, custom map[string]condition.Condition) *StateMachine {
	before := cfg.Document().Errors()
	m := &StateMachine{now: none}
	param.ReadConfig(cfg, &m.params)
	for _, key := range []string{"use_debug_lights", "emotionEvent"} { // earlier files have them
		cfg.Declare(key)
		cfg.Describe(key, "accepted without effect")
	}
	m.carries, m.lefts = make([]bool, len(m.params.States)), make([]time.Time, len(m.params.States))
	r := machineReader{cfg: cfg, m: m, machineParams: &m.params, custom: map[string]condition.Condition{}}
	for name, c := range custom {
		r.custom[name] = c
	}
	r.names()
	r.timers()
	r.transitions()
	m.params.initial = r.state(cfg.Object, "initialState", m.params.Initial)
	r.resumes()
	if cfg.Document().Errors() == before { // what is missing of the machine is missing because of them
		r.warn()
	}
	r.forget()
	return m
}

// forget drops what was resolved, because it holds the file.
func (p *machineParams) forget() {
	for i := range p.States {
		p.States[i].at = nil
	}
	p.Definitions, p.Timers, p.Replace, p.Suggest = nil, nil, nil, nil
}

// machineReader finds out what the names of states mean.
type machineReader struct {
	*machineParams
	cfg     *behaviors.Config
	m       *StateMachine
	custom  map[string]condition.Condition
	reached []bool // states that something leads to

	timersLeft map[string]*resources.Object // stateTimerConditions that nothing refers to so far
}

// index is the number of a state, or none.
func (p *machineParams) index(name string) int {
	return slices.IndexFunc(p.States, func(s state) bool { return s.Name == name })
}

// names refuses two states of one name.
func (r *machineReader) names() {
	for i := range r.States {
		if s := &r.States[i]; r.index(s.Name) < i {
			s.at.KeyErrorf("name", codeState, "there is a state %q already", s.Name)
		}
	}
}

// state resolves the name of a state that stands at a key; none after an error.
func (r *machineReader) state(o *resources.Object, key, name string) int {
	if i := r.index(name); i != none {
		return i
	}
	if (name != "" || o.Has(key)) && len(r.States) > 0 {
		r.unknown(o, o.ValuePos(key), key, name)
	}
	return none
}

func (r *machineReader) unknown(o *resources.Object, at resources.Pos, key, name string) {
	names := make([]string, len(r.States))
	for i := range r.States {
		names[i] = r.States[i].Name
	}
	o.Report(resources.Diagnostic{
		Line: at.Line, Col: at.Col, Severity: resources.Error, Code: codeState,
		Message: fmt.Sprintf("%s: there is no state %q", key, name), Hint: resources.DidYouMean(name, names),
	})
}

// timers makes the conditions over the time in the present state.
func (r *machineReader) timers() {
	r.timersLeft = map[string]*resources.Object{}
	for i := range r.Timers {
		t := &r.Timers[i]
		if _, taken := r.custom[t.Name]; taken {
			t.at.KeyErrorf("name", codeState, "there is a condition %q already", t.Name)
			continue
		}
		r.custom[t.Name] = r.m.timer(t.Name, t.Begin)
		r.timersLeft[t.Name] = t.at
	}
}

// timer is met once the present state has been active for so long, by a clock that the console variable TimeMultiplier makes faster.
func (m *StateMachine) timer(name string, begin time.Duration) condition.Condition {
	return condition.Func(name, func(v *condition.View) bool { return m.inState(v.Now)*v.Faster() >= begin })
}

func (r *machineReader) transitions() {
	r.reached = make([]bool, len(r.States))
	for i := range r.Definitions {
		d := &r.Definitions[i]
		from := r.from(d)
		r.add(from, d.ByForce, func(s *state) *[]transition { return &s.byForce })
		r.add(from, d.Politely, func(s *state) *[]transition { return &s.politely })
		r.add(from, d.AtEnd, func(s *state) *[]transition { return &s.atEnd })
	}
}

// from are the states that a definition is about.
func (r *machineReader) from(d *definition) []int {
	from := make([]int, 0, len(r.States))
	for i := range r.States {
		if d.all {
			from = append(from, i)
		}
	}
	for _, name := range d.from {
		if i := r.index(name); i != none {
			from = append(from, i)
		} else {
			r.unknown(d.at, d.at.ValuePos("from"), "from", name)
		}
	}
	return from
}

// add adds transitions. All states that one leads from share its condition: only that of the present state is active.
func (r *machineReader) add(from []int, ts []transitionParams, of func(s *state) *[]transition) {
	for i := range ts {
		p := &ts[i]
		t := transition{to: r.state(p.at, "to", p.To), event: p.Event}
		if p.When.at != nil {
			t.when = r.cfg.ParseConditionWith(p.When.at, r.custom)
			for name := range r.timersLeft {
				if strings.Contains(p.When.at.Value().Raw(), strconv.Quote(name)) {
					delete(r.timersLeft, name)
				}
			}
		}
		if t.to == none || t.when == nil {
			continue
		}
		r.reached[t.to] = true
		for _, f := range from {
			list := of(&r.States[f])
			*list = append(*list, t)
		}
	}
}

// resumes finds the states in which the machine resumes.
func (r *machineReader) resumes() {
	r.replace, r.suggest = map[int]int{}, map[string]int{}
	if r.Replace != nil {
		o := r.Replace.at
		for _, name := range o.Keys() {
			from, to := r.index(name), r.state(o, name, o.String(name))
			if from == none {
				r.unknown(o, o.KeyPos(name), "resumeReplacements", name)
			}
			if from != none && to != none {
				r.replace[from], r.reached[to] = to, true
			}
		}
	}
	if r.Suggest != nil {
		o := r.Suggest.at
		for _, word := range o.Keys() {
			if !slices.Contains(condition.Suggestions(), word) {
				continue // Finish reports it, with the nearest one
			}
			if to := r.state(o, word, o.String(word)); to != none {
				r.suggest[word], r.reached[to] = to, true
			}
		}
		for _, word := range condition.Suggestions() {
			o.Declare(word)
			o.Describe(word, "state to resume in after this suggestion")
		}
		o.Finish()
	}
}

// warn reports what is hardly meant: states without a transition to or from them, and timers that no transition uses.
func (r *machineReader) warn() {
	for i := range r.States {
		s := &r.States[i]
		_, replaced := r.replace[i]
		switch {
		case !r.Silent && i != r.initial && !r.reached[i]:
			s.at.KeyWarnf("name", codeSuspicious, "nothing leads to state %q; add a transition, or ignoreMissingTransitions", s.Name)
		case s.Behavior != "" && len(s.byForce)+len(s.politely)+len(s.atEnd) == 0:
			s.at.KeyWarnf("name", codeSuspicious, "nothing leads out of state %q", s.Name)
		case s.Behavior == "" && !replaced:
			s.at.KeyWarnf("name", codeSuspicious, "the machine that ended in state %q ends there at once when it is activated again; replace the state in resumeReplacements", s.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.timersLeft)) {
		o := r.timersLeft[name]
		o.KeyWarnf("name", codeSuspicious, "no transition refers to the condition %q", name)
	}
}
