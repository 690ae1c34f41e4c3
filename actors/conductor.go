package actors

import (
	"cmp"
	"container/heap"
	"time"
)

// A Conductor is virtual time. It advances to the next due instant and lets everything due there run in a fixed order
// (rank, name, order of posting), waiting until each has answered: finished or gone to sleep. Exactly one participant runs
// at any moment, so nothing depends on how goroutines are scheduled.
//
// Run is called by one goroutine; lanes are used by the work that the conductor runs, and before Run by the goroutine that
// sets things up.
type Conductor struct {
	now   time.Time
	due   dueHeap
	seq   uint64
	lanes []*virtualLane
	turns *virtualLane  // whose turn it is
	idle  chan struct{} // the running participant answers here
}

// NewConductor returns a timeline that begins at start.
func NewConductor(start time.Time) *Conductor {
	return &Conductor{now: start, idle: make(chan struct{})}
}

// Now implements Timeline.
func (c *Conductor) Now() time.Time { return c.now }

// Lane implements Timeline.
func (c *Conductor) Lane(name string, rank int) Lane {
	l := &virtualLane{c: c, name: name, rank: rank, work: make(chan func()), awake: make(chan struct{})}
	c.lanes = append(c.lanes, l)
	go l.run()
	return l
}

// Run lets everything happen that is due until the instant end, which becomes the present. It stops early when stop says
// so; stop is asked between two pieces of work.
func (c *Conductor) Run(end time.Time, stop func() bool) {
	for len(c.due) > 0 && !c.due[0].at.After(end) {
		if stop != nil && stop() {
			return
		}
		d := heap.Pop(&c.due).(*dueWork)
		if d.cancelled || d.lane.closed {
			continue
		}
		if d.at.After(c.now) {
			c.now = d.at
		}
		c.turn(d)
	}
	if end.After(c.now) {
		c.now = end
	}
}

// turn gives one lane its turn and waits for its answer.
func (c *Conductor) turn(d *dueWork) {
	l := d.lane
	c.turns = l
	switch {
	case d.work == nil: // end of a sleep
		l.awake <- struct{}{}
	case l.busy: // asleep in the middle of other work
		l.waiting = append(l.waiting, d.work)
		return
	default:
		l.busy = true
		l.work <- d.work
	}
	<-c.idle
	c.turns = nil
	if !l.busy && len(l.waiting) > 0 {
		next := l.waiting[0]
		l.waiting = l.waiting[1:]
		c.post(l, c.now, next)
	}
}

// Close ends every lane. A participant that sleeps is left behind with its goroutine parked for good; a run closes only
// after its actors were stopped.
func (c *Conductor) Close() {
	for _, l := range c.lanes {
		if !l.closed {
			l.Close()
		}
	}
}

func (c *Conductor) post(l *virtualLane, at time.Time, f func()) *dueWork {
	c.seq++
	d := &dueWork{at: at, lane: l, seq: c.seq, work: f}
	heap.Push(&c.due, d)
	return d
}

// virtualLane is one participant. Its goroutine runs only between taking work (or waking) and answering.
type virtualLane struct {
	c       *Conductor
	name    string
	rank    int
	work    chan func()
	awake   chan struct{}
	busy    bool // between the begin and the end of a piece of work
	closed  bool
	waiting []func() // posted while the lane slept
	more    []func() // posted by the lane's own work: run in the same turn
}

func (l *virtualLane) run() {
	for f := range l.work {
		f()
		for i := 0; i < len(l.more); i++ {
			l.more[i]()
		}
		clear(l.more)
		l.more = l.more[:0]
		l.busy = false
		l.c.idle <- struct{}{}
	}
}

func (l *virtualLane) Now() time.Time { return l.c.now }

// Sleep hands the turn back and takes it up again when the instant comes.
func (l *virtualLane) Sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	l.c.post(l, l.c.now.Add(d), nil)
	l.c.idle <- struct{}{}
	<-l.awake
}

// Post runs f after the present work if it comes from the lane itself: a message to oneself needs no second turn.
func (l *virtualLane) Post(f func()) {
	if l.c.turns == l {
		l.more = append(l.more, f)
		return
	}
	l.c.post(l, l.c.now, f)
}

func (l *virtualLane) At(t time.Time, f func()) func() {
	if t.Before(l.c.now) {
		t = l.c.now
	}
	d := l.c.post(l, t, f)
	return func() { d.cancelled = true }
}

func (l *virtualLane) Watch(time.Duration, func()) func() { return func() {} }

func (l *virtualLane) Close() {
	l.closed = true
	if !l.busy {
		close(l.work)
	}
}

// dueWork is one entry of the heap; a nil work ends a sleep.
type dueWork struct {
	at        time.Time
	lane      *virtualLane
	seq       uint64
	work      func()
	cancelled bool
}

type dueHeap []*dueWork

func (h dueHeap) Len() int { return len(h) }
func (h dueHeap) Less(i, j int) bool {
	a, b := h[i], h[j]
	return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.lane.rank, b.lane.rank), cmp.Compare(a.lane.name, b.lane.name), cmp.Compare(a.seq, b.seq)) < 0
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
