package actions

import (
	"reflect"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

// A List owns all queues. IN_PARALLEL opens the lowest free slot from 1 on; every other position uses slot 0
// (actions/Q-2). A List is not safe for concurrent use; the engine calls it. Actions and watchers may call it from
// within an update (DONE-5).
type List struct {
	host   Host
	queues []*queue // by slot
	tags   tagPool
	tracks TrackTable
	shown  []showing // oldest first
	looks  []looking // oldest first
	fence  *fence

	profile Profile

	now     time.Time
	world   *hardware.World // of the newest update, for stops outside of updates
	idle    Env             // where effects go outside of updates
	active  *Env            // the caller's, during Update
	current *Runner         // being stepped
	ids     uint64

	lookChanges uint64

	clearing bool
	external bool // external actions are ignored (TAG-6)

	commands   []hardware.Command
	done       []Completion
	unreported []Completion
	watchers   []watcher
	watchIDs   WatchID
}

// NewList returns an empty list. A nil host is Direct. Time is the robot's time now; it counts for runners queued
// before the first update.
func NewList(host Host, now time.Time) *List {
	if host == nil {
		host = Direct{}
	}
	l := &List{host: host, tags: newTagPool(), now: now}
	l.idle = Env{Now: now, Send: func(c hardware.Command) { l.commands = append(l.commands, c) }}
	l.fence = newFence(l)
	return l
}

// Tracks is the lock table. Behaviors lock in it too.
func (l *List) Tracks() *TrackTable { return &l.tracks }

// find returns the runner of an action that is in a queue, if any (actions/Q-7).
func (l *List) find(a Action) *Runner {
	for _, q := range l.queues {
		if q.current != nil && same(q.current.action, a) {
			return q.current
		}
		for _, r := range q.pending {
			if same(r.action, a) {
				return r
			}
		}
	}
	return nil
}

// same reports whether two actions are the same value. Values that cannot be compared are never the same, at any depth.
func same(a, b Action) bool {
	kind := reflect.TypeOf(a)
	switch {
	case kind != reflect.TypeOf(b):
		return false
	case kind.Kind() == reflect.Pointer:
		return a == b
	}
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

// match returns the first runner, in slot order, for which f holds.
func (l *List) match(f func(*Runner) bool) (found *Runner) {
	for _, q := range l.queues {
		if !q.each(func(r *Runner) bool {
			if f(r) {
				found = r
			}
			return found == nil
		}) {
			break
		}
	}
	return found
}

// firstFrom returns the first queue at or after slot. The set may have changed since the last one.
func (l *List) firstFrom(slot int) *queue {
	from, to := 0, len(l.queues)
	for from < to {
		if mid := (from + to) / 2; l.queues[mid].slot < slot {
			from = mid + 1
		} else {
			to = mid
		}
	}
	if from == len(l.queues) {
		return nil
	}
	return l.queues[from]
}

// slot returns the queue of a slot, nil if it does not exist.
func (l *List) slot(n int) *queue {
	if q := l.firstFrom(n); q != nil && q.slot == n {
		return q
	}
	return nil
}

// open returns the queue of a slot and makes it if needed.
func (l *List) open(n int) *queue {
	at := 0
	for at < len(l.queues) && l.queues[at].slot < n {
		at++
	}
	if at < len(l.queues) && l.queues[at].slot == n {
		return l.queues[at]
	}
	q := &queue{slot: n}
	l.queues = append(l.queues, nil)
	copy(l.queues[at+1:], l.queues[at:])
	l.queues[at] = q
	return q
}

// freeSlot is the lowest unused slot from 1 on (actions/Q-2).
func (l *List) freeSlot() int {
	n := 1
	for _, q := range l.queues {
		if q.slot == n {
			n++
		}
	}
	return n
}

// count is the number of runners in all slots.
func (l *List) count() int {
	n := 0
	for _, q := range l.queues {
		n += q.len()
	}
	return n
}

// dropEmpty removes queues without runners.
func (l *List) dropEmpty() {
	l.queues = slices.DeleteFunc(l.queues, func(q *queue) bool { return q.len() == 0 })
}

// nextID implements Env.NextID. Without a source from the caller, IDs come from the upper half of the range.
func (l *List) nextID(outer *Env) uint64 {
	if outer.NextID != nil {
		return outer.NextID()
	}
	l.ids++
	return 1<<63 | l.ids
}
