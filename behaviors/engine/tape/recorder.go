package tape

import (
	"errors"
	"slices"
	"sync"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// A Recorder records the calls of one engine: hand it to engine.Options.Recorder, and its sink gets an [Entry] at the end of each call
// of the engine. It stands between the engine and its hook runner. It belongs to the goroutine of the engine.
type Recorder struct {
	sink   func(*Entry)
	hooks  engine.HookRunner
	server engine.Server

	entry    *Entry // under way
	count    int    // crossings begun in it
	requests []*requestInFlight
	idle     []*requestInFlight // their memory is used again
	nested   []nestedHook
	envs     []*recordingEnv // free ones
}

// requestInFlight is a request of a hook that has not ended yet.
type requestInFlight struct {
	frame *engine.Frame
	what  Request
	among behaviors.Choice
}

// nestedHook is a hook that ended well inside another one of the same incarnation, which has not ended yet, or a foresight in such a place.
type nestedHook struct {
	cell *engine.Cell
	what Verdict
}

// NewRecorder returns a recorder for one engine. The sink is called on the engine's goroutine and owns the entry, which is not sealed yet.
func NewRecorder(sink func(*Entry)) *Recorder { return &Recorder{sink: sink} }

// Around implements engine.Recorder.
func (r *Recorder) Around(h engine.HookRunner) engine.HookRunner {
	r.hooks = h
	return r
}

// Begin implements engine.Recorder. An entry that a panic of the engine left open is dropped.
func (r *Recorder) Begin(c engine.Call) {
	r.entry = newEntry(c)
	r.count, r.nested = 0, r.nested[:0]
	r.forget(0)
}

// End implements engine.Recorder: it hands the entry on.
func (r *Recorder) End(o *engine.Output) {
	if r.entry == nil {
		return
	}
	e := r.entry
	r.entry = nil
	if o != nil {
		e.keep(o)
	}
	r.sink(e)
}

// cross counts a crossing.
func (r *Recorder) cross() int {
	r.count++
	return r.count - 1
}

func (r *Recorder) lost(v Verdict) {
	if r.entry != nil {
		r.entry.Verdicts = append(r.entry.Verdicts, v)
	}
}

// Bind implements engine.HookRunner.
func (r *Recorder) Bind(s engine.Server) {
	r.server = s
	r.hooks.Bind(r)
}

// Serve implements Server: it records each request before it is served, because what it leads to may lose the hook.
func (r *Recorder) Serve(c *engine.Cell, f *engine.Frame, req *behaviors.Request) {
	n := r.note(f, req)
	acting := req.Action != nil
	r.server.Serve(c, f, req)
	if acting {
		n.what.Action = recordAction(req)
	}
}

// note records a request that a hook makes.
func (r *Recorder) note(f *engine.Frame, req *behaviors.Request) *requestInFlight {
	n := &requestInFlight{}
	if k := len(r.idle); k > 0 {
		n, r.idle = r.idle[k-1], r.idle[:k-1]
	}
	n.frame = f
	n.what.note(req, &n.among)
	r.requests = append(r.requests, n)
	return n
}

// forget drops the requests recorded since a crossing began.
func (r *Recorder) forget(from int) {
	r.idle = append(r.idle, r.requests[from:]...)
	r.requests = r.requests[:from]
}

// Fresh implements engine.HookRunner.
func (r *Recorder) Fresh(c *engine.Cell) error {
	n := r.cross()
	err := r.hooks.Fresh(c)
	if err != nil {
		r.lost(Verdict{Crossing: n, Who: c.Node.ID, Where: constructor, Text: err.Error()})
	}
	return err
}

// Retire implements engine.HookRunner.
func (r *Recorder) Retire(c *engine.Cell) { r.hooks.Retire(c) }

const constructor = "constructor"

// Run implements engine.HookRunner.
func (r *Recorder) Run(c *engine.Cell, f *engine.Frame) error {
	n, from := r.cross(), len(r.requests)
	hook := f.Inv.Hook
	err := r.hooks.Run(c, f)
	v := Verdict{Crossing: n, Who: c.Node.ID, Where: hook.String()}
	switch {
	case err != nil && !errors.Is(err, engine.ErrRevoked):
		v.Text, v.Requests = err.Error(), r.madeBy(from, f)
		r.loseNested(c, n)
		r.lost(v)
	case err == nil && c.Depth() > 1:
		v.Answer, v.Requests = f.Inv.Answer, r.madeBy(from, f)
		r.nested = append(r.nested, nestedHook{c, v})
	}
	if c.Depth() == 1 {
		r.forgetNested(c)
	}
	r.forget(from)
	return err
}

// Ask implements engine.HookRunner.
func (r *Recorder) Ask(cells []*engine.Cell, frames []*engine.Frame) (int, error) {
	n, from := r.cross(), len(r.requests)
	ran, err := r.hooks.Ask(cells, frames)
	for i, c := range cells[:ran] {
		v := Verdict{Crossing: n, Item: i, Who: c.Node.ID, Where: stack.HookWants.String()}
		switch lost := i == ran-1 && err != nil; {
		case lost && !errors.Is(err, engine.ErrRevoked):
			v.Text, v.Requests = err.Error(), r.madeBy(from, frames[i])
			r.loseNested(c, n)
			r.lost(v)
		case !lost && !c.Lost() && c.Depth() > 1:
			v.Answer, v.Requests = frames[i].Inv.Answer, r.madeBy(from, frames[i])
			r.nested = append(r.nested, nestedHook{c, v})
		}
	}
	r.endNested(cells)
	r.forget(from)
	return ran, err
}

// Batch implements engine.HookRunner.
func (r *Recorder) Batch(cells []*engine.Cell, frames []*engine.Frame) []engine.CellFailure {
	n, from := r.cross(), len(r.requests)
	failed := r.hooks.Batch(cells, frames)
	for _, f := range failed {
		if errors.Is(f.Err, engine.ErrRevoked) {
			continue
		}
		i := slices.Index(cells, f.Cell)
		r.loseNested(f.Cell, n)
		r.lost(Verdict{
			Crossing: n, Item: i, Who: f.Cell.Node.ID, Where: stack.HookUpdate.String(), Text: f.Err.Error(),
			Requests: r.madeBy(from, frames[i]),
		})
	}
	r.endNested(cells)
	r.forget(from)
	return failed
}

// Foreseen implements engine.HookRunner.
func (r *Recorder) Foreseen(c *engine.Cell, f engine.Foreseen) engine.Foreseen {
	n := r.cross()
	f = r.hooks.Foreseen(c, f)
	r.nested = append(r.nested, nestedHook{c, Verdict{Crossing: n, Who: c.Node.ID, Where: foresight, Foreseen: f}})
	return f
}

// foresight is where a verdict on a foresight stands, in place of a hook.
const foresight = "foresight"

// endNested drops the nested hooks of cells whose outermost hook has ended.
func (r *Recorder) endNested(cells []*engine.Cell) {
	if len(r.nested) == 0 {
		return
	}
	for _, c := range cells {
		if c.Depth() <= 1 {
			r.forgetNested(c)
		}
	}
}

// loseNested records the hooks and foresights of the cell that ended well inside its lost hook, which was that crossing. Those that ended before it
// belong to a hook around both.
func (r *Recorder) loseNested(c *engine.Cell, crossing int) {
	r.nested = slices.DeleteFunc(r.nested, func(h nestedHook) bool {
		inside := h.cell == c && h.what.Crossing > crossing
		if inside {
			r.lost(h.what)
		}
		return inside
	})
}

// forgetNested drops the nested hooks of a cell whose outer hook has ended.
func (r *Recorder) forgetNested(c *engine.Cell) {
	r.nested = slices.DeleteFunc(r.nested, func(h nestedHook) bool { return h.cell == c })
}

// madeBy lists the requests of a frame since a crossing began.
func (r *Recorder) madeBy(from int, f *engine.Frame) []Request {
	var made []Request
	for _, n := range r.requests[from:] {
		if n.frame == f {
			made = append(made, n.what.clone())
		}
	}
	return made
}

// Adopt implements engine.ActionHost.
func (r *Recorder) Adopt(a *actions.Runner) { r.hooks.Adopt(a) }

// Release implements engine.ActionHost.
func (r *Recorder) Release(a *actions.Runner) { r.hooks.Release(a) }

// Call implements engine.ActionHost.
func (r *Recorder) Call(a *actions.Runner, op actions.Op, env *actions.Env) (actions.Result, error) {
	n := r.cross()
	e := r.take(env)
	res, err := r.hooks.Call(a, op, &e.env)
	effects := e.close()
	if err != nil {
		r.lost(Verdict{Crossing: n, Who: a.Name(), Where: op.String(), Text: err.Error(), Hung: errors.Is(err, actions.ErrHung), Effects: effects})
		return res, err // what was abandoned may still hold the Env
	}
	r.envs = append(r.envs, e)
	return res, nil
}

// take returns an Env that records the effects made through it.
func (r *Recorder) take(outer *actions.Env) *recordingEnv {
	var e *recordingEnv
	if k := len(r.envs); k > 0 {
		e, r.envs = r.envs[k-1], r.envs[:k-1]
	} else {
		e = &recordingEnv{}
	}
	e.open(outer)
	return e
}

// A recordingEnv passes the effects of one step of an action on and records them. The lock is for an action that was abandoned
// in the middle: once closed, its effects end here, so that the tape holds neither more nor less than what happened.
type recordingEnv struct {
	mu      sync.Mutex
	closed  bool
	outer   *actions.Env
	env     actions.Env // handed to the action
	own     actions.Env // its effects, bound once
	effects []Effect
}

func (e *recordingEnv) open(outer *actions.Env) {
	e.closed, e.outer = false, outer
	clear(e.effects)
	e.effects = e.effects[:0]
	if e.own.Send == nil {
		e.own = actions.Env{Send: e.send, NextID: e.nextID, Ended: e.ended, Tracks: (*recordingTracks)(e), Tags: (*recordingTags)(e), Paths: (*recordingPaths)(e)}
	}
	e.env = *outer
	e.env.Send, e.env.NextID, e.env.Ended, e.env.Tracks, e.env.Tags = e.own.Send, e.own.NextID, e.own.Ended, e.own.Tracks, e.own.Tags
	if outer.Paths != nil {
		e.env.Paths = e.own.Paths
	}
}

func (e *recordingEnv) close() []Effect {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	return e.effects
}

// pass records an effect, unless the action was abandoned.
func (e *recordingEnv) pass(x Effect) bool {
	if !e.closed {
		e.effects = append(e.effects, x)
	}
	return !e.closed
}

func (e *recordingEnv) send(c hardware.Command) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pass(Effect{Kind: EffectSend, Command: c}) {
		e.env.Attribute(e.outer)
		e.outer.Send(c)
	}
}

func (e *recordingEnv) nextID() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.pass(Effect{Kind: EffectNextID}) {
		return 0
	}
	return e.outer.NextID()
}

func (e *recordingEnv) ended(c actions.Completion) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pass(Effect{Kind: EffectEnded, Ended: endedChild(c)}) {
		e.outer.Ended(c)
	}
}

// recordingTracks is the Locker of a recordingEnv.
type recordingTracks recordingEnv

func (t *recordingTracks) Lock(who string, on actions.Tracks) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !(*recordingEnv)(t).pass(Effect{Kind: EffectLock, Who: who, Tracks: on}) {
		return "action was abandoned", false
	}
	return t.outer.Tracks.Lock(who, on)
}

func (t *recordingTracks) Unlock(who string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if (*recordingEnv)(t).pass(Effect{Kind: EffectUnlock, Who: who}) {
		t.outer.Tracks.Unlock(who)
	}
}

func (t *recordingTracks) Mask() actions.Tracks { return t.outer.Tracks.Mask() }

// recordingTags is the Tagger of a recordingEnv.
type recordingTags recordingEnv

func (t *recordingTags) Take() (actions.Tag, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !(*recordingEnv)(t).pass(Effect{Kind: EffectTake}) {
		return actions.InvalidTag, errAbandoned
	}
	return t.outer.Tags.Take()
}

func (t *recordingTags) Free(tag actions.Tag) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if (*recordingEnv)(t).pass(Effect{Kind: EffectFree, Tag: tag}) {
		t.outer.Tags.Free(tag)
	}
}

// recordingPaths is the Paths of a recordingEnv.
type recordingPaths recordingEnv

func (p *recordingPaths) Ask(q actions.PathQuestion) uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	q.Goals, q.Near, q.Met = slices.Clone(q.Goals), slices.Clone(q.Near), slices.Clone(q.Met)
	if !(*recordingEnv)(p).pass(Effect{Kind: EffectAskPath, Path: &q}) {
		return 0
	}
	return p.outer.Paths.Ask(q)
}

func (p *recordingPaths) Look(id uint64) (actions.Path, actions.PathState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return actions.Path{}, actions.PathUnknown
	}
	return p.outer.Paths.Look(id)
}

func (p *recordingPaths) Drop(id uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if (*recordingEnv)(p).pass(Effect{Kind: EffectDropPath, PathID: id}) {
		p.outer.Paths.Drop(id)
	}
}

var errAbandoned = errors.New("engine: the action was abandoned")
