package actions

import "github.com/robotd/robotd/hardware"

// Update is the action phase of one tick: every queue's current runner is updated once, in slot order (actions/Q-3, TICK-2);
// then the watchers hear of everything that ended. It returns the completions in the order of the ends, those of
// cancellations since the last update first. Env need live only during the call; the returned slice is the caller's.
func (l *List) Update(env *Env) []Completion {
	if l.active != nil {
		panic("actions: Update inside Update")
	}
	l.active, l.now, l.world = env, env.Now, env.World
	l.idle.Now, l.idle.World, l.idle.Seed, l.idle.Tick = env.Now, env.World, env.Seed, env.Tick
	l.idle.Animations, l.idle.Paths = env.Animations, env.Paths
	for _, c := range l.TakeCommands() {
		env.Send(c)
	}
	l.eachQueue(l.updateFirst)
	l.eachQueue(l.updateQueue)
	l.dropEmpty()
	done := l.Drain()
	l.notify()
	l.active = nil
	return done
}

// eachQueue calls f for every queue, those that f opens behind it included, in slot order.
func (l *List) eachQueue(f func(*queue)) {
	for slot := 0; ; slot++ {
		q := l.firstFrom(slot)
		if q == nil {
			return
		}
		slot = q.slot
		f(q)
	}
}

// updateFirst updates a queue whose turn has an action that begins before all others ([QueueOptions.First]).
func (l *List) updateFirst(q *queue) {
	if r := q.front(); r != nil && r.first {
		r.first = false
		l.updateQueue(q)
		q.begun = true
	}
}

func (l *List) updateQueue(q *queue) {
	if q.begun {
		q.begun = false
		return
	}
	r := q.next()
	if r == nil {
		return
	}
	l.current = r
	if r.state == NotStarted || r.state == Interrupted {
		r.profile = l.profile
	}
	res := l.callFenced(r, func(env *Env) { r.step(env, l.host) }).state
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

// callFenced arms the fence for r, runs f with its Env, and replaces the fence if the action broke. It returns r.
func (l *List) callFenced(r *Runner, f func(*Env)) *Runner {
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

// destroy finishes a runner that has left its queue and records its completion.
func (l *List) destroy(r *Runner) {
	var c Completion
	l.callFenced(r, func(env *Env) { c = r.finish(env, l.host) })
	if len(r.childLocks)+len(r.childTags) > 0 || r.held != 0 { // left behind by a broken compound (RUN-13)
		l.callFenced(r, func(env *Env) { r.freeLeftovers(env) })
	}
	l.tags.Free(r.tag)
	l.tags.Free(r.autoTag)
	l.done = append(l.done, c)
	l.reportToWatchers(c)
}

// Drain returns the completions since the last Update or Drain, in order.
func (l *List) Drain() []Completion {
	done := l.done
	l.done = nil
	return done
}

// TakeCommands returns the commands of actions that were stopped outside of Update. The next Update sends those that
// were not taken.
func (l *List) TakeCommands() []hardware.Command {
	c := l.commands
	l.commands = nil
	return c
}
