// Package ads1115 drives the TI ADS1115, a 16-bit ADC with four inputs, in single-shot mode.
//
// The internal oscillator is only good to ±10 %, so waiting one nominal period and reading returns the previous
// channel's value on a slow chip. This driver waits for the ready bit, and because that bit lives in the
// configuration register, each conversion also proves that the configuration is still there.
package ads1115

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
)

// Registers.
const (
	regConversion = 0x00
	regConfig     = 0x01
	regLow        = 0x02
	regHigh       = 0x03
)

// Configuration: single shot, ±4.096 V, 860 samples/s, comparator off. The reset value is 0x8583 (±2.048 V, 128
// samples/s), so a chip that was reset is seen at once.
const (
	start      = 0x8000
	muxSingle  = 0x4000 // input 0 against ground; inputs 1 to 3 follow in steps of 0x1000
	gain4V     = 0x0200
	singleShot = 0x0100
	rate860    = 0x00e0
	noCompare  = 0x0003
	base       = gain4V | singleShot | rate860 | noCompare

	// Comparator thresholds at their reset values. With the comparator off nothing writes them, which makes them a
	// fingerprint: the chip has no identity register.
	lowReset  = 0x8000
	highReset = 0x7fff
)

// FullScaleVolts is the input voltage of the raw value 32768.
const FullScaleVolts = 4.096

// Conversion at 860 samples/s takes 1.163 ms; the slowest chip in specification needs 1.29 ms.
const (
	conversion = 1200 * time.Microsecond
	again      = 100 * time.Microsecond
	maxAgain   = 8
)

// A Dev is one chip. It has one owner and no lock.
type Dev struct {
	r      *reg.Dev
	config uint16 // as last acknowledged, without the start bit
}

// New returns a driver for the chip at addr.
func New(bus i2c.Bus, addr uint16, clk hardware.Clock, health *hardware.Health) *Dev {
	return &Dev{r: reg.New(bus, addr, clk, health), config: base | muxSingle}
}

// Init checks the fingerprint, writes the configuration and reads it back.
func (d *Dev) Init() error {
	for _, s := range []struct {
		reg  byte
		want uint16
	}{{regLow, lowReset}, {regHigh, highReset}} {
		got, err := d.r.Read16(s.reg)
		if err != nil {
			return err
		}
		if got != s.want {
			return &reg.IDError{Got: got, Want: fmt.Sprintf("threshold %#04x", s.want)}
		}
	}
	d.config = base | muxSingle
	if err := d.r.Write16(regConfig, d.config); err != nil {
		return err
	}
	return d.Verify()
}

// Verify reads the configuration register back.
func (d *Dev) Verify() error {
	_, err := d.ready()
	return err
}

// ready reads the ready bit and compares the rest of the register.
func (d *Dev) ready() (bool, error) {
	got, err := d.r.Read16(regConfig)
	if err != nil {
		return false, err
	}
	if got&^start != d.config {
		return false, fmt.Errorf("%w: configuration reads %#04x, want %#04x", reg.ErrConfigLost, got&^start, d.config)
	}
	return got&start != 0, nil
}

// Read converts one input, 0 to 3, and returns the raw value. It sleeps about 1.2 ms.
func (d *Dev) Read(input int) (int16, error) {
	config := base | muxSingle | uint16(input)<<12
	if err := d.r.Write16(regConfig, start|config); err != nil {
		return 0, err // the chip holds what it held: that is no lost configuration
	}
	d.config = config
	d.r.Sleep(conversion)
	for range maxAgain {
		ready, err := d.ready()
		if err != nil {
			return 0, err
		}
		if ready {
			v, err := d.r.Read16(regConversion)
			return int16(v), err
		}
		d.r.Sleep(again)
	}
	return 0, reg.ErrNotReady
}

// Volts converts a raw value.
func Volts(raw int16) float64 { return float64(raw) * FullScaleVolts / 32768 }

// Halt does nothing: in single-shot mode the chip powers itself down.
func (d *Dev) Halt() error { return nil }
