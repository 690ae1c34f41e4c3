// Package ina219 drives the TI INA219 (data sheet SBOS448), a current and voltage monitor.
//
// The chip has no identity register. It can compute the current itself, but only while its calibration register is set, which
// a power loss clears without a sign: then it reports 0 A. So the current is computed here, from the voltage over the shunt, and
// the calibration register only serves to notice a power loss.
package ina219

import (
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
)

// Registers.
const (
	regConfig      = 0x00
	regShunt       = 0x01 // 10 µV, signed
	regBus         = 0x02 // 4 mV, after shifting out three status bits
	regPower       = 0x03
	regCalibration = 0x05
)

// Bits of the configuration, and the ready bit of the bus register.
const (
	range32V  = 0x2000
	bits12    = 0x0198 // both converters, 0.53 ms each
	both      = 0x0007 // shunt and bus, continuously
	converted = 0x0002
)

const (
	shuntLSB = 10e-6 // V
	busLSB   = 4e-3  // V
	pinVolts = 26    // that the chip survives

	// calibration makes the chip's own current register count like the shunt register: 0.04096 / 10 µV, whatever the shunt.
	calibration = 4096

	conversion  = 2 * time.Millisecond // of both, with the tolerance of the oscillator
	conversions = 3
)

// ErrOverflow means that the current exceeded the range over the shunt: it is at least as much, in either direction.
var ErrOverflow = errors.New("current out of the measuring range")

// Opts is the circuit around the chip.
type Opts struct {
	// ShuntOhm is the resistor: 0.1 on most modules, 0.01 on some boards with motors.
	ShuntOhm float64
	// MaxVolts is the highest voltage of the battery: up to 16 (2S and 3S lithium packs), or up to 26.
	MaxVolts float64
	// MaxAmps is the largest current that must be measured. The voltage over the shunt may be at most 320 mV. 0 is as much as the
	// chip can do.
	MaxAmps float64
}

// DefaultOpts is the usual module.
var DefaultOpts = Opts{ShuntOhm: 0.1, MaxVolts: 16}

// config is the configuration for the circuit, and how many counts the shunt register can reach. The reset value 0x399f differs,
// but in the widest ranges; there nothing is lost with it.
func (o *Opts) config() (config uint16, counts int, err error) {
	switch {
	case !(o.ShuntOhm >= 0.0001 && o.ShuntOhm <= 100):
		return 0, 0, fmt.Errorf("ina219: shunt of %v Ω, want 0.0001 to 100", o.ShuntOhm)
	case !(o.MaxVolts > 0 && o.MaxVolts <= pinVolts):
		return 0, 0, fmt.Errorf("ina219: up to %v V, want more than 0 and at most %d", o.MaxVolts, pinVolts)
	case !(o.MaxAmps >= 0):
		return 0, 0, fmt.Errorf("ina219: up to %v A, want 0 or more", o.MaxAmps)
	}
	config = bits12 | both
	if o.MaxVolts > 16 {
		config |= range32V
	}
	if o.MaxAmps == 0 {
		return config | 3<<11, 32000, nil
	}
	for gain := range uint16(4) { // ±40, 80, 160, 320 mV
		counts = 4000 << gain
		if o.MaxAmps*o.ShuntOhm <= float64(counts)*shuntLSB*(1+1e-9) {
			return config | gain<<11, counts, nil
		}
	}
	return 0, 0, fmt.Errorf("ina219: %v A over %v Ω is %.0f mV, the chip measures 320: at most %.3g A, or a smaller shunt",
		o.MaxAmps, o.ShuntOhm, o.MaxAmps*o.ShuntOhm*1000, 0.32/o.ShuntOhm)
}

// A Dev is one chip. It has one owner and no lock.
type Dev struct {
	r      *reg.Dev
	name   string
	opts   Opts
	counts int // of the shunt register at the end of its range
}

// New returns a driver for the chip at addr. Nil opts means [DefaultOpts].
func New(bus i2c.Bus, addr uint16, clk hardware.Clock, health *hardware.Health, opts *Opts) *Dev {
	if opts == nil {
		opts = &DefaultOpts
	}
	return &Dev{r: reg.New(bus, addr, clk, health), name: fmt.Sprintf("INA219{%s(%#02x)}", bus, addr), opts: *opts}
}

// String names the chip, its bus and its address.
func (d *Dev) String() string { return d.name }

// Init writes configuration and calibration and reads both back.
func (d *Dev) Init() error {
	config, counts, err := d.opts.config()
	if err != nil {
		return err
	}
	d.counts = counts
	if err := d.r.Write16(regConfig, config); err != nil {
		return err
	}
	if err := d.r.Write16(regCalibration, calibration); err != nil {
		return err
	}
	if err := d.check(regConfig, config); err != nil {
		return err
	}
	return d.Verify()
}

// Verify reads the calibration back; it is 0 after a reset.
func (d *Dev) Verify() error { return d.check(regCalibration, calibration) }

func (d *Dev) check(r byte, want uint16) error {
	got, err := d.r.Read16(r)
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%w: register %#02x reads %#04x, want %#04x", reg.ErrConfigLost, r, got, want)
	}
	return nil
}

// Read measures the bus voltage and the current through the shunt, positive from VIN+ to VIN−. The voltage is that of VIN−, behind
// the shunt. Both are of a conversion that ended since the last Read.
func (d *Dev) Read() (volts, amps float64, err error) {
	bus, err := d.fresh()
	if err != nil {
		return 0, 0, err
	}
	raw, err := d.r.Read16(regShunt)
	if err != nil {
		return 0, 0, err
	}
	if _, err := d.r.Read16(regPower); err != nil { // clears the ready bit
		return 0, 0, err
	}
	shunt := int(int16(raw))
	if max(shunt, -shunt) >= d.counts {
		return 0, 0, ErrOverflow
	}
	return float64(bus>>3) * busLSB, float64(shunt) * shuntLSB / d.opts.ShuntOhm, nil
}

// fresh is the bus register, once it has a new conversion.
func (d *Dev) fresh() (uint16, error) {
	for range conversions {
		bus, err := d.r.Read16(regBus)
		if err != nil || bus&converted != 0 {
			return bus, err
		}
		d.r.Sleep(conversion)
	}
	return 0, fmt.Errorf("%w: %v after the last", reg.ErrNotReady, conversions*conversion)
}

// Halt does nothing: the chip only measures.
func (d *Dev) Halt() error { return nil }
