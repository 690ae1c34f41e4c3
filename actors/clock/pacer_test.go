package clock

import (
	"testing"
	"time"
)

// A robot that has started is not idle for a period: the first tick is due at once.
func TestFirstTickIsDueAtStart(t *testing.T) {
	const period = time.Hour
	ticks := make(chan *Tick, 8)
	p := NewPacer(period, func(t *Tick) { ticks <- t; t.Done() })
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
	ticks := make(chan *Tick, 8)
	p := NewPacer(period, func(t *Tick) { ticks <- t; t.Done() })
	p.Start()
	first, second := <-ticks, <-ticks
	p.Stop()
	if gap := second.Due.Sub(first.Due); gap <= 0 || gap%period != 0 {
		t.Errorf("the second was due %v after the first", gap)
	}
}

// A Pacer that waits for its next tick stops without it, whatever the period, so that a stop keeps to its deadline.
func TestPacerStopsWithinPeriod(t *testing.T) {
	for name, wait := range map[string]waiter{"best of the system": newWaiter(), "timer of the runtime": newTimerWaiter()} {
		t.Run(name, func(t *testing.T) {
			ticks, stopped := make(chan *Tick, 8), make(chan struct{})
			p := NewPacer(time.Hour, func(t *Tick) { ticks <- t; t.Done() })
			p.wait.close()
			p.wait = wait
			p.Start()
			<-ticks // the first one is due at once, the next one in an hour
			go func() { p.Stop(); close(stopped) }()
			select {
			case <-stopped:
			case <-time.After(10 * time.Second):
				t.Error("the stop waits for the next tick")
			}
		})
	}
}
