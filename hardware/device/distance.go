package device

import (
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
	"github.com/robotd/robotd/hardware/chip/vl53l0x"
	"github.com/robotd/robotd/hardware/profile"
)

const (
	rangePeriod = 50 * time.Millisecond

	// A measurement takes 33 ms; it is started at the end of a poll and fetched by the next. If it is not complete
	// by then, the poll waits in small steps, at most until rangeTimeout after the start.
	rangeStep    = 2 * time.Millisecond
	rangeTimeout = 100 * time.Millisecond

	foundMinMM, foundMaxMM = 30.0, 400.0
)

// Range is the forward distance sensor.
type Range struct {
	core
	board   Board
	part    *profile.Range
	chip    *vl53l0x.Dev
	started time.Time
	last    hardware.RangeState
}

// NewRange returns the distance sensor, not opened.
func NewRange(b Board) *Range {
	return &Range{core: newCore(hardware.Range, rangePeriod), board: b, part: b.robot().Range}
}

// Open identifies and configures the sensor and starts the first measurement.
func (p *Range) Open(clk hardware.Clock) error {
	p.clk = clk
	p.chip = vl53l0x.New(p.board.Bus(clk), p.board.address(p.part.Chip), clk, &p.health)
	if err := p.open(p.chip); err != nil {
		return err
	}
	return p.start()
}

func (p *Range) start() error {
	p.started = p.clk.Now()
	if err := p.chip.Start(); err != nil {
		return p.fail("start", err)
	}
	return nil
}

// Poll checks the configuration, without which a measurement never becomes ready, fetches the measurement under way
// and starts the next one.
func (p *Range) Poll(now time.Time) (hardware.Sample, error) {
	if verr := p.chip.Verify(); verr != nil {
		err := p.heal(now, p.chip, verr)
		if err == nil {
			err = p.start()
		}
		if err != nil {
			return p.bad(now, "verify", err, p.last)
		}
	}
	mm, valid, err := p.fetch()
	if serr := p.start(); err == nil {
		err = serr
	}
	switch {
	case err != nil:
		return p.bad(now, "read range", err, p.last)
	case !valid || float64(mm) >= p.part.MaxMM && mm <= vl53l0x.OutOfRange+1:
		p.last = hardware.RangeState{DistanceMM: p.part.MaxMM}
	case mm > vl53l0x.OutOfRange+1 || mm == 0:
		return p.reject(now, "read range", p.last, "%d mm", mm)
	default:
		d := float64(mm)
		p.last = hardware.RangeState{DistanceMM: d, Found: d >= foundMinMM && d <= foundMaxMM}
	}
	return p.good(&p.last)
}

func (p *Range) fetch() (mm int, valid bool, err error) {
	for {
		ready, err := p.chip.Ready()
		switch {
		case err != nil:
			return 0, false, err
		case ready:
			return p.chip.Result()
		case p.clk.Now().Sub(p.started) >= rangeTimeout:
			return 0, false, reg.ErrNotReady
		}
		p.clk.Sleep(rangeStep)
	}
}

// Apply refuses everything.
func (p *Range) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

// Halt does nothing: without a start the sensor does not measure.
func (p *Range) Halt() error { return nil }
