package engine

import (
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
)

// serveInstances lists the behaviors of a class.
func (e *Engine) serveInstances(_ *Cell, r *behaviors.Request) {
	for _, c := range e.ordered {
		if c.Entry.Class.Name == r.Key {
			r.List = append(r.List, c.Node.ID)
		}
	}
}

// serveActivated says which candidates are on the stack.
func (e *Engine) serveActivated(_ *Cell, r *behaviors.Request) {
	r.OK = false
	for i, n := range e.candidates(r.Among) {
		on := n != nil && n.Activated()
		if i < len(r.Among.Wants) {
			r.Among.Wants[i] = on
		}
		r.OK = r.OK || on
	}
}

func (e *Engine) serveTakes(_ *Cell, r *behaviors.Request) {
	c := e.cells[r.ID]
	r.OK = c != nil && c.Inc != nil && c.Inc.Inst.TakesData()
}

// maxTold bounds the words that one behavior keeps in a tick: several tell the same.
const maxTold = 16

// serveTell gives behaviors a word for this tick.
func (e *Engine) serveTell(_ *Cell, r *behaviors.Request) {
	for _, id := range r.IDs {
		c := e.cells[id]
		if c == nil {
			continue
		}
		own := c.own()
		if own.toldTick != e.view.Tick {
			own.told, own.toldTick = own.told[:0], e.view.Tick
		}
		if len(own.told) < maxTold && !slices.Contains(own.told, r.Key) {
			own.told = append(own.told, r.Key)
		}
	}
}

func (e *Engine) serveTold(c *Cell, r *behaviors.Request) {
	r.OK = c.toldTick == e.view.Tick && slices.Contains(c.told, r.Key)
}

// streamLimit is how long the stream of the microphone stays open without a command.
const streamLimit = 10 * time.Second

// openStream opens the stream of the microphone, or begins its time anew.
func (e *Engine) openStream(what string) {
	e.change(func(v *condition.View) { v.Services.Stream = condition.Stream{Open: true, Since: v.Now, What: what} })
}

func (e *Engine) closeStream() {
	if e.view.Services.Stream.Open {
		e.change(func(v *condition.View) { v.Services.Stream.Open = false })
	}
}

// ageStream closes a stream that heard nothing for too long. It runs before the view of the tick is handed out.
func (e *Engine) ageStream() {
	if s := &e.view.Services.Stream; s.Open && e.view.Now.Sub(s.Since) >= streamLimit {
		s.Open = false
	}
}

// maxAlarm bounds the timer that people set: a day.
const maxAlarm = 24 * time.Hour

func (e *Engine) serveSetAlarm(c *Cell, r *behaviors.Request) {
	d := r.Args.(time.Duration)
	switch {
	case e.view.Services.Alarm.Set():
		e.refuse(c, r, stack.AlreadySet)
	case d <= 0 || d > maxAlarm:
		e.refuse(c, r, stack.UnknownName)
	default:
		e.change(func(v *condition.View) {
			v.Services.Alarm = condition.Alarm{SetAt: v.Now, RingsAt: v.Now.Add(d)}
		})
	}
}

func (e *Engine) serveClearAlarm(c *Cell, r *behaviors.Request) {
	if !e.view.Services.Alarm.Set() {
		e.refuse(c, r, stack.NotSet)
		return
	}
	e.change(func(v *condition.View) { v.Services.Alarm = condition.Alarm{} })
}
