package engine

import "github.com/robotd/robotd/behaviors/condition"

// interrupts is what a behavior remembers of a delegate that it took control away from, for as long as that delegate may be resumed
// the same delegator gives control back, only a resumable interrupt ran in between, and the incarnation is the same.
type interrupts struct {
	popped     []life // its delegates, lowest first, as its newest cancellation popped them
	poppedTick uint64
	claimed    *condition.Intent // that one of them had claimed; nil if none had
	memory     []life            // what its next delegation may resume, and what then stood above that one; nil for nothing

	resuming bool   // its present or coming activation is a return
	rest     []life // its memory, then
}

// remembers makes room for the interrupts of c. Most behaviors interrupt none and need no room.
func (c *Cell) remembers() {
	if c.interrupts == nil {
		c.interrupts = &interrupts{}
	}
}

// life is one incarnation of one behavior.
type life struct {
	cell *Cell
	inc  *Incarnation
}

// chainAbove lists what is on the stack above c, lowest first.
func (e *Engine) chainAbove(c *Cell) []life {
	i := e.stack.Index(c.Node)
	if i < 0 {
		return nil
	}
	var chain []life
	for _, l := range e.stack.Layers()[i+1:] {
		d := l.Node().Data.(*Cell)
		chain = append(chain, life{d, d.Inc})
	}
	return chain
}

// prepareResume decides before a delegation of c to d whether it is the return from an interrupt.
func (e *Engine) prepareResume(c, d *Cell) {
	c.remembers()
	d.remembers()
	d.resuming = len(c.memory) > 0 && c.memory[0] == life{d, d.Inc}
	d.rest = nil
	if d.resuming {
		d.rest = c.memory[1:]
	}
	d.Node.SetResumes(d.resuming)
}

// delegated is called after a delegation of c to d was accepted: d interrupts the behavior from which c took control away in
// this tick, or nothing can be resumed any more. Even a second interrupt is something else that ran.
func (e *Engine) delegated(c, d *Cell) {
	interrupt := c.poppedTick == e.view.Tick && len(c.popped) > 0 && c.popped[0].cell != d &&
		d.Inc.Inst.Modifiers().ResumableInterrupt
	e.intents.follow(c, d, len(c.memory) > 0 && c.memory[0].cell == d)
	popped, claimed := c.popped, c.claimed
	c.forgetInterrupts()
	if interrupt {
		c.memory = popped
		e.intents.giveBack(c, claimed)
	}
}

// claimOf is the active intent if one of these behaviors claimed it.
func (e *Engine) claimOf(chain []life) *condition.Intent {
	active := e.view.Intent.Active
	for _, l := range chain {
		if active != nil && l.cell.intent != "" && l.cell.claim == active.Activation {
			return active
		}
	}
	return nil
}

// beginActivation starts an activation and reports whether it is a return.
func (c *Cell) beginActivation() (resumed bool) {
	c.remembers()
	resumed = c.resuming
	c.memory = c.rest
	c.unprepareResume()
	return resumed
}

// unprepareResume undoes prepareResume.
func (c *Cell) unprepareResume() {
	c.resuming, c.rest = false, nil
	c.Node.SetResumes(false)
}

// forgetInterrupts makes a return impossible: something else ran, or c itself lost control.
func (c *Cell) forgetInterrupts() {
	if c.interrupts != nil {
		c.popped, c.memory, c.claimed = nil, nil, nil
	}
}
