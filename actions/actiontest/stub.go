package actiontest

import (
	"errors"
	"time"

	"github.com/robotd/robotd/actions"
)

// A Stub is an action that does what its fields say and records its calls.
type Stub struct {
	Label   string
	Kind    actions.Type
	Lock    actions.Tracks
	InitRun int            // Init returns RUNNING this often
	Retries int            // CheckIfDone returns RETRY this often
	Result  actions.Result // CheckIfDone's result, RUNNING until changed
	InitRes actions.Result // Init's result
	Limit   time.Duration  // timeout, 0 = default
	Delay   time.Duration  // start delay
	Check   time.Duration  // check delay
	Yield   bool           // interruptible
	Treads  bool           // fails off treads
	Blow    string         // "Init", "CheckIfDone" or "Stop": panics there
	OnStop  func()
	OnCheck func(env *actions.Env)

	Inits, Checks, Stops, Resets int
}

// NewStub returns a stub that runs until told otherwise.
func NewStub(label string, lock actions.Tracks) *Stub {
	return &Stub{Label: label, Kind: actions.TypeWait, Lock: lock, Result: actions.Running}
}

// Name is the label.
func (s *Stub) Name() string { return s.Label }

// Type is the kind.
func (s *Stub) Type() actions.Type { return s.Kind }

// Tracks is the lock.
func (s *Stub) Tracks() actions.Tracks { return s.Lock }

// Payload is the label.
func (s *Stub) Payload() any { return s.Label }

// Interruptible is Yield.
func (s *Stub) Interruptible() bool { return s.Yield }

// FailOffTreads is Treads.
func (s *Stub) FailOffTreads() bool { return s.Treads }

// StartDelay is Delay.
func (s *Stub) StartDelay() time.Duration { return s.Delay }

// CheckDelay is Check.
func (s *Stub) CheckDelay() time.Duration { return s.Check }

// Timeout is Limit, or the default.
func (s *Stub) Timeout() time.Duration {
	if s.Limit == 0 {
		return actions.DefaultTimeout
	}
	return s.Limit
}

// Init counts.
func (s *Stub) Init(*actions.Env) actions.Result {
	s.Inits++
	s.blow("Init")
	if s.Inits <= s.InitRun {
		return actions.Running
	}
	return s.InitRes
}

// CheckIfDone counts.
func (s *Stub) CheckIfDone(env *actions.Env) actions.Result {
	s.Checks++
	s.blow("CheckIfDone")
	if s.OnCheck != nil {
		s.OnCheck(env)
	}
	if s.Retries > 0 {
		s.Retries--
		return actions.Retry
	}
	return s.Result
}

// Stop counts.
func (s *Stub) Stop(*actions.Env) {
	s.Stops++
	s.blow("Stop")
	if s.OnStop != nil {
		s.OnStop()
	}
}

// Reset counts.
func (s *Stub) Reset() { s.Resets++ }

func (s *Stub) blow(where string) {
	if s.Blow == where {
		panic("stub " + s.Label + " blows up")
	}
}

// ErrOverrun is what an Overrun host reports.
var ErrOverrun = errors.New("no answer within the hook budget")

// An Overrun is a host that reports an overrun for one operation of one action. It keeps the Env, as the abandoned
// goroutine of a hung action would.
type Overrun struct {
	actions.Direct
	Name string
	Op   actions.Op

	Kept     *actions.Env
	Adopted  int
	Released int
	After    int // calls after the overrun
}

// Adopt counts.
func (o *Overrun) Adopt(*actions.Runner) { o.Adopted++ }

// Release counts.
func (o *Overrun) Release(*actions.Runner) { o.Released++ }

// Call hangs, or calls.
func (o *Overrun) Call(r *actions.Runner, op actions.Op, env *actions.Env) (actions.Result, error) {
	if r.Name() != o.Name {
		return o.Direct.Call(r, op, env)
	}
	if o.Kept != nil {
		o.After++
	}
	if op != o.Op {
		return o.Direct.Call(r, op, env)
	}
	o.Kept = env
	return actions.Running, ErrOverrun
}
