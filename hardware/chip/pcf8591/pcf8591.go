// Package pcf8591 drives the NXP PCF8591 (product data sheet rev. 7), an 8-bit ADC with four inputs and a DAC that is left off.
//
// A byte that is read is the conversion that the byte before it started: of another input, or of seconds ago. So each
// measurement reads two and drops the first. The chip has no identity and is specified for a bus of at most 100 kHz;
// at 400 kHz readings of real ones were unreliable, so a robot's file that asks for more gets a warning.
package pcf8591

import (
	"fmt"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
)

// Inputs is the number of inputs.
const Inputs = 4

// Opts is how the inputs are measured.
type Opts struct {
	// Volts is the reference against analog ground; an input is value/256 of it.
	Volts float64
}

// DefaultOpts has a supply of 3.3 V as reference.
var DefaultOpts = Opts{Volts: 3.3}

// A Dev is one chip. It has one owner and no lock.
type Dev struct {
	r    *reg.Dev
	name string
	opts Opts
}

// New returns a driver for the chip at addr. Nil opts means [DefaultOpts].
func New(bus i2c.Bus, addr uint16, clk hardware.Clock, health *hardware.Health, opts *Opts) *Dev {
	if opts == nil {
		opts = &DefaultOpts
	}
	return &Dev{r: reg.New(bus, addr, clk, health), name: fmt.Sprintf("PCF8591{%s(%#02x)}", bus, addr), opts: *opts}
}

// String names the chip, its bus and its address.
func (d *Dev) String() string { return d.name }

// Init converts once: the chip answers or not. It has nothing else to set up.
func (d *Dev) Init() error {
	if !(d.opts.Volts > 0 && d.opts.Volts <= 50) {
		return fmt.Errorf("pcf8591: full scale %v V, want more than 0 and at most 50", d.opts.Volts)
	}
	_, err := d.Read(0)
	return err
}

// Verify does nothing: each conversion brings its configuration.
func (d *Dev) Verify() error { return nil }

// Read converts one input, 0 to 3, against ground.
func (d *Dev) Read(input int) (byte, error) {
	if input < 0 || input >= Inputs {
		return 0, fmt.Errorf("pcf8591: no input %d, want 0 to 3", input)
	}
	b, err := d.r.Read(byte(input), 2) // control byte: four single inputs, no auto-increment, DAC off
	return b[1], err
}

// Volts converts one input.
func (d *Dev) Volts(input int) (float64, error) {
	v, err := d.Read(input)
	return float64(v) / 256 * d.opts.Volts, err
}

// Halt does nothing: the DAC was never on.
func (d *Dev) Halt() error { return nil }
