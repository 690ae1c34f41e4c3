package clock

import (
	"math"
	"time"
)

// dueWork is an entry of the queue of a timeline: a timer, posted work, or the end of a sleep.
type dueWork struct {
	at         time.Duration // since the start of the timeline
	key        uint64        // order at one instant: the place of the executor, then the order of posting
	prev, next *dueWork      // in the queue; nil if it is not there
	executor   *virtualExecutor
	work       func()
	posted     bool // nobody holds it, so it is used again
}

// seqBits is how many of the bits of a key count what was made due: enough for years of virtual time, with 65536 executors.
const seqBits = 48

// Set implements Timer.
func (d *dueWork) Set(after time.Duration) {
	d.Stop()
	d.executor.timeline.plan(d, d.executor.Elapsed()+after)
}

// Stop implements Timer.
func (d *dueWork) Stop() {
	if d.next != nil {
		d.remove()
	}
}

// before reports whether d is due before e.
func (d *dueWork) before(e *dueWork) bool { return d.at < e.at || d.at == e.at && d.key < e.key }

// remove takes d out of the queue.
func (d *dueWork) remove() {
	d.prev.next, d.next.prev = d.next, d.prev
	d.prev, d.next = nil, nil
}

// A queue is a ring of what is due, in order, around an entry that is never due. A robot has about a dozen entries, and what becomes due
// often is due soon, so the walk from the first entry to the place of a new one is shorter than a way through a heap.
type queue struct{ end dueWork }

func (q *queue) init() {
	q.end = dueWork{at: math.MaxInt64, key: math.MaxUint64, prev: &q.end, next: &q.end}
}

// first is what is due next; nil if nothing is.
func (q *queue) first() *dueWork {
	if d := q.end.next; d != &q.end {
		return d
	}
	return nil
}

// after reports whether nothing is due before what an executor at that place makes due now for that instant.
func (q *queue) after(at time.Duration, place uint64) bool {
	d := q.end.next
	return d.at > at || d.at == at && d.key>>seqBits > place>>seqBits
}

func (q *queue) push(d *dueWork) {
	e := q.end.next
	for e.before(d) {
		e = e.next
	}
	d.prev, d.next = e.prev, e
	e.prev.next, e.prev = d, d
}
