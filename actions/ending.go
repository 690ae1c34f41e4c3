package actions

import "github.com/robotd/robotd/hardware"

// finish destroys the runner and returns its completion. A runner that is RUNNING or INTERRUPTED was cancelled
// (RUN-11): an interruption gives no completion (DONE-4), so its end gives exactly one (DONE-1). The order is: read the
// payload, stop the action, give back what it shows, stop the motors, free the tracks (RUN-13, DONE-3).
func (r *Runner) finish(env *Env, h Host) Completion {
	switch r.state {
	case Running, Interrupted:
		r.state = CancelledWhileRunning
	}
	if r.detail == "" && r.state == r.why.result {
		r.detail = r.why.detail // a compound fails as its child does
	}
	payload := r.payload(env, h)
	r.stop(env, h)
	r.release(env, r.state == Success)
	if r.adopted {
		h.Release(r)
	}
	return Completion{
		Tag: r.tag, Owner: r.owner, Name: r.name, Type: r.actionType, Result: r.state,
		Sub: r.sub, Payload: payload, Detail: r.detail, Hung: r.hung,
	}
}

// payload asks the action for the payload of its completion. An action that never started has none, because it has no
// actor that could be asked.
func (r *Runner) payload(env *Env, h Host) any {
	if _, ok := r.action.(Payloader); !ok || r.broken || !r.adopted {
		return nil
	}
	if r.call(OpPayload, env, h); r.broken {
		return nil
	}
	return r.getters.payload
}

// stop calls Stop if Init was called.
func (r *Runner) stop(env *Env, h Host) {
	if _, ok := r.action.(Stopper); ok && r.initTried && !r.broken {
		r.call(OpStop, env, h)
	}
	r.initTried = false
}

// release gives back what the action shows (TRK-14), stops the motors of the held tracks, then frees the tracks (RUN-13).
func (r *Runner) release(env *Env, settled bool) {
	if env.giveBack != nil {
		env.giveBack(r)
	}
	if r.held == 0 {
		return
	}
	StopMotors(env, r.held, settled)
	env.Tracks.Unlock(r.holder)
	r.held = 0
}

// freeLeftovers frees the tracks and tags that a broken action still holds, those of its children included.
func (r *Runner) freeLeftovers(env *Env) {
	r.release(env, false)
	for len(r.childLocks) > 0 {
		p := r.childLocks[0]
		StopMotors(env, p.tracks, false)
		env.Tracks.Unlock(p.holder)
	}
	for len(r.childTags) > 0 {
		env.Tags.Free(r.childTags[0])
	}
}

// StopMotors commands the motors of t to stop: the wheels at once, head and lift at their measured positions. If settled
// is true, the action reached its goal, and a servo that stands still keeps its target.
func StopMotors(env *Env, t Tracks, settled bool) {
	if t&motors == 0 || env.Send == nil {
		return
	}
	if t&Body != 0 {
		env.Send(hardware.StopWheels{})
	}
	if env.World == nil || !env.World.Servos.OK() {
		return
	}
	s := env.World.Servos.Value
	if t&Head != 0 && (s.HeadMoving || !settled) {
		env.Send(hardware.MoveHead{ID: env.NextID(), AngleRad: s.HeadRad})
	}
	if t&Lift != 0 && (s.LiftMoving || !settled) {
		env.Send(hardware.MoveLift{ID: env.NextID(), HeightMM: s.LiftMM})
	}
}
