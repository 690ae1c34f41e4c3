package vl53l0x_test

import (
	"errors"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
	"github.com/robotd/robotd/hardware/chip/vl53l0x"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

const addr = 0x29

func TestSingleShotReadsDistanceOrOutOfRange(t *testing.T) {
	clk := hwtest.NewClock()
	bus := emul.NewBus("i2c1", clk, 1)
	mm, found := 123.0, true
	bus.Attach(addr, emul.NewVL53L0X(clk.Now, func() (float64, bool) { return mm, found }))
	d := vl53l0x.New(bus.For(clk), addr, clk, new(hardware.Health))
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	shot := func() (int, bool) {
		t.Helper()
		if err := d.Start(); err != nil {
			t.Fatal(err)
		}
		if ready, err := d.Ready(); ready || err != nil {
			t.Errorf("ready at once: %v, %v", ready, err)
		}
		clk.Sleep(40 * time.Millisecond)
		if ready, err := d.Ready(); !ready || err != nil {
			t.Errorf("ready after 40 ms: %v, %v", ready, err)
		}
		got, valid, err := d.Result()
		if err != nil {
			t.Fatal(err)
		}
		return got, valid
	}
	if got, valid := shot(); got != 123 || !valid {
		t.Errorf("%d mm, %v", got, valid)
	}
	mm = 456
	if got, valid := shot(); got != 456 || !valid {
		t.Errorf("%d mm, %v", got, valid)
	}
	found = false
	if got, valid := shot(); valid {
		t.Errorf("nothing there, but %d mm", got)
	}
	bus.BrownOut(addr)
	if err := d.Verify(); !errors.Is(err, reg.ErrConfigLost) {
		t.Errorf("Verify: %v", err)
	}
	bus.SetFault(addr, emul.Fault{WrongID: true})
	if err := d.Init(); reg.CauseOf(err) != hardware.CauseWrongID {
		t.Errorf("foreign chip: %v", err)
	}
}
