//go:build !linux

package clock

func newWaiter() waiter { return newTimerWaiter() }
