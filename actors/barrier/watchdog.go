package barrier

import (
	"time"

	"github.com/robotd/robotd/actors/clock"
)

// The watchdog looks every millisecond of a tick, and at the very end of a budget. A look counts at most maxPoll, so that a
// machine that stood still blames nobody.
const (
	pollEvery = time.Millisecond
	maxPoll   = 2 * time.Millisecond
	// starvation is how many budgets a hook may take that is ready to run and gets no processor.
	starvation = 10
	// trusted is the part of the budget, an eighth, that a hook is taken to have run and burned before the look that saw it
	// first, if the look before was as long ago.
	trusted = 8
	// retry is the first wait between two looks at a hook that is over its budget and not stuck; it doubles to pollEvery.
	retry = 100 * time.Microsecond
)

// A watch is what the watchdog notes of the delivery that runs.
type watch struct {
	on    bool          // it has seen the delivery
	state uint64        // in which it was seen
	spent time.Duration // charged
	cpu   time.Duration // of the process when it was seen first
	wall  time.Duration // by the clock since then
	trust time.Duration // taken to be burned before that
	again time.Duration // until the next look at one that is over its budget and not stuck
}

// ring asks the engine's goroutine for a look. It may come late, when nobody needs it any more.
func (b *Barrier) ring() {
	select {
	case b.signals <- signal{kind: signalPoll}:
	default: // full of requests: a look that is lost would be the last one of the tick
		time.AfterFunc(pollEvery, b.ring)
	}
}

// watch begins the watch of a tick. Its first look may be late and must be cheap, since nearly every tick is over before it;
// the others are rare and must be in time.
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

// look is the watchdog: it charges the time since the last look to d, the innermost delivery, and reports whether that was
// too much and d's worker has been abandoned.
func (b *Barrier) look(d *delivery) bool {
	now := time.Now()
	wall := now.Sub(b.lastPoll)
	b.lastPoll = now
	next, lost := pollEvery, false
	if state := d.job.state.Load(); index(state) < len(d.job.items) { // else the worker's report is on its way
		if left := b.charge(d, state, wall); left > 0 {
			next = min(next, left)
		} else {
			lost = b.abandon(d, state)
		}
	}
	b.again(next)
	return lost
}

// charge puts the time since the last look to the account of the delivery that runs in state, and returns when it is to be looked
// at again; 0 if it is stuck.
func (b *Barrier) charge(d *delivery, state uint64, wall time.Duration) time.Duration {
	w, dt := &d.watch, min(wall, maxPoll)
	if w.on && w.state == state {
		w.wall += wall
	}
	if !w.on || w.state != state {
		b.slow(d)
		*w = watch{on: true, state: state, cpu: b.load.cpu(), trust: min(dt, b.budget/trusted), again: retry}
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

// abandon gives the worker of d up, if the delivery has not ended this very moment.
func (b *Barrier) abandon(d *delivery, state uint64) bool {
	d.job.spins = !b.load.waiting(b.spinners.Load()) // before the worker may look
	if !d.job.state.CompareAndSwap(state, state|abandoned) {
		return false
	}
	b.zombies.Add(1)
	if d.job.spins {
		b.spinners.Add(1)
	}
	b.lost++
	if b.onHang != nil {
		b.onHang(d.culprit())
	}
	return true
}

// stuck tells a hook that hangs from one that the machine does not let run: it waits for something, or it burned its budget of
// processor time, or it had many times its budget. A loaded machine would otherwise condemn the innocent. The result is the
// processor time that is missing for a verdict; 0 is the verdict. Of what the process burned, each goroutine that was given up
// because it spins may have burned as much as the clock went on, and that is not the hook's.
func (b *Barrier) stuck(w *watch) time.Duration {
	spinners := b.spinners.Load()
	if b.load.waiting(spinners) || w.spent >= starvation*b.budget {
		return 0
	}
	burned := b.load.cpu() - w.cpu - time.Duration(spinners)*w.wall
	return max(b.budget-w.trust-burned, 0) // however little patience there is: a small part of it proves nothing
}

// EndTick ends the watch between two ticks.
func (b *Barrier) EndTick() {
	b.lost = 0
	if b.polling {
		b.polling = false
		b.first.Stop()
	}
	if b.ringing {
		b.ringing = false
		b.alarm.Stop()
	}
}
