package clock

import (
	"cmp"
	"slices"
	"time"
)

// A Virtual is a timeline in virtual time. It advances to the next due instant and lets everything due there run in a fixed
// order (rank, name, order of posting), waiting until each has answered: finished or gone to sleep. Exactly one participant
// runs at any moment, so nothing depends on how goroutines are scheduled.
//
// Executors are coroutines: a turn is a direct switch to the executor and back, without the scheduler of the runtime. One
// goroutine at a time calls Run. Executors are used by the work that Run runs, and before Run by the goroutine that sets
// things up.
type Virtual struct {
	start     time.Time
	now       time.Time
	thaw      time.Time     // end of a freeze
	at        time.Duration // of now, since start; all of the timeline is reckoned in it
	due       queue
	seq       uint64
	executors []*virtualExecutor // in their order at one instant
	turns     *virtualExecutor   // whose turn it is
	end       time.Duration      // of the present Run, since start
	stop      func() bool        // of the present Run
	posts     []*dueWork         // unused entries of posted work
}

// NewVirtual returns a timeline that begins at start.
func NewVirtual(start time.Time) *Virtual { return &Virtual{start: start, now: start} }

// Now implements Timeline.
func (v *Virtual) Now() time.Time { return v.now }

// Open implements Timeline.
func (v *Virtual) Open(name string, rank int) Executor {
	e := newVirtualExecutor(v, name, rank)
	i, _ := slices.BinarySearchFunc(v.executors, e, func(a, b *virtualExecutor) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.name, b.name))
	})
	v.executors = slices.Insert(v.executors, i, e)
	v.number()
	return e
}

// number gives the executors their places in the order. What is due keeps its order, because the places keep theirs.
func (v *Virtual) number() {
	place := uint64(0)
	for i, e := range v.executors {
		if i > 0 {
			if last := v.executors[i-1]; last.rank != e.rank || last.name != e.name {
				place++
			}
		}
		e.place = place << seqBits
	}
	for _, d := range v.due {
		d.key = d.executor.place | d.key&(1<<seqBits-1)
	}
}

// Run lets everything happen that is due until the instant end, which becomes the present. It stops early when stop says
// so; stop is asked between two pieces of work.
func (v *Virtual) Run(end time.Time, stop func() bool) {
	v.end, v.stop = end.Sub(v.start), stop
	if v.frozen(end) {
		return
	}
	for len(v.due) > 0 && v.due[0].at <= v.end {
		if stop != nil && stop() {
			return
		}
		d := v.due.pop()
		if d.executor.closed {
			continue
		}
		v.advance(d.at)
		v.turn(d)
	}
	v.advance(v.end)
}

// advance moves the present to an instant, unless that is in the past.
func (v *Virtual) advance(at time.Duration) {
	if at > v.at {
		v.at, v.now = at, v.start.Add(at)
	}
}

// turn gives one executor its turn and waits for its answer.
func (v *Virtual) turn(d *dueWork) {
	e := d.executor
	if d != &e.wake {
		work := d.work
		if d.posted {
			d.work, d.executor = nil, nil
			v.posts = append(v.posts, d)
		}
		if e.busy { // asleep in the middle of other work
			e.waiting = append(e.waiting, work)
			return
		}
		e.busy, e.work = true, work
	}
	v.turns = e
	e.resume()
	v.turns = nil
	if !e.busy && len(e.waiting) > 0 {
		next := e.waiting[0]
		e.waiting = slices.Delete(e.waiting, 0, 1)
		v.post(e, next)
	}
}

// Close ends every executor. Work that sleeps is unwound. A run closes only after its actors were stopped.
func (v *Virtual) Close() {
	for _, e := range v.executors {
		e.Close()
	}
}

// post makes work due now.
func (v *Virtual) post(e *virtualExecutor, f func()) {
	var d *dueWork
	if k := len(v.posts); k > 0 {
		d, v.posts = v.posts[k-1], v.posts[:k-1]
	} else {
		d = &dueWork{posted: true}
	}
	d.executor, d.work = e, f
	v.plan(d, v.at)
}

// plan makes d due at an instant, after whatever of its executor is due there already.
func (v *Virtual) plan(d *dueWork, at time.Duration) {
	v.seq++
	d.at, d.key = max(at, v.at), d.executor.place|v.seq&(1<<seqBits-1)
	v.due.push(d)
}
