package ads1115_test

import (
	"errors"
	"fmt"
	"math"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

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
	chip := emul.NewADS1115(emul.Since(clk.Now), func(ch int) float64 { return 0.5 + 0.75*float64(ch) })
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
		chip.SetSlowness(1 / 0.9) // a data rate 10 % low
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
	bus.Attach(0x48, emul.NewADS1115(emul.Since(clk.Now), func(ch int) float64 { return 0.25 * float64(ch) }))

	d := ads1115.New(bus, 0x48, clk, new(hardware.Health), &ads1115.Opts{Volts: 2.048, Rate: 128})
	if err := d.Init(); err != nil {
		fmt.Println(err)
		return
	}
	raw, err := d.Read(3)
	fmt.Println(d, raw, d.Volts(raw), err)
	// Output: ADS1115{i2c1(0x48)} 12000 0.75 <nil>
}

// prompt lets a chip show that its conversions are over in time.
func prompt(t *testing.T, d *ads1115.Dev, bus *emul.Bus) {
	t.Helper()
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	before := bus.Transactions()
	for i := range 64 {
		if _, err := d.Read(i % 4); err != nil {
			t.Fatal(err)
		}
	}
	if n := bus.Transactions() - before; n != 3*64 {
		t.Fatalf("%d transactions for the first 64 conversions, want a look at each, %d", n, 3*64)
	}
}

// convert is a conversion with its number of transactions, and whether the value is that of the input.
func convert(t *testing.T, d *ads1115.Dev, bus *emul.Bus, input int) (n uint64, right bool) {
	t.Helper()
	before := bus.Transactions()
	raw, err := d.Read(input)
	if err != nil {
		t.Fatal(err)
	}
	return bus.Transactions() - before, math.Abs(d.Volts(raw)-0.5-0.75*float64(input)) < 2e-4
}

// A scan of a prompt chip takes nine transactions, and each fourth one ten: its first conversion is looked at. The first round ends in the middle of a
// scan, so two are looked at.
func TestScanOfAPromptChipTakesNineTransactions(t *testing.T) {
	d, _, bus := setup(t)
	prompt(t, d, bus)
	const scans = 40
	var looked [4]int
	begin := bus.Transactions()
	for range scans {
		if err := d.Verify(); err != nil {
			t.Fatal(err)
		}
		for input := range 4 {
			n, right := convert(t, d, bus, input)
			if n == 3 {
				looked[input]++
			}
			if n > 3 || !right {
				t.Errorf("input %d: %d transactions, right %v", input, n, right)
			}
		}
	}
	if n, want := bus.Transactions()-begin, uint64(9*scans+9+1); n != want || looked != [4]int{9, 0, 0, 1} {
		t.Errorf("%d transactions for %d scans, want %d; looks at %v", n, scans, want, looked)
	}
}

// A chip that becomes late, out of its specification, is found within a round and one conversion more, wherever in the round it begins, although it
// ignores each second start and then seems to be prompt. From then on each conversion is looked at, until 64 in a row were over in time.
func TestLateChipIsLookedAtAgainWithinARound(t *testing.T) {
	for _, slow := range []float64{1.4, 1.5, 1.6, 3, 5} {
		for begun := range 16 {
			d, chip, bus := setup(t)
			prompt(t, d, bus)
			for range begun {
				convert(t, d, bus, 0)
			}
			chip.SetSlowness(slow)
			n := untilLate(t, d, bus)
			if n > 17 {
				t.Fatalf("slowness %v, after %d conversions: found after %d more", slow, begun, n)
			}
			if slow > 2 {
				continue // it is not ready at all
			}
			for i := range 20 {
				if n, right := convert(t, d, bus, i%4); n < 4 || !right {
					t.Fatalf("slowness %v: a late chip, known as such: %d transactions, right %v", slow, n, right)
				}
			}
			chip.SetSlowness(1)
			for i := range 64 {
				if n, _ := convert(t, d, bus, i%4); n != 3 {
					t.Fatalf("slowness %v: %d transactions for conversion %d of a chip that was late", slow, n, i)
				}
			}
			if n, _ := convert(t, d, bus, 0); n != 2 {
				t.Fatalf("slowness %v: %d transactions after 64 prompt conversions", slow, n)
			}
		}
	}
}

// untilLate is the number of conversions with the first that is found to be late.
func untilLate(t *testing.T, d *ads1115.Dev, bus *emul.Bus) int {
	t.Helper()
	for n := range 100 {
		before := bus.Transactions()
		_, err := d.Read(n % 4)
		if err != nil && !errors.Is(err, reg.ErrNotReady) {
			t.Fatal(err)
		}
		if err != nil || bus.Transactions()-before > 3 {
			return n + 1
		}
	}
	return 100
}

// Verify sees that the last conversion does not end, which is no error of the configuration; the next conversion says what it is.
func TestVerifySeesAConversionThatDoesNotEnd(t *testing.T) {
	d, chip, bus := setup(t)
	prompt(t, d, bus)
	chip.SetSlowness(1000)
	if n, _ := convert(t, d, bus, 0); n != 2 {
		t.Fatalf("%d transactions: it is looked at anyhow", n)
	}
	if err := d.Verify(); err != nil {
		t.Errorf("Verify: %v", err)
	}
	if _, err := d.Read(1); !errors.Is(err, reg.ErrNotReady) {
		t.Errorf("Read: %v", err)
	}
}

// What a chip did before it lost its power says nothing of what it does after.
func TestInitializedChipIsLookedAtAgain(t *testing.T) {
	d, _, bus := setup(t)
	prompt(t, d, bus)
	prompt(t, d, bus)
}

// unreadable is a bus on which the configuration cannot be read for a while.
type unreadable struct {
	i2c.Bus
	on bool
}

func (u *unreadable) Tx(addr uint16, w, r []byte) error {
	if u.on && len(r) > 0 && w[0] == 1 {
		return syscall.EREMOTEIO
	}
	return u.Bus.Tx(addr, w, r)
}

// A look that fails with the bus has seen nothing, so the next conversion is looked at instead.
func TestFailedLookIsMadeUpFor(t *testing.T) {
	clk := hwtest.NewClock()
	bus := emul.NewBus("i2c1", clk, 1)
	bus.Attach(addr, emul.NewADS1115(emul.Since(clk.Now), func(ch int) float64 { return 0.5 + 0.75*float64(ch) }))
	u := &unreadable{Bus: bus.For(clk)}
	d := ads1115.New(u, addr, clk, new(hardware.Health), nil)
	prompt(t, d, bus)
	for range 15 {
		convert(t, d, bus, 0)
	}
	u.on = true
	if _, err := d.Read(0); err == nil {
		t.Fatal("the 16th conversion was not looked at")
	}
	u.on = false
	if n, _ := convert(t, d, bus, 0); n != 3 {
		t.Errorf("%d transactions for the conversion after a look that failed, want 3", n)
	}
}

// cutting is a clock on which something happens during the next sleep.
type cutting struct {
	hardware.Clock
	then func()
}

func (c *cutting) Sleep(d time.Duration) {
	c.Clock.Sleep(d)
	if c.then != nil {
		c.then()
		c.then = nil
	}
}

// A chip that loses its power during a conversion reads 0. As the value of a cliff sensor that would be a cliff.
func TestPowerLostDuringAConversionIsNoValue(t *testing.T) {
	clock := hwtest.NewClock()
	clk := &cutting{Clock: clock}
	bus := emul.NewBus("i2c1", clock, 1)
	volts := 1.0
	bus.Attach(addr, emul.NewADS1115(emul.Since(clock.Now), func(int) float64 { return volts }))
	d := ads1115.New(bus.For(clock), addr, clk, new(hardware.Health), nil)
	prompt(t, d, bus)
	clk.then = func() { bus.BrownOut(addr) }
	if raw, err := d.Read(0); !errors.Is(err, reg.ErrConfigLost) {
		t.Errorf("reads %d, %v", raw, err)
	}
	prompt(t, d, bus)
	volts = 0
	if raw, err := d.Read(0); raw != 0 || err != nil {
		t.Errorf("an input at 0 V reads %d, %v", raw, err)
	}
}
