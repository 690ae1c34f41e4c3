package clock

import (
	"cmp"
	"container/heap"
	"time"
)

// A Virtual is a timeline in virtual time. It advances to the next due instant and lets everything due there run in a fixed
// order (rank, name, order of posting), waiting until each has answered: finished or gone to sleep. Exactly one participant
// runs at any moment, so nothing depends on how goroutines are scheduled.
//
// One goroutine calls Run. Executors are used by the work that Run runs, and before Run by the goroutine that sets things up.
type Virtual struct {
	now       time.Time
	thaw      time.Time // end of a freeze
	due       dueHeap
	seq       uint64
	executors []*virtualExecutor
	turns     *virtualExecutor // whose turn it is
	idle      chan struct{}    // the running participant answers here
}

// NewVirtual returns a timeline that begins at start.
func NewVirtual(start time.Time) *Virtual {
	return &Virtual{now: start, idle: make(chan struct{})}
}

// Now implements Timeline.
func (v *Virtual) Now() time.Time { return v.now }

// Executor implements Timeline.
func (v *Virtual) Open(name string, rank int) Executor {
	e := &virtualExecutor{timeline: v, name: name, rank: rank, work: make(chan func()), awake: make(chan struct{})}
	v.executors = append(v.executors, e)
	go e.run()
	return e
}

// Run lets everything happen that is due until the instant end, which becomes the present. It stops early when stop says
// so; stop is asked between two pieces of work.
func (v *Virtual) Run(end time.Time, stop func() bool) {
	if v.frozen(end) {
		return
	}
	for len(v.due) > 0 && !v.due[0].at.After(end) {
		if stop != nil && stop() {
			return
		}
		d := heap.Pop(&v.due).(*dueWork)
		if d.cancelled || d.executor.closed {
			continue
		}
		if d.at.After(v.now) {
			v.now = d.at
		}
		v.turn(d)
	}
	if end.After(v.now) {
		v.now = end
	}
}

// turn gives one executor its turn and waits for its answer.
func (v *Virtual) turn(d *dueWork) {
	e := d.executor
	v.turns = e
	switch {
	case d.work == nil: // end of a sleep
		e.awake <- struct{}{}
	case e.busy: // asleep in the middle of other work
		e.waiting = append(e.waiting, d.work)
		return
	default:
		e.busy = true
		e.work <- d.work
	}
	<-v.idle
	v.turns = nil
	if !e.busy && len(e.waiting) > 0 {
		next := e.waiting[0]
		e.waiting = e.waiting[1:]
		v.post(e, v.now, next)
	}
}

// Close ends every executor. A participant that sleeps is left behind with its goroutine parked for good; a run closes only
// after its actors were stopped.
func (v *Virtual) Close() {
	for _, e := range v.executors {
		if !e.closed {
			e.Close()
		}
	}
}

func (v *Virtual) post(e *virtualExecutor, at time.Time, f func()) *dueWork {
	v.seq++
	d := &dueWork{at: at, executor: e, seq: v.seq, work: f}
	heap.Push(&v.due, d)
	return d
}

// virtualExecutor is one participant. Its goroutine runs only between taking work (or waking) and answering.
type virtualExecutor struct {
	timeline *Virtual
	name     string
	rank     int
	work     chan func()
	awake    chan struct{}
	busy     bool // between the begin and the end of a piece of work
	closed   bool
	waiting  []func() // posted while the executor slept
	more     []func() // posted by the executor's own work: run in the same turn
}

func (e *virtualExecutor) run() {
	for f := range e.work {
		f()
		for i := 0; i < len(e.more); i++ {
			e.more[i]()
		}
		clear(e.more)
		e.more = e.more[:0]
		e.busy = false
		e.timeline.idle <- struct{}{}
	}
}

func (e *virtualExecutor) Now() time.Time { return e.timeline.now }

// Sleep hands the turn back and takes it up again when the instant comes.
func (e *virtualExecutor) Sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	e.timeline.post(e, e.timeline.now.Add(d), nil)
	e.timeline.idle <- struct{}{}
	<-e.awake
}

// Post runs f after the present work if it comes from the executor itself: a message to oneself needs no second turn.
func (e *virtualExecutor) Post(f func()) {
	if e.timeline.turns == e {
		e.more = append(e.more, f)
		return
	}
	e.timeline.post(e, e.timeline.now, f)
}

func (e *virtualExecutor) At(t time.Time, f func()) func() {
	if t.Before(e.timeline.now) {
		t = e.timeline.now
	}
	d := e.timeline.post(e, t, f)
	return func() { d.cancelled = true }
}

func (e *virtualExecutor) Watch(time.Duration, func(Verdict)) func() { return func() {} }

func (e *virtualExecutor) Close() {
	e.closed = true
	if !e.busy {
		close(e.work)
	}
}

// dueWork is one entry of the heap; a nil work ends a sleep.
type dueWork struct {
	at        time.Time
	executor  *virtualExecutor
	seq       uint64
	work      func()
	cancelled bool
}

type dueHeap []*dueWork

func (h dueHeap) Len() int { return len(h) }
func (h dueHeap) Less(i, j int) bool {
	a, b := h[i], h[j]
	return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.executor.rank, b.executor.rank), cmp.Compare(a.executor.name, b.executor.name), cmp.Compare(a.seq, b.seq)) < 0
}
func (h dueHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *dueHeap) Push(x any)   { *h = append(*h, x.(*dueWork)) }
func (h *dueHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return last
}
