// Package pca9685 drives the NXP PCA9685, a 16-channel 12-bit PWM generator: servos at 50 Hz, motors at about
// 1.5 kHz, lights at 500 Hz.
//
// Facts from the data sheet (rev. 4) that shape this driver: the prescaler can only be written while the oscillator
// sleeps; after a power loss the chip sleeps and every output is off, but writes to it still succeed, so only reading
// MODE1 back shows the loss; the all-call address 0x70, which is on after reset, belongs to other chips on our bus
// and is switched off; the chip has no watchdog and keeps its duty when the host dies.
package pca9685

import (
	"fmt"
	"math"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
)

// Registers.
const (
	regMode1    = 0x00
	regMode2    = 0x01
	regLED0     = 0x06 // four bytes a channel: ON low, ON high, OFF low, OFF high
	regAllLED   = 0xfa
	regPrescale = 0xfe
)

// Bits.
const (
	mode1Auto   = 0x20 // auto-increment
	mode1Sleep  = 0x10
	mode1Valid  = 0x7f // without RESTART (bit 7), whose value when read back is undefined
	mode2Totem  = 0x04 // push-pull outputs, not inverted, change on STOP
	full        = 0x10 // bit 4 of a high byte: full on / full off
	oscillator  = 25e6 // nominal
	minPrescale = 3
)

// Channels is the number of outputs.
const Channels = 16

// Full is the duty of an output that is always on.
const Full = 4096

// wakeTime is the data sheet's oscillator start-up time.
const wakeTime = 500 * time.Microsecond

// A Dev is one chip. It has one owner and no lock.
type Dev struct {
	r          *reg.Dev
	freqHz     float64 // wanted
	oscillator float64
	prescale   byte
}

// The oscillators of chips as users measured them are 23 to 27 MHz. One outside of these limits is a mistake.
const minOscillator, maxOscillator = 23e6, 27.5e6

// New returns a driver for the chip at addr with the given PWM frequency in Hz (24 to 1526).
func New(bus i2c.Bus, addr uint16, freqHz float64, clk hardware.Clock, health *hardware.Health) *Dev {
	d := &Dev{r: reg.New(bus, addr, clk, health), freqHz: freqHz}
	d.Trim(oscillator)
	return d
}

// Trim sets the frequency in Hz that the chip's oscillator really has, within 23 to 27.5 MHz. The next Init writes the prescaler for it.
func (d *Dev) Trim(oscillatorHz float64) {
	d.oscillator = min(max(oscillatorHz, minOscillator), maxOscillator)
	p := math.Round(d.oscillator/4096/d.freqHz) - 1
	d.prescale = byte(min(max(p, minPrescale), 255))
}

// OnError registers a listener for failed attempts, see [reg.Dev].
func (d *Dev) OnError(f func(error)) { d.r.OnError = f }

// FreqHz is the frequency the prescaler really gives.
func (d *Dev) FreqHz() float64 { return d.oscillator / 4096 / (float64(d.prescale) + 1) }

// Init switches every output off, configures the chip completely, wakes it and reads everything back.
func (d *Dev) Init() error {
	if err := d.configure(); err != nil {
		return err
	}
	return d.CheckOff()
}

// configure is Init without reading the outputs back.
func (d *Dev) configure() error {
	if err := d.r.Write8(regMode1, mode1Auto|mode1Sleep); err != nil {
		return err
	}
	if err := d.AllOff(); err != nil {
		return err
	}
	err := d.r.Configure([]reg.Setting{
		{Reg: regPrescale, Value: d.prescale},
		{Reg: regMode2, Value: mode2Totem},
		{Reg: regMode1, Value: mode1Auto},
	})
	if err != nil {
		return err
	}
	d.r.Sleep(wakeTime)
	return d.r.Check([]reg.Setting{
		{Reg: regPrescale, Value: d.prescale},
		{Reg: regMode2, Value: mode2Totem},
		{Reg: regMode1, Value: mode1Auto, Mask: mode1Valid},
	})
}

// Verify reads MODE1 back. A chip that lost its configuration is asleep.
func (d *Dev) Verify() error {
	return d.r.Check([]reg.Setting{{Reg: regMode1, Value: mode1Auto, Mask: mode1Valid}})
}

// AllOff sets the full-off bit of every output in one write.
func (d *Dev) AllOff() error { return d.r.Write(regAllLED, 0, 0, 0, full) }

// CheckOff reads all outputs back and fails with [reg.ErrConfigLost] unless each has its full-off bit.
func (d *Dev) CheckOff() error {
	b, err := d.r.Read(regLED0, 4*Channels)
	if err != nil {
		return err
	}
	for ch := range Channels {
		if b[4*ch+3]&full == 0 {
			return fmt.Errorf("%w: output %d is not off", reg.ErrConfigLost, ch)
		}
	}
	return nil
}

// Set writes consecutive outputs starting at first in one transaction. A duty is in 4096ths: 0 sets the full-off bit,
// 4096 the full-on bit.
func (d *Dev) Set(first int, duty ...uint16) error {
	buf := make([]byte, 0, 4*Channels)
	for _, v := range duty {
		switch {
		case v == 0:
			buf = append(buf, 0, 0, 0, full)
		case v >= Full:
			buf = append(buf, 0, full, 0, 0)
		default:
			buf = append(buf, 0, 0, byte(v), byte(v>>8))
		}
	}
	return d.r.Write(byte(regLED0+4*first), buf...)
}

// Get reads consecutive outputs back, starting at first, in 4096ths.
func (d *Dev) Get(first int, duty []uint16) error {
	b, err := d.r.Read(byte(regLED0+4*first), 4*len(duty))
	if err != nil {
		return err
	}
	for i := range duty {
		c := b[4*i : 4*i+4]
		switch {
		case c[3]&full != 0: // off takes precedence over on
			duty[i] = 0
		case c[1]&full != 0:
			duty[i] = Full
		default:
			duty[i] = (uint16(c[2]) | uint16(c[3])<<8) & 0x0fff
		}
	}
	return nil
}

// Halt switches every output off.
func (d *Dev) Halt() error { return d.AllOff() }
