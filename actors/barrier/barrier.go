package barrier

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// A Barrier runs the hooks of behaviors and the steps of actions for the engine, one at a time, on goroutines of its own. Each
// behavior and each action is an actor.
//
// The engine's goroutine hands a job to a worker and waits. The worker reports that the job is done, or that the hook has a
// request. The engine answers the request, which may run nested hooks on further workers, and the hook goes on. A watchdog
// looks at the innermost delivery: if it makes no progress for its budget, its worker is abandoned and its actor is discarded.
// The time that an outer delivery waits for an inner one is not charged to it.
//
// All methods but Stats run on the engine's goroutine. It implements engine.HookRunner.
type Barrier struct {
	parent   *parent
	server   engine.Server
	observer event.Observer
	budget   time.Duration
	onHang   func(where string) // virtual time: a hang fails the run
	load     *clock.Load
	tracer   tracer // of tests; nil otherwise

	meter   atomic.Pointer[meter] // nil: hooks are not measured
	meterMu sync.Mutex
	kept    *meter // the one that measured, or measures

	crossing
	free      []*worker
	bare      bool                // no worker was free for a moment
	innermost atomic.Pointer[job] // of the innermost delivery; nil between hooks
	lookout   clock.Lookout       // glances, or asks for looks
	asked     atomic.Bool         // a glance has asked for a look
	polling   bool
	lastPoll  time.Time
	zombies   atomic.Int64

	panics, hangs atomic.Uint64
	lost          int  // items given up in this tick
	noMoreHooks   bool // too many hooks never returned
	stale         atomic.Uint64
	staleBy       atomic.Pointer[string]
}

// Stats counts what went wrong since the start.
type Stats struct {
	Panics, Hangs uint64 // lost incarnations; a hook that ended its goroutine counts as a panic
	Zombies       int    // workers that were given up and whose hook has not returned yet
	Stale         uint64 // requests that belonged to no hook that ran
	StaleBy       string // the behavior of the newest of them
}

// Options configure a Barrier.
type Options struct {
	Budget   time.Duration // how long one hook may take
	Observer event.Observer
	// OnHang is told which hook or action hangs, on the engine's goroutine. It is for virtual time, where a hang fails the run
	// and a slow hook is none.
	OnHang func(where string)
	// Load tells a hook that hangs from one that a loaded machine does not let run. It is shared with whoever else gives
	// goroutines up; nil: the barrier has its own.
	Load *clock.Load
}

// New makes the barrier of a robot: the parent of its behavior and action actors, and no worker yet.
func New(system *actor.ActorSystem, o Options) (*Barrier, error) {
	if o.Load == nil {
		o.Load = clock.NewLoad()
	}
	b := &Barrier{
		observer: o.Observer, budget: o.Budget, onHang: o.OnHang, crossing: crossing{signals: make(chan signal, 64)}, load: o.Load,
	}
	p, err := newParent(system, b.unexpected)
	b.parent = p
	if o.OnHang != nil || err != nil { // one that has failed has nothing to close
		b.lookout = &seldomLookout{ring: b.ring}
	} else {
		b.lookout = clock.NewLookout(pollEvery, b.glance, b.ring)
	}
	return b, err
}

// SetBudget changes how long one hook may take from now on.
func (b *Barrier) SetBudget(d time.Duration) { b.budget = d }

// Bind implements engine.HookRunner.
func (b *Barrier) Bind(s engine.Server) { b.server = s }

// Run implements engine.HookRunner. A hook without code of an author runs at once: it ends, and there is nothing to watch.
func (b *Barrier) Run(c *engine.Cell, f *engine.Frame) error {
	if c.Inc.Inst.Plain(f.Inv.Hook) {
		return b.report("behavior", c.Node.ID, f.Inv.Hook.String(), runHere(c, f))
	}
	d := b.prepare()
	d.hook = f.Inv.Hook
	d.add(c, f)
	err := b.handOver(d)
	if err != nil {
		b.discardActor(c)
	} else {
		err = d.job.items[0].err
		b.release(d)
	}
	return b.report("behavior", c.Node.ID, f.Inv.Hook.String(), err)
}

// runHere runs a hook on the engine's goroutine.
func runHere(c *engine.Cell, f *engine.Frame) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = failure(r)
		}
	}()
	c.Inc.Inst.Run(f.Control, &f.Inv)
	return nil
}

// Ask implements engine.HookRunner: one hand-over for all whose turn comes.
func (b *Barrier) Ask(cells []*engine.Cell, frames []*engine.Frame) (ran int, err error) {
	d := b.prepare()
	d.hook, d.job.poll = stack.HookWants, true
	for i, c := range cells {
		d.add(c, frames[i])
	}
	err = b.handOver(d)
	last := index(d.job.state.Load())
	if err != nil {
		b.discardActor(cells[last])
	} else {
		last = d.job.last
		err = d.job.items[last].err
		b.release(d)
	}
	return last + 1, b.report("behavior", cells[last].Node.ID, stack.HookWants.String(), err)
}

// Batch implements engine.HookRunner: one hand-over for all; after a hang the rest goes to a fresh worker.
func (b *Barrier) Batch(cells []*engine.Cell, frames []*engine.Frame) []engine.CellFailure {
	var failed []engine.CellFailure
	fail := func(c *engine.Cell, err error) {
		failed = append(failed, engine.CellFailure{Cell: c, Err: b.report("behavior", c.Node.ID, stack.HookUpdate.String(), err)})
	}
	for len(cells) > 0 {
		d := b.prepare()
		d.hook = stack.HookUpdate
		for i, c := range cells {
			d.add(c, frames[i])
		}
		lost := b.handOver(d)
		state := d.job.state.Load()
		done := index(state)
		if state&hasFailures != 0 {
			for i, c := range cells[:done] {
				if err := d.job.items[i].err; err != nil {
					c.Lose() // the rest of the batch may ask its behavior
					fail(c, err)
				}
			}
		}
		if lost == nil {
			b.release(d)
			break
		}
		cells[done].Lose()
		b.discardActor(cells[done])
		fail(cells[done], lost)
		cells, frames = cells[done+1:], frames[done+1:]
	}
	return failed
}

// Foreseen implements engine.HookRunner.
func (b *Barrier) Foreseen(_ *engine.Cell, f engine.Foreseen) engine.Foreseen { return f }

func (b *Barrier) newWorker() *worker {
	w := &worker{zombies: &b.zombies, spinners: &b.load.Spinners, tracer: b.tracer, meter: &b.meter}
	w.delivery.job.w = w
	w.begin(&b.crossing, w)
	return w
}

// prepare readies the delivery of a free worker.
func (b *Barrier) prepare() *delivery {
	if len(b.free) == 0 {
		b.free = append(b.free, b.newWorker())
	}
	last := len(b.free) - 1
	w := b.free[last]
	b.free = b.free[:last]
	b.bare = b.bare || last == 0
	d := &w.delivery
	d.job.items = d.job.items[:0]
	d.job.state.Store(0)
	d.job.done, d.job.poll = false, false
	d.name, d.op, d.synced, d.watch = "", "", 0, watch{}
	return d
}

// add appends a hook. The batch of a tick is usually that of the tick before, and its items are still there.
func (d *delivery) add(c *engine.Cell, f *engine.Frame) {
	if n := len(d.job.items); n < cap(d.job.items) {
		if it := &d.job.items[:n+1][n]; it.frame == f && it.err == nil {
			d.job.items = d.job.items[:n+1]
			return
		}
	}
	p := f.Port().(*hookPort)
	d.job.items = append(d.job.items, item{mailbox: p.mailbox, cell: c, frame: f, msg: &p.msg})
}

// release gives the worker of a finished delivery back. Neither the worker of a lost delivery nor the delivery is used again.
func (b *Barrier) release(d *delivery) {
	if w := d.job.w; w.exited {
		w.end()
	} else {
		b.free = append(b.free, w)
	}
}

// handOver hands the job over and waits, answering requests, until it is done or given up. The error says how it was lost.
func (b *Barrier) handOver(d *delivery) error {
	w := d.job.w
	w.step(stepHandsOver, 0)
	if b.Exhausted() {
		w.step(stepLeavesOut, 0)
		b.release(d)
		return ErrExhausted
	}
	outer := b.innermost.Load()
	b.innermost.Store(&d.job)
	defer b.innermost.Store(outer)
	if !b.polling {
		b.watch()
	}
	w.ready()
	// What it owes to whoever waits in the coroutine, the job or an answer, comes before any signal, and before the end: a hook that was given
	// up would wait there for ever, and so would a goroutine beside the hook whose request it has outlived.
	for owes := true; owes || !d.job.done; {
		var sig signal
		switch {
		case d.job.done:
			sig = w.visit()
		case owes:
			sig = w.enter()
		default:
			if sig, _ = b.take(); sig.kind == signalNone {
				sig = w.enter()
			}
		}
		owes = sig.handed && sig.kind == signalCall
		switch {
		case sig.kind == signalNone: // there is one to take
		case sig.kind == signalPoll:
			b.asked.Store(false)
			if b.look(d) {
				return &overrun{where: d.culprit()}
			}
		case sig.kind == signalStuck:
			d.job.w.step(stepLooks, int(sig.state))
			lost := b.abandon(d, sig.state, sig.spins)
			b.again(pollEvery)
			if lost {
				return &overrun{where: d.culprit()}
			}
		case sig.kind == signalDone: // also of an outer delivery, whose hook ended while a goroutine that it started made the request
			sig.job.w.step(stepHears, 0)
			sig.job.done, sig.job.w.apart = true, !sig.handed
		case sig.job != &d.job || !d.runs(sig.port): // no hook that runs asks this
			sig.port.step(stepRefuses, 0)
			sig.reply(verdictStale)
		default:
			sig.port.step(stepServes, 0)
			d.syncFailures()
			b.answer(&sig)
		}
	}
	b.slow(d)
	return nil
}

// syncFailures marks the cells of those items of a batch as lost that failed before the one whose hook asks now.
func (d *delivery) syncFailures() {
	state := d.job.state.Load()
	if state&hasFailures == 0 {
		return
	}
	for ; d.synced < index(state); d.synced++ {
		if it := &d.job.items[d.synced]; it.err != nil {
			it.cell.Lose()
		}
	}
}

// answer serves one request on the engine's goroutine. If the incarnation was lost in a nested hook, the hook that waits is
// unwound, and its delivery ends when the worker reports.
func (b *Barrier) answer(sig *signal) {
	c := sig.port.cell
	if !c.Lost() {
		b.server.Serve(c, sig.port.msg.frame, sig.req)
	}
	v := verdictGo
	if c.Lost() {
		v = verdictUnwind
	}
	sig.port.step(stepAnswers, int(v))
	sig.reply(v)
}

// report counts and reports a lost incarnation, and passes its error on.
func (b *Barrier) report(group, name, where string, err error) error {
	if err == nil || errors.Is(err, engine.ErrRevoked) || errors.Is(err, ErrExhausted) {
		return err
	}
	f := event.Failure{Actor: group + "/" + name, Group: group, Where: where, Text: err.Error(), Reason: "panic"}
	var p *panicked
	var o *overrun
	switch {
	case errors.As(err, &o):
		f.Reason = "hang"
		b.hangs.Add(1)
	case errors.As(err, &p):
		f.Stack = p.stack
		if p.goexit {
			f.Reason = "goexit"
		}
		b.panics.Add(1)
	}
	b.observer.Observe(f)
	return err
}

// Stats may be called from anywhere.
func (b *Barrier) Stats() Stats {
	s := Stats{Panics: b.panics.Load(), Hangs: b.hangs.Load(), Zombies: int(b.zombies.Load()), Stale: b.stale.Load()}
	if by := b.staleBy.Load(); by != nil {
		s.StaleBy = *by
	}
	return s
}

// Close ends the workers that are free.
func (b *Barrier) Close() {
	b.endWatch()
	b.lookout.Close()
	for _, w := range b.free {
		w.end()
	}
	b.free = nil
	for sig, ok := b.take(); ok; sig, ok = b.take() { // requests that came too late
		if sig.kind == signalCall {
			sig.port.step(stepRefuses, 0)
			sig.port.answers <- verdictStale
		}
	}
}

// Adopt implements actions.Host: one actor for each queued action.
func (b *Barrier) Adopt(r *actions.Runner) {
	l, pid := b.parent.spawn(fmt.Sprintf("a-%d", r.Tag()), b.parent.action)
	b.parent.actions[r.Tag()] = &actionCell{mailbox: l, pid: pid}
}

// Release implements actions.Host.
func (b *Barrier) Release(r *actions.Runner) {
	a := b.parent.actions[r.Tag()]
	delete(b.parent.actions, r.Tag())
	if a != nil && !a.mailbox.dead.Load() {
		b.parent.stop(a.mailbox, a.pid)
	}
}

// Call implements actions.Host.
func (b *Barrier) Call(r *actions.Runner, op actions.Op, env *actions.Env) (actions.Result, error) {
	a := b.parent.actions[r.Tag()]
	a.msg = stepAction{runner: r, op: op, env: env}
	d := b.prepare()
	d.name, d.op = r.Name(), op.String()
	d.job.items = append(d.job.items, item{mailbox: a.mailbox, msg: &a.msg})
	err := b.handOver(d)
	if err != nil {
		b.parent.discard(a.mailbox, a.pid)
	} else {
		err = d.job.items[0].err
		b.release(d)
	}
	if err != nil {
		return actions.Abort, b.report("action", r.Name(), op.String(), err)
	}
	return a.msg.result, nil
}

func (b *Barrier) unexpected(to string, msg any) {
	b.observer.Observe(event.DeadLetter{To: to, Type: fmt.Sprintf("%T", msg)})
}
