package engine

import (
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// serveSuppressThisTick keeps behaviors from being activated for the rest of this tick (B-10).
func (e *Engine) serveSuppressThisTick(c *Cell, r *behaviors.Request) {
	for _, id := range r.IDs {
		if d := e.cells[id]; d != nil {
			own := d.own()
			own.suppress, own.suppTick = c.Node.ID, e.view.Tick
		}
	}
}

// hold keeps behaviors from being activated under a key.
func (e *Engine) hold(c *Cell, r *behaviors.Request) {
	if _, taken := c.suppressed[r.Key]; taken {
		e.refuse(c, r, stack.AlreadySet)
		return
	}
	if c.suppressed == nil {
		c.own().suppressed = map[string][]string{}
	}
	c.suppressed[r.Key] = slices.Clone(r.IDs)
	e.locked++
}

func (e *Engine) serveUnsuppress(c *Cell, r *behaviors.Request) {
	_, held := c.suppressed[r.Key]
	if held {
		delete(c.suppressed, r.Key)
		e.locked--
	}
	e.released(c, r, held)
}

// suppressor names who keeps c from being activated now: a coordinator this tick, or the holder of a suppression lock.
func (e *Engine) suppressor(c *Cell) string {
	if c.suppTick == e.view.Tick && c.suppress != "" {
		return c.suppress
	}
	if e.locked == 0 {
		return ""
	}
	for i := range e.stack.Layers() {
		d := e.stack.Layers()[i].Node().Data.(*Cell)
		for _, ids := range d.suppressed {
			if slices.Contains(ids, c.Node.ID) {
				return d.Node.ID
			}
		}
	}
	return ""
}
