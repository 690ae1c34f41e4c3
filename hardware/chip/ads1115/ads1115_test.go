package ads1115_test

import (
	"errors"
	"fmt"
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
	return setupWith(t, nil)
}

func setupWith(t *testing.T, opts *ads1115.Opts) (*ads1115.Dev, *emul.ADS1115, *emul.Bus) {
	t.Helper()
	clk := hwtest.NewClock()
	bus := emul.NewBus("i2c1", clk, 1)
	chip := emul.NewADS1115(clk.Now, func(ch int) float64 { return 0.5 + 0.75*float64(ch) })
	bus.Attach(addr, chip)
	return ads1115.New(bus.For(clk), addr, clk, new(hardware.Health), opts), chip, bus
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
			if v, want := d.Volts(raw), 0.5+0.75*float64(ch); err != nil || math.Abs(v-want) > 2e-4 {
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
	chip.SetSlowness(5)
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

// Steps of one count, from the data sheet.
func TestEachRangeHasItsStep(t *testing.T) {
	for volts, microvolts := range map[float64]float64{6.144: 187.5, 4.096: 125, 2.048: 62.5, 1.024: 31.25, 0.512: 15.625, 0.256: 7.8125} {
		d, _, _ := setupWith(t, &ads1115.Opts{Volts: volts, Rate: 128})
		if got := d.Volts(1) * 1e6; math.Abs(got-microvolts) > 1e-9 {
			t.Errorf("±%v V: %v µV", volts, got)
		}
		if err := d.Init(); err != nil {
			t.Fatal(err)
		}
		raw, err := d.Read(0) // 0.5 V
		if want := min(0.5, volts); err != nil || math.Abs(d.Volts(raw)-want) > 2*microvolts*1e-6 {
			t.Errorf("±%v V: %v V, %v; want %v", volts, d.Volts(raw), err, want)
		}
	}
}

// The batteries of a JetBot's board at AIN0, behind a divider by four.
func TestRawValuesOfKnownVoltages(t *testing.T) {
	d, _, _ := setup(t)
	for raw, volts := range map[int16]float64{25200: 3.15, 18000: 2.25, -1: -125e-6} {
		if got := d.Volts(raw); math.Abs(got-volts) > 1e-9 {
			t.Errorf("%d is %v V, want %v", raw, got, volts)
		}
	}
}

// The slowest chip in specification needs one look at the ready bit, at every rate: never the value before.
func TestEachRateWaitsForTheSlowestChip(t *testing.T) {
	for _, rate := range []int{8, 16, 32, 64, 128, 250, 475, 860} {
		d, chip, bus := setupWith(t, &ads1115.Opts{Volts: 4.096, Rate: rate})
		chip.SetSlowness(1.1)
		if err := d.Init(); err != nil {
			t.Fatal(err)
		}
		for _, ch := range []int{3, 1} {
			before := bus.Transactions()
			raw, err := d.Read(ch)
			if v, want := d.Volts(raw), 0.5+0.75*float64(ch); err != nil || math.Abs(v-want) > 2e-4 {
				t.Errorf("%d samples/s, input %d: %v V, %v", rate, ch, v, err)
			}
			if n := bus.Transactions() - before; n != 3 {
				t.Errorf("%d samples/s: %d transactions", rate, n)
			}
		}
	}
}

// Another program left a comparator behind. That is no foreign chip.
func TestThresholdsOfAnotherProgramAreReplaced(t *testing.T) {
	d, _, bus := setup(t)
	for _, w := range [][]byte{{2, 0x00, 0x00}, {3, 0x80, 0x00}, {1, 0x04, 0x80}} { // conversion-ready pin, continuous
		if err := bus.Tx(addr, w, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	raw, err := d.Read(2)
	if v := d.Volts(raw); err != nil || math.Abs(v-2) > 2e-4 {
		t.Errorf("%v V, %v", v, err)
	}
}

func TestUnknownRangeOrRateNamesTheNearest(t *testing.T) {
	for want, o := range map[string]ads1115.Opts{
		"ads1115: full scale in volts 3.3 is none of [6.144 4.096 2.048 1.024 0.512 0.256]; nearest is 4.096": {Volts: 3.3, Rate: 860},
		"ads1115: samples a second 900 is none of [8 16 32 64 128 250 475 860]; nearest is 860":               {Volts: 4.096, Rate: 900},
	} {
		d, _, _ := setupWith(t, &o)
		if err := d.Init(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func Example() {
	clk := hwtest.NewClock() // a device actor's clock
	bus := emul.NewBus("i2c1", clk, 1)
	bus.Attach(0x48, emul.NewADS1115(clk.Now, func(ch int) float64 { return 0.25 * float64(ch) }))

	d := ads1115.New(bus, 0x48, clk, new(hardware.Health), &ads1115.Opts{Volts: 2.048, Rate: 128})
	if err := d.Init(); err != nil {
		fmt.Println(err)
		return
	}
	raw, err := d.Read(3)
	fmt.Println(d, raw, d.Volts(raw), err)
	// Output: ADS1115{i2c1(0x48)} 12000 0.75 <nil>
}

// Looks at the ready bit are left out only on request, only of a chip that was prompt, and not for ever.
func TestSparedLooksComeBackWhenTheChipIsLate(t *testing.T) {
	d, chip, bus := setup(t)
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	transactions := func(n int) uint64 {
		t.Helper()
		before := bus.Transactions()
		for i := range n {
			raw, err := d.Read(i % 4)
			if v, want := d.Volts(raw), 0.5+0.75*float64(i%4); err != nil || math.Abs(v-want) > 2e-4 {
				t.Fatalf("input %d: %v V, %v", i%4, v, err)
			}
		}
		return bus.Transactions() - before
	}
	if n := transactions(100); n != 300 {
		t.Errorf("%d transactions for 100 conversions, want 300", n)
	}
	d.Spare(true)
	if n := transactions(170); n != 2*170+10 {
		t.Errorf("spared, %d transactions for 170 conversions, want %d", n, 2*170+10)
	}
	chip.SetSlowness(1.6) // out of its specification: late
	for range 17 {
		if _, err := d.Read(0); err != nil {
			t.Fatal(err)
		}
	}
	if n := transactions(20); n < 60 {
		t.Errorf("%d transactions for 20 conversions of a chip that is late, want 60 and more", n)
	}
}
