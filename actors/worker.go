package actors

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// A worker is a long-lived goroutine that runs deliveries for the joint. A hook that never returns costs one worker, which is
// abandoned with its goroutine and replaced; the engine is never on it.
type worker struct {
	jobs    chan *job
	flight  flight // reused for every job of this worker
	zombies *atomic.Int64
}

// A job is a batch of deliveries, usually of one. It belongs to the worker until the worker reports it done; after an
// abandonment nobody uses it again, because the worker may still touch it.
type job struct {
	w     *worker
	items []item
	done  bool // reported; used by the engine's goroutine only
	// state is index<<1 | abandoned: the delivery that runs now. The worker moves it on by compare-and-swap, so that of
	// worker and watchdog exactly one wins each delivery.
	state atomic.Uint64
}

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
	cells []*engine.Cell // whose hook each item is; empty for an action
	heard int            // items whose failure the engine knows
	hook  stack.Hook
	name  string // of an action step, or a constructor
	seen  uint64 // state at the last look
	spent time.Duration
	cpu   time.Duration // of the process at the first look
}

// culprit names the delivery that runs now.
func (fl *flight) culprit() string {
	i := int(fl.job.state.Load() >> 1)
	if fl.name != "" || i >= len(fl.cells) {
		return fl.name
	}
	return fl.cells[i].Node.ID + "." + fl.hook.String()
}

const abandoned = 1

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
		for i := range j.items {
			it := &j.items[i]
			var err error
			if it.cell == nil || !it.cell.Lost() { // a question before its turn may have been its last hook
				err = perform(it)
			}
			// The result is visible to whoever sees the new state.
			it.err = err
			if !j.state.CompareAndSwap(uint64(i)<<1, uint64(i+1)<<1) {
				w.zombies.Add(-1)
				return // abandoned: the rest belongs to somebody else
			}
		}
		signals <- signal{kind: signalDone, job: j}
	}
}

// perform makes one delivery and words its failure. A lease that was revoked in the middle unwinds silently.
func perform(it *item) error {
	failure := it.latch.deliver(it.msg)
	switch f := failure.(type) {
	case nil:
		return nil
	case *panicked:
		return f
	case engine.Revoked:
		return engine.ErrRevoked
	default:
		return &panicked{value: f}
	}
}

// panicked is the panic of a hook with the stack at which it happened.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// overrun is a hook that held on longer than its budget.
type overrun struct{ where string }

func (o *overrun) Error() string { return "hang: " + o.where + " exceeded its budget" }

// A leasePort carries the requests of one frame back to the engine's goroutine. The lease is the delivery in flight: a
// request outside it, or of an abandoned worker, is refused as stale.
type leasePort struct {
	joint *Joint
	cell  *engine.Cell
	msg   invoke
	job   atomic.Pointer[job] // in flight; nil outside a hook

	asking  atomic.Bool // a request waits: a second one comes from a goroutine that has no business here
	answers chan verdict
}

// A verdict is the answer to a request.
type verdict uint8

const (
	verdictGo     verdict = iota // answered
	verdictUnwind                // the incarnation was lost in a nested hook
	verdictStale                 // no hook of the port was in flight any more
)

// Do implements behaviors.Port.
func (p *leasePort) Do(r *behaviors.Request) {
	j := p.job.Load()
	if j == nil || j.state.Load()&abandoned != 0 || !p.asking.CompareAndSwap(false, true) {
		engine.RefuseStale(p.cell, r)
		return
	}
	p.joint.signals <- signal{kind: signalCall, job: j, port: p, req: r}
	v := <-p.answers
	p.asking.Store(false)
	switch v {
	case verdictUnwind:
		panic(engine.Revoked{})
	case verdictStale:
		engine.RefuseStale(p.cell, r)
	}
}
