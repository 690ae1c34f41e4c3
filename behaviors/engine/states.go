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

// serveState notes a debug state. It decides nothing, and is for observers.
func (e *Engine) serveState(c *Cell, r *behaviors.Request) { e.publishState(c, r.Key) }

// publishState changes the debug state of c, if it is another one.
func (e *Engine) publishState(c *Cell, state string) {
	if c.state == state { // said by an incarnation that is lost
		return
	}
	c.state = state
	if s := &e.states; len(s.changed) < maxStates {
		s.changed = append(s.changed, StateChange{c.Node.ID, state})
	} else {
		s.more++
	}
}

// take moves the changes to an output.
func (s *states) take(o *Output) {
	o.States, o.MoreStates = append(o.States, s.changed...), s.more
	s.changed, s.more = s.changed[:0], 0
}
