package clock

import (
	"sync"
	"sync/atomic"
	"time"
)

// Live is the monotonic timeline: one goroutine for each executor, and the timers of the runtime. Its watches ask Load.
type Live struct {
	Load *Load
	// Realtime has a real-time thread wait for the pacer and wake it, if that is permitted. The runtime's monitor does not rest while a thread waits
	// in a system call, so it costs some wake-ups in each tick.
	Realtime bool
}

// Now implements Timeline.
func (Live) Now() time.Time { return time.Now() }

// Executor implements Timeline.
func (l Live) Open(name string, _ int) Executor {
	e := l.executor(name)
	go e.run()
	return e
}

// executor makes an executor without a goroutine.
func (l Live) executor(name string) *liveExecutor {
	e := &liveExecutor{name: name, wake: make(chan struct{}, 1), load: l.Load, opened: time.Now()}
	if e.load == nil {
		e.load = NewLoad()
	}
	return e
}

// liveExecutor is one goroutine that runs posted work in order until it is closed.
type liveExecutor struct {
	name  string
	wake  chan struct{}
	rouse func() // wakes a pacer that waits for its deadline; nil for the others
	load  *Load

	opened time.Time
	due    atomic.Int64 // when the present sleep ends, in nanoseconds since opened; 0 for none
	owed   atomic.Int64 // by how much the sleeps until now ended too late, in nanoseconds
	ahead  atomic.Int64 // where its work has spent time up to, in nanoseconds since opened

	mu     sync.Mutex
	queue  []func()
	spare  []func()
	watch  *watch // one that ended before it fired, to be used again
	closed bool
}

func (e *liveExecutor) run() {
	for range e.wake {
		if !e.work() {
			return
		}
	}
}

// work runs what was posted, until nothing is left, and reports whether the executor goes on.
func (e *liveExecutor) work() (open bool) {
	for {
		e.mu.Lock()
		if e.closed {
			e.mu.Unlock()
			return false
		}
		work := e.queue
		e.queue, e.spare = e.spare[:0], nil
		e.mu.Unlock()
		if len(work) == 0 {
			e.mu.Lock()
			e.spare = work
			e.mu.Unlock()
			return true
		}
		for i, f := range work {
			work[i] = nil
			f()
		}
		e.mu.Lock()
		e.spare = work[:0]
		e.mu.Unlock()
	}
}

func (e *liveExecutor) Now() time.Time {
	now := time.Now()
	if ahead := e.lead(now); ahead > 0 {
		return now.Add(ahead)
	}
	return now
}

// lead is how far its work is ahead of an instant.
func (e *liveExecutor) lead(now time.Time) time.Duration {
	return max(0, time.Duration(e.ahead.Load())-now.Sub(e.opened))
}

// Spend implements hardware.Spender. It waits only when the executor would be too far ahead.
func (e *liveExecutor) Spend(d time.Duration) {
	now := time.Now()
	lead := e.lead(now) + d
	e.ahead.Store(int64(now.Sub(e.opened) + lead))
	if lead > maxAhead {
		e.Sleep(0)
	}
}

func (e *liveExecutor) Sleep(d time.Duration) {
	d += e.lead(time.Now())
	due := time.Since(e.opened) + d
	e.due.Store(int64(due))
	time.Sleep(d)
	e.owed.Add(int64(overdue(time.Since(e.opened), due)))
	e.due.Store(0)
}

func (e *liveExecutor) Post(f func()) {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return
	}
	e.queue = append(e.queue, f)
	e.mu.Unlock()
	e.signal()
}

// pending reports whether work waits, or the close.
func (e *liveExecutor) pending() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.queue) > 0 || e.closed
}

func (e *liveExecutor) signal() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
	if e.rouse != nil {
		e.rouse()
	}
}

// Timer implements Executor.
func (e *liveExecutor) Timer(f func()) Timer {
	t := time.AfterFunc(time.Hour, func() { e.Post(f) })
	t.Stop()
	return liveTimer{e, t}
}

// liveTimer is a timer of the runtime that posts work.
type liveTimer struct {
	executor *liveExecutor
	timer    *time.Timer
}

// Set implements Timer. The executor's time may be ahead of the runtime's.
func (t liveTimer) Set(d time.Duration) { t.timer.Reset(d + t.executor.lead(time.Now())) }

// Stop implements Timer.
func (t liveTimer) Stop() { t.timer.Stop() }

func (e *liveExecutor) Close() {
	e.mu.Lock()
	e.closed = true
	e.queue = nil
	e.mu.Unlock()
	e.signal()
}
