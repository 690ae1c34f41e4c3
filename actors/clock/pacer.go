package clock

import (
	"sync"
	"time"
)

// A Tick says that a deadline came. It is valid until the next one is posted.
type Tick struct {
	N       uint64
	Due     time.Time
	Now     time.Time
	Skipped uint64 // deadlines that passed since the last tick without one
	Done    func() // to be called when the tick is complete; may be nil
}

// A Pacer posts ticks on absolute deadlines. It is also the executor of the participant that carries them out: what is posted on it runs on
// the goroutine that waits for the deadlines, so that a tick wakes one thread and not two. While a tick runs no deadline is waited for;
// those that pass meanwhile are counted and told with the next tick.
type Pacer struct {
	*liveExecutor
	period time.Duration
	post   func(*Tick)
	wait   waiter
	normal error // why it waits on a normal thread
	tick   Tick

	ticks   sync.Mutex // guards what follows
	ticking bool       // Start was called, and Stop was not
	next    time.Time  // deadline
	skipped uint64     // deadlines since the last tick
	posted  bool       // a tick was, and what passed meanwhile is not left out yet

	rest   sync.Mutex
	asleep bool // waits for a deadline or for work
	roused bool // meanwhile; the waiter must be told to wait again
}

// A waiter waits for an absolute deadline with the best means of the system.
type waiter interface {
	// until returns at t, or earlier for no reason, or when it is woken. It tells when that was.
	until(t time.Time) time.Time
	// wake makes until return, now and from now on, until again is called. It may come from another goroutine.
	wake()
	again()
	close()
}

// NewPacer makes a pacer that hands each tick to post, which must not wait for the tick. It is an executor of the live timeline.
func NewPacer(l Live, name string, period time.Duration, post func(*Tick)) *Pacer {
	wait, err := realtimeWaiter()
	if err != nil {
		wait = newWaiter()
	}
	return startPacer(l, name, period, post, wait, err)
}

func startPacer(l Live, name string, period time.Duration, post func(*Tick), wait waiter, normal error) *Pacer {
	p := &Pacer{liveExecutor: l.executor(name), period: period, post: post, wait: wait, normal: normal}
	p.rouse = p.interrupt
	go p.run()
	return p
}

// Realtime returns nil if the pacer waits on a real-time thread, else why not.
func (p *Pacer) Realtime() error { return p.normal }

// Start posts the first tick at once, and then one a period.
func (p *Pacer) Start() {
	p.ticks.Lock()
	p.ticking, p.next = true, time.Now() // a robot that is complete has nothing to wait for
	p.ticks.Unlock()
	p.signal()
}

// Stop ends the ticks: none is posted after it has returned. It waits neither for the next deadline nor for the tick that runs.
func (p *Pacer) Stop() {
	p.ticks.Lock()
	p.ticking = false
	p.ticks.Unlock()
}

// run works and waits in turn until the executor is closed.
func (p *Pacer) run() {
	defer p.wait.close()
	for p.work() {
		p.skip()
		p.beat(p.sleep())
	}
}

// skip leaves out the deadlines that passed while a tick ran.
func (p *Pacer) skip() {
	p.ticks.Lock()
	defer p.ticks.Unlock()
	if !p.posted {
		return
	}
	p.posted = false
	if late := time.Since(p.next); late >= 0 {
		missed := late/p.period + 1
		p.skipped += uint64(missed)
		p.next = p.next.Add(missed * p.period)
	}
}

// sleep waits for the next deadline, or for work, and tells when it ended.
func (p *Pacer) sleep() (now time.Time) {
	p.ticks.Lock()
	ticking, next := p.ticking, p.next
	p.ticks.Unlock()
	if !ticking {
		<-p.wake
		return time.Now()
	}
	p.rest.Lock()
	p.asleep = true
	p.rest.Unlock()
	if p.pending() { // posted before the pacer was known to sleep
		now = time.Now()
	} else {
		now = p.wait.until(next)
	}
	p.rest.Lock()
	defer p.rest.Unlock()
	p.asleep = false
	if p.roused {
		p.roused = false
		p.wait.again()
	}
	return now
}

// beat posts a tick if its deadline has come.
func (p *Pacer) beat(now time.Time) {
	p.ticks.Lock()
	defer p.ticks.Unlock()
	if !p.ticking || now.Before(p.next) {
		return
	}
	p.tick = Tick{N: p.tick.N + 1, Due: p.next, Now: now, Skipped: p.skipped}
	p.next, p.skipped, p.posted = p.next.Add(p.period), 0, true
	p.post(&p.tick)
}

// interrupt ends the sleep of a pacer that waits for its deadline.
func (p *Pacer) interrupt() {
	p.rest.Lock()
	defer p.rest.Unlock()
	if p.asleep && !p.roused {
		p.roused = true
		p.wait.wake()
	}
}

// timerWaiter waits with the runtime's timers, which the netpoller rounds up to a millisecond.
type timerWaiter struct {
	timer *time.Timer
	woken chan struct{}
}

func newTimerWaiter() *timerWaiter {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &timerWaiter{timer: t, woken: make(chan struct{}, 1)}
}

func (w *timerWaiter) until(t time.Time) time.Time {
	w.timer.Reset(time.Until(t))
	select {
	case <-w.timer.C:
	case <-w.woken:
		w.wake() // until again says otherwise
	}
	return time.Now()
}

func (w *timerWaiter) wake() {
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

func (w *timerWaiter) again() {
	select {
	case <-w.woken:
	default:
	}
}

func (w *timerWaiter) close() { w.timer.Stop() }
