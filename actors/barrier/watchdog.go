package barrier

import (
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
	on    bool          // the watchdog has looked at the item
	state uint64        // of the job at that look
	spent time.Duration // charged
	cpu   time.Duration // of the process at the first look
	wall  time.Duration // since the first look
	trust time.Duration // assumed to be burned before the first look
	again time.Duration // until the next look, once it is over its budget and not stuck
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

// watch begins the watch of a tick. Its first look may be late and must be cheap, because nearly every tick is over before it.
// The others are rare and must be in time.
func (b *Barrier) watch() {
	b.polling = true
	b.lastPoll = time.Now()
	b.first.Set(pollEvery)
}

// again asks for the next look.
func (b *Barrier) again(d time.Duration) {
	if !b.polling {
		return
	}
	if b.alarm == nil {
		b.alarm = clock.NewAlarm(b.ring)
	}
	b.alarm.Set(d)
	b.ringing = true
}

// look charges the time since the last look to d, the innermost delivery, and reports whether that was too much and d's worker
// has been abandoned.
func (b *Barrier) look(d *delivery) bool {
	now := time.Now()
	wall := now.Sub(b.lastPoll)
	b.lastPoll = now
	next, lost := pollEvery, false
	state := d.job.state.Load()
	d.job.w.step(stepLooks, int(state))
	if index(state) < len(d.job.items) { // otherwise the worker's report is on its way
		if left := b.charge(d, state, wall); left > 0 {
			next = min(next, left)
		} else {
			lost = b.abandon(d, state)
		}
	}
	b.again(next)
	return lost
}

// charge charges the time since the last look to the item that runs in state. It returns the time until the next look, 0 if the
// item is stuck.
func (b *Barrier) charge(d *delivery, state uint64, wall time.Duration) time.Duration {
	w, dt := &d.watch, min(wall, maxPoll)
	if w.on && w.state == state {
		w.wall += wall
	}
	if !w.on || w.state != state {
		b.slow(d)
		*w = watch{on: true, state: state, cpu: b.load.CPU(), trust: min(dt, b.budget/trusted), again: retry}
		if len(d.job.items) > 1 { // it may have begun just now
			dt = w.trust
		}
		dt = min(dt, b.budget/2) // one look alone gives no hook up, however small the budget
	}
	w.spent += dt
	if patience := b.patience(); w.spent < patience {
		return patience - w.spent
	}
	missing := b.stuck(w)
	if missing <= 0 {
		return 0
	}
	again := max(min(w.again, missing), retry)
	w.again = min(2*w.again, pollEvery)
	return again
}

// abandon gives up the worker of d, unless the item has ended since the look that saw state.
func (b *Barrier) abandon(d *delivery, state uint64) bool {
	d.job.spins = !b.load.Waiting(b.load.Spinners.Load()) // before the worker may look
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
func (b *Barrier) stuck(w *watch) time.Duration {
	spinners := b.load.Spinners.Load()
	if b.load.Waiting(spinners) || w.spent >= starvation*b.budget {
		return 0
	}
	burned := b.load.CPU() - w.cpu - time.Duration(spinners)*w.wall
	return max(b.budget-w.trust-burned, 0) // the whole budget, however little patience is left
}

// EndTick ends the watch between two ticks.
func (b *Barrier) EndTick() {
	b.lost = 0
	b.meterOver()
	if b.tracer != nil {
		b.tracer.trace(step{kind: stepEndsTick})
	}
	if b.polling {
		b.polling = false
		b.first.Stop()
	}
	if b.ringing {
		b.ringing = false
		b.alarm.Stop()
	}
}
