package engine

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// Serve answers one request of a hook of c, inside the hook; hooks that it leads to are complete when it returns. The hook runner
// guarantees that the incarnation of f is alive.
func (e *Engine) Serve(c *Cell, f *Frame, r *behaviors.Request) {
	c.requests++
	if r.Kind == behaviors.ReqReleaseDelegate {
		c.requests = 0 // from here on the base layer cleans up, whatever the author's hooks did
	}
	r.OK, r.Refusal = false, nil
	switch {
	case c.requests > maxRequests:
		r.Refusal = &stack.Refusal{Op: stack.OpAsk, By: c.Node.ID, To: r.To, Reason: stack.TooDeep}
	case e.stack.Asking() && starts(r.Kind):
		r.Refusal = e.stack.Refuse(stack.OpAct, c.Node, nil, stack.Hidden)
	default:
		e.serve(c, r)
	}
	r.Facts = e.facts(c)
	r.View = e.view
}

// starts reports whether a request has an effect beyond the question in which it is made: nothing may be started in an answer (L-5).
// Those of delegation are not among them, because the stack refuses them itself.
func starts(k behaviors.RequestKind) bool {
	switch k {
	case behaviors.ReqDelegate, behaviors.ReqAct, behaviors.ReqCancelDelegates, behaviors.ReqCancelSelf, behaviors.ReqSucceed,
		behaviors.ReqAsk, behaviors.ReqNoEnsurer, behaviors.ReqState, behaviors.ReqGentle, behaviors.ReqDelegates:
		return false
	}
	return true
}

// facts is what c may know of its own place now.
func (e *Engine) facts(c *Cell) behaviors.Facts {
	if !c.Node.Activated() {
		return behaviors.Facts{Started: c.counted}
	}
	f := behaviors.Facts{
		Started:   c.counted,
		Activated: true,
		Delegated: e.stack.IsControlDelegated(c.Node),
		InControl: e.stack.InControl(c.Node),
		Stopping:  c.stopAfter,
	}
	if f.Delegated {
		if d := e.stack.DelegatedTo(c.Node); d != nil {
			f.Delegate = d.ID
		}
	}
	return f
}

func (e *Engine) serve(c *Cell, r *behaviors.Request) {
	switch r.Kind {
	case behaviors.ReqDelegate:
		r.Refusal = e.delegate(c, r.To, r.Helper)
		r.OK, r.Done = r.Refusal == nil, c.outcome
	case behaviors.ReqAct:
		r.Refusal = e.actFor(c, r)
		r.OK = r.Refusal == nil
	case behaviors.ReqAsk:
		r.OK, r.Refusal = e.ask(c, r.To, r.Data)
	case behaviors.ReqCancelDelegates:
		r.OK = e.cancelDelegates(c)
	case behaviors.ReqCancelSelf:
		r.Refusal = e.stack.CancelSelf(c.Node)
		r.OK = r.Refusal == nil
	case behaviors.ReqGentle:
		r.OK = e.gentle(c)
	case behaviors.ReqModifiers:
		r.Modifiers, r.OK = e.modifiersOf(r.To), true
	case behaviors.ReqStopAfterDelegate:
		r.OK = e.stopAfterDelegate(r.To)
	case behaviors.ReqSucceed:
		r.Refusal = e.succeed(c)
		r.OK = r.Refusal == nil
	case behaviors.ReqForget:
		if r.OK = c.Node.Activated(); r.OK {
			e.estimator.Forget()
		}
	case behaviors.ReqDelegates:
		r.List = e.mayDelegateTo(c)
		r.OK = r.List != nil
	default:
		e.serveSmart(c, r)
	}
}

func (e *Engine) nodeOf(id string) *stack.Node {
	if d := e.cells[id]; d != nil {
		return d.Node
	}
	return nil
}

// endedBehavior is what a delegation to a behavior comes to unless something else is noted before it ends. Never modified.
var endedBehavior = behaviors.Outcome{Ended: behaviors.EndedBehavior}

// delegate forgets the outcome of the previous delegate and pushes the next one.
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
	before, from := c.outcome, d.delegator
	c.outcome = &endedBehavior
	d.delegator = c
	e.prepare(c, d)
	refusal := e.stack.Delegate(c.Node, d.Node)
	d.unprepare()
	switch {
	case refusal == nil:
		e.delegated(c, d)
	case refusal.Reason == stack.Faulted:
		c.forget()
	default:
		c.outcome, d.delegator = before, from
	}
	return refusal
}

// succeed notes that a helper did its task; it ends by its next request.
func (e *Engine) succeed(c *Cell) *stack.Refusal {
	switch {
	case e.stack.Asking():
		return e.stack.Refuse(stack.OpCancelSelf, c.Node, c.Node, stack.Hidden)
	case !c.Node.Activated():
		return e.stack.Refuse(stack.OpCancelSelf, c.Node, c.Node, stack.NotOnStack)
	case !c.Inc.Inst.IsHelper():
		return e.stack.Refuse(stack.OpCancelSelf, c.Node, c.Node, stack.Unsupported)
	}
	c.succeeded = true
	return nil
}

// mayDelegateTo lists the delegates in the layer of c (L-10).
func (e *Engine) mayDelegateTo(c *Cell) []string {
	i := e.stack.Index(c.Node)
	if i < 0 {
		return nil
	}
	ids := []string{}
	for _, n := range e.stack.Layers()[i].Delegates() {
		ids = append(ids, n.ID)
	}
	return ids
}

// actFor queues an action of c at NOW (BEH-2), or behind an emergency get-out (B-20). The checks are those of a delegation to a
// behavior (B-15).
func (e *Engine) actFor(c *Cell, r *behaviors.Request) *stack.Refusal {
	why := stack.Reason(0)
	switch {
	case e.stack.Asking():
		why = stack.Hidden
	case r.Action == nil:
		why = stack.NoTarget
	case !c.Node.Activated():
		why = stack.NotActivated
	case !e.stack.InControl(c.Node):
		why = stack.NotInControl
	case e.halted || c.stopAfter:
		why = stack.Stopping
	}
	if why == 0 {
		tag, err := e.actions.Queue(r.Action, actions.QueueOptions{
			Position: e.services.getOut.position(), Retries: r.Retries, Owner: c.Node.ID, Label: r.Label,
		})
		if err == nil {
			e.services.getOut.hold(e, c, r, tag)
			c.action = tag
			c.Node.SetBusy(true)
			c.forget() // something else runs
			c.outcome = nil
			return nil
		}
		r.Text = err.Error()
		why = stack.TooDeep
	}
	return e.stack.Refuse(stack.OpAct, c.Node, nil, why)
}

// ask stamps the answer of another behavior; a question of a kind that its class does not answer is refused. An activated one is
// not asked: that is a mistake of the asker (M-32).
func (e *Engine) ask(c *Cell, to string, data any) (bool, *stack.Refusal) {
	d := e.cells[to]
	switch {
	case d == nil || d.Inc == nil || d.data != nil:
		return e.stack.Ask(c.Node, e.nodeOf(to)) // refused, in words of the stack
	case !d.Inc.Inst.Answers(data != nil):
		return false, e.stack.Refuse(stack.OpAsk, c.Node, d.Node, stack.Unsupported)
	}
	d.data = data
	e.askers = append(e.askers, c)
	answer, refusal := e.stack.Ask(c.Node, d.Node)
	e.askers = e.askers[:len(e.askers)-1]
	d.data = nil
	return answer, refusal
}

// cancelDelegates takes control back from a behavior or an action; the action is cancelled at once (RUN-11, C-12).
func (e *Engine) cancelDelegates(c *Cell) bool {
	chain := e.chainAbove(c)
	popped, refusal := e.stack.CancelDelegates(c.Node)
	if popped {
		c.remembers()
		c.popped, c.poppedTick = chain, e.view.Tick
	}
	if refusal != nil {
		return false
	}
	acting := c.action != 0
	e.releaseDelegate(c)
	return popped || acting
}

// releaseDelegate cancels the outstanding action of c without callback (B-12.3, C-14).
func (e *Engine) releaseDelegate(c *Cell) {
	if c.action == 0 {
		return
	}
	e.actions.CancelTag(c.action)
	c.action = 0
	c.Node.SetBusy(false)
}

// gentle reports whether what c delegated to may be interrupted politely: the top of the chain must agree, an action never
// does (B-27).
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

// stopAfterDelegate marks an activated behavior to end when its present delegate ends.
func (e *Engine) stopAfterDelegate(id string) bool {
	d := e.cells[id]
	if d == nil || !d.Node.Activated() {
		return false
	}
	d.stopAfter = true
	return true
}
