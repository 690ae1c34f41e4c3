package vl53l0x_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
	"github.com/robotd/robotd/hardware/chip/vl53l0x"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

const addr = 0x29

// A bench is a chip on a bus, with something in front of it.
type bench struct {
	clk   *hwtest.Clock
	bus   *emul.Bus
	chip  *emul.VL53L0X
	mm    float64
	found bool
}

func newBench(seed uint64) *bench {
	b := &bench{clk: hwtest.NewClock(), mm: 123, found: true}
	b.bus = emul.NewBus("i2c1", b.clk, 1)
	b.chip = emul.NewVL53L0X(b.clk.Now, func() (float64, bool) { return b.mm, b.found })
	b.chip.Seed(seed)
	b.bus.Attach(addr, b.chip)
	return b
}

func (b *bench) dev(addr uint16, opts *vl53l0x.Opts) *vl53l0x.Dev {
	return vl53l0x.New(b.bus.For(b.clk), addr, b.clk, new(hardware.Health), opts)
}

// next is the measurement that began after the newest one.
func (b *bench) next(t *testing.T, d *vl53l0x.Dev) (m vl53l0x.Measurement) {
	t.Helper()
	for range 2 {
		for end := b.clk.Now().Add(time.Second); ; b.clk.Sleep(time.Millisecond) {
			ready, err := d.Ready()
			if err != nil || b.clk.Now().After(end) {
				t.Fatalf("ready %v, %v", ready, err)
			}
			if ready {
				break
			}
		}
		var err error
		if m, err = d.Result(); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func started(t *testing.T, b *bench, d *vl53l0x.Dev) {
	t.Helper()
	if err := errors.Join(d.Init(), d.Start()); err != nil {
		t.Fatal(err)
	}
	b.clk.Sleep(50 * time.Millisecond)
}

// Every specimen: other reference SPADs of either type, other dead ones.
func TestSetUpChipMeasuresRightOnEverySpecimen(t *testing.T) {
	for seed := range uint64(20) {
		b := newBench(seed)
		d := b.dev(addr, nil)
		started(t, b, d)
		for _, b.mm = range []float64{123, 456} {
			if m := b.next(t, d); m.Status.Class() != vl53l0x.Valid || m.MM != int(b.mm) {
				t.Errorf("seed %d: %d mm, %v; want %v", seed, m.MM, m.Status, b.mm)
			}
		}
		b.found = false
		if m := b.next(t, d); m.Status.Class() != vl53l0x.NoTarget {
			t.Errorf("seed %d: nothing there, but %v", seed, m.Status)
		}
	}
}

func TestMeasurementsCome33MillisecondsApart(t *testing.T) {
	b := newBench(1)
	d := b.dev(addr, nil)
	if err := errors.Join(d.Init(), d.Start()); err != nil {
		t.Fatal(err)
	}
	b.clk.Sleep(32 * time.Millisecond)
	if ready, err := d.Ready(); ready || err != nil {
		t.Errorf("after 32 ms: %v, %v", ready, err)
	}
	b.clk.Sleep(time.Millisecond)
	if ready, err := d.Ready(); !ready || err != nil {
		t.Errorf("after 33 ms: %v, %v", ready, err)
	}
}

func TestMeasuringCostsThreeTransactions(t *testing.T) {
	b := newBench(1)
	d := b.dev(addr, nil)
	started(t, b, d)
	before := b.bus.Transactions()
	if ready, err := d.Ready(); !ready || err != nil {
		t.Fatal(ready, err)
	}
	if _, err := d.Result(); err != nil {
		t.Fatal(err)
	}
	if n := b.bus.Transactions() - before; n != 3 {
		t.Errorf("%d transactions", n)
	}
}

func TestBrownOutAndForeignChipAreReported(t *testing.T) {
	b := newBench(1)
	d := b.dev(addr, nil)
	started(t, b, d)
	b.bus.BrownOut(addr)
	if err := d.Verify(); !errors.Is(err, reg.ErrConfigLost) {
		t.Errorf("Verify: %v", err)
	}
	started(t, b, d)
	if m := b.next(t, d); m.MM != 123 {
		t.Errorf("repaired: %+v", m)
	}
	b.bus.SetFault(addr, emul.Fault{WrongID: true})
	if err := d.Init(); reg.CauseOf(err) != hardware.CauseWrongID {
		t.Errorf("foreign chip: %v", err)
	}
}

// A process that died while a private page was selected, or after Halt had overwritten the stop variable, leaves a chip that
// must be brought back without a power cycle.
func TestInitRecoversAChipLeftByAnotherProcess(t *testing.T) {
	for name, leave := range map[string]func(*bench, *vl53l0x.Dev) error{
		"private page": func(b *bench, _ *vl53l0x.Dev) error { return b.bus.Tx(addr, []byte{0xff, 7}, nil) },
		"halted":       func(_ *bench, d *vl53l0x.Dev) error { return d.Halt() },
		"measuring":    func(*bench, *vl53l0x.Dev) error { return nil },
		"stop variable lost": func(b *bench, _ *vl53l0x.Dev) error {
			return errors.Join(b.bus.Tx(addr, []byte{0xff, 1}, nil), b.bus.Tx(addr, []byte{0x91, 0}, nil))
		},
	} {
		b := newBench(1)
		d := b.dev(addr, nil)
		started(t, b, d)
		if err := leave(b, d); err != nil {
			t.Fatal(err)
		}
		next := b.dev(addr, nil)
		started(t, b, next)
		if m := b.next(t, next); m.MM != 123 || m.Status.Class() != vl53l0x.Valid {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// Each transaction of the set-up fails once, with its repetitions. Whatever page it was on, the next Init works.
func TestSetUpThatFailsAnywhereCanBeRepeated(t *testing.T) {
	for n := range 190 {
		b := newBench(1)
		f := &failing{Bus: b.bus, after: n}
		d := vl53l0x.New(f, addr, b.clk, new(hardware.Health), nil)
		err := d.Init()
		if n < 150 && err == nil {
			t.Fatalf("transaction %d failed, but Init did not", n)
		}
		if f.after = -1; d.Verify() != nil { // else nothing failed
			started(t, b, d)
		}
	}
}

// failing lets some transactions pass and then fails for three.
type failing struct {
	*emul.Bus
	after, failed int
}

func (f *failing) Tx(addr uint16, w, r []byte) error {
	if f.after >= 0 && f.failed < 3 {
		if f.after == 0 {
			f.failed++
			return fmt.Errorf("line noise")
		}
		f.after--
	}
	return f.Bus.Tx(addr, w, r)
}

func TestShutdownLineResetsAndGivesTheAddress(t *testing.T) {
	b := newBench(1)
	lines := emul.NewLines()
	lines.OnOutput("TOF_XSHUT", b.chip.XSHUT)
	b.chip.OnAddress(func(to uint16) {
		for a := uint16(0x29); a <= 0x30; a++ {
			b.bus.Attach(a, nil)
		}
		b.bus.Attach(to, b.chip)
	})
	xshut, err := lines.Output("TOF_XSHUT", true)
	if err != nil {
		t.Fatal(err)
	}
	opts := vl53l0x.DefaultOpts
	opts.XSHUT = xshut
	d := b.dev(0x30, &opts)
	for range 2 { // the second time the chip is at 0x30 already
		started(t, b, d)
		if m := b.next(t, d); m.MM != 123 {
			t.Errorf("%+v", m)
		}
	}
	if err := b.bus.Tx(addr, []byte{0xc0}, make([]byte, 1)); err == nil {
		t.Error("the chip answers at its first address too")
	}
}

func TestBudgetDecidesTheLengthOfAMeasurement(t *testing.T) {
	b := newBench(1)
	opts := vl53l0x.DefaultOpts
	opts.Budget = 200 * time.Millisecond
	d := b.dev(addr, &opts)
	if err := errors.Join(d.Init(), d.Start()); err != nil {
		t.Fatal(err)
	}
	b.clk.Sleep(197 * time.Millisecond)
	if ready, _ := d.Ready(); ready {
		t.Error("ready after 197 ms")
	}
	b.clk.Sleep(3 * time.Millisecond)
	if ready, _ := d.Ready(); !ready {
		t.Error("not ready after 200 ms")
	}
}

func Example() {
	clk := hwtest.NewClock() // a device actor's clock
	bus := emul.NewBus("i2c1", clk, 1)
	bus.Attach(0x29, emul.NewVL53L0X(clk.Now, func() (float64, bool) { return 250, true }))

	opts := vl53l0x.DefaultOpts
	opts.Budget = 50 * time.Millisecond
	d := vl53l0x.New(bus, 0x29, clk, new(hardware.Health), &opts)
	if err := d.Init(); err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = d.Halt() }()
	if err := d.Start(); err != nil {
		fmt.Println(err)
		return
	}
	clk.Sleep(opts.Budget)
	if ready, err := d.Ready(); !ready || err != nil {
		fmt.Println(ready, err)
		return
	}
	m, err := d.Result()
	fmt.Println(d, m.MM, m.Status, err)
	// Output: VL53L0X{i2c1(0x29)} 250 range complete (status 11) <nil>
}
