package device

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// sagTime is the time constant over which the charge is averaged where nobody measures the current: the voltage sags while the wheels
// start, and the charge does not.
const sagTime = 10 * time.Second

// Voltmeter is a battery whose voltage a converter measures, behind a divider. Its current is unknown and told as 0.
type Voltmeter struct {
	core
	board  Board
	safety *Safety
	part   *profile.Battery
	factor float64
	chip   converter
	at     time.Time
	rest   float64 // averaged voltage of a cell
	last   hardware.BatteryState
}

// NewVoltmeter returns the battery, not opened.
func NewVoltmeter(b Board, s *Safety) *Voltmeter {
	part := b.robot().Battery
	return &Voltmeter{
		core: newCore(hardware.Battery, batteryPeriod), board: b, safety: s, part: part,
		factor: part.Factor * b.Calibration.Or(profile.KeyBattery, 1), last: hardware.BatteryState{Cells: part.Cells, LowVolts: part.LowVolts},
	}
}

// Open configures the converter.
func (p *Voltmeter) Open(clk hardware.Clock) (err error) {
	p.clk = clk
	if p.chip, err = p.board.newConverter(p.part.Chip, scale{p.part.FullVolts, p.part.FullVolts}, clk, &p.health); err != nil {
		return p.errorWithCause(hardware.CauseOther, "open", "%w", err)
	}
	return p.open(p.chip)
}

// Poll measures.
func (p *Voltmeter) Poll(now time.Time) (hardware.Sample, error) {
	if err := p.heal(now, p.chip, p.chip.Verify()); err != nil {
		return p.bad(now, "verify", err, p.last)
	}
	volts, err := p.chip.Volts(p.part.Channel)
	if err != nil {
		return p.bad(now, "read", err, p.last)
	}
	volts *= p.factor
	cell := volts / float64(p.part.Cells)
	if cell < minCellVolts || cell > maxCellVolts {
		return p.reject(now, "read", p.last, "%.2f V is outside %.1f to %.1f V a cell", volts, minCellVolts, maxCellVolts)
	}
	if p.rest == 0 {
		p.rest = cell
	} else {
		p.rest += (1 - math.Exp(-now.Sub(p.at).Seconds()/sagTime.Seconds())) * (cell - p.rest)
	}
	p.at = now
	p.safety.Battery(p.board.robot(), volts, now)
	p.last = hardware.BatteryState{Volts: volts, Cells: p.part.Cells, LowVolts: p.part.LowVolts, Ratio: chargeRatio(p.rest)}
	if p.board.Temperatures != nil {
		p.last.TempC, p.last.CPUTempC = p.board.Temperatures(now)
	}
	return p.good(&p.last)
}

// Apply refuses everything.
func (p *Voltmeter) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

// Halt does nothing: the converter has no output.
func (p *Voltmeter) Halt() error { return nil }
