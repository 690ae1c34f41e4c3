package engine

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// getOut is an emergency get-out that plays, and the delegated action that waits for its end (B-20).
type getOut struct {
	core *core
	tag  actions.Tag // 0 = none
	held actions.Tag // the newest action that had to wait
	by   *Cell       // whose hook queued it, until that hook has ended
}

// position says where a delegated action goes: now, or behind the get-out.
func (g *getOut) position() actions.Position {
	if g.tag != 0 {
		return actions.PositionAtEnd
	}
	return actions.PositionNow
}

// ended forgets a get-out that has ended. The action that waited is next in the queue.
func (g *getOut) ended(tag actions.Tag) {
	if g.tag != 0 && tag == g.tag {
		g.tag, g.held, g.by = 0, 0, nil
	}
}

// settle is called when the outermost hook of c ended well: its get-out plays on whatever becomes of c.
func (g *getOut) settle(c *Cell) {
	if g.by == c {
		g.by = nil
	}
}

// lose is called when c was lost: it cancels the get-out of the hook that did not end, like everything else that the hook began.
func (g *getOut) lose(c *Cell) {
	if g.by == c {
		g.by = nil
		g.core.actions.CancelTag(g.tag)
	}
}

// hold records an action that was queued behind the get-out. The one that waited before it is gone: its owner cancelled it, or
// was cancelled, to get here.
func (g *getOut) hold(c *Cell, r *behaviors.Request, tag actions.Tag) {
	if g.tag == 0 {
		return
	}
	if g.held != 0 {
		held := *r
		held.Op = stack.OpGetOut
		g.core.applied(c, &held, stack.HeldReplaced)
	}
	g.held = tag
}

// playGetOut queues the animation now, for an activated behavior or one that is being deactivated. The current action is
// cancelled, its own included.
func (e *Engine) playGetOut(c *Cell, r *behaviors.Request) {
	why := stack.Reason(0)
	switch {
	case r.Action == nil:
		why = stack.NoAnimation
	case !c.Node.Activated() && e.leaving != c:
		why = stack.NotActivated
	case e.halted:
		why = stack.Halted
	case e.view.Services.GetIn:
		why = stack.GetInExpected
	}
	if why == 0 {
		tag, err := e.actions.Queue(r.Action, actions.QueueOptions{Position: actions.PositionNow, Label: r.Label})
		if g := &e.getOut; err == nil {
			e.actions.CancelTag(g.tag) // one that did not start yet
			g.tag, g.by = tag, c
			e.cancelled()
			return
		}
		why = stack.NoAnimation
	}
	e.refuse(c, r, why)
}
