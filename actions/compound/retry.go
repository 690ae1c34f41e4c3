package compound

import (
	"time"

	"github.com/robotd/robotd/actions"
)

// retryTimeout is granted per attempt.
const retryTimeout = 20 * time.Second

// RetryParams configure a retry wrapper.
type RetryParams struct {
	// Action is repeated after any failure, not only those of category RETRY.
	Action actions.Action
	// Max is the number of repetitions.
	Max int
	// Decide returns whether to repeat after attempt n (from 1), and the animation to play before that (nil for none).
	// Without it every failure is repeated, after Animation.
	Decide func(c actions.Completion, n int) (bool, actions.Action)
	// Animation makes the animation to play after a failure, if any.
	Animation func() actions.Action
}

// A Retry repeats an action until it succeeds, is cancelled, or has used its repetitions. Between two attempts it
// frees the tracks, so that an animation may use them (CPD-4).
type Retry struct {
	params RetryParams
	work   *actions.Runner
	anim   *actions.Runner
	last   actions.Result
	used   int
}

// NewRetry wraps an action.
func NewRetry(p RetryParams) *Retry {
	r := &Retry{params: p}
	if p.Action != nil {
		r.work = actions.NewChild(p.Action, actions.ChildOptions{})
	}
	return r
}

// Name follows the wrapped action.
func (r *Retry) Name() string {
	if r.work == nil {
		return "Retry"
	}
	return "Retry(" + r.work.Name() + ")"
}

// Type follows the wrapped action.
func (r *Retry) Type() actions.Type {
	if r.work == nil {
		return actions.TypeCompound
	}
	return r.work.Type()
}

// Payload follows the wrapped action.
func (r *Retry) Payload() any {
	if r.work == nil {
		return nil
	}
	return r.work.Report().Payload
}

// Tracks is empty: the wrapped action locks its own.
func (r *Retry) Tracks() actions.Tracks { return 0 }

// Needs is what the wrapped action locks.
func (r *Retry) Needs() actions.Tracks { return actions.Needs(r.params.Action) }

// Timeout is 20 s per attempt.
func (r *Retry) Timeout() time.Duration { return retryTimeout * time.Duration(r.params.Max+1) }

// SuppressTracks is passed on (CPD-3).
func (r *Retry) SuppressTracks(on bool) {
	if r.work != nil {
		r.work.SuppressTracks(on)
	}
}

// Status shows what runs.
func (r *Retry) Status() string {
	switch {
	case r.anim != nil:
		return r.anim.Status()
	case r.work != nil:
		return r.work.Status()
	}
	return ""
}

// Init fails with NULL_SUBACTION if there is no action to repeat.
func (r *Retry) Init(env *actions.Env) actions.Result {
	if r.work == nil {
		return actions.NullSubaction
	}
	r.work.TakeTag(env)
	return actions.Success
}

// CheckIfDone steps the animation if one plays, and otherwise the wrapped action.
func (r *Retry) CheckIfDone(env *actions.Env) actions.Result {
	if r.anim != nil {
		if r.anim.Step(env) == actions.Running {
			return actions.Running
		}
		r.anim.Finish(env) // its own result does not matter
		r.anim = nil
		return r.again(env)
	}
	res := r.work.Step(env)
	switch {
	case res == actions.Success, res == actions.Running, res == actions.CancelledWhileRunning, res == actions.Interrupted:
		return res
	}
	repeat, anim := r.decide()
	switch {
	case !repeat, anim == nil && r.used >= r.params.Max:
		return res // the wrapped action keeps its state until Stop reports it
	}
	r.last = res
	if anim == nil {
		return r.again(env)
	}
	r.work.StopAndUnlock(env)
	r.anim = actions.NewChild(anim, actions.ChildOptions{})
	return actions.Running
}

func (r *Retry) decide() (bool, actions.Action) {
	if r.params.Decide != nil {
		return r.params.Decide(r.work.Report(), r.used+1)
	}
	if r.params.Animation != nil {
		return true, r.params.Animation()
	}
	return true, nil
}

// again counts a repetition, or passes on the last result when all are used.
func (r *Retry) again(env *actions.Env) actions.Result {
	if r.used >= r.params.Max {
		return r.last
	}
	r.used++
	r.work.RestartUnlocked(env)
	return actions.Running
}

// Reset starts over with all repetitions (RUN-8).
func (r *Retry) Reset() {
	r.used = 0
	if r.work != nil {
		r.work.RestartLocked()
	}
}

// Stop ends what runs.
func (r *Retry) Stop(env *actions.Env) {
	if r.anim != nil {
		r.anim.Finish(env)
		r.anim = nil
	}
	if r.work != nil {
		r.work.Finish(env)
	}
}
