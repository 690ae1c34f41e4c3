package tape

import (
	"errors"
	"fmt"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
)

// A Replay decides a recorded life again, without actors, clock or devices. Every hook that came to its end in the recording
// runs; one that was lost does not: it makes the requests that it made, and is lost again.
type Replay struct {
	eng   *engine.Engine
	hooks *replayHooks
}

// ReplayOptions configure the engine of a replay, which may differ from that of the recording.
type ReplayOptions struct {
	engine.Options
	// Lost is called in place of each hook that has a verdict; it may call next until that is nil, which
	// makes the hook's requests one by one and returns them answered. What it does not make is made afterwards. Nil means
	// no call.
	Lost func(v *Verdict, next func() *behaviors.Request)
}

// NewReplay starts the engine of a replay by the first entry of a tape. The stage is that of the recording, and so are base and MaxFailures
// unless the options name others. It fails if the entry is another one, or if the engine does not start.
func NewReplay(start *Entry, o ReplayOptions) (*Replay, error) {
	if start == nil || start.Kind != engine.CallStart {
		return nil, errors.New("engine: replay: a tape begins with the start of an engine")
	}
	if o.Hooks == nil {
		o.Hooks = &engine.Direct{}
	}
	h := &replayHooks{hooks: o.Hooks, look: o.Lost}
	o.Hooks = h
	if o.Base == "" {
		o.Base = start.Base
	}
	if o.MaxFailures == 0 {
		o.MaxFailures = start.Failures
	}
	o.Stage, o.Memory = start.Stage, start.Memory
	eng, err := engine.New(o.Options)
	if err != nil {
		return nil, err
	}
	r := &Replay{eng: eng, hooks: h}
	h.begin(start)
	if err := eng.Start(start.Now); err != nil {
		return nil, err
	}
	return r, h.finish()
}

// Engine is the engine of the replay, to be read between two entries.
func (r *Replay) Engine() *engine.Engine { return r.eng }

// Step decides the next entry again. The output is valid even with an error, and until the next Step. The error is a
// [*DiffError] if anything came out that the recording does not hold; a replay with changed behaviors may go on.
func (r *Replay) Step(e *Entry) (*engine.Output, error) {
	var out *engine.Output
	var err error
	r.hooks.begin(e)
	switch e.Kind {
	case engine.CallStep:
		out = r.eng.Step(e.Input)
	case engine.CallReset:
		out, err = r.eng.ResetNow(e.Base)
	case engine.CallShutdown:
		out = r.eng.Shutdown()
	default:
		err = fmt.Errorf("engine: replay: entry of kind %d", e.Kind)
	}
	if err != nil {
		return nil, err
	}
	if err := r.hooks.finish(); err != nil {
		return out, err
	}
	if p := Diff([]TickLog{e.Log}, []TickLog{LogOf(out)}, diffContext); p != nil {
		return out, &DiffError{Difference: p}
	}
	return out, nil
}

// diffContext is the number of lines that a DiffError shows before the first difference.
const diffContext = 5

// A DiffError is the first difference between a replay and its recording.
type DiffError struct {
	Difference *Difference // the first difference of what was decided; nil if there is a Verdict
	Verdict    *Verdict    // of the recording, which found no hook to fit; nil if there is a Part
}

func (e *DiffError) Error() string {
	if e.Difference != nil {
		return "engine: replay: " + e.Difference.String()
	}
	return "engine: replay: " + e.Verdict.Missed()
}

// Missed says that nothing in a replay fits the verdict.
func (v *Verdict) Missed() string {
	what := "was lost"
	if v.Text == "" {
		what = "was part of a hook that was lost"
	}
	return fmt.Sprintf("crossing %d, in which %s.%s %s, did not come", v.Crossing, v.Who, v.Where, what)
}

// replayHooks carries out the verdicts of one entry and runs everything else on its own hook runner.
type replayHooks struct {
	hooks  engine.HookRunner
	server engine.Server
	look   func(*Verdict, func() *behaviors.Request)
	left   []Verdict
	count  int
}

func (h *replayHooks) begin(e *Entry) {
	h.left, h.count = append(h.left[:0], e.Verdicts...), 0
}

// finish reports whether every verdict was carried out.
func (h *replayHooks) finish() error {
	if len(h.left) == 0 {
		return nil
	}
	v := h.left[0]
	return &DiffError{Verdict: &v}
}

func (h *replayHooks) cross() int {
	h.count++
	return h.count - 1
}

// verdict takes the verdict on one crossing, if there is one. One on another hook stays, and is reported.
func (h *replayHooks) verdict(crossing, i int, who, where string) *Verdict {
	for k, v := range h.left {
		if v.Crossing == crossing && v.Item == i && v.Who == who && v.Where == where {
			h.left = append(h.left[:k], h.left[k+1:]...)
			return &v
		}
	}
	return nil
}

// Bind implements engine.HookRunner.
func (h *replayHooks) Bind(s engine.Server) {
	h.server = s
	h.hooks.Bind(s)
}

// Fresh implements engine.HookRunner.
func (h *replayHooks) Fresh(c *engine.Cell) error {
	if v := h.verdict(h.cross(), 0, c.Node.ID, constructor); v != nil {
		c.TakeReady()
		return errors.New(v.Text)
	}
	return h.hooks.Fresh(c)
}

// Retire implements engine.HookRunner.
func (h *replayHooks) Retire(c *engine.Cell) { h.hooks.Retire(c) }

// Run implements engine.HookRunner.
func (h *replayHooks) Run(c *engine.Cell, f *engine.Frame) error { return h.run(h.cross(), 0, c, f) }

func (h *replayHooks) run(crossing, i int, c *engine.Cell, f *engine.Frame) error {
	v := h.verdict(crossing, i, c.Node.ID, f.Inv.Hook.String())
	if v == nil {
		return h.hooks.Run(c, f)
	}
	next := func() *behaviors.Request {
		if len(v.Requests) == 0 || c.Lost() { // a loss in a nested hook unwound it
			return nil
		}
		r := v.Requests[0].request()
		v.Requests = v.Requests[1:]
		h.server.Serve(c, f, r)
		return r
	}
	if h.look != nil {
		h.look(v, next)
	}
	for next() != nil {
	}
	if v.Text == "" {
		f.Inv.Answer = v.Answer
		return nil
	}
	return errors.New(v.Text)
}

// Ask implements engine.HookRunner.
func (h *replayHooks) Ask(cells []*engine.Cell, frames []*engine.Frame) (ran int, err error) {
	n := h.cross()
	for ran < len(cells) {
		c, f := cells[ran], frames[ran]
		ran++
		if c.Lost() {
			continue
		}
		if err = h.run(n, ran-1, c, f); err != nil || f.Inv.Answer || f.Inv.Alone {
			break
		}
	}
	return ran, err
}

// Batch implements engine.HookRunner.
func (h *replayHooks) Batch(cells []*engine.Cell, frames []*engine.Frame) []engine.CellFailure {
	n := h.cross()
	var failed []engine.CellFailure
	for i, c := range cells {
		if c.Lost() {
			continue
		}
		if err := h.run(n, i, c, frames[i]); err != nil {
			c.Lose()
			failed = append(failed, engine.CellFailure{Cell: c, Err: err})
		}
	}
	return failed
}

// Foreseen implements engine.HookRunner.
func (h *replayHooks) Foreseen(c *engine.Cell, f engine.Foreseen) engine.Foreseen {
	if v := h.verdict(h.cross(), 0, c.Node.ID, foresight); v != nil {
		return v.Foreseen
	}
	return h.hooks.Foreseen(c, f)
}

// Adopt implements engine.ActionHost.
func (h *replayHooks) Adopt(r *actions.Runner) { h.hooks.Adopt(r) }

// Release implements engine.ActionHost.
func (h *replayHooks) Release(r *actions.Runner) { h.hooks.Release(r) }

// Call implements engine.ActionHost.
func (h *replayHooks) Call(r *actions.Runner, op actions.Op, env *actions.Env) (actions.Result, error) {
	v := h.verdict(h.cross(), 0, r.Name(), op.String())
	if v == nil {
		return h.hooks.Call(r, op, env)
	}
	for i := range v.Effects {
		v.Effects[i].do(env)
	}
	return actions.Abort, v
}

// do repeats an effect.
func (x *Effect) do(env *actions.Env) {
	switch x.Kind {
	case EffectSend:
		env.Send(x.Command)
	case EffectNextID:
		env.NextID()
	case EffectLock:
		env.Tracks.Lock(x.Who, x.Tracks)
	case EffectUnlock:
		env.Tracks.Unlock(x.Who)
	case EffectTake:
		_, _ = env.Tags.Take() // the pool has what it had
	case EffectFree:
		env.Tags.Free(x.Tag)
	case EffectEnded:
		if x.Ended != nil { // a tape of another program may leave it out
			env.Ended(x.Ended.completion())
		}
	case EffectAskPath:
		if x.Path != nil && env.Paths != nil {
			env.Paths.Ask(*x.Path)
		}
	case EffectDropPath:
		if env.Paths != nil {
			env.Paths.Drop(x.PathID)
		}
	}
}
