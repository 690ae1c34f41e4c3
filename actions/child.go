package actions

import "strconv"

// ChildOptions configure how a compound runs one of its children.
type ChildOptions struct {
	Retries        int
	SuppressTracks bool // the owner holds the tracks itself (TRK-13)
}

// NewChild returns the runner of an action that runs inside another action. The child takes its tag and tracks at its
// first step. Its calls run inside the owner's call, so a panic ends the whole owner.
func NewChild(a Action, o ChildOptions) *Runner {
	r := &Runner{action: a, state: NotStarted, retries: o.Retries, getters: &getterValues{}}
	r.name, r.actionType = a.Name(), a.Type()
	r.SuppressTracks(o.SuppressTracks)
	return r
}

// SuppressTracks tells a runner whether its owner locks the tracks, and passes that on to children of children (CPD-3).
// It has an effect only before the start.
func (r *Runner) SuppressTracks(on bool) {
	r.suppress = on
	if a, ok := r.action.(TrackSuppressor); ok {
		a.SuppressTracks(on)
	}
}

// TakeTag gives the child a tag, if it has none yet.
func (r *Runner) TakeTag(env *Env) {
	if r.tag != InvalidTag {
		return
	}
	t, err := env.Tags.Take()
	if err != nil {
		r.state, r.detail = BadTag, err.Error()
		return
	}
	r.tag, r.autoTag = t, t
	r.holder = holderName(r.name, t)
}

// Step updates a child once and returns its state.
func (r *Runner) Step(env *Env) Result {
	r.TakeTag(env)
	was := env.by
	env.by = r
	res := r.step(env, inline{})
	env.by = was
	return res
}

// Finish destroys a child and reports it to the watchers (DONE-2). A child without a tag ends unreported.
func (r *Runner) Finish(env *Env) Completion {
	c := r.finish(env, inline{})
	if r.tag != InvalidTag {
		env.Tags.Free(r.tag)
		env.Ended(c)
	}
	return c
}

// RestartLocked prepares a child for another attempt. Its tracks stay locked (RUN-8, CPD-6).
func (r *Runner) RestartLocked() {
	if r.state == NotStarted {
		return
	}
	r.timed, r.initDone, r.detail = false, false, ""
	if r.state == TracksLocked || r.unlocked {
		r.state = NotStarted // it holds no tracks and must lock them again
	} else {
		r.state = Running
	}
	if a, ok := r.action.(Resetter); ok {
		a.Reset()
	}
}

// StopAndUnlock stops a child that ended and frees its tracks. The child keeps its state until RestartUnlocked or Finish.
func (r *Runner) StopAndUnlock(env *Env) {
	r.stop(env, inline{})
	r.release(env, false)
	r.unlocked = true
}

// RestartUnlocked stops a child, frees its tracks and prepares it to start from the beginning (retry wrapper, CPD-4).
func (r *Runner) RestartUnlocked(env *Env) {
	r.StopAndUnlock(env)
	if a, ok := r.action.(Resetter); ok {
		a.Reset()
	}
	r.state, r.detail = NotStarted, ""
	r.timed, r.initDone = false, false
}

// Report returns the completion that the child would have if it ended now.
func (r *Runner) Report() Completion {
	return Completion{Tag: r.tag, Name: r.name, Type: r.actionType, Result: r.state, Payload: r.payload(nil, inline{}), Detail: r.detail}
}

// Status returns the name and the phase of a child. A compound is asked for it in every tick, so the text is made when the phase changes.
func (r *Runner) Status() string {
	if phase := r.status(); r.shown == "" || phase != r.phase {
		r.phase, r.shown = phase, r.name+": "+phase
	}
	return r.shown
}

func holderName(name string, t Tag) string {
	var room [64]byte
	return string(strconv.AppendUint(append(append(room[:0], name...), '#'), uint64(t), 10))
}
