package catalog

import (
	"fmt"
	"maps"
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// maxBreaks bounds how often circles are looked for: a file of which a name was left out may be read otherwise.
const maxBreaks = 16

// breakCircles leaves out of foreign files the names that lead back to a behavior that leads there, because the stack would refuse the last
// step in every tick (L-36). It goes from the roots on, so that what is nearer to them keeps its delegates. A step that is in no file, because
// code names it, stays.
func (l *Lenience) breakCircles(docs []*resources.Document, roots []string) {
	for range maxBreaks {
		w := breaker{l: l, state: make(map[string]visitState, len(l.steps)), cuts: map[string]map[resources.Pos]bool{}}
		for _, id := range append(slices.Clone(roots), slices.Sorted(maps.Keys(l.steps))...) {
			w.visit(id)
		}
		if len(w.cuts) == 0 {
			return
		}
		for i, d := range docs {
			if cuts := w.cuts[d.File()]; len(cuts) > 0 {
				next, _ := d.Without(cuts)
				docs[i] = l.mend(next)
			}
		}
	}
}

// A step is a name in a file that leads from one behavior to another.
type step struct {
	to   string
	file string
	at   resources.Pos
}

// stepsOf are the names in the part of a file that was read for a behavior, of those that it may delegate to. Delegates
// are sorted.
func stepsOf(refs []resources.Reference, delegates []string) (steps []step) {
	for _, ref := range refs {
		if ref.Kind != behaviors.RefBehavior {
			continue
		}
		if _, may := slices.BinarySearch(delegates, ref.Name); may {
			steps = append(steps, step{ref.Name, ref.File, ref.Pos})
		}
	}
	return steps
}

type visitState uint8

const (
	unseen visitState = iota
	above             // on the way from a root to the present behavior
	visited
)

// A breaker finds the names that close a circle.
type breaker struct {
	l     *Lenience
	state map[string]visitState
	cuts  map[string]map[resources.Pos]bool // by file
}

func (w *breaker) visit(id string) {
	if w.state[id] != unseen {
		return
	}
	w.state[id] = above
	for _, s := range w.l.steps[id] {
		if w.state[s.to] != above {
			w.visit(s.to)
			continue
		}
		if w.cuts[s.file] == nil {
			w.cuts[s.file] = map[resources.Pos]bool{}
		}
		w.cuts[s.file][s.at] = true
		w.l.note(NoteDropped, "delegate-cycle", s.file, s.at, fmt.Sprintf("%s leads to %s, and that one back to it: the name is left out (L-36)", id, s.to))
	}
	w.state[id] = visited
}
