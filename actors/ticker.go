package actors

import (
	"time"

	"github.com/robotd/robotd/actors/clock"
)

// virtualTicker posts ticks on absolute deadlines of virtual time. None is ever late.
type virtualTicker struct {
	system   *System
	executor clock.Executor
	n        uint64
	next     time.Time
	cancel   func()
}

func (v *virtualTicker) plan() {
	v.cancel = v.executor.At(v.next, func() {
		v.n++
		v.system.actors.Root.Send(v.system.stack, &clock.Tick{N: v.n, Due: v.next, Now: v.next})
		v.next = v.next.Add(v.system.cfg.Period)
		v.plan()
	})
}

func (v *virtualTicker) stop() { v.cancel() }
