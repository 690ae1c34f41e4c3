package clock

import (
	"sync/atomic"
	"testing"
	"time"
)

// A robot that has started is not idle for a period: the first tick is due at once.
func TestFirstTickIsDueAtStart(t *testing.T) {
	const period = time.Hour
	ticks := make(chan Tick, 8)
	p := NewPacer(Live{}, "p", period, func(t *Tick) { offer(ticks, t) })
	defer p.Close()
	begin := time.Now()
	p.Start()
	first := <-ticks
	p.Stop()
	if wait := first.Due.Sub(begin); first.N != 1 || wait >= period {
		t.Errorf("tick %d was due %v after the start", first.N, wait)
	}
}

// Ticks are due at whole periods after the first one, however late they come.
func TestTicksAreDueAtWholePeriods(t *testing.T) {
	const period = 20 * time.Millisecond
	ticks := make(chan Tick, 8)
	p := NewPacer(Live{}, "p", period, func(t *Tick) { offer(ticks, t) })
	defer p.Close()
	p.Start()
	first, second := <-ticks, <-ticks
	p.Stop()
	if gap := second.Due.Sub(first.Due); gap <= 0 || gap%period != 0 {
		t.Errorf("the second was due %v after the first", gap)
	}
}

// offer hands a tick over unless nobody takes it: a pacer that is held up could not be stopped.
func offer(ticks chan<- Tick, t *Tick) {
	select {
	case ticks <- *t:
	default:
	}
}

// waiters are the ways to wait for a deadline.
func waiters() map[string]waiter {
	all := map[string]waiter{"best without privileges": newWaiter(), "timer of the runtime": newTimerWaiter()}
	if w, err := realtimeWaiter(); err == nil {
		all["real-time thread"] = w
	}
	return all
}

// A Pacer that waits for its next tick ends without it, whatever the period, so that a stop keeps to its deadline.
func TestPacerEndsWithinPeriod(t *testing.T) {
	for name, wait := range waiters() {
		t.Run(name, func(t *testing.T) {
			ticks := make(chan uint64, 8)
			p := startPacer(Live{}, "p", time.Hour, func(t *Tick) { ticks <- t.N }, wait, nil)
			p.Start()
			<-ticks // the first one is due at once, the next one in an hour
			p.Stop()
			p.Close() // TestMain sees a goroutine that is left
		})
	}
}

// What is posted on a pacer runs while it waits for a deadline, however far away that is, and in order.
// Rules: goal/M13.
func TestPacerRunsWorkBetweenTicks(t *testing.T) {
	for name, wait := range waiters() {
		t.Run(name, func(t *testing.T) {
			ticks, ran := make(chan uint64, 8), make(chan int)
			p := startPacer(Live{}, "p", time.Hour, func(t *Tick) { ticks <- t.N }, wait, nil)
			defer p.Close()
			p.Post(func() { ran <- -1 }) // before its start
			if got := <-ran; got != -1 {
				t.Fatalf("work %d", got)
			}
			p.Start()
			<-ticks
			for i := range 100 {
				p.Post(func() { ran <- i })
				if got := <-ran; got != i {
					t.Fatalf("work %d runs as number %d", got, i)
				}
			}
			if len(ticks) > 0 {
				t.Error("work made a tick")
			}
		})
	}
}

// Work that ends the wait for a deadline does not put the deadline off, nor bring it forward.
func TestWorkLeavesDeadlineAsItIs(t *testing.T) {
	for name, wait := range waiters() {
		t.Run(name, func(t *testing.T) {
			const period = 20 * time.Millisecond
			ticks := make(chan Tick, 8)
			p := startPacer(Live{}, "p", period, func(t *Tick) { offer(ticks, t) }, wait, nil)
			defer p.Close()
			p.Start()
			first := <-ticks
			for range 10 {
				p.Post(func() {})
			}
			second := <-ticks
			if gap := second.Due.Sub(first.Due); gap <= 0 || gap%period != 0 || second.Now.Before(second.Due) {
				t.Errorf("the second tick was due %v after the first, and came %v after that", gap, second.Now.Sub(second.Due))
			}
		})
	}
}

// While a tick runs no other is posted: the deadlines that pass meanwhile are told with the next one, which is due on the same grid.
// Rules: goal/M13.
func TestDeadlinesThatPassDuringTickAreCounted(t *testing.T) {
	const period = time.Millisecond
	ticks := make(chan Tick, 8)
	var p *Pacer
	p = NewPacer(Live{}, "p", period, func(t *Tick) {
		if offer(ticks, t); t.N == 1 {
			p.Post(func() { <-time.After(5*period + period/2) }) // what the tick does
		}
	})
	defer p.Close()
	p.Start()
	first, second := <-ticks, <-ticks
	p.Stop()
	if gap := second.Due.Sub(first.Due); second.Skipped < 5 || gap != time.Duration(second.Skipped+1)*period {
		t.Errorf("%d deadlines passed, and the second tick was due %v after the first", second.Skipped, gap)
	}
}

// No tick is posted after Stop has returned.
// Rules: goal/M5.
func TestStoppedPacerPostsNoTick(t *testing.T) {
	for range 100 {
		var stopped atomic.Bool
		p := NewPacer(Live{}, "p", 10*time.Microsecond, func(*Tick) {
			if stopped.Load() {
				t.Error("a tick after the stop")
			}
		})
		p.Start()
		p.Stop()
		stopped.Store(true)
		for range 10 { // the pacer looks at its deadline after each piece of work
			done := make(chan struct{})
			p.Post(func() { close(done) })
			<-done
		}
		p.Close()
	}
}
