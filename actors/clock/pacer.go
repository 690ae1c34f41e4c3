package clock

import (
	"sync"
	"sync/atomic"
	"time"
)

// A Tick says that a deadline came.
type Tick struct {
	N       uint64
	Due     time.Time
	Now     time.Time
	Skipped uint64 // deadlines that passed since the last tick without one
	Done    func() // to be called when the tick is complete; nil in virtual time
}

// A Pacer posts ticks on absolute deadlines. A tick that is still running when the next deadline comes is not followed by a
// queue: the deadlines that pass meanwhile are counted and told with the next tick.
type Pacer struct {
	period time.Duration
	post   func(*Tick)
	wait   waiter
	busy   atomic.Bool
	quit   chan struct{}
	done   sync.WaitGroup
}

// A waiter waits for an absolute deadline with the best means of the system.
type waiter interface {
	// until returns at t, or earlier when the pacer is told to stop.
	until(t time.Time, quit <-chan struct{})
	// wake makes until return, now and from now on; quit is closed. It may come from another goroutine, also after close.
	wake()
	close()
}

// NewPacer makes a pacer that hands each tick to post.
func NewPacer(period time.Duration, post func(*Tick)) *Pacer {
	return &Pacer{period: period, post: post, wait: newWaiter(), quit: make(chan struct{})}
}

// Start posts the first tick at once, and then one a period.
func (p *Pacer) Start() {
	p.done.Add(1)
	go p.run()
}

func (p *Pacer) run() {
	defer p.done.Done()
	defer p.wait.close()
	next := time.Now() // the first tick is due at once: a robot that is complete has nothing to wait for
	var n, skipped uint64
	for {
		p.wait.until(next, p.quit)
		select {
		case <-p.quit:
			return
		default:
		}
		now := time.Now()
		if p.busy.CompareAndSwap(false, true) {
			n++
			p.post(&Tick{N: n, Due: next, Now: now, Skipped: skipped, Done: func() { p.busy.Store(false) }})
			skipped = 0
		} else {
			skipped++
		}
		next = next.Add(p.period)
		if late := now.Sub(next); late >= 0 { // two or more deadlines have passed
			missed := late/p.period + 1
			skipped += uint64(missed)
			next = next.Add(missed * p.period)
		}
	}
}

// Stop ends the ticks and waits until no more will be posted. It does not wait for the next deadline.
func (p *Pacer) Stop() {
	close(p.quit)
	p.wait.wake()
	p.done.Wait()
}

// timerWaiter waits with the runtime's timers, which the netpoller rounds up to a millisecond.
type timerWaiter struct{ timer *time.Timer }

func newTimerWaiter() *timerWaiter {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &timerWaiter{timer: t}
}

func (w *timerWaiter) until(t time.Time, quit <-chan struct{}) {
	w.timer.Reset(time.Until(t))
	select {
	case <-w.timer.C:
	case <-quit:
	}
}

func (w *timerWaiter) wake() {} // it watches quit

func (w *timerWaiter) close() { w.timer.Stop() }
