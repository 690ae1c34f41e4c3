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

// A worker is a long-lived coroutine that runs jobs for the barrier. A hook that never returns costs one worker, which is
// abandoned with its goroutine. The engine never runs on a worker.
type worker struct {
	coroutine
	delivery delivery // reused for every job of this worker
	zombies  *atomic.Int64
	spinners *atomic.Int64
	tracer   tracer
	meter    *atomic.Pointer[meter]
}

// A job is a list of items, usually of one. It belongs to the worker until the worker reports it done. The job of an abandoned
// worker is never used again, because the worker may still touch it.
type job struct {
	w     *worker
	items []item
	done  bool // reported; used by the engine's goroutine only
	poll  bool // questions: the first yes or failure makes the items after it needless
	last  int  // of a poll: the item that ran last; written by the worker before it reports
	spins bool // given up while it burned processor time; written before the abandoned flag
	// state says which item runs now. Worker and watchdog change it by compare-and-swap, so that exactly one of them wins
	// each item.
	state atomic.Uint64
}

// The state of a job is the index of the item that runs now, times nextItem, plus flags.
const (
	abandoned   = 1 << iota // the worker was given up
	hasFailures             // an item before this one failed
	nextItem
)

// index is the item that runs in a state; the number of items when all are done.
func index(state uint64) int { return int(state / nextItem) }

// An item is one message to one actor.
type item struct {
	mailbox *mailbox
	cell    *engine.Cell // of a hook; nil for an action
	frame   *engine.Frame
	msg     any
	err     error // written by the worker before it moves on
}

// A delivery is one job under way, with what the engine and the watchdog know of it.
type delivery struct {
	job    job
	synced int // items whose failure the engine knows of
	hook   stack.Hook
	name   string // of an action step, or a constructor
	op     string // of an action step
	watch  watch  // of the item that runs
}

// culprit names the item that runs now.
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

// runs reports whether the item that runs now is the hook of p.
func (d *delivery) runs(p *hookPort) bool {
	i := index(d.job.state.Load())
	return i < len(d.job.items) && d.job.items[i].msg == any(&p.msg)
}

// measured is the meter if hooks are measured, else nil.
func (w *worker) measured() *meter {
	if w == nil || w.meter == nil {
		return nil
	}
	return w.meter.Load()
}

// finish runs the worker's job from the item on that its state names, and reports whether the worker still has the job.
func (w *worker) finish() (alive bool) {
	j := &w.delivery.job
	state := j.state.Load()
	alive = state&abandoned == 0
	for i := index(state); alive && i < len(j.items); {
		i, alive = j.runFrom(i)
	}
	if alive {
		w.step(stepReports, 0)
		return true
	}
	w.step(stepLeaves, 0)
	w.zombies.Add(-1)
	if j.spins {
		w.spinners.Add(-1)
	}
	return false
}

// runFrom delivers the items from the i-th on under one recover, to the end or through the first that panics. It returns the
// next item, and whether the worker still has the job. It does not return if an item ends its goroutine: then the state says
// the same.
func (j *job) runFrom(i int) (next int, alive bool) {
	state, traced, meter := j.state.Load()&^abandoned, j.w.traced(), j.w.measured()
	next = i
	broken := true // an item did not return
	defer func() {
		if broken {
			it := &j.items[next]
			it.mailbox.escalate(it.err, it.msg) // visible to a goroutine that sees the new state
			traced.step(stepFails, next)
			to := j.after(next, true)
			if alive = j.state.CompareAndSwap(state, (state|hasFailures)+uint64(to-next)*nextItem); alive {
				traced.step(stepMoves, next)
			}
			next = to
		}
	}()
	defer func() {
		if r := recover(); broken {
			it := &j.items[next]
			it.err = errGoexit // in case that the methods of the panic value call it
			it.err = failure(r)
		}
	}()
	for next < len(j.items) {
		var lap lap
		it := &j.items[next]
		if it.cell == nil || !it.cell.Lost() { // it may have been lost in a question before its turn
			traced.step(stepBegins, next)
			if meter != nil {
				lap = meter.begin()
			}
			it.mailbox.deliver(it.msg)
			traced.step(stepReturns, next)
		} else {
			traced.step(stepSkips, next)
		}
		to := j.after(next, false)
		if !j.state.CompareAndSwap(state, state+uint64(to-next)*nextItem) {
			broken = false
			return next, false
		}
		state += uint64(to-next) * nextItem
		traced.step(stepMoves, next)
		if meter != nil && it.cell != nil {
			meter.end(it.cell, lap)
		}
		next = to
	}
	broken = false
	return next, true
}

// after is the item that follows the i-th, which has ended; the number of items if none shall.
func (j *job) after(i int, failed bool) int {
	if !j.poll {
		return i + 1
	}
	j.last = i
	inv := &j.items[i].frame.Inv
	if failed || inv.Answer || inv.Alone {
		return len(j.items)
	}
	return i + 1
}

// errGoexit is the error of an item that ended its goroutine. Neither a return nor recover stops runtime.Goexit, which
// testing.T.FailNow calls as well.
var errGoexit = &panicked{goexit: true, text: "ended its goroutine with runtime.Goexit"}

// failure is the error of an item that panicked with r, or ended its goroutine if r is nil, with the stack of that. A hook that
// was unwound is no failure of its own.
func failure(r any) error {
	if r == nil {
		return &panicked{goexit: true, text: errGoexit.text, stack: event.CallStack()}
	}
	if _, revoked := r.(engine.Revoked); revoked {
		return engine.ErrRevoked
	}
	return &panicked{text: panicText(r), stack: event.CallStack()}
}

// panicText formats a panic value. It is only the value's type if the value panics while it is formatted.
func panicText(r any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("panic: %T", r)
		}
	}()
	return fmt.Sprintf("panic: %v", r)
}

// panicked is the panic of a hook, or its runtime.Goexit, with the stack at which it happened. The text is made on the worker,
// because the methods of the panic value are the author's code.
type panicked struct {
	goexit bool
	text   string
	stack  event.Stack
}

func (p *panicked) Error() string { return p.text }

// overrun is a hook that took longer than its budget.
type overrun struct{ where string }

func (o *overrun) Error() string { return "hang: " + o.where + " exceeded its budget" }

// Unwrap lets the action list tell a hang from a panic.
func (o *overrun) Unwrap() error { return actions.ErrHung }

// A hookPort carries the requests of one frame to the engine's goroutine. A request that comes while the hook of the frame
// does not run, or from an abandoned worker, is refused as stale.
type hookPort struct {
	barrier *Barrier
	cell    *engine.Cell
	mailbox *mailbox
	msg     invoke

	asking  atomic.Bool  // a request waits: a second one comes from a goroutine beside the hook
	answers chan verdict // made at the first request that could not be handed over
}

// A verdict is the answer to a request.
type verdict uint8

const (
	verdictGo     verdict = iota // answered
	verdictUnwind                // the incarnation was lost
	verdictStale                 // the hook of the port does not run any more
)

// runFromName is the name of the function that calls every hook on a worker, and that recovers.
var runFromName = runtime.FuncForPC(reflect.ValueOf((*job).runFrom).Pointer()).Name()

// onWorker reports whether its caller runs on a worker's goroutine, where a panic is recovered. It walks the whole stack, at any
// depth, and is called only when an incarnation was lost in a nested hook.
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

// Do implements behaviors.Port. Only a hook of the innermost job may ask; the engine's goroutine checks that it is the hook of
// this port.
func (p *hookPort) Do(r *behaviors.Request) {
	p.step(stepCalls, 0)
	j := p.barrier.innermost.Load()
	if j == nil || j.state.Load()&abandoned != 0 || p.mailbox.dead.Load() || !p.asking.CompareAndSwap(false, true) {
		p.step(stepGetsNo, 0)
		p.barrier.refuse(p)
		engine.RefuseStale(p.cell, r)
		return
	}
	p.step(stepAsks, 0)
	s := signal{kind: signalCall, job: j, port: p, req: r}
	v, ok := j.w.hand(s)
	if !ok { // a look of the watchdog is under way, or another request
		if p.answers == nil {
			p.answers = make(chan verdict, 1)
		}
		p.barrier.tell(s)
		v = <-p.answers
	}
	p.step(stepGoesOn, int(v))
	p.asking.Store(false)
	switch v {
	case verdictUnwind:
		if onWorker() {
			panic(engine.Revoked{})
		}
		fallthrough // a goroutine of the author's asked while the hook ran: nothing would recover its panic
	case verdictStale:
		p.barrier.refuse(p)
		engine.RefuseStale(p.cell, r)
	}
}
