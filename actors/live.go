package actors

import (
	"sync"
	"time"
)

// Live is the monotonic timeline: one goroutine a lane, timers of the runtime.
type Live struct{}

// Now implements Timeline.
func (Live) Now() time.Time { return time.Now() }

// Lane implements Timeline.
func (Live) Lane(name string, rank int) Lane {
	l := &liveLane{name: name, wake: make(chan struct{}, 1)}
	go l.run()
	return l
}

// liveLane is one goroutine that runs posted work in order until it is closed.
type liveLane struct {
	name string
	wake chan struct{}

	mu     sync.Mutex
	queue  []func()
	spare  []func()
	closed bool
}

func (l *liveLane) run() {
	for range l.wake {
		for {
			l.mu.Lock()
			if l.closed {
				l.mu.Unlock()
				return
			}
			work := l.queue
			l.queue, l.spare = l.spare[:0], nil
			l.mu.Unlock()
			if len(work) == 0 {
				l.mu.Lock()
				l.spare = work
				l.mu.Unlock()
				break
			}
			for i, f := range work {
				work[i] = nil
				f()
			}
			l.mu.Lock()
			l.spare = work[:0]
			l.mu.Unlock()
		}
	}
}

func (l *liveLane) Now() time.Time { return time.Now() }

func (l *liveLane) Sleep(d time.Duration) { time.Sleep(d) }

func (l *liveLane) Post(f func()) {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return
	}
	l.queue = append(l.queue, f)
	l.mu.Unlock()
	l.signal()
}

func (l *liveLane) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *liveLane) At(t time.Time, f func()) func() {
	timer := time.AfterFunc(time.Until(t), func() { l.Post(f) })
	return func() { timer.Stop() }
}

func (l *liveLane) Watch(d time.Duration, f func()) func() {
	timer := time.AfterFunc(d, f)
	return func() { timer.Stop() }
}

func (l *liveLane) Close() {
	l.mu.Lock()
	l.closed = true
	l.queue = nil
	l.mu.Unlock()
	l.signal()
}
