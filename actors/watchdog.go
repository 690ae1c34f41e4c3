package actors

import "time"

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
func (j *Joint) ring() {
	select {
	case j.signals <- signal{kind: signalPoll}:
	default: // full of requests: a look that is lost would be the last one of the tick
		time.AfterFunc(pollEvery, j.ring)
	}
}

// watch begins the watch of a tick. Its first look may be late and must be cheap, since nearly every tick is over before it;
// the others are rare and must be in time.
func (j *Joint) watch() {
	j.polling = true
	j.lastPoll = time.Now()
	j.first.set(pollEvery)
}

// again asks for the next look.
func (j *Joint) again(d time.Duration) {
	if !j.polling {
		return
	}
	if j.alarm == nil {
		j.alarm = newAlarm(j.ring)
	}
	j.alarm.set(d)
	j.ringing = true
}

// look is the watchdog: it charges the time since the last look to fl, the innermost flight, and reports whether that was
// too much and fl's worker has been abandoned.
func (j *Joint) look(fl *flight) bool {
	now := time.Now()
	wall := now.Sub(j.lastPoll)
	j.lastPoll = now
	next, lost := pollEvery, false
	if state := fl.job.state.Load(); index(state) < len(fl.job.items) { // else the worker's report is on its way
		if left := j.charge(fl, state, wall); left > 0 {
			next = min(next, left)
		} else {
			lost = j.abandon(fl, state)
		}
	}
	j.again(next)
	return lost
}

// charge puts the time since the last look to the account of the delivery that runs in state, and returns when it is to be looked
// at again; 0 if it is stuck.
func (j *Joint) charge(fl *flight, state uint64, wall time.Duration) time.Duration {
	w, dt := &fl.watch, min(wall, maxPoll)
	if w.on && w.state == state {
		w.wall += wall
	}
	if !w.on || w.state != state {
		j.slow(fl)
		*w = watch{on: true, state: state, cpu: j.load.cpu(), trust: min(dt, j.budget/trusted), again: retry}
		if len(fl.job.items) > 1 { // it may have begun just now
			dt = w.trust
		}
		dt = min(dt, j.budget/2) // one look alone condemns nobody, however small the budget
	}
	w.spent += dt
	if patience := j.patience(); w.spent < patience {
		return patience - w.spent
	}
	missing := j.stuck(w)
	if missing <= 0 {
		return 0
	}
	again := max(min(w.again, missing), retry)
	w.again = min(2*w.again, pollEvery)
	return again
}

// abandon gives the worker of fl up, if the delivery has not ended this very moment.
func (j *Joint) abandon(fl *flight, state uint64) bool {
	fl.job.spins = !j.load.waiting(j.spinners.Load()) // before the worker may look
	if !fl.job.state.CompareAndSwap(state, state|abandoned) {
		return false
	}
	j.zombies.Add(1)
	if fl.job.spins {
		j.spinners.Add(1)
	}
	j.lost++
	if j.fatal != nil {
		j.fatal(fl.culprit())
	}
	return true
}

// stuck tells a hook that hangs from one that the machine does not let run: it waits for something, or it burned its budget of
// processor time, or it had many times its budget. A loaded machine would otherwise condemn the innocent. The result is the
// processor time that is missing for a verdict; 0 is the verdict. Of what the process burned, each goroutine that was given up
// because it spins may have burned as much as the clock went on, and that is not the hook's.
func (j *Joint) stuck(w *watch) time.Duration {
	spinners := j.spinners.Load()
	if j.load.waiting(spinners) || w.spent >= starvation*j.budget {
		return 0
	}
	burned := j.load.cpu() - w.cpu - time.Duration(spinners)*w.wall
	return max(j.budget-w.trust-burned, 0) // however little patience there is: a small part of it proves nothing
}

// rest ends the watch between two ticks.
func (j *Joint) rest() {
	j.lost = 0
	if j.polling {
		j.polling = false
		j.first.stop()
	}
	if j.ringing {
		j.ringing = false
		j.alarm.stop()
	}
}
