package device

import (
	"math"
	"testing"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/profile"
)

// A pack of three cells behind a shunt of 10 mΩ: limits and charge are those of a cell.
func TestPackOfThreeCellsIsJudgedByTheCell(t *testing.T) {
	clk := hwtest.NewClock()
	bus := emul.NewBus("i2c1", clk, 1)
	volts, amps := 11.46, -0.9
	chip := emul.NewINA219(func() (float64, float64) { return volts, amps })
	chip.SetShunt(0.01)
	bus.Attach(0x41, chip)
	p := NewBattery(Board{
		Bus: func(hardware.Clock) i2c.Bus { return bus },
		Profile: &profile.Profile{
			Chips:   map[string]profile.Chip{"monitor": {Kind: "ina219", Address: 0x41}},
			Battery: &profile.Battery{Chip: "monitor", ShuntOhm: 0.01, Cells: 3, Charges: true},
		},
	}, NewSafety(emul.NewLines()))
	if err := p.Open(clk); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Poll(clk.Now()); err != nil {
		t.Fatal(err)
	}
	// 3.82 V a cell, 0.9 A through 0.12 Ω: 3.93 V at rest.
	if s := p.last; math.Abs(s.Volts-volts) > 0.005 || math.Abs(s.Amps-amps) > 0.002 || math.Abs(s.Ratio-0.75) > 0.01 {
		t.Errorf("%+v", s)
	}
	clk.Sleep(batteryPeriod)
	volts = 6.9 // one cell of three is not there
	if s, err := p.Poll(clk.Now()); err != nil || s.Quality != hardware.Stale || s.Health.Rejected != 1 {
		t.Errorf("%v, %+v, %v", s.Quality, s.Health, err)
	}
}
