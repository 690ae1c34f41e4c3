package engine

import (
	"maps"
	"slices"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// locks are the track locks that behaviors hold; the table of the action list enforces them.
type locks struct{ core *core }

// lock holds tracks under a key; the same key twice is refused (TRK-12).
func (l *locks) lock(c *Cell, r *behaviors.Request) {
	if _, taken := c.locks[r.Key]; taken {
		l.core.refuse(c, r, stack.AlreadySet)
		return
	}
	if c.locks == nil {
		c.own().locks = map[string]actions.Tracks{}
	}
	t := r.Args.(actions.Tracks)
	c.locks[r.Key] = t
	l.core.actions.Tracks().Lock(lockName(c, r.Key), t)
}

func (l *locks) unlock(c *Cell, key string) bool {
	if _, held := c.locks[key]; !held {
		return false
	}
	delete(c.locks, key)
	l.core.actions.Tracks().Unlock(lockName(c, key))
	return true
}

// drop unlocks everything that c locked, by key.
func (l *locks) drop(c *Cell) {
	for _, key := range slices.Sorted(maps.Keys(c.locks)) {
		l.unlock(c, key)
	}
}

func lockName(c *Cell, key string) string { return c.Node.ID + "/" + key }
