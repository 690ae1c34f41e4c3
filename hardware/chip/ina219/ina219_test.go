package ina219_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/ina219"
	"github.com/robotd/robotd/hardware/chip/reg"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

const addr = 0x45

// bench is a chip with a battery.
type bench struct {
	clk         *hwtest.Clock
	bus         *emul.Bus
	dev         *ina219.Dev
	volts, amps float64
}

func newBench(opts *ina219.Opts) *bench {
	b := &bench{clk: hwtest.NewClock(), volts: 7.4, amps: 0.8}
	b.bus = emul.NewBus("i2c1", b.clk, 1)
	chip := emul.NewINA219(func() (float64, float64) { return b.volts, b.amps })
	chip.SetNow(b.clk.Now)
	if opts != nil {
		chip.SetShunt(opts.ShuntOhm)
	}
	b.bus.Attach(addr, chip)
	b.dev = ina219.New(b.bus.For(b.clk), addr, b.clk, new(hardware.Health), opts)
	return b
}

// register reads one from outside the driver.
func (b *bench) register(t *testing.T, r byte) uint16 {
	t.Helper()
	var v [2]byte
	if err := b.bus.Tx(addr, []byte{r}, v[:]); err != nil {
		t.Fatal(err)
	}
	return uint16(v[0])<<8 | uint16(v[1])
}

func TestReadMeasuresBothDirectionsAndReportsABrownOut(t *testing.T) {
	b := newBench(nil)
	if err := b.dev.Init(); err != nil {
		t.Fatal(err)
	}
	for _, b.amps = range []float64{0.8, -0.45, 2.9} {
		b.clk.Sleep(200 * time.Millisecond)
		v, a, err := b.dev.Read()
		if err != nil || math.Abs(v-b.volts) > 0.005 || math.Abs(a-b.amps) > 0.001 {
			t.Errorf("%v V, %v A, %v; want %v V, %v A", v, a, err, b.volts, b.amps)
		}
	}
	b.bus.BrownOut(addr)
	if err := b.dev.Verify(); !errors.Is(err, reg.ErrConfigLost) {
		t.Errorf("Verify: %v", err)
	}
	if err := b.dev.Init(); err != nil || b.dev.Verify() != nil {
		t.Errorf("repair: %v", err)
	}
}

// Range and step of the usual shunts, by the data sheet: ±40, 80, 160 and 320 mV at 10 µV.
func TestEachShuntHasItsRangeAndStep(t *testing.T) {
	for _, c := range []struct {
		ohm    float64
		ranges [4]float64 // A
		step   float64    // A
	}{
		{0.1, [4]float64{0.4, 0.8, 1.6, 3.2}, 0.0001},
		{0.05, [4]float64{0.8, 1.6, 3.2, 6.4}, 0.0002},
		{0.02, [4]float64{2, 4, 8, 16}, 0.0005},
		{0.01, [4]float64{4, 8, 16, 32}, 0.001},
		{0.002, [4]float64{20, 40, 80, 160}, 0.005},
	} {
		for gain, amps := range c.ranges {
			b := newBench(&ina219.Opts{ShuntOhm: c.ohm, MaxVolts: 16, MaxAmps: amps})
			if err := b.dev.Init(); err != nil {
				t.Fatal(err)
			}
			if cfg := b.register(t, 0); cfg != 0x019f|uint16(gain)<<11 {
				t.Errorf("%v Ω, %v A: configuration %#04x", c.ohm, amps, cfg)
			}
			b.amps = -0.9 * amps
			b.clk.Sleep(time.Second)
			_, a, err := b.dev.Read()
			if err != nil || math.Abs(a-b.amps) > 0.51*c.step {
				t.Errorf("%v Ω, %v A: %v A, %v", c.ohm, b.amps, a, err)
			}
			for _, b.amps = range []float64{amps, -2 * amps} {
				b.clk.Sleep(time.Second)
				if _, _, err := b.dev.Read(); !errors.Is(err, ina219.ErrOverflow) {
					t.Errorf("%v Ω, %v A: %v", c.ohm, b.amps, err)
				}
			}
		}
	}
}

// Packs of two, three and four cells.
func TestEachPackHasItsRange(t *testing.T) {
	for volts, config := range map[float64]uint16{8.4: 0x199f, 12.6: 0x199f, 16: 0x199f, 16.8: 0x399f} {
		b := newBench(&ina219.Opts{ShuntOhm: 0.1, MaxVolts: volts})
		b.volts = volts - 0.1
		if err := b.dev.Init(); err != nil {
			t.Fatal(err)
		}
		b.clk.Sleep(time.Second)
		if v, _, err := b.dev.Read(); err != nil || math.Abs(v-b.volts) > 0.004 || b.register(t, 0) != config {
			t.Errorf("%v V: %v V with configuration %#04x, %v", b.volts, v, b.register(t, 0), err)
		}
	}
}

// Two readings within one conversion are not the same one: the second waits. A chip that does not convert is an error.
func TestReadingIsANewConversion(t *testing.T) {
	b := newBench(nil)
	if err := b.dev.Init(); err != nil {
		t.Fatal(err)
	}
	for _, b.amps = range []float64{1, 2} {
		if _, a, err := b.dev.Read(); err != nil || math.Abs(a-b.amps) > 0.001 {
			t.Errorf("%v A, %v; want %v", a, err, b.amps)
		}
	}
	if err := b.bus.Tx(addr, []byte{0, 0x19, 0x98}, nil); err != nil { // switched off by somebody
		t.Fatal(err)
	}
	if _, _, err := b.dev.Read(); !errors.Is(err, reg.ErrNotReady) {
		t.Errorf("error %v", err)
	}
}

func TestCircuitsThatTheChipCannotMeasureAreRefused(t *testing.T) {
	for want, o := range map[string]ina219.Opts{
		"ina219: shunt of 0 Ω, want 0.0001 to 100":                                                   {MaxVolts: 16},
		"ina219: up to 36 V, want more than 0 and at most 26":                                        {ShuntOhm: 0.1, MaxVolts: 36},
		"ina219: 5 A over 0.1 Ω is 500 mV, the chip measures 320: at most 3.2 A, or a smaller shunt": {ShuntOhm: 0.1, MaxVolts: 16, MaxAmps: 5},
		"ina219: up to -1 A, want 0 or more":                                                         {ShuntOhm: 0.1, MaxVolts: 16, MaxAmps: -1},
	} {
		if err := newBench(&o).dev.Init(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func Example() {
	clk := hwtest.NewClock() // a device actor's clock
	bus := emul.NewBus("i2c1", clk, 1)
	bus.Attach(0x41, emul.NewINA219(func() (volts, amps float64) { return 11.8, 0.65 }))

	d := ina219.New(bus, 0x41, clk, new(hardware.Health), &ina219.Opts{ShuntOhm: 0.1, MaxVolts: 12.6, MaxAmps: 3})
	if err := d.Init(); err != nil {
		fmt.Println(err)
		return
	}
	volts, amps, err := d.Read()
	fmt.Printf("%v %.2f V %.2f A %v\n", d, volts, amps, err)
	// Output: INA219{i2c1(0x41)} 11.80 V 0.65 A <nil>
}
