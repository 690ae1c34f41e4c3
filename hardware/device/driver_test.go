package device_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
)

// lidar is a distance sensor of another program.
type lidar struct {
	name   string
	period time.Duration
	value  any
	halts  int
}

func (l *lidar) Name() string              { return l.name }
func (l *lidar) Period() time.Duration     { return l.period }
func (l *lidar) Open(hardware.Clock) error { return nil }
func (l *lidar) Poll(time.Time) (hardware.Sample, error) {
	return hardware.Sample{Quality: hardware.OK, Value: l.value}, nil
}
func (l *lidar) Apply(time.Time, hardware.Command) error { return nil }
func (l *lidar) Halt() error                             { l.halts++; return nil }

// timedLidar wants an extra poll.
type timedLidar struct {
	lidar
	at time.Time
}

func (l *timedLidar) Deadline() time.Time { return l.at }

func made(driver device.Driver) (hardware.Device, error) {
	return device.New(hardware.Range, device.Board{Drivers: device.Drivers{hardware.Range: driver}}, nil, nil)
}

func of(dev hardware.Device) device.Driver {
	return func(device.Board, *device.Safety, hardware.BusPermit) (hardware.Device, error) { return dev, nil }
}

func TestDriverOfAProgramTakesThePlaceOfTheBuiltInOne(t *testing.T) {
	own := &lidar{hardware.Range, 20 * time.Millisecond, &hardware.RangeState{DistanceMM: 123, Found: true}, 0}
	dev, err := made(of(own))
	if err != nil {
		t.Fatal(err)
	}
	s, err := dev.Poll(time.Unix(1, 0))
	if state, ok := s.Value.(*hardware.RangeState); err != nil || !ok || state.DistanceMM != 123 || dev.Period() != 20*time.Millisecond {
		t.Errorf("%+v, %v", s, err)
	}
	if _, ok := dev.(hardware.Deadliner); ok {
		t.Error("it has deadlines")
	}
	at := time.Unix(5, 0)
	dev, err = made(of(&timedLidar{*own, at}))
	if d, ok := dev.(hardware.Deadliner); err != nil || !ok || !d.Deadline().Equal(at) {
		t.Errorf("%v: its deadline is lost", err)
	}
	if err := dev.Halt(); err != nil {
		t.Error(err)
	}
}

// What a driver gets wrong is an error of its device, where the actor of the device restarts it, and never a panic of a tick.
func TestDriverThatBreaksTheContractFailsItsDeviceAlone(t *testing.T) {
	const period = 20 * time.Millisecond
	none := errors.New("no such thing")
	for want, driver := range map[string]device.Driver{
		"the driver of range returns no device and no error":        of(nil),
		`the driver of range returns a device named "sonar"`:        of(&lidar{"sonar", period, nil, 0}),
		"the driver of range has a period of 0s; want 1ms to 10s":   of(&lidar{hardware.Range, 0, nil, 0}),
		"the driver of range has a period of 1m0s; want 1ms to 10s": of(&lidar{hardware.Range, time.Minute, nil, 0}),
		"the driver of range: no such thing":                        func(device.Board, *device.Safety, hardware.BusPermit) (hardware.Device, error) { return nil, none },
	} {
		if dev, err := made(driver); dev != nil || err == nil || err.Error() != want {
			t.Errorf("got %v, %v; want %q", dev, err, want)
		}
	}
	var nowhere *hardware.RangeState
	for _, value := range []any{nil, 12.5, hardware.TouchState{}, nowhere} {
		dev, err := made(of(&lidar{hardware.Range, period, value, 0}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dev.Poll(time.Unix(1, 0)); err == nil || !strings.Contains(err.Error(), "which is no reading of range") {
			t.Errorf("%T: %v", value, err)
		}
	}
}

func TestDriverIsNamedAfterASubsystemAndHasCode(t *testing.T) {
	some := of(&lidar{})
	for want, drivers := range map[string]device.Drivers{
		"":                             {hardware.Range: some, hardware.Speaker: some},
		`no subsystem is named "rnge"`: {"rnge": some},
		`the driver of "range" is nil`: {hardware.Range: nil},
	} {
		err := drivers.Check()
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// Every subsystem has a type of reading that fits, and no other does.
func TestReadingFitsItsSubsystemAlone(t *testing.T) {
	readings := map[string]any{
		hardware.Battery: hardware.BatteryState{}, hardware.Charger: hardware.ChargerState{}, hardware.Cliff: hardware.CliffState{},
		hardware.Display: hardware.DisplayState{}, hardware.IMU: hardware.IMUState{}, hardware.Lights: hardware.LightsState{},
		hardware.Motors: hardware.MotorState{}, hardware.Range: hardware.RangeState{}, hardware.Servos: hardware.ServoState{},
		hardware.Speaker: hardware.SpeakerState{}, hardware.Touch: hardware.TouchState{}, hardware.Vision: hardware.Detections{},
	}
	for _, name := range hardware.Names {
		for of, value := range readings {
			if got := hardware.Fits(name, value); got != (of == name) {
				t.Errorf("%T fits %s: %v", value, name, got)
			}
		}
		var snapshot hardware.Snapshot
		snapshot.Put(hardware.Sample{Device: name, Quality: hardware.OK, Value: readings[name]}) // panics if the two disagree
	}
	if hardware.Fits("arm", hardware.RangeState{}) {
		t.Error("there is no arm")
	}
}
