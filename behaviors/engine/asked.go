package engine

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// noteAnswers has the questions of each tick noted, or no longer.
func (e *Engine) noteAnswers(on bool) {
	if e.answers = nil; !on {
		e.stack.Watch(nil)
		return
	}
	e.answers = &behaviors.Answers{}
	e.stack.Watch(e.noteAnswer)
}

// noteAnswer is told of each question when its answer stands. An incarnation that was lost is not read: its hook may still write.
func (e *Engine) noteAnswer(by, n *stack.Node, yes bool, why stack.Reason) {
	c := n.Data.(*Cell)
	asker := ""
	if by != nil {
		asker = by.ID
	}
	switch {
	case why != 0:
		e.answers.AddRefused(asker, n.ID, c.Entry.Class, why)
	case c.Inc == nil || c.Lost():
		e.answers.AddLost(asker, n.ID, c.Entry.Class)
	default:
		e.answers.Add(asker, c.Inc.Inst, yes)
	}
}

// noteSkipped notes whom c left out of a list.
func (e *Engine) noteSkipped(c *Cell, cs *behaviors.Candidates) {
	for i, id := range cs.IDs {
		d := e.cells[id]
		if d == nil || i >= len(cs.Skip) || !cs.Skip[i] {
			continue
		}
		var until time.Time
		if i < len(cs.Until) {
			until = cs.Until[i]
		}
		e.answers.AddSkipped(c.Node.ID, id, d.Entry.Class, until)
	}
}

// TakeAnswers returns what was asked in the newest tick, and takes the memory of an earlier one for the next. The caller may keep what it
// got, and read it on another goroutine, until it gives it back. The first call begins to note answers, and so does one with nil, which
// leaves the engine nothing to write over: the next tick's are the first. It is called between two ticks.
func (e *Engine) TakeAnswers(old *behaviors.Answers) *behaviors.Answers {
	if e.answers == nil {
		e.noteAnswers(true)
		e.answers.Reset(e.view.Tick, e.view.Now)
	}
	if old == nil {
		old = &behaviors.Answers{}
	}
	took := e.answers
	old.Reset(e.view.Tick, e.view.Now)
	e.answers = old
	return took
}

// StopAnswers ends what TakeAnswers began.
func (e *Engine) StopAnswers() { e.noteAnswers(false) }
