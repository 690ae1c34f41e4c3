package actors

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// A Joint is the tick barrier: it lends the engine one goroutine at a time for the hooks of behaviors and the steps of
// actions, each of which is an actor of its own.
//
// The engine's goroutine hands a delivery to a worker and waits. The worker reports that it is done, or that the hook has a
// request; the engine answers the request, which may run nested hooks on further workers, and the hook goes on. A watchdog
// looks at the innermost delivery: if it makes no progress for its budget, its worker is abandoned and its actor is given
// up; the outer ones are not blamed for the time that they waited.
//
// All methods but Stats run on the engine's goroutine.
type Joint struct {
	system   *actor.ActorSystem
	cradle   *cradle
	server   engine.Server
	observer event.Observer
	budget   time.Duration
	fatal    func(where string) // virtual time: a hang fails the run
	load     load

	signals  chan signal
	free     []*worker
	inner    atomic.Pointer[job] // of the innermost flight; nil between hooks
	first    alarm               // for the first look of a tick
	alarm    alarm               // for the others; made for the first late tick
	polling  bool
	ringing  bool // alarm may be set
	lastPoll time.Time
	zombies  atomic.Int64
	spinners atomic.Int64 // of them, those that were given up while they burned processor time

	panics, hangs atomic.Uint64
	lost          int  // hangs of this tick
	spent         bool // no hook is called any more
	stale         atomic.Uint64
	staleBy       atomic.Pointer[string]
}

// JointStats counts lost incarnations.
type JointStats struct {
	Panics, Hangs uint64
	Zombies       int64 // workers given up whose hook has not returned
}

// newJoint makes the barrier of a robot. A hook may hold on for budget.
func newJoint(system *actor.ActorSystem, budget time.Duration, observer event.Observer) (*Joint, error) {
	j := &Joint{system: system, observer: observer, budget: budget, signals: make(chan signal, 64), load: newLoad()}
	j.first = newTimerAlarm(j.ring)
	c, err := newCradle(system, j.stray)
	j.cradle = c
	return j, err
}

// Bind implements engine.HookRunner.
func (j *Joint) Bind(s engine.Server) { j.server = s }

// Run implements engine.HookRunner.
func (j *Joint) Run(c *engine.Cell, f *engine.Frame) error {
	fl := j.take()
	fl.hook = f.Inv.Hook
	fl.add(c, f)
	err := j.fly(fl)
	if err != nil {
		j.giveUp(c)
	} else {
		err = fl.job.items[0].err
		j.release(fl)
	}
	return j.blame("behavior", c.Node.ID, f.Inv.Hook.String(), err)
}

// Batch implements engine.HookRunner: one hand-over for all; after a hang the rest goes to a fresh worker.
func (j *Joint) Batch(cells []*engine.Cell, frames []*engine.Frame) []engine.CellFailure {
	var failed []engine.CellFailure
	fail := func(c *engine.Cell, err error) {
		failed = append(failed, engine.CellFailure{Cell: c, Err: j.blame("behavior", c.Node.ID, stack.HookUpdate.String(), err)})
	}
	for len(cells) > 0 {
		fl := j.take()
		fl.hook = stack.HookUpdate
		for i, c := range cells {
			fl.add(c, frames[i])
		}
		lost := j.fly(fl)
		state := fl.job.state.Load()
		done := index(state)
		if state&blemished != 0 {
			for i, c := range cells[:done] {
				if err := fl.job.items[i].err; err != nil {
					c.Lose() // the rest of the batch may ask it
					fail(c, err)
				}
			}
		}
		if lost == nil {
			j.release(fl)
			break
		}
		cells[done].Lose()
		j.giveUp(cells[done])
		fail(cells[done], lost)
		cells, frames = cells[done+1:], frames[done+1:]
	}
	return failed
}

// take readies the flight of a free worker.
func (j *Joint) take() *flight {
	var w *worker
	if k := len(j.free); k > 0 {
		w, j.free = j.free[k-1], j.free[:k-1]
	} else {
		w = &worker{jobs: make(chan *job, 1), zombies: &j.zombies, spinners: &j.spinners}
		w.flight.job.w = w
		go w.run(j.signals)
	}
	fl := &w.flight
	fl.job.items = fl.job.items[:0]
	fl.job.state.Store(0)
	fl.job.done = false
	fl.name, fl.op, fl.heard, fl.watch = "", "", 0, watch{}
	return fl
}

// add appends the delivery of a hook.
func (fl *flight) add(c *engine.Cell, f *engine.Frame) {
	p := f.Port.(*leasePort)
	if p.msg.frame == nil { // its first hook: a port has one frame and one incarnation for life
		p.msg = invoke{frame: f, inst: c.Inc.Inst}
	}
	fl.job.items = append(fl.job.items, item{latch: p.latch, cell: c, msg: &p.msg})
}

// release gives the worker of a finished flight back. The worker of a lost one is never used again, nor is its flight.
func (j *Joint) release(fl *flight) { j.free = append(j.free, fl.job.w) }

// fly hands the job over and waits, answering requests, until it is done or given up. The error says how it was lost.
func (j *Joint) fly(fl *flight) error {
	if j.exhausted() {
		j.release(fl)
		return errExhausted
	}
	outer := j.inner.Load()
	j.inner.Store(&fl.job)
	defer j.inner.Store(outer)
	if !j.polling {
		j.watch()
	}
	fl.job.w.jobs <- &fl.job
	for !fl.job.done {
		sig := <-j.signals
		switch {
		case sig.kind == signalPoll:
			if j.look(fl) {
				return &overrun{where: fl.culprit()}
			}
		case sig.kind == signalDone:
			sig.job.done = true // of an outer flight, if a goroutine of the author's meddled: it returns later
		case sig.job != &fl.job || !fl.runs(sig.port): // no hook in flight asks this
			sig.port.answers <- verdictStale
		default:
			fl.hear()
			j.answer(sig)
		}
	}
	j.slow(fl)
	return nil
}

// hear tells the engine which deliveries of a batch failed before the one that asks now.
func (fl *flight) hear() {
	state := fl.job.state.Load()
	if state&blemished == 0 {
		return
	}
	for ; fl.heard < index(state); fl.heard++ {
		if it := &fl.job.items[fl.heard]; it.err != nil {
			it.cell.Lose()
		}
	}
}

// answer serves one request on the engine's goroutine. If the incarnation was lost in a nested hook, the frame that waits is
// unwound, and its flight ends when the worker reports.
func (j *Joint) answer(sig signal) {
	c := sig.port.cell
	if !c.Lost() {
		j.server.Serve(c, sig.port.msg.frame, sig.req)
	}
	if c.Lost() {
		sig.port.answers <- verdictUnwind
		return
	}
	sig.port.answers <- verdictGo
}

// blame counts and reports a lost incarnation, and passes its error on.
func (j *Joint) blame(group, name, where string, err error) error {
	if err == nil || errors.Is(err, engine.ErrRevoked) || errors.Is(err, errExhausted) {
		return err
	}
	f := event.Failure{Actor: group + "/" + name, Group: group, Where: where, Text: err.Error(), Reason: "panic"}
	var p *panicked
	var o *overrun
	switch {
	case errors.As(err, &o):
		f.Reason = "hang"
		j.hangs.Add(1)
	case errors.As(err, &p):
		f.Stack = p.stack
		j.panics.Add(1)
	}
	j.observer.Observe(f)
	return err
}

// Stats may be called from anywhere.
func (j *Joint) Stats() JointStats {
	return JointStats{Panics: j.panics.Load(), Hangs: j.hangs.Load(), Zombies: j.zombies.Load()}
}

// close dismisses the workers.
func (j *Joint) close() {
	j.rest()
	if j.alarm != nil {
		j.alarm.close()
		j.alarm = nil
	}
	for _, w := range j.free {
		close(w.jobs)
	}
	j.free = nil
	for { // requests that came too late
		select {
		case sig := <-j.signals:
			if sig.kind == signalCall {
				sig.port.answers <- verdictStale
			}
		default:
			return
		}
	}
}

// Adopt implements actions.Host: one actor for each queued action.
func (j *Joint) Adopt(r *actions.Runner) {
	l, pid := j.cradle.spawn(fmt.Sprintf("a-%d", r.Tag()), j.cradle.action, j.stray)
	j.cradle.actions[r.Tag()] = &actionCell{latch: l, pid: pid}
}

// Release implements actions.Host.
func (j *Joint) Release(r *actions.Runner) {
	a := j.cradle.actions[r.Tag()]
	delete(j.cradle.actions, r.Tag())
	if a != nil && !a.latch.dead.Load() {
		j.cradle.stop(a.latch, a.pid)
	}
}

// Call implements actions.Host.
func (j *Joint) Call(r *actions.Runner, op actions.Op, env *actions.Env) (actions.Result, error) {
	a := j.cradle.actions[r.Tag()]
	a.msg = stepAction{runner: r, op: op, env: env}
	fl := j.take()
	fl.name, fl.op = r.Name(), op.String()
	fl.job.items = append(fl.job.items, item{latch: a.latch, msg: &a.msg})
	err := j.fly(fl)
	if err != nil {
		j.cradle.bury(a.latch, a.pid)
	} else {
		err = fl.job.items[0].err
		j.release(fl)
	}
	if err != nil {
		return actions.Abort, j.blame("action", r.Name(), op.String(), err)
	}
	return a.msg.result, nil
}

func (j *Joint) stray(to string, msg any) {
	j.observer.Observe(event.DeadLetter{To: to, Type: fmt.Sprintf("%T", msg)})
}
