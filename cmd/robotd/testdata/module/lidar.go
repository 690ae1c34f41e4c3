package main

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
)

// failsAt is the poll at which the sensor falls off its plug, once.
const failsAt = 40

// A Lidar sees a wall, until its plug comes off.
type Lidar struct {
	polls *atomic.Int64
	state hardware.RangeState
}

// polls counts those of all incarnations.
var polls atomic.Int64

// NewLidar makes the driver of the distance sensor.
func NewLidar(device.Board, *device.Safety, hardware.BusPermit) (hardware.Device, error) {
	return &Lidar{polls: &polls, state: hardware.RangeState{DistanceMM: 150, Found: true}}, nil
}

// NewWall makes the driver that a robot's file asks for by "driver": "wall". It reads its own key of the part.
func NewWall(b device.Board, _ *device.Safety, _ hardware.BusPermit) (hardware.Device, error) {
	keys := b.Profile.Range.Keys
	if !keys.Has("wall_mm") {
		return nil, errors.New("the range part needs wall_mm, the distance of the wall")
	}
	past := &atomic.Int64{}
	past.Store(failsAt) // its plug sits
	return &Lidar{polls: past, state: hardware.RangeState{DistanceMM: keys.FloatRange("wall_mm", 30, 1200), Found: true}}, nil
}

// Name is the subsystem.
func (l *Lidar) Name() string { return hardware.Range }

// Period is the time between two measurements.
func (l *Lidar) Period() time.Duration { return 50 * time.Millisecond }

// Open has nothing to configure.
func (l *Lidar) Open(hardware.Clock) error { return nil }

// Poll measures.
func (l *Lidar) Poll(time.Time) (hardware.Sample, error) {
	if l.polls.Add(1) == failsAt {
		return hardware.Sample{}, &hardware.DeviceError{Device: hardware.Range, Op: "poll", Cause: hardware.CauseGone, Err: errors.New("the plug is off")}
	}
	return hardware.Sample{Quality: hardware.OK, Value: &l.state}, nil
}

// Apply knows no command.
func (l *Lidar) Apply(time.Time, hardware.Command) error {
	return &hardware.DeviceError{Device: hardware.Range, Op: "apply", Cause: hardware.CauseCommand}
}

// Halt has nothing to stop.
func (l *Lidar) Halt() error { return nil }
