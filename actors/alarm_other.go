//go:build !linux

package actors

func newAlarm(ring func()) alarm { return newTimerAlarm(ring) }
