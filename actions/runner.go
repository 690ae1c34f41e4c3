package actions

import (
	"errors"
	"time"

	"github.com/robotd/robotd/hardware"
)

// A Runner is one queued action, or one child of a compound: its tag, its state and its time gates. It lives on the
// goroutine of the list (a child: on that of the compound's call).
//
// State is a Result: NOT_STARTED until the first update, RUNNING, INTERRUPTED, or the final one.
type Runner struct {
	action   Action
	tag      Tag // the custom tag if there is one
	auto     Tag // stays reserved beside a custom tag (TAG-2)
	owner    string
	name     string
	kind     Type
	who      string // holder name in the track table: name#tag
	state    Result
	retries  int
	suppress bool // TRK-13

	profile  Profile   // in force when it started
	held     Tracks    // locked by this runner itself
	since    time.Time // queued, then started
	begun    bool      // start is stamped
	start    time.Time // first update of this attempt
	touched  bool      // Init was attempted: Stop is due
	initDone bool
	treads   hardware.Treads
	adopted  bool
	broken   bool   // panicked or overran: the action must not be touched again
	hung     bool   // overran
	said     *facts // what its getters said last; not read once broken, for who hangs may still write it
	rested   bool   // a child whose tracks were freed between two attempts
	canceled bool   // by itself, in the middle of its own call
	detail   string

	sub        []Result
	childLocks []childLock
	childTags  []Tag
}

// childLock is what one child of a compound holds.
type childLock struct {
	who    string
	tracks Tracks
}

// Action is the user's code. Hosts call it through Do.
func (r *Runner) Action() Action { return r.action }

// Tag is the name of the runner.
func (r *Runner) Tag() Tag { return r.tag }

// Owner is who queued it.
func (r *Runner) Owner() string { return r.owner }

// Name is the action's name when it was queued.
func (r *Runner) Name() string { return r.name }

// Type is the newest type of the action.
func (r *Runner) Type() Type { return r.kind }

// State is NOT_STARTED, RUNNING, INTERRUPTED or the final result.
func (r *Runner) State() Result { return r.state }

// Do performs one call on the user's action. It is for hosts, on the goroutine where the action shall run; it does
// not recover. A call that was given up touches nothing of the runner when it returns after all.
func (r *Runner) Do(op Op, env *Env) Result {
	a, f := r.action, r.said
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

// status is the phase for display, as of the last step.
func (r *Runner) status() string {
	switch {
	case r.state == NotStarted:
		return "pending"
	case r.state == Interrupted:
		return "interrupted"
	case r.broken:
		return "failed"
	case !r.initDone:
		return "checking preconditions"
	case r.said.status != "":
		return r.said.status
	}
	return "running"
}

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

// call crosses to the action, unless it broke before.
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
		r.kind = r.said.kind // may change while the action runs
	}
	return res
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
