package actions

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// step is one update: start if needed, time gates, Init, CheckIfDone, retry. It returns the state after it.
func (r *Runner) step(env *Env, h Host) Result {
	switch r.state {
	case NotStarted, Interrupted:
		if !r.begin(env, h) {
			return r.state
		}
	case Running:
	default:
		return r.state // forced to complete (RUN-12)
	}
	r.state = r.advance(env, h)
	if !r.broken && r.state.Category() == CategoryRetry && r.retries > 0 { // RUN-8, RUN-9
		r.retries--
		r.state = Running
		r.restart(env, h)
	}
	return r.state
}

// begin takes the tracks (TRK-2). It reports false, with the final state, if they are not free.
func (r *Runner) begin(env *Env, h Host) bool {
	r.state, r.since, r.rested = Running, env.Now, false
	if r.call(OpBegin, env, h); r.broken {
		r.state = Abort
		return false
	}
	want := r.said.tracks & named
	if r.suppress || want == 0 {
		return true
	}
	if holders, ok := env.Tracks.Lock(r.who, want); !ok {
		r.state, r.detail = TracksLocked, holders
		return false
	}
	r.held = want
	return true
}

// advance runs the time gates of RUN-3 and then Init and CheckIfDone.
func (r *Runner) advance(env *Env, h Host) Result {
	if !r.begun {
		r.begun, r.start = true, env.Now
	}
	wait, limit := r.gates(env, h)
	switch {
	case r.broken:
		return Abort
	case limit != NoTimeout && !env.Now.Before(r.start.Add(limit)):
		return Timeout
	case env.Now.Before(r.start.Add(wait)):
		return Running
	}
	if !r.initDone {
		r.treads = treads(env)
		r.touched = true
		if res := r.call(OpInit, env, h); res != Success {
			return res
		}
		r.initDone = true
	}
	if r.leftTreads(env) {
		return InvalidOffTreadsState
	}
	return r.call(OpCheck, env, h)
}

// gates reads the durations, which may change at any time. The check delay counts only once Init has succeeded in an
// earlier tick (RUN-5).
func (r *Runner) gates(env *Env, h Host) (wait, limit time.Duration) {
	if !gated(r.action) {
		return 0, DefaultTimeout
	}
	if r.call(OpGates, env, h); r.broken {
		return 0, DefaultTimeout
	}
	wait = r.said.delay
	if r.initDone {
		wait += r.said.pause
	}
	return wait, r.said.limit
}

// leftTreads is the guard of RUN-7: only the change from OnTreads since the last look counts.
func (r *Runner) leftTreads(env *Env) bool {
	was := r.treads
	r.treads = treads(env)
	return was == hardware.OnTreads && r.treads != hardware.OnTreads && r.said.offTreads
}

func treads(env *Env) hardware.Treads {
	if env.World == nil {
		return hardware.OnTreads
	}
	return env.World.Body.Treads
}

// restart readies a new attempt without giving up the tracks.
func (r *Runner) restart(env *Env, h Host) {
	r.begun, r.initDone = false, false
	if _, ok := r.action.(Resetter); ok && r.adopted {
		if r.call(OpReset, env, h); r.broken {
			r.state = Abort
		}
	}
}

// interruptible asks the action (RUN-10).
func (r *Runner) interruptible(env *Env, h Host) bool {
	if _, ok := r.action.(Interruptible); !ok {
		return false
	}
	r.call(OpInterruptible, env, h)
	return !r.broken && r.said.interruptible
}

// interrupt sets a running action aside (RUN-10): tracks free at once, everything starts anew later.
func (r *Runner) interrupt(env *Env, h Host) {
	r.stop(env, h)
	r.release(env, false)
	r.state = Interrupted
	r.restart(env, h)
	if r.broken {
		r.state = Abort
	}
	r.touched = false
}
