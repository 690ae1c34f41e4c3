package feed

import (
	"testing"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
)

func TestDeviceCountsAddUpOverIncarnations(t *testing.T) {
	b := NewDevices()
	sample := func(reads, errors uint64) {
		b.Observe(&event.Sample{Device: hardware.IMU, Reads: reads, Errors: errors})
	}
	sample(10, 2)
	sample(20, 3)
	b.Observe(event.Failure{Actor: "device/imu", Group: "device", Where: "poll", Reason: "nack"})
	b.Observe(event.Restart{Actor: "device/imu"})
	sample(30, 4)
	sample(5, 1) // an unreported restart
	if got, want := b.Of(hardware.IMU), (DeviceCounts{Restarts: 1, Errors: 8, Cause: "poll: nack"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	was := b.Changes()
	b.Observe(event.Restart{Actor: "behavior/imu"})
	sample(6, 1)
	if got := b.Of(hardware.IMU); got.Restarts != 1 || b.Changes() != was {
		t.Errorf("a behavior's restart counts as the device's: %+v, %d changes", got, b.Changes()-was)
	}
	sample(7, 2)
	if b.Changes() != was+1 {
		t.Error("an error is no change")
	}
}
