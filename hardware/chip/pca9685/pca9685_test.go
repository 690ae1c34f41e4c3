package pca9685_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/pca9685"
	"github.com/robotd/robotd/hardware/chip/reg"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

const addr = 0x40

func setup(t *testing.T, freqHz float64) (*pca9685.Dev, *emul.PCA9685, *emul.Bus) {
	t.Helper()
	clk := hwtest.NewClock()
	bus, chip := emul.NewBus("i2c1", clk, 1), emul.NewPCA9685(nil)
	bus.Attach(addr, chip)
	return pca9685.New(bus.For(clk), addr, freqHz, clk, new(hardware.Health)), chip, bus
}

func TestInitConfiguresAndSwitchesOff(t *testing.T) {
	for _, hz := range []float64{50, 500, 1526} {
		d, chip, _ := setup(t, hz)
		if err := d.Init(); err != nil {
			t.Fatal(err)
		}
		if got := chip.Frequency(); math.Abs(got-hz) > hz/50 || math.Abs(got-d.FreqHz()) > 1e-9 {
			t.Errorf("%v Hz asked, %v real, %v told", hz, got, d.FreqHz())
		}
		if err := d.Set(3, 4096, 1024); err != nil {
			t.Fatal(err)
		}
		if err := d.Init(); err != nil { // on a running chip
			t.Fatal(err)
		}
		if chip.Duty(3) != 0 || chip.Duty(4) != 0 {
			t.Error("outputs on after Init")
		}
	}
}

func TestInitSwitchesAllCallOff(t *testing.T) {
	d, _, bus := setup(t, 50)
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	if err := bus.Tx(0x70, []byte{0xfa, 0, 0x10, 0, 0}, nil); err == nil {
		t.Error("the chip listens to the all-call address")
	}
}

func TestGetReadsBackWhatSetWrote(t *testing.T) {
	d, chip, _ := setup(t, 500)
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	want := []uint16{0, 1, 2048, 4095, 4096}
	if err := d.Set(11, want...); err != nil {
		t.Fatal(err)
	}
	got := make([]uint16, len(want))
	if err := d.Get(11, got); err != nil || !slices.Equal(got, want) {
		t.Errorf("read back %v, %v", got, err)
	}
	for i, w := range want {
		if chip.Duty(11+i) != float64(w)/4096 {
			t.Errorf("output %d is %v", 11+i, chip.Duty(11+i))
		}
	}
	if err := d.CheckOff(); !errors.Is(err, reg.ErrConfigLost) {
		t.Errorf("CheckOff with outputs on: %v", err)
	}
	if err := d.Halt(); err != nil || d.CheckOff() != nil {
		t.Errorf("Halt: %v, %v", err, d.CheckOff())
	}
}

func TestVerifyReportsABrownOut(t *testing.T) {
	d, _, bus := setup(t, 50)
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	bus.BrownOut(addr)
	if err := d.Verify(); !errors.Is(err, reg.ErrConfigLost) {
		t.Errorf("Verify: %v", err)
	}
	if err := d.Init(); err != nil || d.Verify() != nil {
		t.Errorf("repair: %v, %v", err, d.Verify())
	}
}

// Prescalers at 25 MHz, as computed from the data sheet's formula with rounding; cutting off instead gives one too few.
func TestPrescalerIsRounded(t *testing.T) {
	for hz, want := range map[float64]float64{50: 121, 60: 101, 100: 60, 200: 30, 1000: 5, 1526: 3} {
		d, chip, _ := setup(t, hz)
		if err := d.Init(); err != nil {
			t.Fatal(err)
		}
		if got := chip.Frequency(); math.Abs(got-25e6/4096/(want+1)) > 1e-9 {
			t.Errorf("%v Hz: %v Hz, want that of prescaler %v", hz, got, want)
		}
	}
}

// A chip whose oscillator is known gives the frequency that is told, and one that is out of all limits is not believed.
func TestTrimmedOscillatorGivesTheFrequencyThatIsTold(t *testing.T) {
	for _, osc := range []float64{23.5e6, 24.06e6, 25.6e6, 27e6} {
		d, chip, _ := setup(t, 50)
		chip.SetOscillator(osc)
		d.Trim(osc)
		if err := d.Init(); err != nil {
			t.Fatal(err)
		}
		if got := chip.Frequency(); math.Abs(got-d.FreqHz()) > 1e-9 || math.Abs(got-50) > 0.25 {
			t.Errorf("%v Hz: %v real, %v told, 50 wanted", osc, got, d.FreqHz())
		}
	}
	d, _, _ := setup(t, 50)
	if d.Trim(40e6); math.Abs(d.FreqHz()-50) > 0.25 {
		t.Errorf("with a limit of 27.5 MHz: %v Hz", d.FreqHz())
	}
}
