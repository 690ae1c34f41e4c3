package actions

import "slices"

// A queue holds the runners of one slot: at most one that has started, and those that wait behind it.
type queue struct {
	slot    int
	current *Runner
	pending []*Runner
	begun   bool // visited in this update already
}

// len is the number of runners (actions/Q-1).
func (q *queue) len() int {
	if q.current != nil {
		return len(q.pending) + 1
	}
	return len(q.pending)
}

// front is the current runner; right after queueing, the first pending one already counts as it (actions/Q-1).
func (q *queue) front() *Runner {
	switch {
	case q.current != nil:
		return q.current
	case len(q.pending) > 0:
		return q.pending[0]
	}
	return nil
}

// each calls f for every runner, the current one first, until f returns false.
func (q *queue) each(f func(*Runner) bool) bool {
	if q.current != nil && !f(q.current) {
		return false
	}
	for _, r := range q.pending {
		if !f(r) {
			return false
		}
	}
	return true
}

// next makes the first pending runner the current one if there is none.
func (q *queue) next() *Runner {
	if q.current == nil && len(q.pending) > 0 {
		q.current = q.pending[0]
		q.pending = slices.Delete(q.pending, 0, 1)
	}
	return q.current
}

// remove takes r out and reports whether it was there.
func (q *queue) remove(r *Runner) bool {
	if q.current == r {
		q.current = nil
		return true
	}
	i := slices.Index(q.pending, r)
	if i < 0 {
		return false
	}
	q.pending = slices.Delete(q.pending, i, i+1)
	return true
}

// insert puts r at index i of the pending ones, or at the end.
func (q *queue) insert(i int, r *Runner) {
	q.pending = slices.Insert(q.pending, min(i, len(q.pending)), r)
}
