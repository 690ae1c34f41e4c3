package device

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// debounce accepts a new level after it was read need times in a row.
type debounce struct {
	need  int
	state bool
	other int // samples in a row that differ from state
}

// add takes one sample and reports whether the state changed.
func (d *debounce) add(level bool) bool {
	if level == d.state {
		d.other = 0
		return false
	}
	d.other++
	if d.other < d.need {
		return false
	}
	d.state, d.other = level, 0
	return true
}

// input is a line that is requested when first read, so that a device works again after Halt released it.
type input struct {
	name string
	line hardware.Line
}

func (i *input) get(lines hardware.Lines) (bool, error) {
	if i.line == nil {
		line, err := lines.Input(i.name)
		if err != nil {
			return false, err
		}
		i.line = line
	}
	level, err := i.line.Get()
	if err != nil {
		i.close()
	}
	return level, err
}

func (i *input) close() {
	if i.line != nil {
		_ = i.line.Close()
		i.line = nil
	}
}

const (
	touchPeriod   = 20 * time.Millisecond
	touchSamples  = 4 // TCH-1: a change must hold for four consecutive readings
	chargerPeriod = 50 * time.Millisecond
	chargeSamples = 3 // pogo pins bounce for about 100 ms
)

// Touch is the pad on the back, a TTP223 with an active-high output, and the power button on the same board.
type Touch struct {
	core
	lines       hardware.Lines
	pad, button input
	level, down debounce
	since       time.Time
	downSince   time.Time
	last        hardware.TouchState
}

// NewTouch returns the pad, not opened.
func NewTouch(b Board, s *Safety) *Touch {
	part := b.robot().Touch
	return &Touch{
		core: newCore(hardware.Touch, touchPeriod), lines: s.lines,
		pad: input{name: part.Pad}, level: debounce{need: touchSamples},
		button: input{name: part.Button}, down: debounce{need: touchSamples},
	}
}

// Open requests the line.
func (p *Touch) Open(clk hardware.Clock) error {
	p.clk, p.since, p.downSince = clk, clk.Now(), clk.Now()
	if _, _, err := p.read(); err != nil {
		return p.fail("open line", err)
	}
	return nil
}

// read reads the lines.
func (p *Touch) read() (pad, button bool, err error) {
	if pad, err = p.pad.get(p.lines); err != nil {
		return false, false, err
	}
	button, err = p.button.get(p.lines)
	return pad, button, err
}

// Poll reads and debounces pad and button.
func (p *Touch) Poll(now time.Time) (hardware.Sample, error) {
	p.health.Reads++
	level, down, err := p.read()
	if err != nil {
		p.health.Errors++
		return p.bad(now, "read line", err, p.value())
	}
	if p.level.add(level) {
		p.since = now
	}
	if p.down.add(down) {
		p.downSince = now
	}
	p.last = p.value()
	return p.good(&p.last)
}

func (p *Touch) value() hardware.TouchState {
	return hardware.TouchState{Touched: p.level.state, Since: p.since, Pressed: p.down.state, PressedSince: p.downSince}
}

// Apply refuses everything.
func (p *Touch) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

// Halt releases the lines.
func (p *Touch) Halt() error {
	p.pad.close()
	p.button.close()
	return nil
}

// Charger reads the charging contacts: one line reports that they carry power, the charger chip's open-drain output
// reports that it charges. Both are active low.
type Charger struct {
	core
	lines             hardware.Lines
	present, charging input
	onContacts, busy  debounce
	last              hardware.ChargerState
}

// NewCharger returns the contacts, not opened.
func NewCharger(b Board, s *Safety) *Charger {
	part := b.robot().Charger
	return &Charger{
		core: newCore(hardware.Charger, chargerPeriod), lines: s.lines,
		present: input{name: part.Present}, charging: input{name: part.Status},
		onContacts: debounce{need: chargeSamples}, busy: debounce{need: chargeSamples},
	}
}

// Open requests the lines and takes their current levels without debouncing, so that a robot that starts on its charger
// reports it at once.
func (p *Charger) Open(clk hardware.Clock) error {
	p.clk = clk
	on, busy, err := p.read()
	if err != nil {
		return p.fail("open lines", err)
	}
	p.onContacts.state, p.busy.state = on, busy
	return nil
}

func (p *Charger) read() (onContacts, charging bool, err error) {
	present, err := p.present.get(p.lines)
	if err != nil {
		return false, false, err
	}
	status, err := p.charging.get(p.lines)
	return present, !status, err // high on the contacts, low while charging
}

// Poll reads and debounces the lines. Charging without contacts is impossible and reads as not charging.
func (p *Charger) Poll(now time.Time) (hardware.Sample, error) {
	p.health.Reads++
	on, busy, err := p.read()
	if err != nil {
		p.health.Errors++
		return p.bad(now, "read lines", err, p.value())
	}
	p.onContacts.add(on)
	p.busy.add(busy)
	p.last = p.value()
	return p.good(&p.last)
}

func (p *Charger) value() hardware.ChargerState {
	return hardware.ChargerState{OnContacts: p.onContacts.state, Charging: p.onContacts.state && p.busy.state}
}

// Apply refuses everything.
func (p *Charger) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

// Halt releases the lines.
func (p *Charger) Halt() error {
	p.present.close()
	p.charging.close()
	return nil
}
