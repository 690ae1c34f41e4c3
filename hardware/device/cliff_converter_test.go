package device_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/profile"
)

const eightBitKit = `{
  "robot": "kit", "title": "Cliffs on eight bits",
  "buses": {"main": {"speed_kHz": 100}},
  "chips": {"adc": {"chip": "KIND", "address": "0x48"}},
  "parts": {
    "cliff": {"driver": "analog", "chip": "adc", "floor_V": 2.5, "fullScale_V": 3.3, "sensors": [
      {"channel": 2, "x_mm": 70, "y_mm": 15}, {"channel": 0, "x_mm": 70, "y_mm": -15}, {"channel": 1, "x_mm": -70, "y_mm": 15}]}
  },
  "body": {"front_mm": 100, "back_mm": 100, "width_mm": 150}
}`

func TestConvertersOfEightBitsSeeCliffsAtTheirChannels(t *testing.T) {
	for _, kind := range []string{"ads7830", "pcf8591"} {
		k := newKit(t, strings.Replace(eightBitKit, "KIND", kind, 1))
		volts := [8]float64{2.4, 2.6, 2.3}
		at := func(ch int) float64 { return volts[ch] }
		if kind == "ads7830" {
			k.bus.Attach(0x48, emul.NewADS7830(3.3, at))
		} else {
			k.bus.Attach(0x48, emul.NewPCF8591(3.3, at))
		}
		d := k.device(hardware.Cliff)
		k.runner(d)
		poll := func() hardware.CliffState {
			t.Helper()
			k.clk.Sleep(d.Period())
			s, err := d.Poll(k.clk.Now())
			if err != nil || s.Quality != hardware.OK {
				t.Fatal(kind, s.Quality, err)
			}
			return *s.Value.(*hardware.CliffState)
		}
		if s := poll(); s.Any() {
			t.Errorf("%s: a cliff on the floor: %+v", kind, s)
		}
		volts[2] = 0.1
		if s := poll(); s.Detected != [4]bool{true, false, false, false} {
			t.Errorf("%s: the left front sensor over a void: %+v", kind, s)
		}
		volts[2], volts[0] = 2.3, 3.29 // shorted to the supply: more than any floor
		k.clk.Sleep(d.Period())
		if s, err := d.Poll(k.clk.Now()); err == nil && s.Quality == hardware.OK {
			t.Errorf("%s: a shorted sensor is believed", kind)
		}
	}
}

// Equal readings of eight bits are no freeze for a while, but all of them for two seconds of driving are.
func TestConverterOfEightBitsThatStandsStillIsNoticedLate(t *testing.T) {
	k := newKit(t, strings.Replace(eightBitKit, "KIND", "ads7830", 1))
	k.bus.Attach(0x48, emul.NewADS7830(3.3, func(int) float64 { return 2.4 }))
	owner, err := k.safety.Own(device.Wiring{Drive: &profile.Drive{}, Cut: func() error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	d := k.device(hardware.Cliff)
	k.runner(d)
	k.safety.Guard(owner, [4]bool{true, true, true, true})
	if err := k.safety.Enable(owner, k.clk.Now()); err != nil {
		t.Fatal(err)
	}
	for n := range 300 {
		k.clk.Sleep(10 * time.Millisecond)
		k.safety.Alive(owner, k.clk.Now())
		if _, err := d.Poll(k.clk.Now()); err != nil {
			if hardware.Classify(err) != hardware.CauseFrozen || n < 150 {
				t.Errorf("after %d scans: %v", n, err)
			}
			return
		}
	}
	t.Error("three seconds without a change were not noticed")
}
