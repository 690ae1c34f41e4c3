// Package ads7830 drives the TI ADS7830 (data sheet SBAS302), an 8-bit ADC with eight inputs against ground. Commands as in
// facebook/OpenBIC and in Freenove's code for its cars.
//
// The chip has no registers and no identity: each byte that is read was converted at the command before it. It shares its
// address 0x48 with the ADS1115 and the PCF8591, so the robot's file says which of them is there.
package ads7830

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
)

// Inputs is the number of inputs.
const Inputs = 8

// Bits of the command.
const (
	single    = 0x80 // against ground
	converter = 0x04 // stays on between conversions
	reference = 0x08 // the internal one stays on
)

// internalVolts is the internal reference, and settle how long it takes to be one.
const (
	internalVolts = 2.5
	settle        = 2 * time.Millisecond
)

// Opts is how the inputs are measured.
type Opts struct {
	// Volts is the input voltage of the largest value, 255: the supply, or what a divider before the inputs makes of it.
	Volts float64
	// Internal uses the reference of 2.5 V in the chip. Then Volts is 2.5 times what the dividers take.
	Internal bool
}

// DefaultOpts measures against a supply of 3.3 V.
var DefaultOpts = Opts{Volts: 3.3}

// InternalOpts measures up to 2.5 V, whatever the supply.
var InternalOpts = Opts{Volts: internalVolts, Internal: true}

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
	return &Dev{r: reg.New(bus, addr, clk, health), name: fmt.Sprintf("ADS7830{%s(%#02x)}", bus, addr), opts: *opts}
}

// String names the chip, its bus and its address.
func (d *Dev) String() string { return d.name }

// Init switches the converter on, and the reference if it is the internal one, and waits for it.
func (d *Dev) Init() error {
	if !(d.opts.Volts > 0 && d.opts.Volts <= 50) {
		return fmt.Errorf("ads7830: full scale %v V, want more than 0 and at most 50", d.opts.Volts)
	}
	if _, err := d.Read(0); err != nil {
		return err
	}
	if d.opts.Internal {
		d.r.Sleep(settle)
	}
	return nil
}

// Verify does nothing: the chip keeps no configuration, each conversion brings its own.
func (d *Dev) Verify() error { return nil }

// command selects an input. The codes of even and odd inputs lie four apart.
func (d *Dev) command(input int) byte {
	c := byte(single | converter | (input<<2|input>>1)&7<<4)
	if d.opts.Internal {
		c |= reference
	}
	return c
}

// Read converts one input, 0 to 7.
func (d *Dev) Read(input int) (byte, error) {
	if input < 0 || input >= Inputs {
		return 0, fmt.Errorf("ads7830: no input %d, want 0 to 7", input)
	}
	return d.r.Read8(d.command(input))
}

// Volts converts one input.
func (d *Dev) Volts(input int) (float64, error) {
	v, err := d.Read(input)
	return float64(v) / 255 * d.opts.Volts, err
}

// Halt switches converter and reference off.
func (d *Dev) Halt() error {
	_, err := d.r.Read8(single)
	return err
}
