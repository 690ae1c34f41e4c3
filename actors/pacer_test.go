package actors

import (
	"testing"
	"time"
)

// A robot that has started is not idle for a period: the first tick is due at once, the second a period after it.
func TestTheFirstTickIsDueAtTheStart(t *testing.T) {
	const period = 20 * time.Millisecond
	ticks := make(chan *Tick, 8)
	p := newPacer(period, func(t *Tick) { ticks <- t; t.Done() })
	begin := time.Now()
	p.start()
	first, second := <-ticks, <-ticks
	p.stop()
	if wait := first.Due.Sub(begin); first.N != 1 || wait >= period {
		t.Errorf("tick %d was due %v after the start", first.N, wait)
	}
	if gap := second.Due.Sub(first.Due); gap <= 0 || gap%period != 0 {
		t.Errorf("the second was due %v after the first", gap)
	}
}
