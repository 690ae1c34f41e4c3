package actions

import "github.com/robotd/robotd/hardware"

// finish destroys the runner and returns its completion. A running one was cancelled (RUN-11), and so was one that
// waited to be resumed: its interruption gave no completion (DONE-4), its end gives exactly one (DONE-1). The payload is fixed
// first; then the action stops, then motors stop, then tracks are free (RUN-13, DONE-3).
func (r *Runner) finish(env *Env, h Host) Completion {
	switch r.state {
	case Running, Interrupted:
		r.state = CancelledWhileRunning
	}
	payload := r.payload(env, h)
	r.stop(env, h)
	r.release(env, r.state == Success)
	if r.adopted {
		h.Release(r)
	}
	return Completion{
		Tag: r.tag, Owner: r.owner, Name: r.name, Type: r.kind, Result: r.state,
		Sub: r.sub, Payload: payload, Detail: r.detail, Hung: r.hung,
	}
}

// payload asks for the facts of a completion. An action that never started has none: it has no actor to ask.
func (r *Runner) payload(env *Env, h Host) any {
	if _, ok := r.action.(Payloader); !ok || r.broken || !r.adopted {
		return nil
	}
	if r.call(OpPayload, env, h); r.broken {
		return nil
	}
	return r.said.payload
}

// stop lets an action that had its Init clean up.
func (r *Runner) stop(env *Env, h Host) {
	if _, ok := r.action.(Stopper); ok && r.touched && !r.broken {
		r.call(OpStop, env, h)
	}
	r.touched = false
}

// release stops the motors of the held tracks, then frees them (RUN-13).
func (r *Runner) release(env *Env, settled bool) {
	if r.held == 0 {
		return
	}
	StopMotors(env, r.held, settled)
	env.Tracks.Unlock(r.who)
	r.held = 0
}

// salvage frees what a broken action still holds, its children included.
func (r *Runner) salvage(env *Env) {
	r.release(env, false)
	for len(r.childLocks) > 0 {
		p := r.childLocks[0]
		StopMotors(env, p.tracks, false)
		env.Tracks.Unlock(p.who)
	}
	for len(r.childTags) > 0 {
		env.Tags.Free(r.childTags[0])
	}
}

// StopMotors commands the motors of t to stop: the wheels at once, head and lift where they are measured to be. With
// settled, the action reached its goal, and a servo that stands still keeps its target.
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
