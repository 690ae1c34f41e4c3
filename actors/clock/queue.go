package clock

import "time"

// dueWork is an entry of the queue of a timeline: a timer, posted work, or the end of a sleep.
type dueWork struct {
	at       time.Duration // since the start of the timeline
	key      uint64        // order at one instant: the place of the executor, then the order of posting
	index    int           // in the queue, plus one; 0 if it is not there
	executor *virtualExecutor
	work     func()
	posted   bool // nobody holds it, so it is used again
}

// seqBits is how many of the bits of a key count what was made due: enough for years of virtual time, with 65536 executors.
const seqBits = 48

// Set implements Timer.
func (d *dueWork) Set(t time.Time) {
	d.Stop()
	v := d.executor.timeline
	v.plan(d, v.since(t))
}

// Stop implements Timer.
func (d *dueWork) Stop() {
	if d.index > 0 {
		d.executor.timeline.due.remove(d)
	}
}

// before reports whether d is due before e.
func (d *dueWork) before(e *dueWork) bool { return d.at < e.at || d.at == e.at && d.key < e.key }

// A queue is a binary heap of what is due, the next one first.
type queue []*dueWork

// after reports whether nothing is due before what an executor at that place makes due now for that instant.
func (q queue) after(at time.Duration, place uint64) bool {
	return len(q) == 0 || q[0].at > at || q[0].at == at && q[0].key>>seqBits > place>>seqBits
}

func (q *queue) push(d *dueWork) {
	*q = append(*q, d)
	q.up(len(*q)-1, d)
}

// pop removes what is due next.
func (q *queue) pop() *dueWork {
	d := (*q)[0]
	q.remove(d)
	return d
}

// remove takes d out, and puts the last entry into its place.
func (q *queue) remove(d *dueWork) {
	h := *q
	i, n := d.index-1, len(h)-1
	last := h[n]
	h[n] = nil
	*q = h[:n]
	d.index = 0
	if last == d {
		return
	}
	if i > 0 && last.before(h[(i-1)/2]) {
		q.up(i, last)
	} else {
		q.down(i, last)
	}
}

// up puts d at the free place i or above.
func (q queue) up(i int, d *dueWork) {
	for i > 0 {
		parent := (i - 1) / 2
		if !d.before(q[parent]) {
			break
		}
		q.put(i, q[parent])
		i = parent
	}
	q.put(i, d)
}

// down puts d at the free place i or below. It was the last entry and belongs near the end, so the place sinks to the end first.
func (q queue) down(i int, d *dueWork) {
	for child := 2*i + 1; child < len(q); child = 2*i + 1 {
		if right := child + 1; right < len(q) && q[right].before(q[child]) {
			child = right
		}
		q.put(i, q[child])
		i = child
	}
	q.up(i, d)
}

func (q queue) put(i int, d *dueWork) { q[i], d.index = d, i+1 }
