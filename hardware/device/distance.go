package device

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
	"github.com/robotd/robotd/hardware/chip/vl53l0x"
	"github.com/robotd/robotd/hardware/profile"
)

const (
	rangePeriod = 50 * time.Millisecond

	// The sensor measures back to back, in 33 ms, so each poll finds one. If it does not, the poll waits in small steps, at
	// most until rangeTimeout after the last.
	rangeStep    = 2 * time.Millisecond
	rangeTimeout = 100 * time.Millisecond

	foundMinMM, foundMaxMM = 30.0, 400.0
)

// Range is the forward distance sensor.
type Range struct {
	core
	board   Board
	part    *profile.Range
	lines   hardware.Lines
	xshut   hardware.Line // nil if the robot has none
	chip    *vl53l0x.Dev
	fetched time.Time // when the last measurement was fetched, or the first started
	last    hardware.RangeState
}

// newRange returns the distance sensor that the robot has.
func newRange(b Board, s *Safety) hardware.Device {
	if b.robot().Range.Driver.Driver == "sonar" {
		return NewSonar(b, s)
	}
	return NewRange(b, s)
}

// NewRange returns the distance sensor, not opened. Its shutdown line, if it has one, is requested through s.
func NewRange(b Board, s *Safety) *Range {
	robot := b.robot()
	return &Range{core: newCore(hardware.Range, rangePeriod), board: b, part: robot.Range, lines: s.lines, last: lookout(robot)}
}

// lookout is a reading of nothing, with where the sensor is.
func lookout(robot *profile.Profile) hardware.RangeState {
	r := robot.Range
	return hardware.RangeState{DistanceMM: r.MaxMM, FrontMM: r.XMM, ConeRad: r.ConeDeg * math.Pi / 180, OnHead: r.OnHead && robot.Head != nil}
}

// Open identifies and configures the sensor and starts it.
func (p *Range) Open(clk hardware.Clock) error {
	p.clk = clk
	opts := vl53l0x.DefaultOpts
	if p.part.Reset != "" {
		line, err := p.lines.Output(p.part.Reset, true)
		if err != nil {
			return p.fail("open line", err)
		}
		p.xshut, opts.XSHUT = line, line
	}
	p.chip = vl53l0x.New(p.board.Bus(clk), p.board.address(p.part.Chip), clk, &p.health, &opts)
	if err := p.open(p.chip); err != nil {
		return err
	}
	return p.start()
}

func (p *Range) start() error {
	p.fetched = p.clk.Now()
	if err := p.chip.Start(); err != nil {
		return p.fail("start", err)
	}
	return nil
}

// Poll checks the configuration, without which a measurement never becomes ready, and fetches the newest one.
func (p *Range) Poll(now time.Time) (hardware.Sample, error) {
	if verr := p.chip.Verify(); verr != nil {
		err := p.heal(now, p.chip, verr)
		if err == nil {
			err = p.start()
		}
		if err != nil {
			return p.bad(now, "verify", err, p.last)
		}
		return p.stale(p.last), nil // the first measurement comes with the next poll
	}
	m, err := p.fetch()
	if c := m.Status.Class(); err == nil && (c == vl53l0x.Invalid || c == vl53l0x.Near) {
		m, err = p.fetch() // one alone may be noise: the next comes within 33 ms
	}
	if err != nil {
		return p.bad(now, "read range", err, p.last)
	}
	return p.judge(now, m)
}

// judge makes a reading of a measurement. Only what the chip calls "no target" is free space.
func (p *Range) judge(now time.Time, m vl53l0x.Measurement) (hardware.Sample, error) {
	switch m.Status.Class() {
	case vl53l0x.NoTarget:
		p.last.DistanceMM, p.last.Found = p.part.MaxMM, false
	case vl53l0x.Valid:
		if m.MM > vl53l0x.OutOfRange+1 {
			return p.reject(now, "read range", p.last, "%d mm", m.MM)
		}
		d := min(max(float64(m.MM), foundMinMM), p.part.MaxMM) // what is nearer than the minimum is still there
		p.last.DistanceMM, p.last.Found = d, d <= foundMaxMM
	case vl53l0x.Near:
		p.last.DistanceMM, p.last.Found = foundMinMM, true
	case vl53l0x.Fault:
		return hardware.Sample{}, p.errorWithCause(hardware.CauseActuator, "read range", "%v", m.Status)
	default:
		return p.reject(now, "read range", p.last, "%v", m.Status)
	}
	return p.good(&p.last)
}

func (p *Range) fetch() (vl53l0x.Measurement, error) {
	for {
		ready, err := p.chip.Ready()
		now := p.clk.Now()
		switch {
		case err != nil:
			return vl53l0x.Measurement{}, err
		case ready:
			p.fetched = now
			return p.chip.Result()
		case now.Sub(p.fetched) >= rangeTimeout:
			return vl53l0x.Measurement{}, reg.ErrNotReady
		}
		p.clk.Sleep(rangeStep)
	}
}

// Apply refuses everything.
func (p *Range) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

// Halt ends the measuring. A chip that does not answer measures on, which harms nobody.
func (p *Range) Halt() (err error) {
	if p.chip != nil {
		err = p.chip.Halt()
	}
	if p.xshut != nil {
		_ = p.xshut.Close()
		p.xshut = nil
	}
	return err
}
