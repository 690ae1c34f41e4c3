package barrier

import (
	"slices"
	"time"

	"github.com/robotd/robotd/actors/clock"
)

// The watchdog looks every millisecond of a tick, and at the end of a budget. A look charges at most maxPoll, so that a pause
// of the machine is charged to no hook.
const (
	pollEvery = time.Millisecond
	maxPoll   = 2 * time.Millisecond
	// starvation is how many budgets a hook has that is ready to run and gets no processor.
	starvation = 10
	// trusted is the part of the budget, a sixth, that a hook is assumed to have burned before the first look at it, if
	// the look before was as long ago.
	trusted = 6
	// retry is the first wait between two looks at a hook that is over its budget and not stuck. It doubles to pollEvery.
	retry = 100 * time.Microsecond
)

// A watch is the account of the item that runs.
type watch struct {
	on       bool          // the watchdog has looked at the item
	state    uint64        // of the job at that look
	spent    time.Duration // charged
	began    time.Time     // the first look
	measured bool          // cpu is known
	cpu      time.Duration // of the process at the first look, or after it
	wall     time.Duration // since the first look
	trust    time.Duration // assumed to be burned before the first look
	again    time.Duration // until the next look, once it is over its budget and not stuck
}

// ring asks the engine's goroutine for a look. It may come late, when the delivery is over.
func (b *Barrier) ring() {
	select {
	case b.signals <- signal{kind: signalPoll}:
		b.told()
	default: // full of requests: a look that is lost would be the last one of the tick
		time.AfterFunc(pollEvery, b.ring)
	}
}

// ask is ring, unless the look that was asked for last is still to come: the lookout goes on while the engine's goroutine is elsewhere.
func (b *Barrier) ask() {
	if !b.asked.Swap(true) {
		b.ring()
	}
}

// watch begins the watch of a tick. To ask for its first look must be cheap, because nearly every tick is over before it. The others are rare.
func (b *Barrier) watch() {
	b.polling = true
	b.lastPoll = time.Now()
	b.lookout.Begin(b.lastPoll)
}

// glance is a look on the goroutine of the lookout, while the engine's waits in a worker, which it goes on doing unless the hook is stuck:
// then ring gives the engine's goroutine the news, and waits in its place. Two goroutines may glance at the same time.
//
// Whoever glances may lose its processor to the hook for milliseconds. So it holds the wait in the worker for moments only, and
// reads the clocks of the threads, which takes longer, in between.
func (b *Barrier) glance() (next time.Duration, ring func()) {
	w := b.claim()
	if w == nil { // the engine's goroutine runs, perhaps for a request, or somebody else looks
		b.ask()
		return pollEvery, nil
	}
	d := &w.delivery
	state := d.job.state.Load()
	switch {
	case index(state) >= len(d.job.items): // its report is on its way
		w.arrive()
		return pollEvery, nil
	case d.watch.on && d.watch.state != state: // what is to be said of the item before, the engine's goroutine says
		w.handed = signal{kind: signalPoll}
		return 0, w.standIn
	}
	left := b.charge(d, state, b.elapsed())
	watch := &d.watch
	began, measured, load := watch.began, watch.measured, b.load
	w.arrive()
	if left > 0 && measured {
		return min(pollEvery, left), nil
	}
	m := measure(load, left <= 0)
	switch now := b.claim(); {
	case now == nil:
		b.ask()
		return pollEvery, nil
	case now != w || d.job.state.Load() != state || !watch.on || watch.began != began: // another item runs
		now.arrive()
		return pollEvery, nil
	}
	if left = b.judge(watch, m); left > 0 {
		w.arrive()
		return min(pollEvery, left), nil
	}
	w.handed = signal{kind: signalStuck, state: state, spins: !m.waiting}
	return 0, w.standIn
}

// again asks for the next look.
func (b *Barrier) again(d time.Duration) {
	if b.polling {
		b.lookout.Set(d)
	}
}

// look charges the time since the last look to d, the innermost delivery, and reports whether that was too much and d's worker
// has been abandoned.
func (b *Barrier) look(d *delivery) bool {
	next, lost := pollEvery, false
	state := d.job.state.Load()
	d.job.w.step(stepLooks, int(state))
	if index(state) < len(d.job.items) { // otherwise the worker's report is on its way
		left, m := b.charge(d, state, b.elapsed()), measured{}
		if left <= 0 || !d.watch.measured {
			m = measure(b.load, left <= 0)
			left = b.judge(&d.watch, m)
		}
		if left > 0 {
			next = min(next, left)
		} else {
			lost = b.abandon(d, state, !m.waiting)
		}
	} else {
		b.elapsed()
	}
	b.again(next)
	return lost
}

// elapsed is the time since the last look. Another look begins.
func (b *Barrier) elapsed() time.Duration {
	now := time.Now()
	wall := now.Sub(b.lastPoll)
	b.lastPoll = now
	return wall
}

// charge charges the time since the last look to the item that runs in state. It returns how much of the item's patience is left.
func (b *Barrier) charge(d *delivery, state uint64, wall time.Duration) time.Duration {
	w, dt := &d.watch, min(wall, maxPoll)
	if w.on && w.state == state {
		w.wall += wall
	} else {
		b.slow(d)
		*w = watch{on: true, state: state, began: b.lastPoll, trust: min(dt, b.budget/trusted), again: retry}
		if len(d.job.items) > 1 { // it may have begun just now
			dt = w.trust
		}
		dt = min(dt, b.budget/2) // one look alone gives no hook up, however small the budget
	}
	w.spent += dt
	return b.patience() - w.spent
}

// A measured is what the machine says of the process.
type measured struct {
	cpu     time.Duration // processor time up to now
	waiting bool          // nothing runs but zombies that spin
}

func measure(l *clock.Load, whole bool) measured {
	return measured{waiting: whole && l.Waiting(l.Spinners.Load()), cpu: l.CPU()}
}

// judge returns the time until the next look at an item, of which the newest charge and the measured load are known; 0 if it is stuck.
func (b *Barrier) judge(w *watch, m measured) time.Duration {
	if !w.measured {
		w.cpu, w.measured = m.cpu, true
	}
	if left := b.patience() - w.spent; left > 0 {
		return left
	}
	missing := b.stuck(w, m)
	if missing <= 0 {
		return 0
	}
	again := max(min(w.again, missing), retry)
	w.again = min(2*w.again, pollEvery)
	return again
}

// abandon gives up the worker of d, unless the item has ended since the look that saw state and whether the item burned processor time.
func (b *Barrier) abandon(d *delivery, state uint64, spins bool) bool {
	d.job.spins = spins // before the worker may look
	if !d.job.state.CompareAndSwap(state, state|abandoned) {
		d.job.w.step(stepMisses, 0)
		return false
	}
	d.job.w.step(stepGivesUp, 0)
	b.zombies.Add(1)
	if d.job.spins {
		b.load.Spinners.Add(1)
	}
	b.lost++
	if b.onHang != nil {
		b.onHang(d.culprit())
	}
	return true
}

// stuck tells a hook that hangs from a hook that a loaded machine does not let run. A hook hangs if it waits for something, if
// it burned its budget of processor time, or if it had ten budgets. The result is the processor time that the hook may still
// burn; 0 says that it hangs. Each zombie that spins may have burned as much as the clock went on, and that part of what the
// process burned is not charged to the hook.
func (b *Barrier) stuck(w *watch, m measured) time.Duration {
	spinners := b.load.Spinners.Load()
	if m.waiting || w.spent >= starvation*b.budget {
		return 0
	}
	burned := m.cpu - w.cpu - time.Duration(spinners)*w.wall
	return max(b.budget-w.trust-burned, 0) // the whole budget, however little patience is left
}

// EndTick ends the watch between two ticks. To make a worker takes tenths of a millisecond; the tick in which a hook was given up is late as
// it is, so it finds one that is spare, which the next one after it replaces.
func (b *Barrier) EndTick() {
	whole := b.lost == 0
	b.endWatch()
	if b.bare && whole {
		b.bare = false
		b.free = slices.Insert(b.free, 0, b.newWorker()) // below those that are used all the time
	}
}

func (b *Barrier) endWatch() {
	b.lost = 0
	b.meterOver()
	if b.tracer != nil {
		b.tracer.trace(step{kind: stepEndsTick})
	}
	if b.polling {
		b.polling = false
		b.lookout.Stop()
	}
}
