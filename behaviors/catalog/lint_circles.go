package catalog

import (
	"slices"
	"strings"

	"github.com/robotd/robotd/resources"
)

// lintCircles warns of behaviors that delegate in a circle, once for each set of behaviors that all lead to one another: the stack refuses the
// last step, again in every tick (L-36).
func (b *builder) lintCircles() {
	w := circles{b: b, index: make(map[string]int, len(b.cat.Entries))}
	for _, e := range b.cat.Entries {
		if w.index[e.ID] == 0 {
			w.visit(e)
		}
	}
}

// circles is Tarjan's algorithm over the delegates.
type circles struct {
	b     *builder
	index map[string]int // 1 and up in the order of the visits; -1 when it was dealt with
	stack []string
}

// visit returns the lowest index that e leads to.
func (w *circles) visit(e *Entry) int {
	own := len(w.index) + 1
	w.index[e.ID] = own
	w.stack = append(w.stack, e.ID)
	at, low := len(w.stack)-1, own
	for _, id := range e.Delegates {
		switch n := w.index[id]; {
		case n > 0:
			low = min(low, n)
		case n == 0:
			if next := w.b.cat.Find(id); next != nil {
				low = min(low, w.visit(next))
			}
		}
	}
	if low == own {
		set := slices.Clone(w.stack[at:])
		w.stack = w.stack[:at]
		for _, id := range set {
			w.index[id] = -1
		}
		if len(set) > 1 {
			w.b.reportCircle(set)
		}
	}
	return low
}

// reportCircle reports the shortest circle through the first of the behaviors, at the name of its second.
func (b *builder) reportCircle(set []string) {
	slices.Sort(set)
	path := b.circleFrom(set)
	first, next := b.cat.Find(path[0]), path[1]
	at := resources.Pos{Line: first.Line}
	if s := b.byID[first.ID]; s != nil {
		at = s.o.Pos()
		for _, ref := range s.o.Document().References() {
			if ref.Name == next {
				at = ref.Pos
				break
			}
		}
	}
	b.found(first.File, at, resources.Warning, "delegate-cycle", "remove one of these delegates",
		"behaviors delegate in a circle, %s: whoever comes first, the last is refused (L-36)", strings.Join(path, " → "))
}

// circleFrom is a shortest way from the first behavior of the set back to it.
func (b *builder) circleFrom(set []string) []string {
	from := map[string]string{}
	for queue := []string{set[0]}; len(queue) > 0; queue = queue[1:] {
		for _, id := range b.cat.Find(queue[0]).Delegates {
			if id == set[0] {
				path := []string{id}
				for at := queue[0]; at != set[0]; at = from[at] {
					path = append([]string{at}, path...)
				}
				return append([]string{set[0]}, path...)
			}
			if _, known := from[id]; !known && slices.Contains(set, id) {
				from[id] = queue[0]
				queue = append(queue, id)
			}
		}
	}
	return []string{set[0], set[0]}
}
