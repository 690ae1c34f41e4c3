package actions

import "strconv"

// ChildOptions say how a compound runs one of its children.
type ChildOptions struct {
	Retries        int
	SuppressTracks bool // the owner holds the tracks itself (TRK-13)
}

// NewChild wraps an action that runs inside another one. A child takes its tag and tracks when it is first stepped. Its
// calls run inside the owner's call: a panic ends the whole owner.
func NewChild(a Action, o ChildOptions) *Runner {
	r := &Runner{action: a, state: NotStarted, retries: o.Retries, said: &facts{}}
	r.name, r.kind = a.Name(), a.Type()
	r.SuppressTracks(o.SuppressTracks)
	return r
}

// SuppressTracks tells a runner whether to leave the locks to its owner, and passes that on to children of children (CPD-3).
// It has an effect only before the start.
func (r *Runner) SuppressTracks(on bool) {
	r.suppress = on
	if a, ok := r.action.(TrackSuppressor); ok {
		a.SuppressTracks(on)
	}
}

// Announce takes the child's tag, if it has none yet.
func (r *Runner) Announce(env *Env) {
	if r.tag != InvalidTag {
		return
	}
	t, err := env.Tags.Take()
	if err != nil {
		r.state, r.detail = BadTag, err.Error()
		return
	}
	r.tag, r.auto = t, t
	r.who = holderName(r.name, t)
}

// Step updates a child once and returns its state.
func (r *Runner) Step(env *Env) Result {
	r.Announce(env)
	return r.step(env, inline{})
}

// Finish destroys a child and reports it to the watchers (DONE-2). A child that never took a tag ends without a word.
func (r *Runner) Finish(env *Env) Completion {
	c := r.finish(env, inline{})
	if r.tag != InvalidTag {
		env.Tags.Free(r.tag)
		env.Ended(c)
	}
	return c
}

// Rewind readies a child for another attempt. The tracks stay locked (RUN-8, CPD-6).
func (r *Runner) Rewind() {
	if r.state == NotStarted {
		return
	}
	r.begun, r.initDone, r.detail = false, false, ""
	if r.state == TracksLocked || r.rested {
		r.state = NotStarted // it holds no tracks
	} else {
		r.state = Running
	}
	if a, ok := r.action.(Resetter); ok {
		a.Reset()
	}
}

// Rest stops a child that ended and frees its tracks, but keeps its state until Relax or Finish.
func (r *Runner) Rest(env *Env) {
	r.stop(env, inline{})
	r.release(env, false)
	r.rested = true
}

// Relax rests a child and readies it to start from the beginning (retry wrapper, CPD-4).
func (r *Runner) Relax(env *Env) {
	r.Rest(env)
	if a, ok := r.action.(Resetter); ok {
		a.Reset()
	}
	r.state, r.detail = NotStarted, ""
	r.begun, r.initDone = false, false
}

// Report is the completion that the child would give now, without ending it.
func (r *Runner) Report() Completion {
	return Completion{Tag: r.tag, Name: r.name, Type: r.kind, Result: r.state, Payload: r.payload(nil, inline{}), Detail: r.detail}
}

// Status is the phase of a child.
func (r *Runner) Status() string { return r.name + ": " + r.status() }

func holderName(name string, t Tag) string { return name + "#" + strconv.FormatUint(uint64(t), 10) }
