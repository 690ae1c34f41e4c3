package actions

import (
	"slices"
	"time"
)

// An Info describes one runner for display.
type Info struct {
	Tag     Tag
	Slot    int
	Name    string
	Type    Type
	Status  string    // "pending", or the phase
	Since   time.Time // queued, then started
	Tracks  Tracks    // held by the runner and its children
	Owner   string
	Retries int // left
}

// Running lists all runners by slot, the current one of each slot first. It is for display and allocates.
func (l *List) Running() []Info {
	all := make([]Info, 0, l.count())
	for _, q := range l.queues {
		q.each(func(r *Runner) bool {
			all = append(all, r.info(q.slot))
			return true
		})
	}
	return all
}

func (r *Runner) info(slot int) Info {
	held := r.held
	for _, p := range r.childLocks {
		held |= p.tracks
	}
	return Info{
		Tag: r.tag, Slot: slot, Name: r.name, Type: r.kind, Status: r.status(), Since: r.since,
		Tracks: held, Owner: r.owner, Retries: r.retries,
	}
}

// Len is the number of runners of a slot.
func (l *List) Len(slot int) int {
	if q := l.slot(slot); q != nil {
		return q.len()
	}
	return 0
}

// Queues is the number of slots in use.
func (l *List) Queues() int { return len(l.queues) }

// Current is the action that a slot runs or would run next, nil if none.
func (l *List) Current(slot int) Action {
	if q := l.slot(slot); q != nil && q.front() != nil {
		return q.front().action
	}
	return nil
}

// Slot is where the action with this tag is, -1 if nowhere.
func (l *List) Slot(t Tag) int {
	for _, q := range l.queues {
		if !q.each(func(r *Runner) bool { return r.tag != t }) {
			return q.slot
		}
	}
	return -1
}

// A WatchID names a watcher. The first is 1.
type WatchID uint64

type watcher struct {
	id WatchID
	f  func(Completion)
}

// Watch registers f for the end of every runner, children of compounds included. Calls come at the end of Update, after
// all slots were updated (DONE-2).
func (l *List) Watch(f func(Completion)) WatchID {
	l.watchIDs++
	l.watchers = append(l.watchers, watcher{l.watchIDs, f})
	return l.watchIDs
}

// Unwatch removes a watcher and reports whether it was there.
func (l *List) Unwatch(id WatchID) bool {
	before := len(l.watchers)
	l.watchers = slices.DeleteFunc(slices.Clone(l.watchers), func(w watcher) bool { return w.id == id })
	return len(l.watchers) < before
}

// watched keeps a record for the watchers.
func (l *List) watched(c Completion) {
	if len(l.watchers) > 0 {
		l.ended = append(l.ended, c)
	}
}

// notify tells the watchers. What ends meanwhile is told in the next update.
func (l *List) notify() {
	if len(l.ended) == 0 {
		return
	}
	ended := l.ended
	l.ended = nil
	for _, c := range ended {
		for _, w := range l.watchers {
			w.f(c)
		}
	}
}
