package device_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

// sensesKit is a robot with the senses of kits: line sensors as cliffs, a battery behind a divider, and a buzzer.
const sensesKit = `{
  "robot": "kit", "title": "Senses",
  "buses": {"main": {}},
  "lines": {"LEFT": {"name": "GPIO14"}, "MIDDLE": {"name": "GPIO15"}, "RIGHT": {"name": "GPIO23"}, "BUZZ": {"name": "GPIO17"}},
  "chips": {"adc": {"chip": "ads1115", "address": "0x48"}},
  "parts": {
    "cliff": {"driver": "digital", "sensors": [
      {"line": "LEFT", "x_mm": 70, "y_mm": 15}, {"line": "MIDDLE", "x_mm": 70, "y_mm": 0}, {"line": "RIGHT", "x_mm": 70, "y_mm": -15}]},
    "battery": {"driver": "adc", "chip": "adc", "channel": 2, "factor": 4, "fullScale_V": 4.096, "cells": 3},
    "speaker": {"driver": "buzzer", "line": "BUZZ"}
  },
  "body": {"front_mm": 100, "back_mm": 100, "width_mm": 150}
}`

// newSenses is that kit with a battery of so many volts.
func newSenses(t *testing.T, volts *float64) *kit {
	k := newKit(t, sensesKit)
	k.bus.Attach(0x48, emul.NewADS1115(emul.Since(k.clk.Now), func(ch int) float64 {
		if ch != 2 {
			return 0
		}
		return *volts / 4
	}))
	return k
}

func TestLineSensorsAreCliffsAtTheirPlace(t *testing.T) {
	volts := 11.0
	k := newSenses(t, &volts)
	d := k.device(hardware.Cliff)
	k.runner(d)
	poll := func() hardware.CliffState {
		k.clk.Sleep(d.Period())
		s, err := d.Poll(k.clk.Now())
		if err != nil {
			t.Fatal(err)
		}
		return *s.Value.(*hardware.CliffState)
	}
	for _, c := range []struct {
		left, middle, right bool
		want                [4]bool
		all                 bool
	}{
		{want: [4]bool{}},
		{left: true, want: [4]bool{true, false, false, false}},
		{right: true, want: [4]bool{false, true, false, false}},
		{middle: true, want: [4]bool{true, true, false, false}},
		{left: true, middle: true, right: true, want: [4]bool{true, true, false, false}, all: true},
	} {
		k.lines.SetInput("LEFT", c.left)
		k.lines.SetInput("MIDDLE", c.middle)
		k.lines.SetInput("RIGHT", c.right)
		for range 3 {
			poll()
		}
		if s := poll(); s.Detected != c.want || s.AllVoid != c.all {
			t.Errorf("%+v: %+v", c, s)
		}
	}
	k.lines.SetInput("LEFT", false)
	k.lines.SetInput("MIDDLE", false)
	k.lines.SetInput("RIGHT", false)
	for n := range 3 { // a void stays until the floor was seen three times
		if s := poll(); s.Any() != (n < 2) {
			t.Errorf("floor for the %d. time: %+v", n+1, s)
		}
	}
}

// A scan of line sensors feeds the reflex: its age is that of the newest scan.
func TestLineSensorsFeedTheReflex(t *testing.T) {
	volts := 11.0
	k := newSenses(t, &volts)
	d := k.device(hardware.Cliff)
	k.runner(d)
	if age, cliff := k.safety.CliffAge(k.clk.Now()); age > 10*time.Millisecond || cliff {
		t.Errorf("age %v, cliff %v", age, cliff)
	}
	k.lines.SetInput("MIDDLE", true)
	k.clk.Sleep(d.Period())
	if _, err := d.Poll(k.clk.Now()); err != nil {
		t.Fatal(err)
	}
	if _, cliff := k.safety.CliffAge(k.clk.Now()); !cliff {
		t.Error("the stop path was not told of the cliff")
	}
}

func TestVoltmeterTellsVoltsOfAllCellsAndACalmCharge(t *testing.T) {
	volts := 11.4 // 3.8 V a cell
	k := newSenses(t, &volts)
	d := k.device(hardware.Battery)
	r := k.runner(d)
	read := func() hardware.BatteryState {
		s, err := d.Poll(k.clk.Now())
		if err != nil {
			t.Fatal(err)
		}
		return *s.Value.(*hardware.BatteryState)
	}
	before := read()
	if math.Abs(before.Volts-11.4) > 0.01 || before.Cells != 3 || before.Amps != 0 || before.Ratio < 0.5 || before.Ratio > 0.6 {
		t.Errorf("%+v", before)
	}
	volts = 10.5 // the wheels start
	r.Run(400*time.Millisecond, nil)
	if s := read(); math.Abs(s.Volts-10.5) > 0.01 || s.Ratio < before.Ratio-0.1 {
		t.Errorf("while the wheels start: %+v", s)
	}
	r.Run(time.Minute, nil)
	if s := read(); s.Ratio > 0.12 {
		t.Errorf("after a minute at 3.5 V a cell: %+v", s)
	}
	volts = 3 // the switch is off
	k.clk.Sleep(time.Second)
	if s, err := d.Poll(k.clk.Now()); err != nil || s.Quality != hardware.Stale {
		t.Errorf("without a battery: %v, %v", s.Quality, err)
	}
}

func TestBuzzerBeepsAndFallsSilent(t *testing.T) {
	volts := 11.0
	k := newSenses(t, &volts)
	rises := 0
	level := false
	k.lines.OnOutput("BUZZ", func(high bool) {
		if high && !level {
			rises++
		}
		level = high
	})
	d := k.device(hardware.Speaker)
	r := k.runner(d)
	k.apply(d, hardware.PlaySound{ID: 1, Clip: "chirp"})
	r.Run(2*time.Second, nil)
	if rises != 2 || level {
		t.Errorf("a clip: %d beeps, high %v", rises, level)
	}
	rises = 0
	k.apply(d, hardware.PlaySound{ID: 2, Text: "hello people"}) // 12 characters
	r.Run(3*time.Second, nil)
	if rises != 3 || level {
		t.Errorf("a text: %d beeps, high %v", rises, level)
	}
	k.apply(d, hardware.PlaySound{ID: 3, Clip: "chirp"})
	if _, err := d.Poll(k.clk.Now()); err != nil || !level {
		t.Fatalf("silent at the begin: %v", err)
	}
	k.apply(d, hardware.StopSound{})
	if level {
		t.Error("still sounds after a stop")
	}
}

func TestKitSensesKeepTheContract(t *testing.T) {
	volts := 11.0
	for _, name := range []string{hardware.Cliff, hardware.Battery, hardware.Speaker} {
		t.Run(name, func(t *testing.T) {
			hwtest.Contract(t, func() (hardware.Device, *hwtest.Env) {
				k := newSenses(t, &volts)
				env := &hwtest.Env{Clock: k.clk, Fresh: func() hardware.Device { return k.device(name) }}
				line := map[string]string{hardware.Cliff: "MIDDLE", hardware.Speaker: "BUZZ"}[name]
				env.Break = func() { k.lines.Unplug(line, true) }
				env.Mend = func() { k.lines.Unplug(line, false) }
				switch name {
				case hardware.Battery:
					env.Break = func() { k.bus.SetFault(0x48, emul.Fault{Absent: true}) }
					env.Mend = func() { k.bus.SetFault(0x48, emul.Fault{}) }
				case hardware.Speaker:
					env.Commands = []hardware.Command{hardware.PlaySound{ID: 1, Text: "hello"}, hardware.StopSound{}}
				}
				return k.device(name), env
			})
		})
	}
}

// Without a charger nothing helps an empty battery but its owner: the wheels stand, with the reason, and stay so although it recovers.
func TestEmptyBatteryWithoutAChargerStopsTheWheels(t *testing.T) {
	volts := 11.1
	src := strings.Replace(strings.Replace(twoWheels, `"chips": {`, `"chips": {"adc": {"chip": "ads1115", "address": "0x48"}, `, 1), `"parts": {`,
		`"parts": {"battery": {"driver": "adc", "chip": "adc", "channel": 2, "factor": 4, "fullScale_V": 4.096, "cells": 3}, `, 1)
	k := newKit(t, src)
	k.bus.Attach(0x48, emul.NewADS1115(emul.Since(k.clk.Now), func(int) float64 { return volts / 4 }))
	motors, battery := k.device(hardware.Motors), k.device(hardware.Battery)
	r := k.runner(motors, battery)
	id := uint64(0)
	drive := func(d time.Duration) hardware.MotorState {
		t.Helper()
		id++
		for end := k.clk.Now().Add(d); k.clk.Now().Before(end); {
			k.apply(motors, hardware.Drive{ID: id, Kind: hardware.Wheels, LeftMMPS: 50, RightMMPS: 50})
			r.Run(50*time.Millisecond, nil)
		}
		return k.state(motors)
	}
	if s := drive(time.Second); s.Phase != hardware.PhaseMoving || s.Drained {
		t.Fatalf("with 11.1 V: %+v", s)
	}
	volts = 9.9 // it sags for a moment
	drive(2 * time.Second)
	if volts = 11.1; drive(time.Second).Drained {
		t.Error("a sag of two seconds is an empty battery")
	}
	volts = 9.9
	if s := drive(40 * time.Second); s.Phase != hardware.PhaseAborted || s.Reason != device.ReasonDrain || !s.Drained {
		t.Errorf("with 9.9 V: %+v", s)
	}
	volts = 10.5 // without load it recovers, but is low
	if s := drive(60 * time.Second); s.Reason != device.ReasonDrain || !s.Drained || math.Abs(s.LeftMMPS) > 1 {
		t.Errorf("with 10.5 V: %+v", s)
	}
	volts = 12.4 // another battery
	r.Run(60*time.Second, nil)
	if s := drive(time.Second); s.Phase != hardware.PhaseMoving || s.Drained {
		t.Errorf("with another battery: %+v", s)
	}
}
