// Package ina219 drives the TI INA219, a current and voltage monitor.
//
// The chip has no identity register. After a power loss its calibration register is 0 and the chip reports 0 A without
// an error, so the driver reads the calibration back before it uses a measurement.
package ina219

import (
	"errors"
	"fmt"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
)

// Registers.
const (
	regConfig      = 0x00
	regBus         = 0x02
	regCurrent     = 0x04
	regCalibration = 0x05
)

// Configuration: 16 V bus range, ±320 mV shunt range, 12 bits (0.53 ms), shunt and bus continuously. The reset value
// 0x399f differs in the bus range.
const config = 0x199f

// Scale. Calibration = 0.04096 / (current LSB × shunt), data sheet equation 1.
const (
	shuntOhm    = 0.1
	currentLSB  = 100e-6 // A
	calibration = 4096   // 0.04096 / (100 µA × 0.1 Ω)
	busLSB      = 4e-3   // V, after shifting out three status bits
	overflow    = 0x0001
)

// ErrOverflow means that the current exceeded the range of the shunt amplifier.
var ErrOverflow = errors.New("current out of the measuring range")

// MaxAmps is the largest current the shunt range can show.
const MaxAmps = 0.320 / shuntOhm

// A Dev is one chip. It has one owner and no lock.
type Dev struct{ r *reg.Dev }

// New returns a driver for the chip at addr with a 0.1 Ω shunt.
func New(bus i2c.Bus, addr uint16, clk hardware.Clock, health *hardware.Health) *Dev {
	return &Dev{r: reg.New(bus, addr, clk, health)}
}

// Init writes configuration and calibration and reads both back.
func (d *Dev) Init() error {
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

// Read measures the bus voltage and the current through the shunt, positive from VIN+ to VIN−.
func (d *Dev) Read() (volts, amps float64, err error) {
	bus, err := d.r.Read16(regBus)
	if err != nil {
		return 0, 0, err
	}
	current, err := d.r.Read16(regCurrent)
	if err != nil {
		return 0, 0, err
	}
	if bus&overflow != 0 {
		return 0, 0, ErrOverflow
	}
	return float64(bus>>3) * busLSB, float64(int16(current)) * currentLSB, nil
}

// Halt does nothing: the chip only measures.
func (d *Dev) Halt() error { return nil }
