package engine

import "github.com/robotd/robotd/behaviors"

// completions clears the "action outstanding" mark of every owner whose action ended in the last tick, and keeps the record
// for its callback (T-3.3, C-9). The record of an action that its owner cancelled meanwhile matches no mark any more.
func (e *Engine) completions() {
	for _, done := range e.waiting {
		c := e.cells[done.Owner]
		if c == nil || c.action != done.Tag {
			continue
		}
		c.action = 0
		c.Node.SetBusy(false)
		c.outcome = behaviors.Outcome{Ended: behaviors.EndedAction, Completion: done}
	}
	e.waiting = e.waiting[:0]
}
