package clock

import "time"

// An Alarm calls a function, ring, at an instant. One goroutine sets, stops and closes it; ring runs on another one, and may
// still run once after Stop.
type Alarm interface {
	// Set makes it ring once, after d, whatever was set before.
	Set(d time.Duration)
	Stop()
	Close()
}

// timerAlarm rings with the runtime's timers, which the netpoller rounds up to a millisecond.
type timerAlarm struct{ timer *time.Timer }

// NewTimerAlarm makes an alarm that is cheap to set and may ring a millisecond late.
func NewTimerAlarm(ring func()) Alarm {
	a := &timerAlarm{timer: time.AfterFunc(time.Hour, ring)}
	a.timer.Stop()
	return a
}

func (a *timerAlarm) Set(d time.Duration) { a.timer.Reset(d) }
func (a *timerAlarm) Stop()               { a.timer.Stop() }
func (a *timerAlarm) Close()              { a.timer.Stop() }
