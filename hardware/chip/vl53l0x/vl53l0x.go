// Package vl53l0x drives the ST VL53L0X, a time-of-flight distance sensor, in single-shot ranging with the power-on
// defaults, which are enough for a few decimeters.
//
// The chip publishes no register map; the addresses used here are those of its documented boot and ranging
// sequence. A measurement takes about 33 ms, so starting and fetching are separate calls and the driver need not wait.
package vl53l0x

import (
	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
)

// Registers.
const (
	regStart     = 0x00
	regIntConfig = 0x0a
	regIntClear  = 0x0b
	regIntStatus = 0x13
	regResult    = 0x14 // 12 bytes: status first, millimeters in the last two
	regModel     = 0xc0 // 0xee, then 0xaa
)

const (
	newSample   = 0x04 // interrupt when a sample is ready
	singleShot  = 0x01
	statusMask  = 0x07
	rangeStatus = 0x78
	rangeValid  = 11 << 3
)

// OutOfRange is what the chip reports, in millimeters, when nothing reflects. Both values occur.
const OutOfRange = 8190

// A Dev is one chip. It has one owner and no lock.
type Dev struct{ r *reg.Dev }

// New returns a driver for the chip at addr.
func New(bus i2c.Bus, addr uint16, clk hardware.Clock, health *hardware.Health) *Dev {
	return &Dev{r: reg.New(bus, addr, clk, health)}
}

// Init identifies the chip, writes the configuration and reads it back.
func (d *Dev) Init() error {
	id, err := d.r.Read16(regModel)
	if err != nil {
		return err
	}
	if id != 0xeeaa {
		return &reg.IDError{Got: id, Want: "0xeeaa"}
	}
	if err := d.r.Write8(regIntConfig, newSample); err != nil {
		return err
	}
	if err := d.r.Write8(regIntClear, 1); err != nil {
		return err
	}
	return d.Verify()
}

// Verify reads the interrupt configuration back.
func (d *Dev) Verify() error { return d.r.Check([]reg.Setting{{Reg: regIntConfig, Value: newSample}}) }

// Start begins one measurement.
func (d *Dev) Start() error { return d.r.Write8(regStart, singleShot) }

// Ready reports whether the measurement is complete.
func (d *Dev) Ready() (bool, error) {
	v, err := d.r.Read8(regIntStatus)
	return v&statusMask != 0, err
}

// Result fetches the distance of a complete measurement in millimeters and whether the chip marks it as valid. It
// re-arms the ready flag.
func (d *Dev) Result() (mm int, valid bool, err error) {
	b, err := d.r.Read(regResult, 12)
	if err != nil {
		return 0, false, err
	}
	mm, valid = int(b[10])<<8|int(b[11]), b[0]&rangeStatus == rangeValid
	if err := d.r.Write8(regIntClear, 1); err != nil {
		return 0, false, err
	}
	return mm, valid, nil
}

// Halt does nothing: without a start the chip does not measure.
func (d *Dev) Halt() error { return nil }
