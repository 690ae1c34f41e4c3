package feed

import (
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/why"
)

// A ScopeOf is a behavior in scope with the one that asks it.
type ScopeOf struct{ ID, Asker string }

// ScopeOrder lists the behaviors in scope in the order in which they are asked: the delegates of each layer, base first, by priority, and
// after each of them those that it is linked to. What no one lists any more, because its layer was pushed with other delegates, comes last.
func ScopeOrder(cat *catalog.Catalog, layers []*catalog.Entry, in map[string]bool) []ScopeOf {
	out, seen := make([]ScopeOf, 0, len(in)), make(map[string]bool, len(in))
	var add func(asker *catalog.Entry, ids []string)
	add = func(asker *catalog.Entry, ids []string) {
		for _, id := range ids {
			if seen[id] || !in[id] {
				continue
			}
			seen[id] = true
			out = append(out, ScopeOf{id, asker.ID})
			if e := cat.Find(id); e != nil {
				add(e, linked(e))
			}
		}
	}
	for _, l := range layers {
		add(l, linked(l))
		add(l, l.Priority())
	}
	for _, e := range cat.Entries {
		if in[e.ID] && !seen[e.ID] {
			out = append(out, ScopeOf{ID: e.ID})
		}
	}
	return out
}

// linked are the links of a behavior, those that are its delegates by their priority.
func linked(e *catalog.Entry) []string {
	links := make(map[string]bool, len(e.Links))
	for _, id := range e.Links {
		links[id] = true
	}
	var out []string
	for _, id := range e.Priority() {
		if links[id] {
			out = append(out, id)
			delete(links, id)
		}
	}
	for _, id := range e.Links {
		if links[id] {
			out = append(out, id)
		}
	}
	return out
}

// Shown is the answer of a behavior in scope and its reason, as of a tick; recent is how many ticks an old answer is shown.
func Shown(q *why.Question, tick uint64, at float64, recent uint64) (wants, reason string) {
	switch {
	case q.Disabled:
		return "no", why.Expand(q.Text, at)
	case !q.Asked && q.AskedTick == 0:
		return "", why.Expand(q.Text, at) // it was left out, or refused
	case !q.Asked && tick-q.AskedTick > recent:
		return "", ""
	case q.Wanted:
		return "yes", ""
	case !q.Asked:
		at = q.AskedS // as it was then
	}
	return "no", why.Expand(q.Text, at)
}
