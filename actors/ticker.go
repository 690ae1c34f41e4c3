package actors

import (
	"time"

	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/hardware"
)

// virtualTicker posts ticks on absolute deadlines of virtual time. A tick is late only after a freeze; deadlines that passed
// meanwhile are counted like those of the pacer.
type virtualTicker struct {
	system  *System
	timer   clock.Timer
	clock   hardware.Clock
	n       uint64
	skipped uint64
	next    time.Time
	posted  clock.Tick // valid until the next one
}

// start posts the first tick at an instant, and then one a period.
func (v *virtualTicker) start(executor clock.Executor, first time.Time) {
	v.timer, v.clock, v.next = executor.Timer(v.tick), executor, first
	v.timer.Set(v.next)
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
	v.timer.Set(v.next)
}

func (v *virtualTicker) stop() { v.timer.Stop() }
