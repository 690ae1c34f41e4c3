package device

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
)

// Limits of the failure policy.
const (
	maxFailsInRow  = 3                // class B
	densityWindow  = 10 * time.Second // class B: over this window ...
	densityPercent = 5                // ... more failed polls than this share
	reinitWindow   = 60 * time.Second // class C: within this window ...
	maxReinits     = 3                // ... this many lost configurations mean unstable power
	rejectWindow   = time.Second      // class I: over this window ...
	rejectPercent  = 20               // ... more rejected samples than this share
	minScaled      = 4                // polls that a number of polls shrinks to when they come more seldom
	minBad         = 3                // a share of fewer bad polls than this means nothing
)

// A chip is the interface that the failure policy needs of every chip driver.
type chip interface {
	Init() error
	Verify() error
}

// core is embedded in every device. It holds its name and health and implements the failure policy. Like the Device it
// has one owner.
type core struct {
	name    string
	period  time.Duration
	clk     hardware.Clock
	opened  time.Time
	age     hardware.Since // how long ago that is
	health  hardware.Health
	rates   *Rates // nil: the period is what is wanted
	rate    *rate
	since   hardware.Since // the origin of rates, by clk
	clocked bool           // since is known

	failsInRow int
	failed     share       // failed polls
	rejected   share       // samples out of range
	reinits    []time.Time // lost configurations within the window, oldest first
}

func newCore(name string, period time.Duration) core {
	return core{
		name: name, period: period,
		failed:   share{window: densityWindow, polls: int(densityWindow / period), percent: densityPercent},
		rejected: share{window: rejectWindow, polls: int(rejectWindow / period), percent: rejectPercent},
	}
}

// never is before all times of a driver, which are durations since it was opened: to subtract those costs much less than instants do.
const never = time.Duration(math.MinInt64 / 2)

// setClock takes the clock that the driver is opened with.
func (c *core) setClock(clk hardware.Clock) {
	c.clk, c.opened = clk, clk.Now()
	c.age = hardware.SinceOn(clk, c.opened)
}

// sinceOpen is how long after its Open an instant is.
func (c *core) sinceOpen(now time.Time) time.Duration { return now.Sub(c.opened) }

// Name is the subsystem's name.
func (c *core) Name() string { return c.name }

// Period is the time between two polls. It may change while the device is polled.
func (c *core) Period() time.Duration {
	if c.rates == nil {
		return c.period
	}
	return c.rates.period(c.rate)
}

// fit makes the period follow the bus, if the device has a longest period.
func (c *core) fit(r *Rates, part *rate) {
	if _, ok := slowest[c.name]; ok {
		r.add(part, c.period)
		c.rates, c.rate = r, part
	}
}

// scaled is how many polls take as long as n at the wanted period, at least a few.
func (c *core) scaled(n int) int { return max(minScaled, int(time.Duration(n)*c.period/c.Period())) }

// fail classifies err. A DeviceError passes unchanged.
func (c *core) fail(op string, err error) error {
	var d *hardware.DeviceError
	if errors.As(err, &d) {
		return err
	}
	return &hardware.DeviceError{Device: c.name, Op: op, Cause: reg.CauseOf(err), Err: err}
}

// errorWithCause returns an error of a given cause.
func (c *core) errorWithCause(cause hardware.Cause, op, format string, args ...any) error {
	return &hardware.DeviceError{Device: c.name, Op: op, Cause: cause, Err: fmt.Errorf(format, args...)}
}

// unknownCommand returns the error for a command of another device.
func (c *core) unknownCommand(cmd hardware.Command) error {
	return c.errorWithCause(hardware.CauseCommand, "apply", "unknown command %T", cmd)
}

// good returns the sample of a successful poll. The value is a pointer to memory of the device.
func (c *core) good(value any) (hardware.Sample, error) {
	if err := c.succeeded(); err != nil {
		return hardware.Sample{}, err
	}
	return hardware.Sample{Quality: hardware.OK, Value: value, Health: c.health}, nil
}

// succeeded counts a successful poll and returns why there must be no other.
func (c *core) succeeded() error {
	c.failsInRow = 0
	if c.rates == nil {
		return nil
	}
	if err := c.rates.polled(c.rate, c.sinceOrigin()); err != nil {
		return c.errorWithCause(hardware.CauseTimeout, "poll", "%w", err)
	}
	return nil
}

// sinceOrigin is the time since the origin of the rates.
func (c *core) sinceOrigin() time.Duration {
	if !c.clocked {
		c.since, c.clocked = hardware.SinceOn(c.clk, c.rates.since(c.clk)), true
	}
	return c.since.Now()
}

// bad handles a failed poll. It returns a stale sample as long as the failure may be temporary, then an error.
func (c *core) bad(now time.Time, op string, err error, value any) (hardware.Sample, error) {
	err = c.fail(op, err)
	c.failsInRow++
	if c.rates != nil {
		_ = c.rates.polled(c.rate, now.Sub(c.rates.since(c.clk)))
	}
	dense := c.failed.add(now)
	switch hardware.Classify(err) {
	case hardware.CauseNack, hardware.CauseTimeout, hardware.CauseMalformed:
		if c.failsInRow < maxFailsInRow && !dense {
			return c.stale(value), nil
		}
	}
	return hardware.Sample{}, err
}

// stale returns the sample of a poll without a new value.
func (c *core) stale(value any) hardware.Sample {
	return hardware.Sample{Quality: hardware.Stale, Value: value, Health: c.health}
}

// reject handles a sample that is out of physical range. It returns a stale sample, or an error if there were too many.
func (c *core) reject(now time.Time, op string, value any, format string, args ...any) (hardware.Sample, error) {
	c.health.Rejected++
	if c.rejected.add(now) {
		return hardware.Sample{}, c.errorWithCause(hardware.CauseRange, op, format, args...)
	}
	return c.stale(value), nil
}

// open initializes a chip.
func (c *core) open(d chip) error {
	if err := d.Init(); err != nil {
		return c.fail("initialize", err)
	}
	return nil
}

// heal writes the configuration of the chip again if err means that the chip lost it. It returns the remaining error.
func (c *core) heal(now time.Time, d chip, err error) error {
	if !errors.Is(err, reg.ErrConfigLost) {
		return err
	}
	c.health.Reinits++
	for len(c.reinits) > 0 && now.Sub(c.reinits[0]) > reinitWindow {
		c.reinits = c.reinits[1:]
	}
	c.reinits = append(c.reinits, now)
	if len(c.reinits) >= maxReinits {
		return c.errorWithCause(hardware.CauseConfig, "verify", "power unstable: %d times in %v: %w", len(c.reinits), reinitWindow, err)
	}
	return d.Init()
}

// share counts bad polls over a tumbling window.
type share struct {
	window  time.Duration
	polls   int // in a window
	percent int
	start   time.Time
	bad     int
}

// add counts one bad poll and reports whether there are too many.
func (s *share) add(now time.Time) bool {
	if s.start.IsZero() || now.Sub(s.start) >= s.window {
		s.start, s.bad = now, 0
	}
	s.bad++
	return s.bad >= minBad && s.bad*100 > s.polls*s.percent
}
