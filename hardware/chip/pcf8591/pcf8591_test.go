package pcf8591_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/pcf8591"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

const addr = 0x48

func setup(opts *pcf8591.Opts, volts func(ch int) float64) (*pcf8591.Dev, *emul.Bus) {
	clk := hwtest.NewClock()
	bus := emul.NewBus("i2c1", clk, 1)
	bus.Attach(addr, emul.NewPCF8591(3.3, volts))
	return pcf8591.New(bus, addr, clk, new(hardware.Health), opts), bus
}

// The chip answers with the conversion before. Each input must read its own voltage nevertheless, the first one after power-on
// too.
func TestEachInputReadsItsOwnVoltage(t *testing.T) {
	d, bus := setup(nil, func(ch int) float64 { return 0.4 + 0.8*float64(ch) })
	for _, ch := range []int{3, 0, 2, 1, 1, 3} {
		if v, err := d.Volts(ch); err != nil || math.Abs(v-0.4-0.8*float64(ch)) > 3.3/256 {
			t.Errorf("input %d: %v V, %v", ch, v, err)
		}
	}
	bus.BrownOut(addr)
	if v, err := d.Volts(3); err != nil || math.Abs(v-2.8) > 3.3/256 {
		t.Errorf("after a reset: %v V, %v", v, err)
	}
}

// Freenove's board, version 1: two cells at input 2 behind a divider by 3.
func TestBatteryOfAFreenoveBoard(t *testing.T) {
	for battery, raw := range map[float64]byte{8.4: 217, 7.4: 191, 7.0: 181, 6.5: 168} { // battery / 3 / 3.3 V · 256
		d, _ := setup(nil, func(int) float64 { return battery / 3 })
		got, err := d.Read(2)
		if v, _ := d.Volts(2); err != nil || got != raw || math.Abs(3*v-battery) > 0.04 {
			t.Errorf("%v V: %d, %v V, %v", battery, got, 3*v, err)
		}
	}
}

func TestMissingChipAndInputAreErrors(t *testing.T) {
	d, bus := setup(nil, func(int) float64 { return 1 })
	if _, err := d.Volts(4); err == nil || err.Error() != "pcf8591: no input 4, want 0 to 3" {
		t.Error(err)
	}
	bus.SetFault(addr, emul.Fault{Absent: true})
	if err := d.Init(); hardware.Classify(err) != hardware.CauseNack {
		t.Errorf("absent: %v", err)
	}
	bad, _ := setup(&pcf8591.Opts{Volts: -1}, nil)
	if err := bad.Init(); err == nil || err.Error() != "pcf8591: full scale -1 V, want more than 0 and at most 50" {
		t.Error(err)
	}
}

func Example() {
	clk := hwtest.NewClock() // a device actor's clock
	bus := emul.NewBus("i2c1", clk, 1)
	bus.Attach(0x48, emul.NewPCF8591(3.3, func(int) float64 { return 2.0 }))

	d := pcf8591.New(bus, 0x48, clk, new(hardware.Health), nil)
	if err := d.Init(); err != nil {
		fmt.Println(err)
		return
	}
	raw, err := d.Read(0)
	fmt.Println(d, raw, err)
	// Output: PCF8591{i2c1(0x48)} 155 <nil>
}
