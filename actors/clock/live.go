package clock

import (
	"sync"
	"time"
)

// Live is the monotonic timeline: one goroutine for each executor, and the timers of the runtime.
type Live struct{}

// Now implements Timeline.
func (Live) Now() time.Time { return time.Now() }

// Executor implements Timeline.
func (Live) Open(name string, rank int) Executor {
	e := &liveExecutor{name: name, wake: make(chan struct{}, 1)}
	go e.run()
	return e
}

// liveExecutor is one goroutine that runs posted work in order until it is closed.
type liveExecutor struct {
	name string
	wake chan struct{}

	mu     sync.Mutex
	queue  []func()
	spare  []func()
	closed bool
}

func (e *liveExecutor) run() {
	for range e.wake {
		for {
			e.mu.Lock()
			if e.closed {
				e.mu.Unlock()
				return
			}
			work := e.queue
			e.queue, e.spare = e.spare[:0], nil
			e.mu.Unlock()
			if len(work) == 0 {
				e.mu.Lock()
				e.spare = work
				e.mu.Unlock()
				break
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
}

func (e *liveExecutor) Now() time.Time { return time.Now() }

func (e *liveExecutor) Sleep(d time.Duration) { time.Sleep(d) }

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

func (e *liveExecutor) signal() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// Timer implements Executor.
func (e *liveExecutor) Timer(f func()) Timer {
	t := time.AfterFunc(time.Hour, func() { e.Post(f) })
	t.Stop()
	return liveTimer{t}
}

// liveTimer is a timer of the runtime that posts work.
type liveTimer struct{ timer *time.Timer }

// Set implements Timer.
func (t liveTimer) Set(at time.Time) { t.timer.Reset(time.Until(at)) }

// Stop implements Timer.
func (t liveTimer) Stop() { t.timer.Stop() }

func (e *liveExecutor) Watch(d time.Duration, f func()) func() {
	timer := time.AfterFunc(d, f)
	return func() { timer.Stop() }
}

func (e *liveExecutor) Close() {
	e.mu.Lock()
	e.closed = true
	e.queue = nil
	e.mu.Unlock()
	e.signal()
}
