package ads1115_test

import (
	"errors"
	"math"
	"testing"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/ads1115"
	"github.com/robotd/robotd/hardware/chip/reg"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

const addr = 0x48

func setup(t *testing.T) (*ads1115.Dev, *emul.ADS1115, *emul.Bus) {
	t.Helper()
	clk := hwtest.NewClock()
	bus := emul.NewBus("i2c1", clk, 1)
	chip := emul.NewADS1115(clk.Now, func(ch int) float64 { return 0.5 + 0.75*float64(ch) })
	bus.Attach(addr, chip)
	return ads1115.New(bus.For(clk), addr, clk, new(hardware.Health)), chip, bus
}

func TestEachInputReadsItsOwnVoltage(t *testing.T) {
	for _, slow := range []float64{0.9, 1, 1.1} { // the oscillator's tolerance
		d, chip, _ := setup(t)
		chip.SetSlowness(slow)
		if err := d.Init(); err != nil {
			t.Fatal(err)
		}
		for _, ch := range []int{0, 3, 1, 2, 0} {
			raw, err := d.Read(ch)
			if v, want := ads1115.Volts(raw), 0.5+0.75*float64(ch); err != nil || math.Abs(v-want) > 2e-4 {
				t.Errorf("slowness %v, input %d: %v V, %v", slow, ch, v, err)
			}
		}
	}
}

func TestTooSlowChipReportsNotReady(t *testing.T) {
	d, chip, _ := setup(t)
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	chip.SetSlowness(3)
	if _, err := d.Read(0); !errors.Is(err, reg.ErrNotReady) {
		t.Errorf("error %v", err)
	}
}

// A conversion that could not be started leaves the chip as it was: nothing was lost.
func TestRefusedStartIsNotALostConfiguration(t *testing.T) {
	d, _, bus := setup(t)
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	bus.SetFault(addr, emul.Fault{NackNext: 3}) // the start and both repetitions
	if _, err := d.Read(2); hardware.CauseOfErrno(err) != hardware.CauseNack {
		t.Fatalf("Read: %v", err)
	}
	if err := d.Verify(); err != nil {
		t.Errorf("Verify: %v", err)
	}
}

func TestBrownOutAndForeignChipAreReported(t *testing.T) {
	d, _, bus := setup(t)
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	bus.BrownOut(addr)
	if err := d.Verify(); !errors.Is(err, reg.ErrConfigLost) {
		t.Errorf("Verify: %v", err)
	}
	bus.SetFault(addr, emul.Fault{WrongID: true})
	if err := d.Init(); reg.CauseOf(err) != hardware.CauseWrongID {
		t.Errorf("Init: %v", err)
	}
}
