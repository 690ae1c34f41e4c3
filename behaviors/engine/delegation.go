package engine

import (
	"fmt"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// A delegation records to what a behavior delegated last and how that ended, and nothing else: the stack knows whether control is
// delegated now (a layer above, or the node is busy), and the instance knows which callback is due and asks here for the outcome.
type delegation struct {
	action actions.Tag // outstanding; 0 = none
	// outcome is how the newest delegate ended; nil if it has not ended, or was lost. It is never modified, because a hook that hangs
	// may still read it.
	outcome *behaviors.Outcome
	by      *Cell // who delegated to this behavior last
}

// endedBehavior is what a delegation to a behavior comes to unless something else is recorded before it ends. Never modified.
var endedBehavior = behaviors.Outcome{Ended: behaviors.EndedBehavior}

// serveDelegate forgets the outcome of the previous delegate and pushes the next one.
func (e *Engine) serveDelegate(c *Cell, r *behaviors.Request) {
	r.Refusal = e.delegate(c, r.ID, r.Kind == behaviors.ReqDelegateToHelper)
	r.OK, r.Done = r.Refusal == nil, c.outcome
}

func (e *Engine) delegate(c *Cell, to string, helper bool) *stack.Refusal {
	d := e.cells[to]
	switch {
	case c.stopAfter:
		return e.stack.Refuse(stack.OpDelegate, c.Node, e.nodeOf(to), stack.Stopping)
	case d == nil || d.Inc == nil:
		return e.stack.Delegate(c.Node, e.nodeOf(to)) // refused, in words of the stack
	case helper && !d.Inc.Inst.IsHelper():
		return e.stack.Refuse(stack.OpDelegate, c.Node, d.Node, stack.Unsupported)
	}
	before, from := c.outcome, d.by
	c.outcome = &endedBehavior
	d.by = c
	e.prepareResume(c, d)
	refusal := e.stack.Delegate(c.Node, d.Node)
	d.unprepareResume()
	switch {
	case refusal == nil:
		e.delegated(c, d)
	case refusal.Reason == stack.Faulted:
		c.forgetInterrupts()
	default:
		c.outcome, d.by = before, from
	}
	return refusal
}

func (e *Engine) nodeOf(id string) *stack.Node {
	if d := e.cells[id]; d != nil {
		return d.Node
	}
	return nil
}

// serveSucceed records that a helper did its task; it ends by its next request.
func (e *Engine) serveSucceed(c *Cell, r *behaviors.Request) {
	var why stack.Reason
	switch {
	case e.stack.Asking():
		why = stack.Hidden
	case !c.Node.Activated():
		why = stack.NotOnStack
	case !c.Inc.Inst.IsHelper():
		why = stack.Unsupported
	default:
		c.succeeded = true
		return
	}
	r.OK, r.Refusal = false, e.stack.Refuse(stack.OpCancelSelf, c.Node, c.Node, why)
}

// serveDelegates lists the delegates in the layer of c (L-10).
func (e *Engine) serveDelegates(c *Cell, r *behaviors.Request) {
	i := e.stack.Index(c.Node)
	if r.OK = i >= 0; !r.OK {
		return
	}
	r.List = []string{}
	for _, n := range e.stack.Layers()[i].Delegates() {
		r.List = append(r.List, n.ID)
	}
}

// serveAct queues an action of c at NOW (BEH-2), or behind an emergency get-out (B-20). The checks are those of a delegation to a
// behavior (B-15).
func (e *Engine) serveAct(c *Cell, r *behaviors.Request) {
	why := e.mayAct(c, r)
	if why == 0 {
		tag, err := e.actions.Queue(r.Action, actions.QueueOptions{
			Position: e.getOut.position(), Retries: r.Retries, Owner: c.Node.ID, Label: r.Label,
		})
		if err == nil {
			e.cancelled()
			e.getOut.hold(c, r, tag)
			c.action = tag
			c.Node.SetBusy(true)
			c.forgetInterrupts() // something else runs
			c.outcome = nil
			return
		}
		why = stack.TooDeep
	}
	r.OK, r.Refusal = false, e.stack.Refuse(stack.OpAct, c.Node, nil, why)
}

func (e *Engine) mayAct(c *Cell, r *behaviors.Request) stack.Reason {
	switch {
	case e.stack.Asking():
		return stack.Hidden
	case r.Action == nil:
		return stack.NoTarget
	case !c.Node.Activated():
		return stack.NotActivated
	case !e.stack.InControl(c.Node):
		return stack.NotInControl
	case e.halted || c.stopAfter:
		return stack.Stopping
	}
	return 0
}

func (e *Engine) serveCancelSelf(c *Cell, r *behaviors.Request) {
	r.Refusal = e.stack.CancelSelf(c.Node)
	r.OK = r.Refusal == nil
}

// serveCancelDelegates takes control back from a behavior or an action; the action is cancelled at once (RUN-11, C-12). The answer is
// whether control was delegated.
func (e *Engine) serveCancelDelegates(c *Cell, r *behaviors.Request) {
	chain := e.chainAbove(c)
	claimed := e.claimOf(chain)
	popped, refusal := e.stack.CancelDelegates(c.Node)
	if popped {
		c.remembers()
		c.popped, c.poppedTick, c.claimed = chain, e.view.Tick, claimed
	}
	if refusal != nil {
		r.OK, r.Refusal = false, refusal
		return
	}
	acting := c.action != 0
	e.releaseDelegate(c)
	r.OK = popped || acting
}

func (e *Engine) serveReleaseDelegate(c *Cell, _ *behaviors.Request) { e.releaseDelegate(c) }

// releaseDelegate cancels the outstanding action of c without callback (B-12.3, C-14).
func (e *Engine) releaseDelegate(c *Cell) {
	if c.action == 0 {
		return
	}
	tag := c.action
	c.action = 0
	c.Node.SetBusy(false)
	e.actions.CancelTag(tag)
	e.cancelled()
}

// serveGentle answers whether what c delegated to may be interrupted politely.
func (e *Engine) serveGentle(c *Cell, r *behaviors.Request) { r.OK = e.gentle(c) }

// gentle asks the top of the chain, which must agree; an action never does (B-27).
func (e *Engine) gentle(c *Cell) bool {
	d := e.stack.DelegatedTo(c.Node)
	if d == nil {
		return c.action == 0
	}
	if _, ok := e.cells[d.ID].Inc.Inst.Impl().(behaviors.GentlyInterruptible); !ok {
		return false
	}
	return e.gentle(e.cells[d.ID])
}

// serveStopAfterDelegate marks an activated behavior to end when its present delegate ends.
func (e *Engine) serveStopAfterDelegate(_ *Cell, r *behaviors.Request) {
	d := e.cells[r.ID]
	if r.OK = d != nil && d.Node.Activated(); r.OK {
		d.stopAfter = true
	}
}

func (e *Engine) serveModifiers(_ *Cell, r *behaviors.Request) { r.Modifiers = e.modifiersOf(r.ID) }

// cancelled is called after every cancellation of actions outside the action phase, whatever its cause: the mark of each owner is
// cleared at once, so that it may delegate again and its callback is due in its next Update (T-3, RUN-11, B-21). An owner whose own hook
// runs, and which cancelled the action by a get-out, is freed by the next tick: until its hook has ended it has a delegate, else it would
// end without its callback if it must always delegate (T-13). What an ended action
// does to the mood, and its record for observers, belong to the next tick like those of any other.
func (e *Engine) cancelled() {
	for _, done := range e.actions.Drain() {
		if c := e.cells[done.Owner]; c == nil || c.depth == 0 {
			e.settle(&done)
		}
		e.getOut.ended(done.Tag) // nothing waits for it any more
		e.early = append(e.early, done)
	}
}

// settle clears the "action outstanding" mark of the owner of an action that ended, and keeps the record for its callback (C-9). The
// record of an action that its owner cancelled itself matches no mark any more.
func (e *Engine) settle(done *actions.Completion) {
	c := e.cells[done.Owner]
	if c == nil || c.action != done.Tag || c.Lost() {
		return
	}
	c.action = 0
	c.Node.SetBusy(false)
	c.outcome = &behaviors.Outcome{Ended: behaviors.EndedAction, Completion: *done}
}

// completions settles every action that ended in the last tick, before the walk (T-3.3).
func (e *Engine) completions() {
	for i := range e.waiting {
		done := &e.waiting[i]
		e.mood.feel(done)
		if c := e.cells[done.Owner]; c != nil && done.Hung {
			e.charge(c)
		}
		e.settle(done)
	}
	e.waiting = e.waiting[:0]
}

// charge counts an action that hung against its owner's budget of failures: each costs a goroutine for good, like a hook that
// hangs, and an owner that queues it again and again would lose one after another. Past the budget the owner ends as if it
// had failed itself, and Replace disables it.
func (e *Engine) charge(c *Cell) {
	c.own().failures = append(e.recent(c), e.view.Now)
	if len(c.failures) <= e.patient || c.Node.Disabled() || c.Lost() {
		return
	}
	e.lose(c, true)
	e.stack.Fail(c.Node, stack.HookUpdate, fmt.Errorf("%d failures within %v, the last an action of it that hung", len(c.failures), failureWindow))
}

// recent are the failures that still count.
func (e *Engine) recent(c *Cell) []time.Time {
	recent := c.failures[:0]
	for _, t := range c.failures {
		if e.view.Now.Sub(t) < failureWindow {
			recent = append(recent, t)
		}
	}
	return recent
}
