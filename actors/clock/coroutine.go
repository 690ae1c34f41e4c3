package clock

import (
	"iter"
	"runtime"
	"time"
)

// A coroutine has the turn between resume and the return of resume.
type coroutine struct {
	next func() (struct{}, bool)
	stop func() // ends it
	give func(struct{}) bool
}

func newCoroutine(f func(c *coroutine)) *coroutine {
	c := &coroutine{}
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.give = yield
		f(c)
	})
	return c
}

func (c *coroutine) resume() { c.next() }

// yield gives the turn back and returns with the next one. It reports false if there will be none.
func (c *coroutine) yield() bool { return c.give(struct{}{}) }

// virtualExecutor is one participant.
type virtualExecutor struct {
	timeline  *Virtual
	name      string
	rank      int
	place     uint64     // at one instant, in the upper bits of a key
	coroutine *coroutine // of its work, from its first sleep to its end
	wake      dueWork    // the end of a sleep
	work      func()     // of the present turn
	busy      bool       // between the begin and the end of a piece of work
	closed    bool
	ending    bool          // its work, which slept when it was closed, is unwound
	ahead     time.Duration // where its work has spent time up to, since the start of the timeline
	waiting   []func()      // posted while the executor slept
	more      []func()      // posted by the executor's own work: run in the same turn
}

func newVirtualExecutor(v *Virtual, name string, rank int) *virtualExecutor {
	e := &virtualExecutor{timeline: v, name: name, rank: rank}
	e.wake = dueWork{executor: e}
	return e
}

// step runs the work of one turn.
func (e *virtualExecutor) step() {
	f := e.work
	e.work = nil
	f()
	for i := 0; i < len(e.more); i++ {
		f, e.more[i] = e.more[i], nil
		f()
	}
	e.more = e.more[:0]
	e.busy = false
}

// unwound ends the coroutine of an executor that was closed while its work slept.
type unwound struct{}

// Now implements hardware.Clock.
func (e *virtualExecutor) Now() time.Time {
	if e.ahead > e.timeline.at {
		return e.timeline.start.Add(e.ahead)
	}
	return e.timeline.Now()
}

// Elapsed implements hardware.Elapser.
func (e *virtualExecutor) Elapsed() time.Duration { return max(e.ahead, e.timeline.at) }

// maxAhead is how far the work of one executor may be ahead of all others before it waits for them.
const maxAhead = 2 * time.Millisecond

// Spend implements hardware.Spender. The turn is handed back only when the executor would be too far ahead.
func (e *virtualExecutor) Spend(d time.Duration) {
	if d <= 0 || e.ending {
		return
	}
	v := e.timeline
	if e.ahead = max(e.ahead, v.at) + d; e.ahead-v.at > maxAhead {
		e.Sleep(0)
	}
}

// Sleep hands the turn back and takes it up again when the instant comes. If nothing else is due before that, no one else
// would have a turn, and time just goes on.
func (e *virtualExecutor) Sleep(d time.Duration) {
	v := e.timeline
	at := max(e.ahead, v.at) + max(d, 0)
	if at <= v.at {
		return
	}
	if e.ending { // a deferred function sleeps: nobody waits for it, and time does not go on
		runtime.Goexit()
	}
	if at <= v.end && !v.over && v.due.after(at, e.place) && (v.stop == nil || !v.stop()) {
		v.advance(at)
		return
	}
	v.plan(&e.wake, at)
	if e.coroutine == nil {
		e.coroutine = v.conductor
	}
	v.turns = nil
	if !e.coroutine.yield() {
		runtime.Goexit() // closed: what the work has deferred still runs
	}
}

// Post runs f after the present work if it comes from the executor itself: a message to oneself needs no second turn.
func (e *virtualExecutor) Post(f func()) {
	if e.timeline.turns == e {
		e.more = append(e.more, f)
		return
	}
	e.timeline.post(e, f)
}

// Timer implements Executor.
func (e *virtualExecutor) Timer(f func()) Timer { return &dueWork{executor: e, work: f} }

// Watch implements Executor.
func (e *virtualExecutor) Watch(time.Duration, func(Verdict)) func() { return func() {} }

// Close implements Executor. Work that closes its own executor goes on to its end, whether or not it sleeps; that of any other one,
// which sleeps, is unwound.
func (e *virtualExecutor) Close() {
	v := e.timeline
	if !e.closed {
		e.closed = true
		v.open--
		defer v.dismiss()
	}
	if e.coroutine == nil || v.turns == e { // the coroutine ends with the work
		return
	}
	defer func(turns *virtualExecutor) {
		v.turns = turns
		if r := recover(); r != nil && r != any(unwound{}) {
			panic(r)
		}
	}(v.turns)
	v.turns, e.ending = e, true // what its work has deferred may post
	e.wake.Stop()
	e.coroutine.stop()
}
