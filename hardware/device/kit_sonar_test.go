package device_test

import (
	"math"
	"testing"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

// sonarKit is a robot with an echo sonar, and a battery on an 8-bit converter.
const sonarKit = `{
  "robot": "kit", "title": "Sonar",
  "buses": {"main": {"speed_kHz": 100}},
  "lines": {"TRIG": {"name": "GPIO27"}, "ECHO": {"name": "GPIO22"}},
  "chips": {"adc": {"chip": "KIND", "address": "0x48"}},
  "parts": {
    "range": {"driver": "sonar", "trigger": "TRIG", "echo": "ECHO", "max_mm": 2000},
    "battery": {"driver": "adc", "chip": "adc", "channel": 2, "factor": FACTOR, "fullScale_V": FULL, "cells": 2}
  },
  "body": {"front_mm": 100, "back_mm": 100, "width_mm": 150}
}`

// newSonar is that kit in front of something, or of nothing.
func newSonar(t *testing.T, mm *float64) *kit {
	k := newKit(t, replaced(sonarKit, "KIND", "ads7830", "FACTOR", "2", "FULL", "5.2"))
	emul.NewSonar(k.lines, "TRIG", "ECHO", k.clk.Now, func() (float64, bool) { return *mm, *mm > 0 })
	return k
}

func TestSonarTellsTheMiddleOfThreeEchoes(t *testing.T) {
	mm := 500.0
	k := newSonar(t, &mm)
	d := k.device(hardware.Range)
	if err := d.Open(k.clk); err != nil {
		t.Fatal(err)
	}
	poll := func() hardware.RangeState {
		t.Helper()
		k.clk.Sleep(d.Period())
		s, err := d.Poll(k.clk.Now())
		if err != nil || s.Quality != hardware.OK {
			t.Fatal(s.Quality, err)
		}
		return *s.Value.(*hardware.RangeState)
	}
	for _, c := range []struct {
		mm, want float64
		found    bool
	}{
		{500, 500, false},
		{500, 500, false},
		{500, 500, false},
		{200, 500, false}, // the measurement of 500 is still taken, and one of 200 changes nothing
		{500, 500, false},
		{500, 500, false},
		{300, 500, false},
		{300, 500, false},
		{300, 300, true},
		{0, 300, true},
		{0, 300, true},
		{0, 2000, false},
	} {
		mm = c.mm
		if s := poll(); math.Abs(s.DistanceMM-c.want) > 5 || s.Found != c.found {
			t.Errorf("at %v mm: %+v, want %v mm, found %v", c.mm, s, c.want, c.found)
		}
	}
}

func TestVoltmeterUsesEachConverter(t *testing.T) {
	// Raw values of the maker's two boards at 7.4 V: 191 and 181.
	for _, c := range []struct {
		kind, factor, full string
		chip               func(k *kit, volts func(int) float64) emul.Chip
		input              float64
	}{
		{"ads7830", "2", "5.2", func(_ *kit, v func(int) float64) emul.Chip { return emul.NewADS7830(5.2, v) }, 3.7},
		{"pcf8591", "3", "3.3", func(_ *kit, v func(int) float64) emul.Chip { return emul.NewPCF8591(3.3, v) }, 7.4 / 3},
		{"ads1115", "4", "4.096", func(k *kit, v func(int) float64) emul.Chip { return emul.NewADS1115(emul.Since(k.clk.Now), v) }, 7.4 / 4},
		{"ads1115", "1.6", "6", func(k *kit, v func(int) float64) emul.Chip { return emul.NewADS1115(emul.Since(k.clk.Now), v) }, 7.4 / 1.6}, // above its usual range
	} {
		k := newKit(t, replaced(sonarKit, "KIND", c.kind, "FACTOR", c.factor, "FULL", c.full))
		k.bus.Attach(0x48, c.chip(k, func(ch int) float64 {
			if ch == 2 {
				return c.input
			}
			return 1
		}))
		d := k.device(hardware.Battery)
		k.runner(d)
		s, err := d.Poll(k.clk.Now())
		if err != nil {
			t.Fatal(err)
		}
		if b := s.Value.(*hardware.BatteryState); math.Abs(b.Volts-7.4) > 0.05 || b.Cells != 2 {
			t.Errorf("%s: %+v", c.kind, b)
		}
	}
}

func TestKitSonarKeepsTheContract(t *testing.T) {
	hwtest.Contract(t, func() (hardware.Device, *hwtest.Env) {
		mm := 700.0
		k := newSonar(t, &mm)
		return k.device(hardware.Range), &hwtest.Env{
			Clock: k.clk, Fresh: func() hardware.Device { return k.device(hardware.Range) },
			Break: func() { k.lines.Unplug("ECHO", true) }, Mend: func() { k.lines.Unplug("ECHO", false) },
		}
	})
}
