package engine

import "slices"

// claims are what behaviors hold of one facility, the newest last. Each behavior holds at most one.
type claims[T any] []claim[T]

type claim[T any] struct {
	by   *Cell
	what T
}

// put adds a claim on top; an older one of the same behavior gives way. It reports whether there was one.
func (l *claims[T]) put(by *Cell, what T) (had bool) {
	had = l.drop(by)
	*l = append(*l, claim[T]{by, what})
	return had
}

// drop ends the claim of a behavior and reports whether there was one.
func (l *claims[T]) drop(by *Cell) bool {
	i := slices.IndexFunc(*l, func(c claim[T]) bool { return c.by == by })
	if i < 0 {
		return false
	}
	*l = slices.Delete(*l, i, i+1)
	return true
}

// has reports whether a behavior has a claim.
func (l claims[T]) has(by *Cell) bool {
	return slices.ContainsFunc(l, func(c claim[T]) bool { return c.by == by })
}

// top is the newest claim; the zero value if there is none.
func (l claims[T]) top() (what T, ok bool) {
	if len(l) == 0 {
		return what, false
	}
	return l[len(l)-1].what, true
}

// holders are the IDs of the behaviors with a claim, oldest first.
func (l claims[T]) holders() []string {
	ids := make([]string, len(l))
	for i := range l {
		ids[i] = l[i].by.Node.ID
	}
	return ids
}
