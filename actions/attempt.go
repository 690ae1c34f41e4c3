package actions

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// step performs one update: start if needed, time gates, Init, CheckIfDone, retry. It returns the new state.
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

// begin locks the tracks (TRK-2). If they are not free it sets the final state and returns false.
func (r *Runner) begin(env *Env, h Host) bool {
	r.state, r.since, r.unlocked = Running, env.Now, false
	if r.call(OpBegin, env, h); r.broken {
		r.state = Abort
		return false
	}
	want := r.getters.tracks & named
	if r.suppress || want == 0 {
		return true
	}
	if holders, ok := env.Tracks.Lock(r.holder, want); !ok {
		r.state, r.detail = TracksLocked, holders
		return false
	}
	r.held = want
	return true
}

// advance checks the time gates of RUN-3, then calls Init and CheckIfDone as they are due.
func (r *Runner) advance(env *Env, h Host) Result {
	if !r.timed {
		r.timed, r.startedAt = true, env.Now
	}
	wait, limit := r.gates(env, h)
	switch {
	case r.broken:
		return Abort
	case limit != NoTimeout && !env.Now.Before(r.startedAt.Add(limit)):
		return Timeout
	case env.Now.Before(r.startedAt.Add(wait)):
		return Running
	}
	if !r.initDone {
		r.treads = treads(env)
		r.initTried = true
		if res := r.call(OpInit, env, h); res != Success {
			if !r.broken && res.IsFailure() {
				r.detail = r.getters.refusal
			}
			return res
		}
		r.initDone = true
		if _, looks := r.action.(Looker); looks && env.lookFor != nil {
			env.lookFor(r, r.getters.look)
		}
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
	wait = r.getters.delay
	if r.initDone {
		wait += r.getters.pause
	}
	return wait, r.getters.limit
}

// leftTreads implements RUN-7: only a change from OnTreads since the last step counts.
func (r *Runner) leftTreads(env *Env) bool {
	was := r.treads
	r.treads = treads(env)
	return was == hardware.OnTreads && r.treads != hardware.OnTreads && r.getters.offTreads
}

func treads(env *Env) hardware.Treads {
	if env.World == nil {
		return hardware.OnTreads
	}
	return env.World.Body.Treads
}

// restart prepares a new attempt and keeps the tracks locked.
func (r *Runner) restart(env *Env, h Host) {
	r.timed, r.initDone = false, false
	if _, ok := r.action.(Resetter); ok && r.adopted {
		if r.call(OpReset, env, h); r.broken {
			r.state = Abort
		}
	}
}

// interruptible asks the action whether it may be interrupted (RUN-10).
func (r *Runner) interruptible(env *Env, h Host) bool {
	if _, ok := r.action.(Interruptible); !ok {
		return false
	}
	r.call(OpInterruptible, env, h)
	return !r.broken && r.getters.interruptible
}

// interrupt stops a running action that will start again later (RUN-10). Its tracks are free at once.
func (r *Runner) interrupt(env *Env, h Host) {
	r.stop(env, h)
	r.release(env, false)
	r.state = Interrupted
	r.restart(env, h)
	if r.broken {
		r.state = Abort
	}
	r.initTried = false
}
