//go:build !linux

package clock

import "errors"

func newWaiter() waiter { return newTimerWaiter() }

func realtimeWaiter() (waiter, error) {
	return nil, errors.New("robotd knows real-time threads of Linux only")
}
