package actors

import (
	"time"

	"github.com/robotd/robotd/actors/clock"
)

// virtualTicker posts ticks on absolute deadlines of virtual time. A tick is late only after a freeze; deadlines that passed
// meanwhile are counted like those of the pacer.
type virtualTicker struct {
	system  *System
	timer   clock.Timer
	clock   clock.Executor
	ask     func() // askEnough, bound once
	n       uint64
	skipped uint64
	next    time.Time
	posted  clock.Tick // valid until the next one
}

// start posts the first tick at an instant, and then one a period.
func (v *virtualTicker) start(executor clock.Executor, first time.Time) {
	v.timer, v.clock, v.next, v.ask = executor.Timer(v.tick), executor, first, v.askEnough
	v.timer.Set(first.Sub(executor.Now()))
}

func (v *virtualTicker) tick() {
	now, period := v.clock.Now(), v.system.cfg.Period
	v.n++
	v.posted = clock.Tick{N: v.n, Due: v.next, Now: now, Skipped: v.skipped}
	v.system.actors.Root.Send(v.system.stack, &v.posted)
	v.skipped, v.next = 0, v.next.Add(period)
	if late := now.Sub(v.next); late >= 0 {
		missed := late/period + 1
		v.skipped = uint64(missed)
		v.next = v.next.Add(missed * period)
	}
	v.timer.Set(v.next.Sub(now))
	if v.system.enough != nil {
		v.clock.Post(v.ask) // behind the tick
	}
}

// askEnough ends the present RunFor if it shall go on no longer.
func (v *virtualTicker) askEnough() {
	if v.system.enough != nil && v.system.enough() {
		v.system.halt()
	}
}

func (v *virtualTicker) stop() { v.timer.Stop() }
