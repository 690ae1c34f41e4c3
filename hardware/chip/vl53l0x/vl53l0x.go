// Package vl53l0x drives the ST VL53L0X, a time-of-flight distance sensor, in back-to-back ranging.
//
// The data sheet (ST DocID029104) has no register map. Addresses, order and values are those of ST's own interface for the
// chip (VL53L0X API 1.0.2: DataInit, StaticInit, PerformRefCalibration, StartMeasurement), as its open ports carry them:
// pololu/vl53l0x-arduino and adafruit/Adafruit_VL53L0X. Skipped of it are the search for reference SPADs under a cover
// glass, long range, and the sigma estimate.
//
// A fresh chip measures without all this, but wrong by some percent. So Init is long, about 170 transactions, and done once;
// a measurement costs three.
package vl53l0x

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
)

// Registers of page 0.
const (
	regStart      = 0x00
	regSequence   = 0x01 // measurement steps
	regIntConfig  = 0x0a
	regIntClear   = 0x0b
	regIntStatus  = 0x13
	regResult     = 0x14 // 12 bytes
	regSignal     = 0x44 // 16 bits, Q9.7: least signal rate
	regMSRC       = 0x46 // time-out of TCC, MSRC and DSS
	regPrePeriod  = 0x50 // VCSEL period of the pre-range
	regPre        = 0x51 // 16 bits: time-out of the pre-range
	regRateChecks = 0x60
	regFinPeriod  = 0x70 // VCSEL period of the final range
	regFinal      = 0x71 // 16 bits: time-out of the final range
	regPower      = 0x80 // 1 for access to the private pages
	regPin        = 0x84
	regIOMode     = 0x89
	regStandard   = 0x88
	regAddress    = 0x8a
	regSPADs      = 0xb0 // 6 bytes: enabled reference SPADs
	regStartSPAD  = 0xb6
	regReset      = 0xbf
	regModel      = 0xc0
	regPage       = 0xff
)

const (
	model        = 0xee
	newSample    = 0x04 // interrupt when a sample is ready
	activeHigh   = 0x10 // of the interrupt pin
	singleShot   = 0x01
	backToBack   = 0x02
	statusMask   = 0x07
	defaultAddr  = 0x29
	allSteps     = 0xff
	usedSteps    = 0xe8 // DSS, pre-range, final range
	noRateChecks = 0x12 // MSRC, pre-range
)

// Waits. Each is bounded; the data sheet has 1.2 ms for a boot.
const (
	boot         = 5 * time.Millisecond
	bootLimit    = 50 * time.Millisecond
	nvmLimit     = 50 * time.Millisecond
	calibrations = 300 * time.Millisecond // each
	step         = time.Millisecond
)

// OutOfRange is what the chip reports, in millimeters, when nothing reflects. It may also be one more, or any number.
const OutOfRange = 8190

// Opts is how a chip is used.
type Opts struct {
	// Budget is the time of one measurement, 20 to 1000 ms. Twice the time reaches farther and scatters less.
	Budget time.Duration
	// SignalMCPS is the weakest echo, in million counts a second, that is a target.
	SignalMCPS float64
	// LowIO is for a bus with pull-ups to 1.8 V. A Raspberry Pi's are at 3.3 V.
	LowIO bool
	// XSHUT is the shutdown line, or nil. With it the chip is reset by the line, and may have an address of its own, which it
	// is given after each reset.
	XSHUT hardware.Line
}

// DefaultOpts is ST's default mode.
var DefaultOpts = Opts{Budget: 33 * time.Millisecond, SignalMCPS: 0.25}

// check refuses what the chip cannot do.
func (o *Opts) check(addr uint16) error {
	switch {
	case o.Budget < minBudget || o.Budget > time.Second:
		return fmt.Errorf("vl53l0x: budget %v, want %v to 1s", o.Budget, minBudget)
	case !(o.SignalMCPS >= 0 && o.SignalMCPS < 512):
		return fmt.Errorf("vl53l0x: least signal %v Mcps, want 0 to 511.99", o.SignalMCPS)
	case addr != defaultAddr && o.XSHUT == nil:
		return fmt.Errorf("vl53l0x: address %#02x needs an XSHUT line; without one the chip is at %#02x", addr, defaultAddr)
	}
	return nil
}

// A Dev is one chip. It has one owner and no lock.
type Dev struct {
	r    *reg.Dev
	bus  i2c.Bus
	addr uint16
	opts Opts
	clk  hardware.Clock

	health *hardware.Health
	stop   byte // the chip's stop variable, needed at each start
	away   bool // a private page may still be selected
}

// New returns a driver for the chip at addr. Nil opts means [DefaultOpts].
func New(bus i2c.Bus, addr uint16, clk hardware.Clock, health *hardware.Health, opts *Opts) *Dev {
	if opts == nil {
		opts = &DefaultOpts
	}
	return &Dev{r: reg.New(bus, addr, clk, health), bus: bus, addr: addr, opts: *opts, clk: clk, health: health}
}

// String names the chip, its bus and its address.
func (d *Dev) String() string { return fmt.Sprintf("VL53L0X{%s(%#02x)}", d.bus, d.addr) }

// Verify reads the interrupt configuration back, which is 0 after a reset. It first returns from a private page where a
// failed transaction left the chip.
func (d *Dev) Verify() error {
	if d.away {
		if err := d.home(); err != nil {
			return err
		}
	}
	return d.r.Check([]reg.Setting{{Reg: regIntConfig, Value: newSample}})
}

// home selects page 0.
func (d *Dev) home() error {
	err := d.pages(regPage, 0, regPower, 0)
	d.away = err != nil
	return err
}

// private runs f with the private registers of page 1 open, as each access to the stop variable needs.
func (d *Dev) private(f func() error) error {
	err := inOrder(
		func() error { return d.pages(regPower, 1, regPage, 1, 0, 0) },
		f,
		func() error { return d.r.Write8(0, 1) },
	)
	return firstOf(err, d.home())
}

// inOrder carries out steps until one fails.
func inOrder(steps ...func() error) error {
	for _, f := range steps {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// firstOf is the first error.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Start begins to measure back to back.
func (d *Dev) Start() error {
	if err := d.private(func() error { return d.r.Write8(regStopVariable, d.stop) }); err != nil {
		return err
	}
	return d.r.Write8(regStart, backToBack)
}

// Ready reports whether there is a measurement that was not fetched.
func (d *Dev) Ready() (bool, error) {
	v, err := d.r.Read8(regIntStatus)
	return v&statusMask != 0, err
}

// A Measurement is one result.
type Measurement struct {
	Status Status
	// MM means a distance only if the status is Valid; else it can be any number, also a plausible one.
	MM                      int
	SignalMCPS, AmbientMCPS float64
	SPADs                   float64 // in use
}

// Result fetches the newest measurement and re-arms the ready flag.
func (d *Dev) Result() (Measurement, error) {
	b, err := d.r.Read(regResult, 12)
	if err != nil {
		return Measurement{}, err
	}
	word := func(i int) float64 { return float64(uint16(b[i])<<8 | uint16(b[i+1])) }
	m := Measurement{
		Status: Status(b[0] >> 3 & 15), MM: int(word(10)),
		SPADs: word(2) / 256, SignalMCPS: word(6) / 128, AmbientMCPS: word(8) / 128,
	}
	return m, d.r.Write8(regIntClear, 1)
}

// Halt ends the measuring, which switches the laser off.
func (d *Dev) Halt() error {
	err := d.pages(regStart, singleShot, regPage, 1, 0, 0, regStopVariable, 0, 0, 1)
	return firstOf(err, d.home())
}
