package engine

import (
	"cmp"
	"slices"

	"github.com/robotd/robotd/hardware"
)

// looks are the vision subscriptions: one set for each subscriber, which is a behavior or one condition of it (B-22, B-23).
type looks struct {
	wanted hardware.Look // the union of all
	cells  []*Cell       // that subscribe anything, by ID
}

// set replaces the set of one subscriber of a behavior. An empty set releases it.
func (l *looks) set(c *Cell, label string, look hardware.Look) {
	if look == c.smart.looks[label] {
		return
	}
	if look.Empty() {
		delete(c.smart.looks, label)
	} else {
		if c.smart.looks == nil {
			c.smart.looks = map[string]hardware.Look{}
		}
		c.smart.looks[label] = look
	}
	l.index(c)
}

// drop releases every subscriber of a behavior.
func (l *looks) drop(c *Cell) {
	if len(c.smart.looks) > 0 {
		clear(c.smart.looks)
		l.index(c)
	}
}

// index keeps the list of subscribing behaviors, and works the union out anew.
func (l *looks) index(c *Cell) {
	i, listed := slices.BinarySearchFunc(l.cells, c, func(a, b *Cell) int { return cmp.Compare(a.Node.ID, b.Node.ID) })
	switch {
	case listed && len(c.smart.looks) == 0:
		l.cells = slices.Delete(l.cells, i, i+1)
	case !listed && len(c.smart.looks) > 0:
		l.cells = slices.Insert(l.cells, i, c)
	}
	l.wanted = hardware.Look{}
	for _, s := range l.cells {
		for _, look := range s.smart.looks {
			l.wanted = l.wanted.Or(look)
		}
	}
}

// Look is what the eyes shall look for from the next tick on (T-2).
func (e *Engine) Look() hardware.Look { return e.services.looks.wanted }

// A Watcher is one subscriber of vision, for observers.
type Watcher struct {
	ID        string // of the behavior
	Condition string // label of its condition; empty for the behavior itself
	Look      hardware.Look
}

// Watchers lists all subscribers of vision by behavior and label. What they look for together acts on the eyes from the next
// tick on.
func (e *Engine) Watchers() []Watcher {
	var all []Watcher
	for _, c := range e.services.looks.cells {
		from := len(all)
		for label, look := range c.smart.looks {
			all = append(all, Watcher{ID: c.Node.ID, Condition: label, Look: look})
		}
		slices.SortFunc(all[from:], func(a, b Watcher) int { return cmp.Compare(a.Condition, b.Condition) })
	}
	return all
}
