package actors

import (
	"errors"
	"fmt"
	"runtime/debug"
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
	running  []*flight // innermost last
	poll     *time.Timer
	polling  bool
	lastPoll time.Time
	zombies  atomic.Int64

	panics, hangs atomic.Uint64
}

// JointStats counts lost incarnations.
type JointStats struct {
	Panics, Hangs uint64
	Zombies       int64 // workers given up whose hook has not returned
}

// pollEvery is how often the watchdog looks. A look counts at most maxPoll, so that a machine that stood still blames nobody.
const (
	pollEvery = time.Millisecond
	maxPoll   = 2 * time.Millisecond
	// starvation is how many budgets a hook may take that is ready to run and gets no processor.
	starvation = 10
)

// newJoint makes the barrier of a robot. A hook may hold on for budget.
func newJoint(system *actor.ActorSystem, budget time.Duration, observer event.Observer) (*Joint, error) {
	j := &Joint{system: system, observer: observer, budget: budget, signals: make(chan signal, 64), load: newLoad()}
	j.poll = time.AfterFunc(time.Hour, func() {
		select {
		case j.signals <- signal{kind: signalPoll}:
		default:
		}
	})
	j.poll.Stop()
	c, err := newCradle(system)
	j.cradle = c
	return j, err
}

// Bind implements engine.Joint.
func (j *Joint) Bind(s engine.Server) { j.server = s }

// Run implements engine.Joint.
func (j *Joint) Run(c *engine.Cell, f *engine.Frame) error {
	p := f.Port.(*leasePort)
	p.msg = invoke{frame: f, inst: c.Inc.Inst}
	fl := j.take()
	fl.hook = f.Inv.Hook
	fl.add(c, p)
	p.job.Store(&fl.job)
	err := j.fly(fl)
	p.job.Store(nil)
	if err != nil {
		j.giveUp(c)
	} else {
		err = fl.job.items[0].err
		j.release(fl)
	}
	return j.blame("behavior", c.Node.ID, f.Inv.Hook.String(), err)
}

// Batch implements engine.Joint: one hand-over for all; after a hang the rest goes to a fresh worker.
func (j *Joint) Batch(cells []*engine.Cell, frames []*engine.Frame) []engine.CellFailure {
	var failed []engine.CellFailure
	fail := func(c *engine.Cell, err error) {
		failed = append(failed, engine.CellFailure{Cell: c, Err: j.blame("behavior", c.Node.ID, stack.HookUpdate.String(), err)})
	}
	for len(cells) > 0 {
		fl := j.take()
		fl.hook = stack.HookUpdate
		for i, c := range cells {
			p := frames[i].Port.(*leasePort)
			p.msg = invoke{frame: frames[i], inst: c.Inc.Inst}
			p.job.Store(&fl.job)
			fl.add(c, p)
		}
		lost := j.fly(fl)
		done := int(fl.job.state.Load() >> 1)
		for i, c := range cells {
			frames[i].Port.(*leasePort).job.Store(nil)
			if i < done && fl.job.items[i].err != nil {
				c.Lose() // the rest of the batch may ask it
				fail(c, fl.job.items[i].err)
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
		w = &worker{jobs: make(chan *job, 1), zombies: &j.zombies}
		w.flight.job.w = w
		go w.run(j.signals)
	}
	fl := &w.flight
	fl.job.items, fl.cells = fl.job.items[:0], fl.cells[:0]
	fl.job.state.Store(0)
	fl.job.done = false
	fl.name, fl.seen, fl.spent, fl.heard = "", 0, 0, 0
	return fl
}

// add appends the delivery of a hook.
func (fl *flight) add(c *engine.Cell, p *leasePort) {
	fl.cells = append(fl.cells, c)
	fl.job.items = append(fl.job.items, item{latch: c.Ext.(*behaviorCell).latch, cell: c, msg: &p.msg})
}

// release gives the worker of a finished flight back. The worker of a lost one is never used again, nor is its flight.
func (j *Joint) release(fl *flight) { j.free = append(j.free, fl.job.w) }

// fly hands the job over and waits, answering requests, until it is done or given up. The error says how it was lost.
func (j *Joint) fly(fl *flight) error {
	j.running = append(j.running, fl)
	defer func() { j.running = j.running[:len(j.running)-1] }()
	if !j.polling {
		j.polling = true
		j.lastPoll = time.Now()
		j.poll.Reset(pollEvery)
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
		case sig.job != &fl.job || sig.port.job.Load() != sig.job: // no hook in flight asks this
			sig.port.answers <- verdictStale
		default:
			fl.hear()
			j.answer(sig)
		}
	}
	return nil
}

// hear tells the engine which deliveries of a batch failed before the one that asks now.
func (fl *flight) hear() {
	for done := int(fl.job.state.Load() >> 1); fl.heard < done; fl.heard++ {
		if fl.job.items[fl.heard].err != nil {
			fl.cells[fl.heard].Lose()
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

// look is the watchdog: it charges the time since the last look to fl, the innermost flight, and reports whether that was
// too much and fl's worker has been abandoned.
func (j *Joint) look(fl *flight) bool {
	now := time.Now()
	dt := min(now.Sub(j.lastPoll), maxPoll)
	j.lastPoll = now
	j.poll.Reset(pollEvery)
	state := fl.job.state.Load()
	if int(state>>1) >= len(fl.job.items) {
		return false // finished: the worker's report is on its way
	}
	if state != fl.seen {
		fl.seen, fl.spent = state, 0
		if len(fl.job.items) > 1 {
			return false
		}
	}
	if fl.spent == 0 {
		fl.cpu = j.load.cpu()
	}
	fl.spent += dt
	if fl.spent < j.budget || !j.stuck(fl) {
		return false
	}
	if !fl.job.state.CompareAndSwap(state, state|abandoned) {
		return false
	}
	j.zombies.Add(1)
	if j.fatal != nil {
		j.fatal(fl.culprit())
	}
	return true
}

// stuck tells a hook that hangs from one that the machine does not let run: it waits for something, or it burned its budget of
// processor time, or it had many times its budget. A loaded machine would otherwise condemn the innocent.
func (j *Joint) stuck(fl *flight) bool {
	return j.load.waiting() || j.load.cpu()-fl.cpu >= j.budget || fl.spent >= starvation*j.budget
}

// rest ends the watch between two ticks.
func (j *Joint) rest() {
	if j.polling {
		j.polling = false
		j.poll.Stop()
	}
}

// blame counts and reports a lost incarnation, and passes its error on.
func (j *Joint) blame(group, name, where string, err error) error {
	if err == nil || errors.Is(err, engine.ErrRevoked) {
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
		f.Stack = string(p.stack)
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
	j.poll.Stop()
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

// protect turns a panic of user code into one that carries its stack.
func protect() {
	switch r := recover().(type) {
	case nil:
	case engine.Revoked:
		panic(r)
	default:
		panic(&panicked{value: r, stack: debug.Stack()})
	}
}

// Adopt implements actions.Host: one actor for each queued action.
func (j *Joint) Adopt(r *actions.Runner) {
	l, pid := j.cradle.spawn(fmt.Sprintf("a-%d", r.Tag()), func() actor.Actor { return &actionActor{} }, j.stray)
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
	fl.name = r.Name() + " (action)"
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
