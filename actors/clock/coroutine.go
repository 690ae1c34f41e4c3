package clock

import (
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"time"
)

// virtualExecutor is one participant. Its work runs on a coroutine, which has the turn between resume and the return of resume.
type virtualExecutor struct {
	timeline *Virtual
	name     string
	rank     int
	place    uint64             // at one instant, in the upper bits of a key
	next     func() (int, bool) // gives it the turn
	stop     func()             // ends the coroutine
	yield    func(int) bool     // gives the turn back
	wake     dueWork            // the end of a sleep
	work     func()             // of the present turn
	busy     bool               // between the begin and the end of a piece of work
	closed   bool
	ending   bool     // its work, which slept when it was closed, is unwound
	waiting  []func() // posted while the executor slept
	more     []func() // posted by the executor's own work: run in the same turn
}

func newVirtualExecutor(v *Virtual, name string, rank int) *virtualExecutor {
	e := &virtualExecutor{timeline: v, name: name, rank: rank}
	e.wake = dueWork{executor: e}
	e.next, e.stop = iter.Pull(e.run)
	return e
}

func (e *virtualExecutor) resume() { e.next() }

// run is the coroutine.
func (e *virtualExecutor) run(yield func(int) bool) {
	defer e.ended()
	e.yield = yield
	for {
		f := e.work
		e.work = nil
		f()
		for i := 0; i < len(e.more); i++ {
			e.more[i]()
		}
		clear(e.more)
		e.more = e.more[:0]
		e.busy = false
		if e.closed || !yield(0) {
			return
		}
	}
}

// unwound ends the coroutine of an executor that was closed while its work slept.
type unwound struct{}

// ended tells Run's goroutine, where the panic of a coroutine goes on, what happened and where.
func (e *virtualExecutor) ended() {
	r := recover()
	switch {
	case r != nil:
		panic(fmt.Sprintf("clock: work of executor %q panics: %v\n%s", e.name, r, debug.Stack()))
	case e.busy && e.closed:
		panic(unwound{})
	case e.busy:
		panic(fmt.Sprintf("clock: work of executor %q ended its goroutine (runtime.Goexit)", e.name))
	}
}

// Now implements hardware.Clock.
func (e *virtualExecutor) Now() time.Time { return e.timeline.now }

// Sleep hands the turn back and takes it up again when the instant comes. If nothing else is due before that, no one else
// would have a turn, and time just goes on.
func (e *virtualExecutor) Sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	if e.ending { // a deferred function sleeps: nobody waits for it, and time does not go on
		runtime.Goexit()
	}
	v := e.timeline
	at := v.at + d
	if at <= v.end && v.due.after(at, e.place) && (v.stop == nil || !v.stop()) {
		v.advance(at)
		return
	}
	v.plan(&e.wake, at)
	if !e.yield(0) {
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

// Close implements Executor.
func (e *virtualExecutor) Close() {
	if e.closed {
		return
	}
	e.closed = true
	v := e.timeline
	if v.turns == e { // by its own work: the coroutine ends with it
		return
	}
	defer func(turns *virtualExecutor) {
		v.turns = turns
		if r := recover(); r != nil && r != any(unwound{}) {
			panic(r)
		}
	}(v.turns)
	v.turns, e.ending = e, true // what its work has deferred may post
	e.stop()
}
