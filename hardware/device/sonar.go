package device

import (
	"errors"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/hcsr04"
	"github.com/robotd/robotd/hardware/profile"
)

// sonarPeriod is a little more than the least time between two triggers.
const sonarPeriod = 70 * time.Millisecond

// sonarMedian is of how many measurements the middle one is told: single echoes are now and then those of something else.
const sonarMedian = 3

// Sonar is a forward distance sensor that measures by echo.
type Sonar struct {
	core
	part   *profile.Range
	lines  hardware.Lines
	out    hardware.Line
	in     hardware.Edges
	chip   *hcsr04.Dev
	newest [sonarMedian]float64
	n      int // measurements since Open
	last   hardware.RangeState
}

// NewSonar returns the distance sensor, not opened.
func NewSonar(b Board, s *Safety) *Sonar {
	return &Sonar{core: newCore(hardware.Range, sonarPeriod), part: b.robot().Range, lines: s.lines}
}

// Open requests the lines and triggers the first measurement.
func (p *Sonar) Open(clk hardware.Clock) error {
	p.clk = clk
	if err := p.connect(); err != nil {
		return p.fail("open lines", err)
	}
	return nil
}

// connect requests the lines if they are not there.
func (p *Sonar) connect() (err error) {
	if p.chip != nil {
		return nil
	}
	if p.out, err = p.lines.Output(p.part.Trigger, false); err != nil {
		return err
	}
	if p.in, err = p.lines.Edges(p.part.Echo); err != nil {
		p.close()
		return err
	}
	p.chip = hcsr04.New(p.out, p.in, p.clk, &p.health, &hcsr04.Opts{Celsius: hcsr04.DefaultOpts.Celsius, MaxMM: p.part.MaxMM})
	if err = p.chip.Init(); err == nil {
		err = p.chip.Start()
	}
	if err != nil && !errors.Is(err, hcsr04.ErrPending) {
		p.close()
		return err
	}
	return nil
}

func (p *Sonar) close() {
	if p.in != nil {
		_ = p.in.Close()
	}
	if p.out != nil {
		_ = p.out.Close()
	}
	p.chip, p.in, p.out = nil, nil, nil
}

// Poll takes the echo of the last measurement and triggers the next one.
func (p *Sonar) Poll(now time.Time) (hardware.Sample, error) {
	if p.chip == nil {
		if err := p.connect(); err != nil {
			return p.bad(now, "open lines", err, p.last)
		}
		return p.stale(p.last), nil
	}
	mm, found, err := p.chip.Read()
	if serr := p.chip.Start(); err == nil && !errors.Is(serr, hcsr04.ErrPending) {
		err = serr
	}
	switch {
	case errors.Is(err, hcsr04.ErrPending):
		return p.stale(p.last), nil
	case errors.Is(err, hcsr04.ErrEdges):
		return p.bad(now, "read echo", p.errorWithCause(hardware.CauseMalformed, "read echo", "%w", err), p.last)
	case err != nil:
		if hardware.CauseOfErrno(err) == hardware.CauseGone {
			p.close()
		}
		return p.bad(now, "read echo", err, p.last)
	}
	if !found {
		mm = p.part.MaxMM
	}
	p.newest[p.n%sonarMedian] = mm
	p.n++
	p.last = p.median()
	return p.good(&p.last)
}

// median is the middle one of the newest measurements.
func (p *Sonar) median() hardware.RangeState {
	all := p.newest
	some := all[:min(p.n, sonarMedian)]
	slices.Sort(some)
	mm := some[len(some)/2]
	return hardware.RangeState{DistanceMM: mm, Found: mm >= foundMinMM && mm <= foundMaxMM}
}

// Apply refuses everything.
func (p *Sonar) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

// Halt releases the lines.
func (p *Sonar) Halt() error {
	var err error
	if p.chip != nil {
		err = p.chip.Halt()
	}
	p.close()
	return err
}
