package barrier

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
	delivery delivery // reused for every job of this worker
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
	abandoned   = 1 << iota // the worker was given up
	hasFailures             // a delivery before this one failed
	nextItem
)

// index is the delivery that runs in a state; the number of deliveries when all are done.
func index(state uint64) int { return int(state / nextItem) }

// An item is one delivery to one actor.
type item struct {
	mailbox *mailbox
	cell    *engine.Cell // of a hook; nil for an action
	msg     any
	err     error // written by the worker before it moves on
}

// A delivery is one job under way, with the time for which it was the innermost and made no progress.
type delivery struct {
	job    job
	synced int // items whose failure the engine knows
	hook   stack.Hook
	name   string // of an action step, or a constructor
	op     string // of an action step
	watch  watch  // of the delivery that runs
}

// culprit names the delivery that runs now.
func (d *delivery) culprit() string {
	i := index(d.job.state.Load())
	switch {
	case d.op != "":
		return d.name + "." + d.op + " (action)"
	case d.name != "" || i >= len(d.job.items):
		return d.name
	}
	return d.job.items[i].cell.Node.ID + "." + d.hook.String()
}

// runs reports whether the delivery that runs now is that of p.
func (d *delivery) runs(p *hookPort) bool {
	i := index(d.job.state.Load())
	return i < len(d.job.items) && d.job.items[i].msg == any(&p.msg)
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
	port *hookPort
	req  *behaviors.Request
}

// run is the worker's life: jobs until it is abandoned or dismissed.
func (w *worker) run(signals chan<- signal) {
	for j := range w.jobs {
		for i := 0; i < len(j.items); {
			next, alive := j.runFrom(i)
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

// runFrom makes the deliveries from the i-th on under one recover, to the end or through the first that panics. It returns
// the next one, and whether the worker still has the job.
func (j *job) runFrom(i int) (next int, alive bool) {
	state := j.state.Load() &^ abandoned
	next = i
	defer func() {
		if r := recover(); r != nil {
			it := &j.items[next]
			it.err = failure(r) // visible to whoever sees the new state
			it.mailbox.escalate(it.err, it.msg)
			alive = j.state.CompareAndSwap(state, (state|hasFailures)+nextItem)
			next++
		}
	}()
	for ; next < len(j.items); next++ {
		it := &j.items[next]
		if it.cell == nil || !it.cell.Lost() { // a question before its turn may have been its last hook
			it.mailbox.deliver(it.msg)
		}
		if !j.state.CompareAndSwap(state, state+nextItem) {
			return next, false
		}
		state += nextItem
	}
	return next, true
}

// failure words the panic of a delivery, with its stack. A lease that was revoked in the middle unwinds silently.
func failure(r any) error {
	if _, revoked := r.(engine.Revoked); revoked {
		return engine.ErrRevoked
	}
	return &panicked{text: panicText(r), stack: event.CallStack()}
}

// panicText says what a delivery panicked with; only the type if saying it panics without an end.
func panicText(r any) (text string) {
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

// A hookPort carries the requests of one frame back to the engine's goroutine. The lease is the delivery that runs: a
// request outside it, or of an abandoned worker, is refused as stale.
type hookPort struct {
	barrier *Barrier
	cell    *engine.Cell
	mailbox *mailbox
	msg     invoke

	asking  atomic.Bool  // a request waits: a second one comes from a goroutine that has no business here
	answers chan verdict // made at the first request: most behaviors wait in scope and have none
}

// A verdict is the answer to a request.
type verdict uint8

const (
	verdictGo     verdict = iota // answered
	verdictUnwind                // the incarnation was lost
	verdictStale                 // no hook of the port was that runs any more
)

// runFromName is the function that every hook on a worker is called from, and that recovers.
var runFromName = runtime.FuncForPC(reflect.ValueOf((*job).runFrom).Pointer()).Name()

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
		if f, more = frames.Next(); f.Function == runFromName {
			return true
		}
	}
	return false
}

// Do implements behaviors.Port. Whoever may ask at all runs in the innermost job; whether the port's own hook does, the
// engine's goroutine knows.
func (p *hookPort) Do(r *behaviors.Request) {
	j := p.barrier.innermost.Load()
	if j == nil || j.state.Load()&abandoned != 0 || p.mailbox.dead.Load() || !p.asking.CompareAndSwap(false, true) {
		p.barrier.refuse(p)
		engine.RefuseStale(p.cell, r)
		return
	}
	if p.answers == nil {
		p.answers = make(chan verdict, 1)
	}
	p.barrier.signals <- signal{kind: signalCall, job: j, port: p, req: r}
	v := <-p.answers
	p.asking.Store(false)
	switch v {
	case verdictUnwind:
		if onWorker() {
			panic(engine.Revoked{})
		}
		fallthrough // a goroutine of the author's asked while the hook was that runs: nobody would recover there
	case verdictStale:
		p.barrier.refuse(p)
		engine.RefuseStale(p.cell, r)
	}
}
