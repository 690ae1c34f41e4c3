package why

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// The places in which a behavior can be.
const (
	inControl  = "in_control"
	active     = "active"
	inScope    = "in_scope"
	outOfScope = "out_of_scope"
)

// tell joins what is recorded of a behavior in one tick.
func (r *Reader) tell(id string, m *moment) *control.Why {
	n := r.node(id)
	w := &control.Why{
		ID: id, Tick: m.tick, AtS: m.at, Class: n.Class, File: n.File, Line: n.Line, Status: m.status(id),
		Before: []control.WhyOf{}, Gates: []control.WhyGate{}, Needs: []string{},
	}
	q := m.questions[id]
	if q != nil {
		m.takeQuestion(w, q)
	}
	if i := m.index(id); i >= 0 {
		w.State.Debug = m.layers[i].State
	}
	if !w.Asked {
		w.Asker = r.asker(id, m, w.Asker)
	}
	w.Won = m.won(w.Asker)
	w.Before = r.before(id, m, w.Asker)
	for _, d := range m.orders[id] {
		w.Delegates = append(w.Delegates, m.short(d))
	}
	r.word(w, m)
	return w
}

func (m *moment) status(id string) string {
	switch i := m.index(id); {
	case i >= 0 && i == len(m.layers)-1:
		return inControl
	case i >= 0:
		return active
	case slices.Contains(m.scope, id):
		return inScope
	}
	return outOfScope
}

// takeQuestion fills in the newest question.
func (m *moment) takeQuestion(w *control.Why, q *Question) {
	w.Asked, w.AskedTick, w.AskedS = q.Asked, q.AskedTick, q.AskedS
	at := m.at
	w.Wanted, w.Asker, w.SinceTick, w.SinceS, w.State.Debug = q.Wanted, q.Asker, q.SinceTick, q.SinceS, q.State
	if q.Asked {
		w.AskedTick, w.AskedS = m.tick, m.at
	} else if q.AskedTick > 0 {
		at = q.AskedS // what was said then, as it was then
		w.SinceTick, w.SinceS = q.AskedTick+1, q.AskedS
	}
	if q.Gates != nil {
		w.Gates = q.Gates
		expandGates(w.Gates, at)
	}
	for _, g := range w.Gates {
		if g.Name == "suppressed" && g.Met != nil && !*g.Met {
			w.Suppressed, _ = g.Values["by"].(string)
		}
	}
	for _, need := range q.Needs {
		w.Needs = append(w.Needs, Expand(need, m.at))
	}
	w.Text = Expand(q.Text, at)
}

// asker is who would ask: the highest behavior on the stack that has it among its delegates or links.
func (r *Reader) asker(id string, m *moment, last string) string {
	for i := len(m.layers) - 1; i >= 0; i-- {
		if n := r.node(m.layers[i].ID); n != nil && (slices.Contains(n.Delegates, id) || slices.Contains(n.Links, id)) {
			return n.ID
		}
	}
	return last
}

// before lists whom the asker asked before it in this tick, or would have.
func (r *Reader) before(id string, m *moment, asker string) []control.WhyOf {
	ids := m.orders[asker]
	if !slices.Contains(ids, id) {
		if n := r.node(asker); n != nil && len(ids) == 0 {
			ids = n.Delegates
		}
	}
	out := []control.WhyOf{}
	for _, other := range ids {
		if other == id {
			break
		}
		out = append(out, m.short(other))
	}
	return out
}

// short is the answer of a behavior in one line.
func (m *moment) short(id string) control.WhyOf {
	o := control.WhyOf{ID: id}
	q := m.questions[id]
	switch {
	case m.index(id) >= 0:
		o.Text = "has control"
		if i := m.index(id); i < len(m.layers)-1 {
			o.Text = "has control, and gave it to " + m.layers[i+1].ID
		}
	case q == nil:
		o.Text = "not asked"
	case !q.Asked && q.AskedTick > 0:
		o.Text = "not asked in this tick"
	default:
		o.Text = Expand(q.Text, m.at)
	}
	if q != nil && q.Asked {
		o.Asked, o.Wanted = true, q.Wanted
	}
	return o
}

// word finds the most important sentence, and what is needed where the question does not say.
func (r *Reader) word(w *control.Why, m *moment) {
	switch w.Status {
	case inControl, active:
		r.wordActive(w, m)
	case outOfScope:
		r.wordOut(w, m)
	default:
		r.wordScope(w, m)
	}
}

func (r *Reader) wordActive(w *control.Why, m *moment) {
	i := m.index(w.ID)
	l := &m.layers[i]
	w.SinceS = l.SinceS
	if first, ok := r.find(secondsOf(l.SinceS)); ok {
		w.SinceTick = first
	}
	w.Needs = []string{}
	text := w.ID + " has control for " + Spoken(m.at-l.SinceS)
	if i > 0 {
		text += ", from " + m.layers[i-1].ID
	}
	if i+1 < len(m.layers) {
		text += ", and gave it to " + m.layers[i+1].ID
	}
	w.Text = text
}

func (r *Reader) wordScope(w *control.Why, m *moment) {
	reason := w.Text
	switch {
	case w.Asked && !w.Wanted:
		w.Text = fmt.Sprintf("%s does not want control: %s", w.ID, reason)
	case w.Asked && w.Won != "":
		w.Text = fmt.Sprintf("%s wants control (%s), but %s gave it to %s", w.ID, reason, w.Asker, w.Won)
		w.Needs = append(w.Needs, w.Asker+" must choose it over "+w.Won)
	case w.Asked:
		w.Text = fmt.Sprintf("%s wants control (%s), but %s did not give it", w.ID, reason, w.Asker)
	default:
		r.wordUnasked(w, m, reason)
	}
}

// wordUnasked says why nobody asked.
func (r *Reader) wordUnasked(w *control.Why, m *moment, reason string) {
	newest := ""
	switch {
	case w.AskedTick > 0 && !w.Wanted:
		newest = fmt.Sprintf("; it was asked last %s ago and said no: %s", Spoken(m.at-w.AskedS), reason)
	case w.AskedTick > 0:
		newest = fmt.Sprintf("; it was asked last %s ago and said yes", Spoken(m.at-w.AskedS))
	}
	asked := m.orders[w.Asker]
	w.Needs = []string{w.Asker + " must ask it"}
	switch {
	case w.Asker == "":
		w.Text = w.ID + " was not asked" + newest
	case w.AskedTick == 0 && reason != "": // it was left out, or refused
		w.Text = fmt.Sprintf("%s was not asked: %s", w.ID, strings.TrimPrefix(reason, "not asked: "))
		if q := m.questions[w.ID]; len(q.Needs) > 0 {
			w.Needs = []string{Expand(q.Needs[0], m.at)}
		}
	case m.index(w.Asker) < 0:
		w.Text = fmt.Sprintf("%s was not asked: %s, which would ask it, is not active%s", w.ID, w.Asker, newest)
		w.Needs = []string{w.Asker + " must be active"}
	case w.Won != "" && r.earlier(w.Asker, w.Won, w.ID):
		w.Text = fmt.Sprintf("%s was not asked: %s comes before it in %s, and has control%s", w.ID, w.Won, w.Asker, newest)
		w.Needs = []string{w.Won + " must end or stop wanting control"}
	case w.Won != "" && len(asked) == 0:
		w.Text = fmt.Sprintf("%s was not asked: %s asks nobody while %s has control%s", w.ID, w.Asker, w.Won, newest)
		w.Needs = []string{w.Won + " must end"}
	default:
		w.Text = fmt.Sprintf("%s was not asked by %s in this tick%s", w.ID, w.Asker, newest)
	}
}

// earlier reports whether a behavior asks one before the other.
func (r *Reader) earlier(asker, one, other string) bool {
	n := r.node(asker)
	if n == nil {
		return false
	}
	i, k := slices.Index(n.Delegates, one), slices.Index(n.Delegates, other)
	return i >= 0 && k >= 0 && i < k
}

// wordOut names the behaviors that would have to be active for it to be in scope.
func (r *Reader) wordOut(w *control.Why, m *moment) {
	w.Gates, w.Needs = []control.WhyGate{}, []string{}
	path := r.path(w.ID, m)
	if len(path) == 0 {
		w.Text = w.ID + " is out of scope: nothing on the stack leads to it"
		w.Needs = []string{"a behavior that lists it as a delegate must become active"}
		if parents := r.parents(w.ID); len(parents) > 0 {
			w.Needs = []string{strings.Join(parents, " or ") + " must be active"}
		}
		return
	}
	asker := path[len(path)-1]
	w.Asker = asker
	w.Text = fmt.Sprintf("%s is out of scope: %s is not active, which may give it control", w.ID, asker)
	for _, id := range path {
		need := id + " must be active"
		if q := m.questions[id]; q != nil && q.Asked && !q.Wanted {
			need += " (" + Expand(q.Text, m.at) + ")"
		}
		w.Needs = append(w.Needs, need)
	}
}

// path is the shortest way from the stack to a behavior: those on it that are not active, the lowest first.
func (r *Reader) path(id string, m *moment) []string {
	from := map[string]string{} // whom a behavior leads to
	for queue := []string{id}; len(queue) > 0; queue = queue[1:] {
		for _, parent := range r.parents(queue[0]) {
			if _, seen := from[parent]; seen || parent == id {
				continue
			}
			from[parent] = queue[0]
			if m.index(parent) < 0 {
				queue = append(queue, parent)
				continue
			}
			var path []string
			for at := from[parent]; at != id; at = from[at] {
				path = append(path, at)
			}
			return path
		}
	}
	return nil
}

// parents are the behaviors that may give control to one.
func (r *Reader) parents(id string) []string {
	var out []string
	for i := range r.Nodes {
		if slices.Contains(r.Nodes[i].Delegates, id) {
			out = append(out, r.Nodes[i].ID)
		}
	}
	return out
}
