package engine

import (
	"cmp"
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// looks are the vision subscriptions: one set for each subscriber, which is a behavior or one condition of it (B-22, B-23).
type looks struct {
	core    *core
	wanted  hardware.Look // the union of all
	cells   []*Cell       // that subscribe anything, by ID
	changes uint64
}

// request sets the modes of one subscriber; out of scope only the empty set is allowed.
func (l *looks) request(c *Cell, r *behaviors.Request) {
	look := r.Args.(hardware.Look)
	if !c.Node.InScope() && !look.Empty() {
		l.core.refuse(c, r, stack.NotInScope)
		return
	}
	l.set(c, r.Key, look)
}

// set replaces the set of one subscriber of a behavior. An empty set releases it.
func (l *looks) set(c *Cell, label string, look hardware.Look) {
	if look == c.looks[label] {
		return
	}
	if look.Empty() {
		delete(c.looks, label)
	} else {
		if c.looks == nil {
			c.own().looks = map[string]hardware.Look{}
		}
		c.looks[label] = look
	}
	l.index(c)
}

// drop releases every subscriber of a behavior.
func (l *looks) drop(c *Cell) {
	if len(c.looks) > 0 {
		clear(c.looks)
		l.index(c)
	}
}

// index keeps the list of subscribing behaviors, and computes the union anew.
func (l *looks) index(c *Cell) {
	l.changes++
	i, listed := slices.BinarySearchFunc(l.cells, c, func(a, b *Cell) int { return cmp.Compare(a.Node.ID, b.Node.ID) })
	switch {
	case listed && len(c.looks) == 0:
		l.cells = slices.Delete(l.cells, i, i+1)
	case !listed && len(c.looks) > 0:
		l.cells = slices.Insert(l.cells, i, c)
	}
	l.wanted = hardware.Look{}
	for _, s := range l.cells {
		for _, look := range s.looks {
			l.wanted = l.wanted.Or(look)
		}
	}
}

// Look is the schedule of the vision modes from the next tick on (T-2).
func (e *Engine) Look() hardware.Look { return e.looks.wanted.Or(e.actions.Look()) }

// WatcherChanges grows whenever a subscriber of vision comes, goes or changes.
func (e *Engine) WatcherChanges() uint64 { return e.looks.changes + e.actions.LookChanges() }

// A Watcher is one subscriber of vision, for observers.
type Watcher struct {
	ID        string // of the behavior, or the owner of an action
	Condition string // label of its condition, or name and tag of an action; empty for the behavior itself
	Look      hardware.Look
}

// Watchers lists all subscribers of vision: by behavior and label, then the actions in the order in which they began. The union of their modes is in force from the next
// tick on.
func (e *Engine) Watchers() []Watcher {
	var all []Watcher
	for _, c := range e.looks.cells {
		from := len(all)
		for label, look := range c.looks {
			all = append(all, Watcher{ID: c.Node.ID, Condition: label, Look: look})
		}
		slices.SortFunc(all[from:], func(a, b Watcher) int { return cmp.Compare(a.Condition, b.Condition) })
	}
	for _, w := range e.actions.Watchers() {
		all = append(all, Watcher{ID: w.Owner, Condition: w.Holder, Look: w.Look})
	}
	return all
}
