package device

import (
	"fmt"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/pca9685"
	"github.com/robotd/robotd/hardware/chip/reg"
)

const lightsPeriod = 100 * time.Millisecond

// Lights is the five back lights on their own PWM chip: channels 0 to 14 in the order red, green, blue per light.
type Lights struct {
	core
	board     Board
	chip      *pca9685.Dev
	colors    [5]hardware.RGB // set by command
	shown     [5]hardware.RGB // read back
	unwritten bool            // the chip did not take the colors
	last      hardware.LightsState
}

// NewLights returns the lights, not opened.
func NewLights(b Board) *Lights {
	return &Lights{core: newCore(hardware.Lights, lightsPeriod), board: b}
}

// Open configures the chip with all lights off.
func (p *Lights) Open(clk hardware.Clock) error {
	p.clk = clk
	chip := p.board.robot().Chips[p.board.robot().Lights.Chip]
	p.chip = pca9685.New(p.board.Bus(clk), chip.Address, chip.FrequencyHz, clk, &p.health)
	p.chip.Trim(p.board.oscillator(p.board.robot().Lights.Chip))
	return p.open(p.chip)
}

// Poll reads mode and outputs back, and writes them again if they differ from the colors that were set.
func (p *Lights) Poll(now time.Time) (hardware.Sample, error) {
	if p.unwritten { // what never arrived was not lost
		if err := p.write(); err != nil {
			return p.bad(now, "write", err, p.value())
		}
	}
	err := p.check()
	if err != nil {
		if err = p.heal(now, p.chip, err); err == nil {
			if err = p.write(); err == nil {
				err = p.check()
			}
		}
	}
	if err != nil {
		return p.bad(now, "verify", err, p.value())
	}
	p.shown = p.colors
	p.last = p.value()
	return p.good(&p.last)
}

func (p *Lights) value() hardware.LightsState { return hardware.LightsState{Colors: p.shown} }

func (p *Lights) check() error {
	if err := p.chip.Verify(); err != nil {
		return err
	}
	var got [lightChannels]uint16
	if err := p.chip.Get(0, got[:]); err != nil {
		return err
	}
	if want := dutiesOf(p.colors); got != want {
		return fmt.Errorf("%w: outputs read %v, want %v", reg.ErrConfigLost, slices.Clone(got[:]), slices.Clone(want[:]))
	}
	return nil
}

func (p *Lights) write() error {
	d := dutiesOf(p.colors)
	err := p.chip.Set(0, d[:]...)
	p.unwritten = err != nil
	return err
}

// Apply sets the colors. They are read back by the next poll.
func (p *Lights) Apply(_ time.Time, c hardware.Command) error {
	set, ok := c.(hardware.SetLights)
	if !ok {
		return p.unknownCommand(c)
	}
	p.colors = set.Colors
	if err := p.write(); err != nil {
		return p.fail("write", err)
	}
	return nil
}

// Halt switches the lights off.
func (p *Lights) Halt() error {
	p.colors, p.unwritten = [5]hardware.RGB{}, false
	if p.chip == nil {
		return nil
	}
	return p.chip.Halt()
}

// lightChannels are the channels of the colors.
const lightChannels = 15

// dutiesOf are the channels of the colors, in 4096ths; 255 is fully on.
func dutiesOf(colors [5]hardware.RGB) (d [lightChannels]uint16) {
	for i, c := range colors {
		for k, v := range [...]uint8{c.R, c.G, c.B} {
			d[3*i+k] = uint16((int(v)*pca9685.Full + 127) / 255)
		}
	}
	return d
}
