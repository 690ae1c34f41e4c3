package device

import (
	"errors"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/ina219"
	"github.com/robotd/robotd/hardware/profile"
)

const batteryPeriod = 200 * time.Millisecond

// Physical limits of one lithium cell with its protection circuit, and of the power path.
const (
	minCellVolts = 2.4
	maxCellVolts = 4.5
	maxCellAmps  = 3.0
	cellOhm      = 0.12 // cell, protection and wiring
	maxPinVolts  = 26   // of the monitor
)

// frozenReadings identical readings in a row count as a freeze (class H): the current of a running robot is never
// constant for 3 s at the monitor's resolution of 0.1 mA.
const frozenReadings = 15

// Battery is the power monitor.
type Battery struct {
	core
	board  Board
	safety *Safety
	part   *profile.Battery
	chip   *ina219.Dev
	last   hardware.BatteryState
	warm   hardware.BatteryState // last, with its temperatures
	read   bool                  // last is a reading
	varied bool                  // a reading differed from the one before, so the monitor measures
	frozen int                   // readings in a row like the one before
}

// NewBattery returns the power monitor, not opened.
func NewBattery(b Board, s *Safety) *Battery {
	return &Battery{core: newCore(hardware.Battery, batteryPeriod), board: b, safety: s, part: b.robot().Battery}
}

// Open configures the monitor and reads the configuration back.
func (p *Battery) Open(clk hardware.Clock) error {
	p.clk = clk
	p.chip = ina219.New(p.board.Bus(clk), p.board.address(p.part.Chip), clk, &p.health,
		&ina219.Opts{ShuntOhm: p.part.ShuntOhm, MaxVolts: min(maxCellVolts*float64(p.part.Cells), maxPinVolts)})
	return p.open(p.chip)
}

// Poll checks that the calibration is still there, which tells of a power loss, and measures.
func (p *Battery) Poll(now time.Time) (hardware.Sample, error) {
	if err := p.heal(now, p.chip, p.chip.Verify()); err != nil {
		return p.bad(now, "verify", err, p.last)
	}
	volts, amps, err := p.chip.Read()
	if !p.part.Charges { // the shunt measures what the robot takes
		amps = -amps
	}
	volts *= p.board.Calibration.Or(profile.KeyBattery, 1)
	cells := float64(p.part.Cells)
	switch {
	case errors.Is(err, ina219.ErrOverflow):
		return p.reject(now, "read", p.last, "%w", err)
	case err != nil:
		return p.bad(now, "read", err, p.last)
	case volts < cells*minCellVolts || volts > cells*maxCellVolts:
		return p.reject(now, "read", p.last, "%.2f V is outside %.1f to %.1f V", volts, cells*minCellVolts, cells*maxCellVolts)
	case amps < -maxCellAmps || amps > maxCellAmps:
		return p.reject(now, "read", p.last, "%.2f A is more than %.1f A", amps, maxCellAmps)
	}
	state := hardware.BatteryState{Volts: volts, Amps: amps, Cells: p.part.Cells, LowVolts: p.part.LowVolts, Ratio: chargeRatio(volts/cells - amps*cellOhm)}
	if p.read && state == p.last {
		if p.frozen++; p.frozen >= frozenReadings {
			p.health.Frozen++
			return hardware.Sample{}, p.errorWithCause(hardware.CauseFrozen, "read", "%d identical readings", p.frozen+1)
		}
	} else {
		p.varied, p.frozen = p.varied || p.read, 0
	}
	p.last, p.read = state, true
	p.safety.Battery(p.board.robot(), volts, now)
	if p.warm = p.last; p.board.Temperatures != nil {
		p.warm.TempC, p.warm.CPUTempC = p.board.Temperatures(now)
	}
	if !p.varied { // after a restart the monitor may still be frozen
		return p.stale(p.warm), nil
	}
	return p.good(&p.warm)
}

// Apply refuses everything.
func (p *Battery) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

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
