package part

import (
	"errors"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/ina219"
)

const batteryPeriod = 200 * time.Millisecond

// Physical limits of one lithium cell with its protection circuit, and of the power path.
const (
	minCellVolts = 2.4
	maxCellVolts = 4.5
	maxCellAmps  = 3.0
	cellOhm      = 0.12 // cell, protection and wiring
)

// Battery is the power monitor.
type Battery struct {
	core
	board Board
	chip  *ina219.Dev
	last  hardware.BatteryState
}

// NewBattery returns the power monitor, not opened.
func NewBattery(b Board) *Battery {
	return &Battery{core: newCore(hardware.Battery, batteryPeriod), board: b}
}

// Open configures the monitor and reads the configuration back.
func (p *Battery) Open(clk hardware.Clock) error {
	p.clk = clk
	p.chip = ina219.New(p.board.Bus(clk), addrBattery, clk, &p.health)
	return p.open(p.chip)
}

// Poll checks that the calibration is still there, without which the chip reads 0 A, and measures.
func (p *Battery) Poll(now time.Time) (hardware.Sample, error) {
	if err := p.heal(now, p.chip, p.chip.Verify()); err != nil {
		return p.bad(now, "verify", err, p.last)
	}
	volts, amps, err := p.chip.Read()
	amps *= batterySign
	switch {
	case errors.Is(err, ina219.ErrOverflow):
		return p.reject(now, "read", p.last, "%w", err)
	case err != nil:
		return p.bad(now, "read", err, p.last)
	case volts < minCellVolts || volts > maxCellVolts:
		return p.reject(now, "read", p.last, "%.2f V is outside %.1f to %.1f V", volts, minCellVolts, maxCellVolts)
	case amps < -maxCellAmps || amps > maxCellAmps:
		return p.reject(now, "read", p.last, "%.2f A is more than %.1f A", amps, maxCellAmps)
	}
	p.last = hardware.BatteryState{Volts: volts, Amps: amps, Ratio: chargeRatio(volts - amps*cellOhm)}
	return p.good(p.last)
}

// Apply refuses everything.
func (p *Battery) Apply(_ time.Time, c hardware.Command) error { return p.unknown(c) }

// Halt does nothing: the monitor has no output.
func (p *Battery) Halt() error { return nil }

// chargeRatio is the state of charge by the rest voltage of a lithium-ion cell, interpolated between typical points.
func chargeRatio(volts float64) float64 {
	points := [...]struct{ v, ratio float64 }{
		{3.30, 0}, {3.55, 0.12}, {3.70, 0.30}, {3.82, 0.60}, {4.00, 0.85}, {4.20, 1},
	}
	if volts <= points[0].v {
		return 0
	}
	for i, p := range points[1:] {
		if volts < p.v {
			q := points[i]
			return q.ratio + (p.ratio-q.ratio)*(volts-q.v)/(p.v-q.v)
		}
	}
	return 1
}
