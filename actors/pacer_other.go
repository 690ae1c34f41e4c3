//go:build !linux

package actors

func newWaiter() waiterClock { return newTimerWaiter() }
