package runstats

import (
	"fmt"

	"github.com/robotd/robotd/behaviors/stack"
)

// A LifecycleChecker reads the lifecycle events of every behavior as sentences: init, then scope entered and left, in between
// pushed, activated, deactivated, popped, over and over. It is a second opinion on the stack that knows nothing of it.
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
	disabled // failed too often; what its scope count does is of no interest
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

// NewLifecycleChecker returns a grammar to which nobody was born yet.
func NewLifecycleChecker() *LifecycleChecker { return &LifecycleChecker{at: map[string]place{}} }

// Read reads one event and returns what is wrong with it, "" if nothing.
func (c *LifecycleChecker) Read(e stack.Event) string {
	from := c.at[e.ID]
	if from == disabled {
		return ""
	}
	switch e.Kind {
	case stack.EventDisabled:
		c.at[e.ID] = disabled
		return ""
	case stack.EventReplaced: // a fresh incarnation is born; where the old one stood is checked by the pops before
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

// Resting lists who is still on the stack.
func (c *LifecycleChecker) Resting() (still []string) {
	for id, p := range c.at {
		if p == pushed || p == active || p == leaving {
			still = append(still, id)
		}
	}
	return sorted(still)
}
