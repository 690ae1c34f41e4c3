// Package express holds the actions that show or say something (animations, speech, faces, lights), and small actions
// that wait.
package express

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// minWaitTimeout is the least timeout of a Wait.
const minWaitTimeout = 2 * time.Second

// WaitParams configure a Wait.
type WaitParams struct{ Duration time.Duration }

// A Wait ends at the first tick strictly after its duration.
type Wait struct {
	params WaitParams
	until  time.Time
}

// NewWait returns the action.
func NewWait(p WaitParams) *Wait { return &Wait{params: p} }

// Name is Wait.
func (*Wait) Name() string { return "Wait" }

// Type is WAIT.
func (*Wait) Type() actions.Type { return actions.TypeWait }

// Tracks is none.
func (*Wait) Tracks() actions.Tracks { return 0 }

// Timeout leaves a fifth of slack.
func (w *Wait) Timeout() time.Duration { return max(minWaitTimeout, w.params.Duration*6/5) }

// Init fixes the end.
func (w *Wait) Init(env *actions.Env) actions.Result {
	w.until = env.Now.Add(w.params.Duration)
	return actions.Success
}

// CheckIfDone compares the time.
func (w *Wait) CheckIfDone(env *actions.Env) actions.Result {
	if env.Now.After(w.until) {
		return actions.Success
	}
	return actions.Running
}

// WaitForParams configure a WaitFor.
type WaitForParams struct {
	// Name is shown on the page; it defaults to WaitFor.
	Name string
	// Until is called once per tick. It must be quick and free of side effects.
	Until func(w *hardware.World) bool
	// Timeout is none if zero.
	Timeout time.Duration
}

// A WaitFor ends when a predicate holds.
type WaitFor struct{ params WaitForParams }

// NewWaitFor returns the action.
func NewWaitFor(p WaitForParams) *WaitFor {
	if p.Name == "" {
		p.Name = "WaitFor"
	}
	if p.Timeout <= 0 {
		p.Timeout = actions.NoTimeout
	}
	return &WaitFor{params: p}
}

// Name is the given one.
func (w *WaitFor) Name() string { return w.params.Name }

// Type is WAIT_FOR_LAMBDA.
func (*WaitFor) Type() actions.Type { return actions.TypeWaitForLambda }

// Tracks is none.
func (*WaitFor) Tracks() actions.Tracks { return 0 }

// Timeout is the given one.
func (w *WaitFor) Timeout() time.Duration { return w.params.Timeout }

// Init fails without a predicate.
func (w *WaitFor) Init(*actions.Env) actions.Result {
	if w.params.Until == nil {
		return actions.Abort
	}
	return actions.Success
}

// CheckIfDone calls the predicate.
func (w *WaitFor) CheckIfDone(env *actions.Env) actions.Result {
	if w.params.Until(env.World) {
		return actions.Success
	}
	return actions.Running
}

// A Hang never ends by itself and has no timeout. A behavior with a Hang stays active until something cancels it.
type Hang struct {
	started bool // a field, because values of size zero may share an address and the list compares addresses
}

// NewHang returns the action.
func NewHang() *Hang { return &Hang{} }

// Name is Hang.
func (*Hang) Name() string { return "Hang" }

// Type is HANG.
func (*Hang) Type() actions.Type { return actions.TypeHang }

// Tracks is none.
func (*Hang) Tracks() actions.Tracks { return 0 }

// Timeout is none.
func (*Hang) Timeout() time.Duration { return actions.NoTimeout }

// Init succeeds.
func (h *Hang) Init(*actions.Env) actions.Result {
	h.started = true
	return actions.Success
}

// CheckIfDone is RUNNING forever.
func (*Hang) CheckIfDone(*actions.Env) actions.Result { return actions.Running }
