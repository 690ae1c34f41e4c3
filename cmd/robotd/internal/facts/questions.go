package facts

import (
	"maps"
	"slices"
	"time"
)

// askedWithin is how old an answer may be that is shown.
const askedWithin = time.Second

// makeScope says who is in scope. Answers of those that left are gone.
func (m *maker) makeScope(b *raw) {
	v := scopeValue{IDs: make([]string, len(b.scope))}
	m.scope = map[string]bool{}
	for i, c := range b.scope {
		v.IDs[i] = c.Entry.ID
		m.scope[c.Entry.ID] = true
	}
	m.set(topicScope, "", v)
	for _, id := range slices.Sorted(maps.Keys(m.asked)) {
		if !m.scope[id] {
			delete(m.asked, id)
			m.gone(topicQuestion, id)
		}
	}
}

// makeQuestions says what the behaviors in scope answered, and which answers are too old to be shown.
func (m *maker) makeQuestions(b *raw) {
	for i := range b.answers.List {
		a := &b.answers.List[i]
		if !m.scope[a.ID] || !a.Put() {
			continue
		}
		v := questionValue{ID: a.ID, Wants: "yes"}
		if !a.Yes {
			v.Wants, v.Why = "no", a.Text(nil)
		}
		m.asked[a.ID] = b.tick
		put(m, topicQuestion, a.ID, v)
	}
	for _, id := range b.disabled {
		m.asked[id] = b.tick
		put(m, topicQuestion, id, questionValue{ID: id, Wants: "no", Why: "disabled: failed too often"})
	}
	recent := uint64(askedWithin / m.opts.Setup.Period)
	for _, id := range slices.Sorted(maps.Keys(m.asked)) {
		if b.tick-m.asked[id] > recent {
			delete(m.asked, id)
			m.gone(topicQuestion, id)
		}
	}
}
