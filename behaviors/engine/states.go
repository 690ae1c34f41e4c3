package engine

import "github.com/robotd/robotd/behaviors"

// A StateChange says that a behavior's debug state is another one now.
type StateChange struct {
	ID    string
	State string
}

func (s StateChange) String() string { return s.ID + ": " + s.State }

// maxStates bounds the changes of one tick; more are counted and not kept.
const maxStates = 256

// states are the changes of debug states that no output has yet: those of Start come out with the first tick.
type states struct {
	changed []StateChange
	more    int
}

// serveState records a debug state. It decides nothing, and is for observers.
func (e *Engine) serveState(c *Cell, r *behaviors.Request) {
	shown := c.State()
	c.state = r.Key
	e.states.changedFrom(c, shown)
}

// setNotice shows a notice in place of the debug state of c; "" shows the state again.
func (e *Engine) setNotice(c *Cell, notice string) {
	shown := c.State()
	if notice != c.notice {
		c.own().notice = notice
	}
	e.states.changedFrom(c, shown)
}

// changedFrom records what c shows, if it showed something else before.
func (s *states) changedFrom(c *Cell, shown string) {
	switch {
	case c.State() == shown: // also what a lost incarnation has said already
	case len(s.changed) < maxStates:
		s.changed = append(s.changed, StateChange{c.Node.ID, c.State()})
	default:
		s.more++
	}
}

// take moves the changes to an output.
func (s *states) take(o *Output) {
	o.States, o.MoreStates = append(o.States, s.changed...), s.more
	s.changed, s.more = s.changed[:0], 0
}
