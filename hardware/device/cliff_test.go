package device_test

import (
	"testing"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/profile"
)

// A sensor reports a cliff below 300 and takes it back above 350 only; what lies between changes nothing.
// Rules: CLF-1.
func TestCliffThresholdHasHysteresis(t *testing.T) {
	clk, value := hwtest.NewClock(), 600.0
	bus := emul.NewBus("i2c-1", clk, 1)
	bus.Attach(0x48, emul.NewADS1115(clk.Now, func(int) float64 { return value / 1000 * 3 }))
	board := device.Board{Bus: func(hardware.Clock) i2c.Bus { return bus }}
	d := device.NewCliff(board, device.NewSafety(emul.NewLines()))
	if err := d.Open(clk); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		raw  float64
		want bool
	}{{600, false}, {310, false}, {290, true}, {340, true}, {360, false}, {310, false}} {
		value = c.raw
		s, err := d.Poll(clk.Now())
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Value.(*hardware.CliffState).Detected; got != [4]bool{c.want, c.want, c.want, c.want} {
			t.Errorf("at %v: %v, want %v", c.raw, got, c.want)
		}
		clk.Sleep(d.Period())
	}
}

// The same light is floor for a sensor whose floor was measured dark, and void for the others, whose floor is that of the profile.
// Rules: CLF-2.
func TestCliffThresholdIsAShareOfTheMeasuredFloor(t *testing.T) {
	clk, volts := hwtest.NewClock(), 0.0
	bus := emul.NewBus("i2c-1", clk, 1)
	bus.Attach(0x48, emul.NewADS1115(clk.Now, func(int) float64 { return volts }))
	board := device.Board{
		Bus:         func(hardware.Clock) i2c.Bus { return bus },
		Calibration: profile.Calibration{profile.Of(profile.KeyFloor, "0"): 1.2},
	}
	d := device.NewCliff(board, device.NewSafety(emul.NewLines()))
	if err := d.Open(clk); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		volts float64
		want  [4]bool
	}{
		{1.2, [4]bool{}},                        // over its dark floor
		{0.6, [4]bool{false, true, true, true}}, // half of that; a fifth of the floor of the others
		{0.3, [4]bool{true, true, true, true}},
	} {
		volts = c.volts
		s, err := d.Poll(clk.Now())
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Value.(*hardware.CliffState).Detected; got != c.want {
			t.Errorf("at %v V: %v, want %v", c.volts, got, c.want)
		}
		clk.Sleep(d.Period())
	}
}
