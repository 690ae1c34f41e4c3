package engine

import (
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// subscribe puts the present incarnation into the index of events, in place of the one before it. It runs after Init, which may
// subscribe.
func (e *Engine) subscribe(c *Cell) {
	e.unsubscribe(c)
	for _, name := range c.Inc.Inst.Subscriptions() {
		if !slices.Contains(c.hears, name) {
			c.own().hears = append(c.hears, name)
			e.byEvent[name] = append(e.byEvent[name], c)
		}
	}
}

// unsubscribe takes a behavior out of the index of events.
func (e *Engine) unsubscribe(c *Cell) {
	for _, name := range c.hears {
		e.byEvent[name] = slices.DeleteFunc(e.byEvent[name], func(d *Cell) bool { return d == c })
	}
	if len(c.hears) > 0 {
		c.hears = c.hears[:0]
	}
}

// serveSubscribe says whether the time is right: the instance remembers the subscription, and subscribe reads it after Init.
func (e *Engine) serveSubscribe(c *Cell, r *behaviors.Request) {
	if !r.On {
		e.refuse(c, r, stack.NotTheTime)
	}
}
