package actors

import (
	"time"

	"github.com/robotd/robotd/actors/clock"
)

// virtualTicker posts ticks on absolute deadlines of virtual time. None is ever late.
type virtualTicker struct {
	system *System
	timer  clock.Timer
	n      uint64
	next   time.Time
}

// start posts the first tick at an instant, and then one a period.
func (v *virtualTicker) start(executor clock.Executor, first time.Time) {
	v.timer, v.next = executor.Timer(v.tick), first
	v.timer.Set(v.next)
}

func (v *virtualTicker) tick() {
	v.n++
	v.system.actors.Root.Send(v.system.stack, &clock.Tick{N: v.n, Due: v.next, Now: v.next})
	v.next = v.next.Add(v.system.cfg.Period)
	v.timer.Set(v.next)
}

func (v *virtualTicker) stop() { v.timer.Stop() }
