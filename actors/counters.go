package actors

import (
	"github.com/robotd/robotd/actors/barrier"
	"github.com/robotd/robotd/actors/event"
)

// counters tells observers what has changed since the last tick: zombies, stale requests, dropped events.
type counters struct {
	zombies        int
	stale, dropped uint64
}

func (c *counters) report(o event.Observer, s barrier.Stats, dropped uint64) {
	if s.Zombies != c.zombies {
		c.zombies = s.Zombies
		o.Observe(event.Zombies{N: s.Zombies, Limit: barrier.MaxZombies})
	}
	if s.Stale != c.stale {
		o.Observe(event.Stale{N: s.Stale - c.stale, By: s.StaleBy})
		c.stale = s.Stale
	}
	if dropped != c.dropped {
		o.Observe(event.Dropped{N: dropped - c.dropped})
		c.dropped = dropped
	}
}
