package actions

import "errors"

// Do performs one call on the author's action. Hosts call it on the goroutine where the action shall run; it does not
// recover panics. An abandoned call that returns late writes to nothing that the runner still reads.
func (r *Runner) Do(op Op, env *Env) Result {
	a, f := r.action, r.getters
	switch op {
	case OpBegin:
		if t, ok := a.(TrackSuppressor); ok {
			t.SuppressTracks(r.suppress)
		}
		f.tracks = a.Tracks()
	case OpGates:
		f.readGates(a)
	case OpInit:
		res := a.Init(env)
		f.readPhase(a)
		switch {
		case res.IsFailure():
			f.readRefusal(a)
		case res == Success:
			f.readLook(a)
		}
		return res
	case OpCheck:
		res := a.CheckIfDone(env)
		f.readPhase(a)
		return res
	case OpInterruptible:
		f.interruptible = a.(Interruptible).Interruptible()
	case OpPayload:
		f.payload = a.(Payloader).Payload()
	case OpStop:
		a.(Stopper).Stop(env)
	case OpReset:
		a.(Resetter).Reset()
	}
	return Success
}

// call asks the host to perform one call on the action. A broken action is not called: the result is ABORT.
func (r *Runner) call(op Op, env *Env, h Host) Result {
	if r.broken {
		return Abort
	}
	if !r.adopted {
		h.Adopt(r)
		r.adopted = true
	}
	res, err := h.Call(r, op, env)
	if err != nil {
		r.broken, r.hung, r.detail = true, errors.Is(err, ErrHung), err.Error()
		return Abort
	}
	if op == OpInit || op == OpCheck {
		r.actionType = r.getters.kind // may change while the action runs
	}
	return res
}
