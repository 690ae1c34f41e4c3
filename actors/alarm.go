package actors

import "time"

// An alarm wakes the watchdog. Only the engine's goroutine sets, stops and closes it; ring runs on another one, and may
// still run once after stop.
type alarm interface {
	// set makes it ring once, after d, whatever was set before.
	set(d time.Duration)
	stop()
	close()
}

// timerAlarm rings with the runtime's timers, which the netpoller rounds up to a millisecond.
type timerAlarm struct{ timer *time.Timer }

func newTimerAlarm(ring func()) *timerAlarm {
	a := &timerAlarm{timer: time.AfterFunc(time.Hour, ring)}
	a.timer.Stop()
	return a
}

func (a *timerAlarm) set(d time.Duration) { a.timer.Reset(d) }
func (a *timerAlarm) stop()               { a.timer.Stop() }
func (a *timerAlarm) close()              { a.timer.Stop() }
