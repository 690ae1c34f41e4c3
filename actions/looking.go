package actions

import (
	"slices"

	"github.com/robotd/robotd/hardware"
)

// A looking is what a running action, or one child of a compound, wants the camera to look for (RUN-6).
type looking struct {
	by, root *Runner // the child, and the runner of the list that it is part of; equal for an action without children
	look     hardware.Look
}

// A Watcher is a running action, or a child of one, that wants the camera to look for something.
type Watcher struct {
	Owner  string // of the action
	Holder string // name and tag
	Look   hardware.Look
}

// Look is what all running actions together want the camera to look for.
func (l *List) Look() (all hardware.Look) {
	for i := range l.looks {
		all = all.Or(l.looks[i].look)
	}
	return all
}

// Watchers lists the actions that want the camera to look for something, in the order in which they began to.
func (l *List) Watchers() []Watcher {
	all := make([]Watcher, len(l.looks))
	for i := range l.looks {
		k := &l.looks[i]
		all[i] = Watcher{Owner: k.root.owner, Holder: k.by.holder, Look: k.look}
	}
	return all
}

// LookChanges grows whenever the actions want something else.
func (l *List) LookChanges() uint64 { return l.lookChanges }

// lookFor makes r want a set; the empty set gives it back.
func (f *fence) lookFor(r *Runner, look hardware.Look) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.list.lookFor(looking{by: r, root: f.runner, look: look})
	}
}

func (l *List) lookFor(k looking) {
	i := slices.IndexFunc(l.looks, func(o looking) bool { return o.by == k.by })
	switch {
	case k.look.Empty():
		l.unlook(func(o looking) bool { return o.by == k.by })
	case i < 0:
		l.looks = append(l.looks, k)
		l.lookChanges++
	case l.looks[i].look != k.look:
		l.looks[i].look = k.look
		l.lookChanges++
	}
}

// unlook gives back what f selects.
func (l *List) unlook(f func(looking) bool) {
	if n := len(l.looks); n > 0 {
		if l.looks = slices.DeleteFunc(l.looks, f); len(l.looks) != n {
			l.lookChanges++
		}
	}
}
