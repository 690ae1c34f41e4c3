package actors

import (
	"sync"
	"sync/atomic"
	"time"
)

// A pacer posts ticks on absolute deadlines. A tick that is still running when the next deadline comes is not followed by a
// queue: the deadlines that pass meanwhile are counted and told with the next tick.
type pacer struct {
	period time.Duration
	post   func(*Tick)
	wait   waiterClock
	busy   atomic.Bool
	quit   chan struct{}
	done   sync.WaitGroup
}

// A waiterClock waits for an absolute deadline with the best means of the system.
type waiterClock interface {
	// until returns at t, or earlier when the pacer is told to stop.
	until(t time.Time, quit <-chan struct{})
	// wake makes until return, now and from now on; quit is closed. It may come from another goroutine, also after close.
	wake()
	close()
}

func newPacer(period time.Duration, post func(*Tick)) *pacer {
	return &pacer{period: period, post: post, wait: newWaiter(), quit: make(chan struct{})}
}

func (p *pacer) start() {
	p.done.Add(1)
	go p.run()
}

func (p *pacer) run() {
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

func (p *pacer) stop() {
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
