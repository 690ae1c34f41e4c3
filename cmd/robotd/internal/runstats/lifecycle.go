package runstats

import (
	"fmt"

	"github.com/robotd/robotd/behaviors/stack"
)

// A LifecycleChecker checks the order of each behavior's lifecycle events: init, then scope entered and left, in between pushed,
// activated, deactivated, popped, any number of times. It knows only the events, so it checks the stack independently.
type LifecycleChecker struct{ at map[string]place }

// place is where a behavior stands according to its events alone.
type place uint8

const (
	unborn place = iota
	outside
	inside
	pushed
	active
	leaving
	disabled // failed too often; its later events are not checked
)

// step is one legal edge.
type step struct {
	from place
	kind stack.Kind
}

// edges are all legal ones. Never written.
var edges = map[step]place{
	{unborn, stack.EventInit}:          outside,
	{outside, stack.EventEnteredScope}: inside,
	{inside, stack.EventLeftScope}:     outside,
	{inside, stack.EventPush}:          pushed,
	{pushed, stack.EventActivated}:     active,
	{active, stack.EventDeactivated}:   leaving,
	{leaving, stack.EventPop}:          inside,
}

// NewLifecycleChecker returns a checker that has seen no behavior yet.
func NewLifecycleChecker() *LifecycleChecker { return &LifecycleChecker{at: map[string]place{}} }

// Read reads one event and returns what is wrong with it; "" if it is legal.
func (c *LifecycleChecker) Read(e stack.Event) string {
	from := c.at[e.ID]
	if e.Kind == stack.EventReloaded || e.Kind == stack.EventRemoved { // out of use, disabled or not
		delete(c.at, e.ID)
		if from != outside && from != disabled {
			return fmt.Sprintf("%s: %s is not legal here", e.ID, e.Kind)
		}
		return ""
	}
	if from == disabled {
		return ""
	}
	switch e.Kind {
	case stack.EventDisabled:
		c.at[e.ID] = disabled
		return ""
	case stack.EventReplaced: // a fresh incarnation; the old one must have been popped before
		if from == pushed || from == active || from == leaving {
			return fmt.Sprintf("%s was replaced while on the stack", e.ID)
		}
		c.at[e.ID] = unborn
		return ""
	case stack.EventInit, stack.EventEnteredScope, stack.EventLeftScope, stack.EventPush, stack.EventActivated,
		stack.EventDeactivated, stack.EventPop:
	default:
		return ""
	}
	to, legal := edges[step{from, e.Kind}]
	if !legal {
		return fmt.Sprintf("%s: %s is not legal here", e.ID, e.Kind)
	}
	c.at[e.ID] = to
	return ""
}

// Resting lists the behaviors that are still on the stack.
func (c *LifecycleChecker) Resting() (still []string) {
	for id, p := range c.at {
		if p == pushed || p == active || p == leaving {
			still = append(still, id)
		}
	}
	return sorted(still)
}
