package device_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/profile"
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

// A number that is none, or infinite, would stay in the pose and in what is made of it for ever: it is an error of the device, which says where it
// stands.
func TestReadingThatIsNoNumberIsAnErrorOfItsDevice(t *testing.T) {
	for _, c := range []struct {
		subsystem string
		value     any
		want      string
	}{
		{hardware.Range, hardware.RangeState{DistanceMM: math.NaN(), Found: true}, "DistanceMM is NaN"},
		{hardware.Range, &hardware.RangeState{DistanceMM: math.Inf(1)}, "DistanceMM is +Inf"},
		{hardware.IMU, hardware.IMUState{GyroRadPS: [3]float64{0, 0, math.Inf(-1)}}, "GyroRadPS[2] is -Inf"},
		{hardware.Display, hardware.DisplayState{Lid: math.NaN()}, "Lid is NaN"},
		{hardware.Vision, hardware.Detections{Faces: []hardware.Face{{}, {BearingRad: math.NaN()}}}, "Faces[1].BearingRad is NaN"},
		{hardware.Range, hardware.RangeState{DistanceMM: 9}, ""},
	} {
		own := &lidar{name: c.subsystem, period: 20 * time.Millisecond, value: c.value}
		dev, err := device.New(c.subsystem, device.Board{Drivers: device.Drivers{c.subsystem: of(own)}}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = dev.Poll(time.Unix(1, 0))
		var de *hardware.DeviceError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%v", err)
		case c.want != "" && (!errors.As(err, &de) || de.Cause != hardware.CauseRange || !strings.HasSuffix(err.Error(), "infinite: "+c.want)):
			t.Errorf("%s %+v: %v, want %s", c.subsystem, c.value, err, c.want)
		}
	}
}

// A driver that only measures: without this its readings would be taken for those of a robot of the reference robot's size.
func TestReadingsOfADriverTellHowTheRobotIsBuilt(t *testing.T) {
	own := []string{"own"}
	parse := func(parts string) *profile.Profile {
		t.Helper()
		robot, diags := profile.Parse("robot.json", []byte(`{
			"robot": "robot", "title": "Big", "buses": {"main": {}}, "parts": {`+parts+`},
			"body": {"front_mm": 120, "back_mm": 110, "width_mm": 150}
		}`), profile.Words{"drive": own, "head": own, "lift": own, "cliff": own, "range": own, "battery": own})
		if robot == nil || diags != nil {
			t.Fatal(diags)
		}
		return robot
	}
	big := parse(`
		"drive": {"driver": "own", "tread_mm": 200, "wheel_mm": 65, "max_mmps": 600},
		"head": {"driver": "own", "low_deg": -10, "high_deg": 45, "speed_degps": 90},
		"cliff": {"driver": "own", "sensors": [{"x_mm": 70, "y_mm": 15}, {"x_mm": 70, "y_mm": -15}]},
		"range": {"driver": "own", "x_mm": -20, "cone_deg": 15, "onHead": true},
		"battery": {"driver": "own", "cells": 2}`)
	bare := parse(`
		"drive": {"driver": "own", "tread_mm": 200, "wheel_mm": 65, "max_mmps": 600},
		"lift": {"driver": "own", "low_mm": 20, "high_mm": 80, "speed_mmps": 90},
		"range": {"driver": "own", "onHead": true}`)
	cone, low := big.Range.ConeDeg*math.Pi/180, big.Head.Low*math.Pi/180
	mounts := [4]hardware.Mount{{XMM: 70, YMM: 15}, {XMM: 70, YMM: -15}}
	elsewhere := [4]hardware.Mount{{XMM: 90}, {XMM: 90}, {XMM: -90}, {XMM: -90}}
	body := hardware.Outline{FrontMM: 120, BackMM: 110, WidthMM: 150}
	for _, c := range []struct {
		robot      *profile.Profile
		subsystem  string
		from, want any
	}{
		{big, hardware.Motors, hardware.MotorState{LeftMM: 7}, hardware.MotorState{LeftMM: 7, TreadMM: 200, Body: body}},
		{bare, hardware.Motors, hardware.MotorState{TreadMM: 190}, hardware.MotorState{TreadMM: 190, Body: body, Edgeless: true}},
		{big, hardware.Cliff, hardware.CliffState{Detected: [4]bool{true}}, hardware.CliffState{Detected: [4]bool{true}, Mounts: mounts}},
		{big, hardware.Cliff, hardware.CliffState{Detected: [4]bool{true, true}}, hardware.CliffState{Detected: [4]bool{true, true}, Mounts: mounts, AllVoid: true}},
		{big, hardware.Cliff, hardware.CliffState{Detected: [4]bool{true, true}, Mounts: elsewhere}, hardware.CliffState{Detected: [4]bool{true, true}, Mounts: elsewhere}},
		{big, hardware.Range, hardware.RangeState{DistanceMM: 9}, hardware.RangeState{DistanceMM: 9, FrontMM: -20, ConeRad: cone, OnHead: true}},
		{big, hardware.Range, hardware.RangeState{FrontMM: 5}, hardware.RangeState{FrontMM: 5, ConeRad: cone, OnHead: true}},
		{big, hardware.Range, hardware.RangeState{ConeRad: 0.1}, hardware.RangeState{FrontMM: -20, ConeRad: 0.1, OnHead: true}},
		{bare, hardware.Range, hardware.RangeState{}, hardware.RangeState{FrontMM: 120, ConeRad: bare.Range.ConeDeg * math.Pi / 180}}, // it has no head
		{big, hardware.Battery, hardware.BatteryState{Volts: 8.16, Amps: -1}, hardware.BatteryState{Volts: 8.16, Amps: -1, Cells: 2, LowVolts: big.Battery.LowVolts, Ratio: 1}},
		{big, hardware.Battery, hardware.BatteryState{Volts: 8.4, Ratio: 0.2}, hardware.BatteryState{Volts: 8.4, Cells: 2, LowVolts: big.Battery.LowVolts, Ratio: 0.2}},
		{big, hardware.Battery, hardware.BatteryState{Volts: 11, Cells: 3}, hardware.BatteryState{Volts: 11, Cells: 3, LowVolts: big.Battery.LowVolts / 2 * 3}},
		{big, hardware.Battery, hardware.BatteryState{LowVolts: 9}, hardware.BatteryState{Cells: 2, LowVolts: 9}},
		{big, hardware.Servos, hardware.ServoState{HeadRad: 1}, hardware.ServoState{HeadRad: 1, NoLift: true, HeadLowRad: low, EndsTold: true, HeadHighRad: math.Pi / 4, TopsTold: true}},
		{big, hardware.Servos, hardware.ServoState{HeadLowRad: -0.5}, hardware.ServoState{NoLift: true, HeadLowRad: -0.5, EndsTold: true, HeadHighRad: math.Pi / 4, TopsTold: true}},
		{big, hardware.Servos, hardware.ServoState{EndsTold: true}, hardware.ServoState{NoLift: true, EndsTold: true, HeadHighRad: math.Pi / 4, TopsTold: true}},
		{bare, hardware.Servos, hardware.ServoState{}, hardware.ServoState{NoHead: true, LiftLowMM: 20, EndsTold: true, LiftHighMM: 80, TopsTold: true}},
		{big, hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{2000, 3000, 6000}}, hardware.IMUState{AccelMMPS2: [3]float64{2000, 3000, 6000}, PeakAccelMMPS2: 7000}},
		{big, hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, 9810}, PeakAccelMMPS2: 20000}, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, 9810}, PeakAccelMMPS2: 20000}},
		{big, hardware.Touch, hardware.TouchState{Touched: true}, hardware.TouchState{Touched: true}},
	} {
		behind := reflect.New(reflect.TypeOf(c.from))
		behind.Elem().Set(reflect.ValueOf(c.from))
		for _, value := range []any{c.from, behind.Interface()} {
			own := &lidar{c.subsystem, 20 * time.Millisecond, value, 0}
			dev, err := device.New(c.subsystem, device.Board{Profile: c.robot, Drivers: device.Drivers{c.subsystem: of(own)}}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			s, err := dev.Poll(time.Unix(1, 0))
			if got := reflect.Indirect(reflect.ValueOf(s.Value)).Interface(); err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%T of %s:\n got %+v, %v\nwant %+v", value, c.subsystem, got, err, c.want)
			}
		}
		if got := behind.Elem().Interface(); !reflect.DeepEqual(got, c.from) {
			t.Errorf("the driver's own %+v became %+v", c.from, got)
		}
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
		snapshot.Put(&hardware.Sample{Device: name, Quality: hardware.OK, Value: readings[name]}) // panics if the two disagree
	}
	if hardware.Fits("arm", hardware.RangeState{}) {
		t.Error("there is no arm")
	}
}
