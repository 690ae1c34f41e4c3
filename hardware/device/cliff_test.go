package device_test

import (
	"errors"
	"testing"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
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
	bus.Attach(0x48, emul.NewADS1115(emul.Since(clk.Now), func(int) float64 { return value / 1000 * 3 }))
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
	bus.Attach(0x48, emul.NewADS1115(emul.Since(clk.Now), func(int) float64 { return volts }))
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

// A converter that hangs is no converter: wherever in the round of its driver's looks it begins, the second scan fails, and after three in a
// row the cliff sensors do, so that the wheels stop.
func TestConverterThatHangsIsReportedWithinAFewScans(t *testing.T) {
	for scans := 30; scans < 30+16; scans++ {
		clk := hwtest.NewClock()
		bus := emul.NewBus("i2c-1", clk, 1)
		chip := emul.NewADS1115(emul.Since(clk.Now), func(int) float64 { return 1.8 })
		bus.Attach(0x48, chip)
		board := device.Board{Bus: func(clk hardware.Clock) i2c.Bus { return bus.For(clk) }}
		d := device.NewCliff(board, device.NewSafety(emul.NewLines()))
		if err := d.Open(clk); err != nil {
			t.Fatal(err)
		}
		poll := func() (hardware.Sample, error) {
			next := clk.Now().Add(d.Period())
			defer clk.To(next)
			return d.Poll(clk.Now())
		}
		for range scans {
			if s, err := poll(); err != nil || s.Quality != hardware.OK {
				t.Fatalf("a good chip: %v, %v", s.Quality, err)
			}
		}
		chip.SetSlowness(1000)
		if _, err := poll(); err != nil {
			t.Fatalf("after %d scans, the first: %v", scans, err)
		}
		if s, err := poll(); err != nil || s.Quality != hardware.Stale {
			t.Errorf("after %d scans, the second: %v, %v; want a stale one", scans, s.Quality, err)
		}
		_, err := poll()
		if err == nil {
			_, err = poll()
		}
		if !errors.Is(err, reg.ErrNotReady) || hardware.Classify(err) != hardware.CauseTimeout {
			t.Errorf("after %d scans, the fourth: %v", scans, err)
		}
	}
}
