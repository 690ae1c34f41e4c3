package device

import (
	"errors"
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/hcsr04"
	"github.com/robotd/robotd/hardware/profile"
)

// sonarPeriod is longer than the interval that the sensor needs, so that a late poll does not shorten the next one below it.
const sonarPeriod = 70 * time.Millisecond

// Sonar is an echo sonar as the forward distance sensor. Its echoes scatter and jump, so a reading is the median of the last three
// measurements, where nothing seen is farther than anything.
type Sonar struct {
	core
	part    *profile.Range
	lines   hardware.Lines
	trigger hardware.Line
	echo    hardware.Edges
	chip    *hcsr04.Dev
	fired   bool // a measurement is under way
	recent  [3]float64
	n       int // of recent, so far
	last    hardware.RangeState
}

// NewSonar returns the sensor, not opened. Its lines are requested through s.
func NewSonar(b Board, s *Safety) *Sonar {
	robot := b.robot()
	return &Sonar{core: newCore(hardware.Range, sonarPeriod), part: robot.Range, lines: s.lines, last: lookout(robot)}
}

// Open requests the lines and triggers the first measurement.
func (p *Sonar) Open(clk hardware.Clock) (err error) {
	p.clk = clk
	if p.trigger, err = p.lines.Output(p.part.Trigger, false); err != nil {
		return p.fail("open line", err)
	}
	if p.echo, err = p.lines.Edges(p.part.Echo); err != nil {
		return p.fail("open line", err)
	}
	opts := hcsr04.DefaultOpts
	opts.MaxMM = p.part.MaxMM
	p.chip = hcsr04.New(p.trigger, p.echo, clk, &p.health, &opts)
	if err := p.open(p.chip); err != nil {
		return err
	}
	if err := p.fire(); err != nil {
		return p.fail("trigger", err)
	}
	return nil
}

// fire triggers a measurement, unless the echo line is still high from one that saw nothing.
func (p *Sonar) fire() error {
	err := p.chip.Start()
	p.fired = err == nil
	if errors.Is(err, hcsr04.ErrPending) {
		return nil
	}
	return err
}

// Poll reads the measurement that the poll before triggered, and triggers the next one.
func (p *Sonar) Poll(now time.Time) (hardware.Sample, error) {
	fired := p.fired
	var mm float64
	var found bool
	var err error
	if fired {
		mm, found, err = p.chip.Read()
	}
	if err2 := p.fire(); err == nil {
		err = err2
	}
	switch {
	case errors.Is(err, hcsr04.ErrEdges):
		return p.reject(now, "read range", p.last, "%w", err)
	case errors.Is(err, hcsr04.ErrPending), err == nil && !fired:
		p.failsInRow = 0
		return p.stale(p.last), nil
	case err != nil:
		return p.bad(now, "read range", err, p.last)
	}
	if !found {
		mm = math.Inf(1)
	}
	p.take(mm)
	return p.good(&p.last)
}

// take makes the median with another measurement the reading. The first ones after Open count alone.
func (p *Sonar) take(mm float64) {
	p.recent[0], p.recent[1], p.recent[2] = p.recent[1], p.recent[2], mm
	if p.n++; p.n >= len(p.recent) {
		a, b, c := p.recent[0], p.recent[1], p.recent[2]
		mm = max(min(a, b), min(max(a, b), c))
	}
	mm = min(mm, p.part.MaxMM)
	p.last.DistanceMM, p.last.Found = mm, mm <= foundMaxMM
}

// Apply refuses everything.
func (p *Sonar) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

// Halt lets the trigger rest and releases the lines.
func (p *Sonar) Halt() (err error) {
	if p.chip != nil {
		err = p.chip.Halt()
	}
	if p.trigger != nil {
		_ = p.trigger.Close()
	}
	if p.echo != nil {
		_ = p.echo.Close()
	}
	p.chip, p.trigger, p.echo = nil, nil, nil
	return err
}
