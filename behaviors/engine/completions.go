package engine

import (
	"fmt"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// completions clears the "action outstanding" mark of every owner whose action ended in the last tick, and keeps the record
// for its callback (T-3.3, C-9). The record of an action that its owner cancelled meanwhile matches no mark any more.
func (e *Engine) completions() {
	for i, done := range e.waiting {
		e.feelResult(&e.waiting[i])
		c := e.cells[done.Owner]
		if c == nil {
			continue
		}
		mine := c.action == done.Tag
		if done.Hung {
			e.charge(c)
		}
		if !mine || c.Lost() {
			continue
		}
		c.action = 0
		c.Node.SetBusy(false)
		c.outcome = &behaviors.Outcome{Ended: behaviors.EndedAction, Completion: done}
	}
	e.waiting = e.waiting[:0]
}

// charge counts an action that hung against its owner's budget of failures: each costs a goroutine for good, like a hook that
// hangs, and an owner that queues it again and again would lose one after another. Past the budget the owner ends as if it
// had failed itself, and Replace disables it.
func (e *Engine) charge(c *Cell) {
	c.failures = append(e.recent(c), e.view.Now)
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
