// Package hcsr04 drives echo sonars of the HC-SR04 kind (HC-SR04, HC-SR04P, RCWL-1601, US-100 in that mode): a trigger line,
// and an echo line that is high for as long as the sound is under way. Times as in Linux's srf04 driver and the data sheet of
// the modules.
//
// The length of the pulse is the difference of the kernel's times of its edges, never of the times at which this process
// woke. There are three outcomes, and they must not be mistaken: a distance; nothing seen, which is a long pulse; and a
// sensor that does not work, which is no pulse.
package hcsr04

import (
	"errors"
	"fmt"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
)

// Times of the sensor.
const (
	// Interval is the least time between two triggers, also of different sensors that hear each other.
	Interval = 60 * time.Millisecond

	trigger   = 20 * time.Microsecond // HC-SR04 10 µs, MaxBotix 20 µs; longer is harmless
	riseLimit = 20 * time.Millisecond // the echo line rises 0.2 to 0.5 ms after the trigger
	dropLimit = 250 * time.Millisecond
)

// nearest is the distance below which the sensor measures anything.
const nearestMM = 20

var (
	// ErrPending means that the pulse has not ended. Read again later.
	ErrPending = errors.New("the echo is still under way")
	// ErrSilent means that the echo line never rose: the sensor is broken or not connected.
	ErrSilent = fmt.Errorf("%w: no pulse on the echo line", reg.ErrNotReady)
	// ErrStuck means that the echo line does not fall: the sensor needs its power switched off.
	ErrStuck = fmt.Errorf("%w: the echo line stays high", reg.ErrNotReady)
	// ErrEdges means that edges were lost or are those of a disturbance. The measurement is void, the next may be good.
	ErrEdges = errors.New("edges of the echo line are missing")
)

// Opts is how the sensor is used.
type Opts struct {
	// Celsius is the temperature of the air: sound is 0.18 % faster a degree.
	Celsius float64
	// MaxMM is the farthest distance that counts. The sensor's is about 4000, its useful one 2500.
	MaxMM float64
}

// DefaultOpts is a room.
var DefaultOpts = Opts{Celsius: 20, MaxMM: 3000}

// A Dev is one sensor. It has one owner and no lock.
type Dev struct {
	trigger hardware.Line
	echo    hardware.Edges
	clk     hardware.Clock
	health  *hardware.Health
	opts    Opts

	fired time.Time
	rise  hardware.Edge
	state state
	edges [hardware.EdgeQueue]hardware.Edge
}

type state uint8

const (
	idle   state = iota
	waits        // for the rising edge
	sounds       // the echo line is high
	late         // for longer than MaxMM: that was told, and the line has to fall
)

// New returns a driver on an output and an input that keeps its edges. Nil opts means [DefaultOpts].
func New(trigger hardware.Line, echo hardware.Edges, clk hardware.Clock, health *hardware.Health, opts *Opts) *Dev {
	if opts == nil {
		opts = &DefaultOpts
	}
	return &Dev{trigger: trigger, echo: echo, clk: clk, health: health, opts: *opts}
}

// String names the sensor and its lines.
func (d *Dev) String() string { return fmt.Sprintf("HC-SR04{%s, %s}", d.trigger.Name(), d.echo.Name()) }

// Init checks the options and lets the trigger line rest.
func (d *Dev) Init() error {
	switch {
	case !(d.opts.Celsius >= -40 && d.opts.Celsius <= 60):
		return fmt.Errorf("hcsr04: air of %v °C, want -40 to 60", d.opts.Celsius)
	case !(d.opts.MaxMM >= 100 && d.opts.MaxMM <= 6000):
		return fmt.Errorf("hcsr04: farthest distance %v mm, want 100 to 6000", d.opts.MaxMM)
	}
	d.state = idle
	return d.trigger.Set(false)
}

// Verify does nothing: there are no registers.
func (d *Dev) Verify() error { return nil }

// MM is the distance of an echo after t.
func (o *Opts) MM(t time.Duration) float64 {
	return t.Seconds() * (331.5 + 0.6*o.Celsius) / 2 * 1000
}

// Start triggers a measurement. While the echo line is high the sensor does not listen: that is ErrPending, and ErrStuck if it
// lasts. Triggers must be [Interval] apart.
func (d *Dev) Start() error {
	d.health.Reads++
	switch high, err := d.echo.Get(); {
	case err != nil:
		return d.fail(err)
	case high:
		return d.fail(d.busy())
	}
	for { // what an earlier echo left
		n, err := d.echo.Take(d.edges[:])
		if err != nil {
			return d.fail(err)
		}
		if n < len(d.edges) {
			break
		}
	}
	if err := d.trigger.Set(true); err != nil {
		return d.fail(err)
	}
	d.clk.Sleep(trigger)
	if err := d.trigger.Set(false); err != nil {
		return d.fail(err)
	}
	d.state, d.fired = waits, d.clk.Now()
	return nil
}

// fail counts an error.
func (d *Dev) fail(err error) error {
	if !errors.Is(err, ErrPending) {
		d.health.Errors++
	}
	return err
}

// busy is the error of an echo line that is high.
func (d *Dev) busy() error {
	if d.state == idle { // nobody triggered: count from now on
		d.state, d.fired = late, d.clk.Now()
	}
	if d.clk.Now().Sub(d.fired) >= dropLimit {
		return ErrStuck
	}
	return ErrPending
}

// Read is the distance to the nearest thing, or false if nothing answered from within MaxMM. ErrPending means that the sound
// may still come back.
func (d *Dev) Read() (mm float64, found bool, err error) {
	n, err := d.echo.Take(d.edges[:])
	if err != nil {
		return 0, false, d.fail(err)
	}
	for _, e := range d.edges[:n] {
		if d.state == waits && e.Rising {
			d.state, d.rise = sounds, e
			continue
		}
		fits := d.state == sounds && !e.Rising && e.Seq == d.rise.Seq+1
		silent := d.state == late || d.state == idle // the end of one that was told, or a disturbance before the trigger
		if silent {
			continue
		}
		d.state = idle
		if !fits {
			return 0, false, d.fail(ErrEdges)
		}
		return d.judge(e.At - d.rise.At)
	}
	return d.wait()
}

// judge makes a distance of the length of the pulse.
func (d *Dev) judge(t time.Duration) (float64, bool, error) {
	mm := d.opts.MM(t)
	switch {
	case t <= 0:
		return 0, false, d.fail(ErrEdges)
	case mm > d.opts.MaxMM:
		return 0, false, nil
	}
	return max(mm, nearestMM), true, nil
}

// wait is the outcome while edges are missing.
func (d *Dev) wait() (float64, bool, error) {
	waited := d.clk.Now().Sub(d.fired)
	switch {
	case d.state == waits && waited >= riseLimit:
		d.state = idle
		return 0, false, d.fail(ErrSilent)
	case d.state == sounds && d.opts.MM(waited-riseLimit) > d.opts.MaxMM:
		d.state = late
		return 0, false, nil // whenever it ends, it is too long
	case d.state == late:
		return 0, false, d.fail(d.busy())
	case d.state == idle:
		return 0, false, errors.New("hcsr04: Read without Start")
	}
	return 0, false, ErrPending
}

// Halt lets the trigger line rest.
func (d *Dev) Halt() error { return d.trigger.Set(false) }
