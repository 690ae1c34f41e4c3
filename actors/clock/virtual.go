package clock

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"
	"time"
)

// A Virtual is a timeline in virtual time. It advances to the next due instant and lets everything due there run in a fixed
// order (rank, name, order of posting), waiting until each has answered: finished or gone to sleep. Exactly one participant
// runs at any moment, so nothing depends on how goroutines are scheduled.
//
// A coroutine conducts: it takes what is due and runs it. Work that sleeps keeps the coroutine that it runs on to its end, and
// the one that resumed it last conducts again. Who wakes the work resumes its coroutine, which conducts when the work has ended:
// the way back is gone once, when something on it sleeps or the run is over. So a turn whose work does not sleep is a call, and
// each sleep is a direct switch to a coroutine and one away from it, without the scheduler of the runtime. One goroutine at a
// time calls Run. Executors are used by the work that Run runs, and before Run by the goroutine that sets things up.
type Virtual struct {
	start     time.Time
	now       time.Time     // at nowAt
	nowAt     time.Duration // since start
	thaw      time.Time     // end of a freeze
	at        time.Duration // the present, since start; all of the timeline is reckoned in it
	due       queue
	seq       uint64
	executors []*virtualExecutor // in their order at one instant
	turns     *virtualExecutor   // whose turn it is
	conductor *coroutine         // of the present Run, while none is switched to
	spare     []*coroutine       // have nothing to do until they are resumed to conduct
	open      int                // executors
	running   bool
	over      bool          // nothing more happens in the present Run
	end       time.Duration // of the present Run, since start
	stop      func() bool   // of the present Run
	posts     []*dueWork    // unused entries of posted work
}

// NewVirtual returns a timeline that begins at start.
func NewVirtual(start time.Time) *Virtual {
	v := &Virtual{start: start, now: start}
	v.due.init()
	return v
}

// Now implements Timeline. An instant is worked out when somebody asks for it.
func (v *Virtual) Now() time.Time {
	if v.nowAt != v.at {
		v.nowAt, v.now = v.at, v.start.Add(v.at)
	}
	return v.now
}

// Elapsed implements hardware.Elapser.
func (v *Virtual) Elapsed() time.Duration { return v.at }

// Open implements Timeline.
func (v *Virtual) Open(name string, rank int) Executor {
	e := newVirtualExecutor(v, name, rank)
	i, _ := slices.BinarySearchFunc(v.executors, e, func(a, b *virtualExecutor) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.name, b.name))
	})
	v.executors = slices.Insert(v.executors, i, e)
	v.open++
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
	for d := v.due.end.next; d != &v.due.end; d = d.next {
		d.key = d.executor.place | d.key&(1<<seqBits-1)
	}
}

// Run lets everything happen that is due until the instant end, which becomes the present. It stops early when stop says so, which is asked
// between two pieces of work, or when work calls Halt, which costs nothing until then.
func (v *Virtual) Run(end time.Time, stop func() bool) {
	v.end, v.stop = end.Sub(v.start), stop
	if v.frozen(end) {
		return
	}
	if v.open == 0 {
		v.advance(v.end)
		return
	}
	v.running, v.over = true, false
	defer v.rest()
	for !v.over { // the one before belongs to work that sleeps
		v.coroutine().resume()
	}
}

// Halt ends the present Run before the next piece of work. Work calls it.
func (v *Virtual) Halt() { v.over = true }

// coroutine is one that conducts when it is resumed.
func (v *Virtual) coroutine() *coroutine {
	k := len(v.spare)
	if k == 0 {
		return newCoroutine(v.conduct)
	}
	c := v.spare[k-1]
	v.spare = v.spare[:k-1]
	return c
}

// rest ends the present Run.
func (v *Virtual) rest() {
	v.running = false
	v.dismiss()
}

// dismiss ends the coroutines that have nothing to do when there is no executor any more.
func (v *Virtual) dismiss() {
	if v.open > 0 || v.running {
		return
	}
	for _, c := range v.spare {
		c.stop()
	}
	v.spare = nil
}

// conduct is the coroutine c. It conducts until the Run is over, whenever it is resumed, but for the time in which it belongs to work that
// sleeps.
func (v *Virtual) conduct(c *coroutine) {
	defer v.ended(c)
	for {
		v.conductor = c
		for v.goesOn() {
			d := v.due.first()
			d.remove()
			if !d.executor.closed || d == &d.executor.wake {
				v.advance(d.at)
				v.turn(d, c)
			}
		}
		v.spare = append(v.spare, c)
		if !c.yield() {
			return
		}
	}
}

// goesOn reports that something is due in the present Run. At its end it moves the present there. Those that resumed the conductor learn
// the same.
func (v *Virtual) goesOn() bool {
	switch next := v.due.first(); {
	case v.over:
	case next == nil || next.at > v.end:
		v.advance(v.end)
		v.over = true
	case v.stop != nil && v.stop():
		v.over = true
	}
	return !v.over
}

// ended tells Run's goroutine, where the panic of a coroutine goes on, what happened to the work on c, and where.
func (v *Virtual) ended(c *coroutine) {
	r, e := recover(), v.turns
	v.turns = nil // those that resumed c tell nothing more
	switch {
	case e == nil && r != nil:
		panic(r)
	case e == nil:
	case r != nil:
		panic(fmt.Sprintf("clock: work of executor %q panics: %v\n%s", e.name, r, debug.Stack()))
	case e.busy && e.closed:
		panic(unwound{})
	case e.busy:
		panic(fmt.Sprintf("clock: work of executor %q ended its goroutine (runtime.Goexit)", e.name))
	}
}

// advance moves the present to an instant, unless that is in the past.
func (v *Virtual) advance(at time.Duration) {
	v.at = max(v.at, at)
}

// turn gives one executor its turn, on c or on the coroutine of its work, and returns when c conducts.
func (v *Virtual) turn(d *dueWork, c *coroutine) {
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
	if e.coroutine != nil {
		e.coroutine.resume() // until something sleeps on it, or the run is over
		v.conductor = c
		return
	}
	e.step()
	if e.coroutine != nil { // it slept on c
		e.coroutine, v.conductor = nil, c
	}
	v.turns = nil
	if len(e.waiting) > 0 {
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
