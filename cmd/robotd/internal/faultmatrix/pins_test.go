package faultmatrix

import (
	"slices"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// The wheels' PWM chip and the registers by which its outputs change.
const (
	wheelChip = 0x41
	regMode1  = 0x00
	regOut0   = 0x06 // four bytes an output: ON low, ON high, OFF low, OFF high
	regAllOut = 0xfa
	fullOff   = 0x10 // of OFF high
	fullOn    = 0x10 // of ON high
	sleeping  = 0x10 // of MODE1: no output
	wheelOuts = 4    // IN1 and IN2 of the left motor, then of the right one
)

// pins is what the H-bridge gets: its power, from the gate behind MOTOR_EN and the one-shot, and the duties that reached the PWM
// chip. The wheels are driven while it has power and some duty is not zero. It keeps each change with its instant.
type pins struct {
	now     func() time.Time
	enable  *enableLine // that was requested last
	high    bool        // MOTOR_EN
	power   bool        // the gate's output
	asleep  bool
	duty    [wheelOuts]uint16
	changes []change
	fell    time.Time // when MOTOR_EN fell last
}

// change is one edge of "the wheels are driven".
type change struct {
	at time.Time
	on bool
}

func (p *pins) driven() bool { return p.power && !p.asleep && p.duty != [wheelOuts]uint16{} }

func (p *pins) note() { p.noteAt(p.now()) }

// gate is called by the world when the power comes or goes.
func (p *pins) gate(at time.Time, on bool) {
	p.power = on
	p.noteAt(at)
}

func (p *pins) noteAt(at time.Time) {
	on := p.driven()
	if n := len(p.changes); n == 0 && on || n > 0 && p.changes[n-1].on != on {
		p.changes = append(p.changes, change{at, on})
	}
}

// offSince is the first instant from t on at which the wheels are not driven; false if there is none yet.
func (p *pins) offSince(t time.Time) (time.Time, bool) {
	on := false
	for _, c := range p.changes {
		switch {
		case !c.at.After(t):
			on = c.on
		case !on:
			return t, true
		case !c.on:
			return c.at, true
		}
	}
	return t, !on
}

// drivenIn is for how long the wheels were driven between two instants.
func (p *pins) drivenIn(from, to time.Time) (total time.Duration) {
	since, on := from, false
	for _, c := range p.changes {
		at := c.at
		if at.Before(from) {
			at = from
		}
		if at.After(to) {
			break
		}
		if on && !c.on {
			total += at.Sub(since)
		}
		since, on = at, c.on
	}
	if on {
		total += to.Sub(since)
	}
	return total
}

// longestIn is the longest time for which the wheels were driven in one go between two instants.
func (p *pins) longestIn(from, to time.Time) (longest time.Duration) {
	since := from
	for _, c := range append(slices.Clone(p.changes), change{at: to}) {
		if c.at.After(from) && !since.After(to) {
			longest = max(longest, p.drivenIn(since, c.at))
			since = c.at
		}
	}
	return longest
}

// powerLoss is the wheel chip's reset: it sleeps, every output off.
func (p *pins) powerLoss() {
	p.duty, p.asleep = [wheelOuts]uint16{}, true
	p.note()
}

// lines are the robot's GPIO lines with a probe on MOTOR_EN.
type lines struct {
	hardware.Lines
	pins *pins
}

func (l lines) Output(name string, initial bool) (hardware.Line, error) {
	line, err := l.Lines.Output(name, initial)
	if err != nil || name != profile.R1().Drive.Enable {
		return line, err
	}
	e := &enableLine{Line: line, pins: l.pins}
	l.pins.enable, l.pins.high = e, initial
	return e, nil
}

// enableLine is MOTOR_EN. Released, it falls to its pull-down.
type enableLine struct {
	hardware.Line
	pins *pins
}

func (e *enableLine) Set(high bool) error {
	err := e.Line.Set(high)
	if err == nil {
		e.level(high)
	}
	return err
}

func (e *enableLine) Close() error {
	e.level(false)
	return e.Line.Close()
}

func (e *enableLine) level(high bool) {
	if e.pins.enable == e {
		if e.pins.high && !high {
			e.pins.fell = e.pins.now()
		}
		e.pins.high = high
	}
}

// bus is the I²C bus with a probe at the wheel chip: what it acknowledged has reached its outputs.
type bus struct {
	i2c.Bus
	pins *pins
}

func (b bus) SetSpeed(f physic.Frequency) error { return b.Bus.SetSpeed(f) }

func (b bus) Tx(addr uint16, w, r []byte) error {
	err := b.Bus.Tx(addr, w, r)
	if err == nil && addr == wheelChip && len(w) > 1 {
		b.pins.written(int(w[0]), w[1:])
	}
	return err
}

// written follows one write to the chip. Outputs follow the last byte.
func (p *pins) written(reg int, data []byte) {
	if reg == regMode1 {
		p.asleep = data[0]&sleeping != 0
	}
	for ; len(data) >= 4; reg, data = reg+4, data[4:] {
		var d uint16
		switch {
		case data[3]&fullOff != 0:
		case data[1]&fullOn != 0:
			d = 4096
		default:
			d = uint16(data[2]) | uint16(data[3])<<8
		}
		for i := range p.duty {
			if reg == regAllOut || reg == regOut0+4*i {
				p.duty[i] = d
			}
		}
	}
	p.note()
}
