package engine

import (
	"errors"
	"fmt"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// A HookRunner runs the hooks of behaviors and the steps of actions, each to its end, one at a time. While a hook waits for an
// answer to a request, the hook runner calls Server.Serve on the engine's goroutine.
type HookRunner interface {
	// Bind gives the hook runner the server of requests, once, before anything else.
	Bind(s Server)
	// Fresh gives the cell a fresh incarnation in place of a lost one or none: the one that is ready, or another. An error means that
	// the class's own constructor failed.
	Fresh(c *Cell) error
	// Retire ends the incarnation of a cell that nothing uses any more.
	Retire(c *Cell)
	// Run runs one hook in its frame. An error means that the incarnation is lost.
	Run(c *Cell, f *Frame) error
	// Ask runs one HookWants of each cell in order, leaving out what is lost by then, until one answers yes, fails, or says that it
	// shall be the last (Invocation.Alone). It returns how many had their turn, one at least, and why the last lost its incarnation.
	Ask(cells []*Cell, frames []*Frame) (ran int, err error)
	// Batch runs one frame of each cell in order, leaving out what is lost by then, and returns those whose incarnation was
	// lost.
	Batch(cells []*Cell, frames []*Frame) []CellFailure
	// Foreseen is told what the engine saw of an answer of the cell while a hook of it is in flight, and returns what counts. That depends
	// on what the hook did to the incarnation so far: a replay, which does not run a hook that was lost, returns what was seen then.
	Foreseen(c *Cell, f Foreseen) Foreseen
	ActionHost
}

// Foreseen is what the engine says of an answer without the code of the behavior.
type Foreseen struct {
	Answer stack.Foresight
	Gate   behaviors.Gate // that says no, when it is the behavior's turn
}

// A Server answers the requests of hooks.
type Server interface {
	Serve(c *Cell, f *Frame, r *behaviors.Request)
}

// A CellFailure is one lost incarnation of a batch.
type CellFailure struct {
	Cell *Cell
	Err  error
}

// More than maxFailures within failureWindow disable a behavior until restart, unless Options say otherwise.
const (
	maxFailures   = 3
	failureWindow = time.Minute
)

// host is the engine as the stack's host.
type host Engine

// Call implements stack.Host: it fills the frame, skips what has nothing to do, and releases what a lost incarnation held.
func (h *host) Call(n *stack.Node, hook stack.Hook) error {
	e := (*Engine)(h)
	c := n.Data.(*Cell)
	if c.Lost() {
		return nil // in the batch that runs now; the stack is told at its end
	}
	if hook == stack.HookUpdate && n.Activated() && c.Inc.Inst.Idle(e.facts(c), len(c.events)) {
		return nil
	}
	if hook == stack.HookModify && c.modified {
		return nil // another behavior needed it earlier
	}
	resumed := false
	switch hook {
	case stack.HookModify:
		c.modified = true // also while it runs: who is reached from itself says nothing
	case stack.HookActivated:
		c.Inc.renew(c.depth)
		if resumed = c.beginActivation(); !resumed {
			c.started++
			c.counted++
		}
		e.countActivation(c)
		c.since = e.view.Now
		c.outcome = nil
		c.stopAfter, c.succeeded, c.helping = false, false, c.Inc.Inst.IsHelper()
	case stack.HookDeactivated:
		if c.Inc.Inst.IsHelper() && c.by != nil {
			c.by.outcome = &behaviors.Outcome{Ended: behaviors.EndedHelper, Success: c.succeeded}
		}
	}
	f := e.fill(c, hook)
	f.Inv.Resumed = resumed
	c.depth++
	if c.depth == 1 {
		c.requests = 0
	}
	leaving := e.leaving
	if hook == stack.HookDeactivated {
		e.leaving = c
	}
	err := e.hooks.Run(c, f)
	e.leaving = leaving
	c.depth--
	switch {
	case errors.Is(err, ErrRevoked):
		err = nil // its loss was reported where it happened
		e.release(c)
	case err != nil:
		e.lose(c, n.Activated() || hook == stack.HookDeactivated)
	case c.Lost():
		e.release(c)
	case hook == stack.HookInit:
		e.subscribe(c)
	case hook == stack.HookModify:
		c.code = f.Inv.Code
	case hook == stack.HookDeactivated:
		e.releaseActivation(c)
	case hook == stack.HookLeftScope:
		e.releaseScope(c)
	}
	if c.depth == 0 {
		e.getOut.settle(c)
	}
	if c.Entry.Analyzer != "" {
		e.analyses.take(c, hook, err != nil || c.Lost())
	}
	return err
}

// ErrRevoked is what a hook runner returns for a frame that was unwound because its incarnation was lost in a nested hook.
var ErrRevoked = errors.New("incarnation lost in a nested hook")

// Revoked is the panic that unwinds such a frame.
type Revoked struct{}

// fill prepares the frame of a hook. It runs for every behavior in scope, and writes only what changes; what only one hook reads is set
// where that is called.
func (e *Engine) fill(c *Cell, hook stack.Hook) *Frame {
	f := c.Inc.frame(c.depth)
	inv := &f.Inv
	inv.Hook, inv.View, inv.Seed, inv.Serial = hook, e.view, e.seed, c.draw(hook, e.view.Tick)
	if c.Node.Activated() || hook == stack.HookDeactivated {
		inv.Facts, inv.Done, inv.Placed = e.facts(c), c.outcome, true
	} else {
		if inv.Placed {
			inv.Facts, inv.Placed = behaviors.Facts{}, false // and no other hook reads Done
		}
		inv.Facts.Started = uint64(c.counted)
	}
	if hook == stack.HookUpdate && len(c.events) > 0 {
		inv.Events = c.events
	} else if inv.Events != nil {
		inv.Events = nil
	}
	return f
}

// Batch implements stack.Host.
func (h *host) Batch(nodes []*stack.Node) []stack.Failure {
	e := (*Engine)(h)
	cells, frames := e.cellsBuf[:0], e.frameBuf[:0]
	for _, n := range nodes {
		c := n.Data.(*Cell)
		c.requests = 0
		cells, frames = append(cells, c), append(frames, e.fill(c, stack.HookUpdate))
		c.depth++ // a question that comes before or during its turn gets a frame of its own
	}
	e.cellsBuf, e.frameBuf = cells, frames
	e.out.Updated = len(nodes)
	var failed []stack.Failure
	failures := e.hooks.Batch(cells, frames)
	for _, c := range cells {
		c.depth--
	}
	for _, f := range failures {
		if errors.Is(f.Err, ErrRevoked) {
			continue // its loss was reported where it happened
		}
		e.lose(f.Cell, false)
		failed = append(failed, stack.Failure{Node: f.Cell.Node, Err: f.Err})
	}
	if len(failures) > 0 {
		e.cellsBuf, e.frameBuf = nil, nil
	}
	return failed
}

// Replace implements stack.Host: a fresh incarnation, unless the behavior failed too often.
func (h *host) Replace(n *stack.Node) error {
	e := (*Engine)(h)
	c := n.Data.(*Cell)
	c.own().failures = append(e.recent(c), e.view.Now)
	c.Inc = nil // nothing that a zombie can touch is used again, even if there is no successor
	if len(c.failures) > e.patient {
		return fmt.Errorf("%d failures within %v", len(c.failures), failureWindow)
	}
	c.renew()
	return e.hooks.Fresh(c)
}
