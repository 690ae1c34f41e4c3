//go:build !linux

package clock

// NewAlarm makes the most exact alarm of the system.
func NewAlarm(ring func()) Alarm { return NewTimerAlarm(ring) }
