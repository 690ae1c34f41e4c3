package feed

import (
	"testing"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
)

func TestDeviceCountsAddUpOverIncarnations(t *testing.T) {
	b := newDeviceStats()
	sample := func(reads, errors uint64) {
		b.Observe(&event.Sample{Device: hardware.IMU, Reads: reads, Errors: errors})
	}
	sample(10, 2)
	sample(20, 3)
	b.Observe(event.Failure{Actor: "device/imu", Group: "device", Where: "poll", Reason: "nack"})
	b.Observe(event.Restart{Actor: "device/imu"})
	sample(30, 4)
	sample(5, 1) // an unreported restart
	restarts, _, _, errors, cause := b.devices[hardware.IMU].counts()
	if restarts != 1 || errors != 8 || cause != "poll: nack" {
		t.Errorf("restarts %d, errors %d, cause %q", restarts, errors, cause)
	}
	b.Observe(event.Restart{Actor: "behavior/imu"})
	if again, _, _, _, _ := b.devices[hardware.IMU].counts(); again != 1 {
		t.Error("a behavior's restart counts as the device's")
	}
}
