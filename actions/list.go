package actions

import (
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

// A List owns all queues. Slot 0 serves every position but IN_PARALLEL, which opens the lowest free slot from 1 on
// . It is not safe for concurrent use; the engine calls it. Actions and watchers may call it from within an update
// (DONE-5).
type List struct {
	host   Host
	queues []*queue // by slot
	tags   tagPool
	tracks TrackTable
	fence  *fence

	profile Profile

	now      time.Time
	world    *hardware.World // of the newest update, for stops outside of updates
	idle     Env             // where effects go outside of updates
	active   *Env            // the caller's, during Update
	current  *Runner         // being stepped
	ids      uint64
	clearing bool
	external bool // external actions are ignored (TAG-6)

	commands []hardware.Command
	done     []Completion
	ended    []Completion
	watchers []watcher
	watchIDs WatchID
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

// Update is the action phase of one tick: every queue's current runner is updated once, in slot order (Q-3, TICK-2);
// then the watchers hear of everything that ended. It returns the completions in the order of the ends, those of
// cancellations since the last update first. Env need live only during the call; the returned slice is the caller's.
func (l *List) Update(env *Env) []Completion {
	if l.active != nil {
		panic("actions: Update inside Update")
	}
	l.active, l.now, l.world = env, env.Now, env.World
	l.idle.Now, l.idle.World, l.idle.Seed, l.idle.Tick = env.Now, env.World, env.Seed, env.Tick
	for _, c := range l.TakeCommands() {
		env.Send(c)
	}
	for slot := 0; ; slot++ {
		q := l.from(slot)
		if q == nil {
			break
		}
		slot = q.slot
		l.updateQueue(q)
	}
	l.dropEmpty()
	done := l.Drain()
	l.notify()
	l.active = nil
	return done
}

// from returns the first queue at or after slot. The set may have changed since the last one.
func (l *List) from(slot int) *queue {
	for _, q := range l.queues {
		if q.slot >= slot {
			return q
		}
	}
	return nil
}

func (l *List) updateQueue(q *queue) {
	r := q.next()
	if r == nil {
		return
	}
	l.current = r
	if r.state == NotStarted || r.state == Interrupted {
		r.profile = l.profile
	}
	res := l.cross(r, func(env *Env) { r.step(env, l.host) }).state
	l.current = nil
	switch {
	case r.canceled && res.Category() <= CategoryRunning:
		r.state = CancelledWhileRunning
	case res == Running:
		return
	}
	q.remove(r)
	l.destroy(r)
}

// cross opens the fence for r, runs f, and replaces the fence if the action broke.
func (l *List) cross(r *Runner, f func(*Env)) *Runner {
	fence := l.fence
	if fence.busy { // called from inside another action's call
		fence = newFence(l)
	}
	outer := l.active
	if outer == nil {
		outer = &l.idle
	}
	wasBroken := r.broken
	fence.busy = true
	f(fence.arm(r, outer))
	fence.busy = false
	if r.broken && !wasBroken {
		fence.close()
		if fence == l.fence {
			l.fence = newFence(l)
		}
	}
	return r
}

// destroy finishes a runner that is in no queue any more and records its completion.
func (l *List) destroy(r *Runner) {
	var c Completion
	l.cross(r, func(env *Env) { c = r.finish(env, l.host) })
	if len(r.childLocks)+len(r.childTags) > 0 || r.held != 0 { // left behind by a broken compound (RUN-13)
		l.cross(r, func(env *Env) { r.salvage(env) })
	}
	l.tags.Free(r.tag)
	l.tags.Free(r.auto)
	l.done = append(l.done, c)
	l.watched(c)
}

// salvage frees what a broken action still holds, its children included.
func (r *Runner) salvage(env *Env) {
	r.release(env, false)
	for len(r.childLocks) > 0 {
		p := r.childLocks[0]
		StopMotors(env, p.tracks, false)
		env.Tracks.Unlock(p.who)
	}
	for len(r.childTags) > 0 {
		env.Tags.Free(r.childTags[0])
	}
}

// dropEmpty removes queues without runners.
func (l *List) dropEmpty() {
	l.queues = slices.DeleteFunc(l.queues, func(q *queue) bool { return q.len() == 0 })
}

// nextID serves Env.NextID. Without a source from the caller ids come from the upper half of the range.
func (l *List) nextID(outer *Env) uint64 {
	if outer.NextID != nil {
		return outer.NextID()
	}
	l.ids++
	return 1<<63 | l.ids
}

// Drain returns the completions since the last Update or Drain, in order.
func (l *List) Drain() []Completion {
	done := l.done
	l.done = nil
	return done
}

// TakeCommands returns the commands of actions stopped outside of Update. The next Update sends what was not taken.
func (l *List) TakeCommands() []hardware.Command {
	c := l.commands
	l.commands = nil
	return c
}
