package actors

import (
	"fmt"
	"reflect"
	"runtime"
	"sync/atomic"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// A worker is a long-lived goroutine that runs deliveries for the joint. A hook that never returns costs one worker, which is
// abandoned with its goroutine and replaced; the engine is never on it.
type worker struct {
	jobs     chan *job
	flight   flight // reused for every job of this worker
	zombies  *atomic.Int64
	spinners *atomic.Int64
}

// A job is a batch of deliveries, usually of one. It belongs to the worker until the worker reports it done; after an
// abandonment nobody uses it again, because the worker may still touch it.
type job struct {
	w     *worker
	items []item
	done  bool // reported; used by the engine's goroutine only
	spins bool // given up while it burned processor time; written before the abandoned flag
	// state is the delivery that runs now. The worker moves it on by compare-and-swap, so that of worker and watchdog
	// exactly one wins each delivery.
	state atomic.Uint64
}

// The states of a job are the index of the delivery that runs now, times delivery, plus flags.
const (
	abandoned = 1 << iota // the worker was given up
	blemished             // a delivery before this one failed
	delivery
)

// index is the delivery that runs in a state; the number of deliveries when all are done.
func index(state uint64) int { return int(state / delivery) }

// An item is one delivery to one actor.
type item struct {
	latch *latch
	cell  *engine.Cell // of a hook; nil for an action
	msg   any
	err   error // written by the worker before it moves on
}

// A flight is one job under way, with the time for which it was the innermost and made no progress.
type flight struct {
	job   job
	heard int // items whose failure the engine knows
	hook  stack.Hook
	name  string // of an action step, or a constructor
	op    string // of an action step
	watch watch  // of the delivery that runs
}

// culprit names the delivery that runs now.
func (fl *flight) culprit() string {
	i := index(fl.job.state.Load())
	switch {
	case fl.op != "":
		return fl.name + "." + fl.op + " (action)"
	case fl.name != "" || i >= len(fl.job.items):
		return fl.name
	}
	return fl.job.items[i].cell.Node.ID + "." + fl.hook.String()
}

// runs reports whether the delivery that runs now is that of p.
func (fl *flight) runs(p *leasePort) bool {
	i := index(fl.job.state.Load())
	return i < len(fl.job.items) && fl.job.items[i].msg == any(&p.msg)
}

// signalKind says what reaches the engine's goroutine while it waits.
type signalKind uint8

const (
	signalDone signalKind = iota
	signalCall
	signalPoll
)

type signal struct {
	kind signalKind
	job  *job
	port *leasePort
	req  *behaviors.Request
}

// run is the worker's life: jobs until it is abandoned or dismissed.
func (w *worker) run(signals chan<- signal) {
	for j := range w.jobs {
		for i := 0; i < len(j.items); {
			next, alive := j.sweep(i)
			if !alive {
				w.zombies.Add(-1)
				if j.spins {
					w.spinners.Add(-1)
				}
				return // abandoned: the rest belongs to somebody else
			}
			i = next
		}
		signals <- signal{kind: signalDone, job: j}
	}
}

// sweep makes the deliveries from the i-th on under one recover, to the end or through the first that panics. It returns
// the next one, and whether the worker still has the job.
func (j *job) sweep(i int) (next int, alive bool) {
	state := j.state.Load() &^ abandoned
	next = i
	defer func() {
		if r := recover(); r != nil {
			it := &j.items[next]
			it.err = failure(r) // visible to whoever sees the new state
			it.latch.escalate(it.err, it.msg)
			alive = j.state.CompareAndSwap(state, (state|blemished)+delivery)
			next++
		}
	}()
	for ; next < len(j.items); next++ {
		it := &j.items[next]
		if it.cell == nil || !it.cell.Lost() { // a question before its turn may have been its last hook
			it.latch.deliver(it.msg)
		}
		if !j.state.CompareAndSwap(state, state+delivery) {
			return next, false
		}
		state += delivery
	}
	return next, true
}

// failure words the panic of a delivery, with its stack. A lease that was revoked in the middle unwinds silently.
func failure(r any) error {
	if _, revoked := r.(engine.Revoked); revoked {
		return engine.ErrRevoked
	}
	return &panicked{text: worded(r), stack: event.CallStack()}
}

// worded says what a delivery panicked with; only the type if saying it panics without an end.
func worded(r any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("panic: %T", r)
		}
	}()
	return fmt.Sprintf("panic: %v", r)
}

// panicked is the panic of a hook with the stack at which it happened. The value was worded on the worker: its methods are code of
// the author's.
type panicked struct {
	text  string
	stack event.Stack
}

func (p *panicked) Error() string { return p.text }

// overrun is a hook that held on longer than its budget.
type overrun struct{ where string }

func (o *overrun) Error() string { return "hang: " + o.where + " exceeded its budget" }

// Unwrap lets the action list tell a hang from a panic.
func (o *overrun) Unwrap() error { return actions.ErrHung }

// A leasePort carries the requests of one frame back to the engine's goroutine. The lease is the delivery in flight: a
// request outside it, or of an abandoned worker, is refused as stale.
type leasePort struct {
	joint *Joint
	cell  *engine.Cell
	latch *latch
	msg   invoke

	asking  atomic.Bool  // a request waits: a second one comes from a goroutine that has no business here
	answers chan verdict // made at the first request: most behaviors wait in scope and have none
}

// A verdict is the answer to a request.
type verdict uint8

const (
	verdictGo     verdict = iota // answered
	verdictUnwind                // the incarnation was lost
	verdictStale                 // no hook of the port was in flight any more
)

// sweeping is the function that every hook on a worker is called from, and that recovers.
var sweeping = runtime.FuncForPC(reflect.ValueOf((*job).sweep).Pointer()).Name()

// onWorker reports whether its caller runs on a worker's goroutine, where a panic is recovered. It walks the whole stack,
// however deep a hook is in calls of its own; it is asked only when an incarnation was lost in a nested hook.
func onWorker() bool {
	pcs := make([]uintptr, 64)
	n := runtime.Callers(1, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 2*len(pcs))
		n = runtime.Callers(1, pcs)
	}
	for frames, more := runtime.CallersFrames(pcs[:n]), true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.Function == sweeping {
			return true
		}
	}
	return false
}

// Do implements behaviors.Port. Whoever may ask at all runs in the innermost job; whether the port's own hook does, the
// engine's goroutine knows.
func (p *leasePort) Do(r *behaviors.Request) {
	j := p.joint.inner.Load()
	if j == nil || j.state.Load()&abandoned != 0 || p.latch.dead.Load() || !p.asking.CompareAndSwap(false, true) {
		p.joint.refuse(p)
		engine.RefuseStale(p.cell, r)
		return
	}
	if p.answers == nil {
		p.answers = make(chan verdict, 1)
	}
	p.joint.signals <- signal{kind: signalCall, job: j, port: p, req: r}
	v := <-p.answers
	p.asking.Store(false)
	switch v {
	case verdictUnwind:
		if onWorker() {
			panic(engine.Revoked{})
		}
		fallthrough // a goroutine of the author's asked while the hook was in flight: nobody would recover there
	case verdictStale:
		p.joint.refuse(p)
		engine.RefuseStale(p.cell, r)
	}
}
