package ina219_test

import (
	"errors"
	"math"
	"testing"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/ina219"
	"github.com/robotd/robotd/hardware/chip/reg"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

const addr = 0x45

func TestReadMeasuresBothDirectionsAndReportsABrownOut(t *testing.T) {
	clk := hwtest.NewClock()
	bus := emul.NewBus("i2c1", clk, 1)
	volts, amps := 3.7, 0.8
	bus.Attach(addr, emul.NewINA219(func() (float64, float64) { return volts, amps }))
	d := ina219.New(bus.For(clk), addr, clk, new(hardware.Health))
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	for _, amps = range []float64{0.8, -0.45, 2.9} {
		v, a, err := d.Read()
		if err != nil || math.Abs(v-volts) > 0.005 || math.Abs(a-amps) > 0.001 {
			t.Errorf("%v V, %v A, %v; want %v V, %v A", v, a, err, volts, amps)
		}
	}
	bus.BrownOut(addr)
	if err := d.Verify(); !errors.Is(err, reg.ErrConfigLost) {
		t.Errorf("Verify: %v", err)
	}
	if err := d.Init(); err != nil || d.Verify() != nil {
		t.Errorf("repair: %v", err)
	}
}
