package emul

import (
	"math"
	"syscall"
	"time"
)

// Registers and bits of the INA219 (Texas Instruments SBOS448).
const (
	inaConfig      = 0
	inaShunt       = 1 // 10 µV
	inaBus         = 2 // 4 mV << 3, bit 1 ready, bit 0 overflow
	inaPower       = 3
	inaCurrent     = 4
	inaCalibration = 5

	inaReset     = 0x8000
	inaRange32V  = 0x2000
	inaReady     = 0x0002
	inaOverflow  = 0x0001
	inaModeShunt = 1
	inaModeBus   = 2
	inaModeRun   = 4 // continuous; without it a conversion is triggered by a write to config

	// inaShuntOhm is the resistor on the usual module.
	inaShuntOhm = 0.1
)

// An INA219 is a current, voltage and power monitor. Without calibration, so after each reset, current and power read 0. With a
// clock a conversion takes its time, 0.2 to 136 ms by the configuration, and the registers keep the one before; without, it is
// done at once.
type INA219 struct {
	sense func() (busV, shuntA float64)
	now   func() time.Time
	ohm   float64

	guarded
	regs    [6]uint16
	ptr     byte
	ready   bool
	pending bool      // a conversion runs
	due     time.Time // its end
}

// NewINA219 returns the chip as after power-on: converting continuously, not calibrated. read gives the bus voltage
// and the current through the shunt, which has 0.1 ohm.
func NewINA219(read func() (busV, shuntA float64)) *INA219 {
	c := &INA219{sense: read, ohm: inaShuntOhm}
	c.reset()
	return c
}

// SetShunt changes the resistor. Call it before the chip is used.
func (c *INA219) SetShunt(ohm float64) { c.ohm = ohm }

// SetNow gives the chip a clock. Call it before the chip is used.
func (c *INA219) SetNow(now func() time.Time) { c.now = now }

// PowerOnReset restores all reset values.
func (c *INA219) PowerOnReset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reset()
}

func (c *INA219) reset() {
	c.regs = [6]uint16{inaConfig: 0x399F}
	c.ptr, c.ready, c.pending = 0, false, false
}

// I2C selects the register w[0], writes w[1:3] to it, and reads it as two bytes, repeated if r is longer.
func (c *INA219) I2C(w, r []byte) error {
	if len(w) == 2 || len(w) > 3 {
		return syscall.EREMOTEIO
	}
	var now time.Time
	if c.now != nil {
		now = c.now()
	}
	c.mu.Lock()
	done := c.finish(now)
	c.mu.Unlock()
	if done {
		c.measure()
	}
	c.mu.Lock()
	if len(w) > 0 {
		c.ptr = w[0]
	}
	trigger := len(w) == 3 && c.write(uint16(w[1])<<8|uint16(w[2]))
	running := c.regs[inaConfig]&inaModeRun != 0
	read := c.ptr >= inaShunt && c.ptr <= inaCurrent && len(r) > 0
	if c.now != nil && (trigger || running && !c.pending) {
		c.pending, c.due = true, now.Add(c.cycle())
	}
	c.mu.Unlock()
	if c.now == nil && (trigger || running && read) {
		c.measure()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read(r)
	return nil
}

// finish ends a conversion that is due and reports whether one ended. mu must be held.
func (c *INA219) finish(now time.Time) bool {
	if !c.pending || now.Before(c.due) {
		return false
	}
	c.pending = false
	return true
}

// measure takes a conversion of what the world has now. mu must not be held.
func (c *INA219) measure() {
	volts, amps := c.sense()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.convert(volts, amps)
}

// cycle is the time of a conversion: shunt and bus come one after the other. mu must be held.
func (c *INA219) cycle() (d time.Duration) {
	cfg := c.regs[inaConfig]
	if cfg&inaModeShunt != 0 {
		d += inaADC(cfg >> 3 & 15)
	}
	if cfg&inaModeBus != 0 {
		d += inaADC(cfg >> 7 & 15)
	}
	return d
}

// inaADC is the time of an ADC setting: 9 to 12 bits, or an average of 2 to 128 samples of 12 bits.
func inaADC(code uint16) time.Duration {
	if code&8 != 0 {
		return 532 * time.Microsecond << (code & 7)
	}
	return [4]time.Duration{84, 148, 276, 532}[code&3] * time.Microsecond
}

// write stores the selected register and reports whether that triggers a conversion. mu must be held.
func (c *INA219) write(v uint16) bool {
	switch c.ptr {
	case inaConfig:
		if v&inaReset != 0 {
			c.reset()
			return false
		}
		c.regs[inaConfig] = v &^ 0x4000
		c.ready, c.pending = false, false
		return v&inaModeRun == 0 && v&(inaModeShunt|inaModeBus) != 0
	case inaCalibration:
		c.regs[inaCalibration] = v &^ 1 // bit 0 is always 0
		c.derive()
	}
	return false
}

// convert takes a measurement into the registers that the mode asks for. mu must be held.
func (c *INA219) convert(volts, amps float64) {
	cfg := c.regs[inaConfig]
	if cfg&(inaModeShunt|inaModeBus) == 0 { // power-down, ADC off
		return
	}
	if cfg&inaModeShunt != 0 {
		limit := int16(4000) << (cfg >> 11 & 3) // ±40, 80, 160, 320 mV
		c.regs[inaShunt] = uint16(min(max(quantize(amps*c.ohm, 10e-6), -limit), limit))
	}
	if cfg&inaModeBus != 0 {
		limit := int16(4000)
		if cfg&inaRange32V != 0 {
			limit = 8000
		}
		c.regs[inaBus] = uint16(min(max(quantize(volts, 4e-3), 0), limit)) << 3
	}
	c.ready = true
	c.derive()
}

// derive computes current and power as the chip does (8.5.1): current = shunt · calibration / 4096,
// power = current · bus / 5000. mu must be held.
func (c *INA219) derive() {
	bus := int64(c.regs[inaBus] >> 3)
	amps := int64(int16(c.regs[inaShunt])) * int64(c.regs[inaCalibration]) / 4096
	watts := max(amps, -amps) * bus / 5000
	c.regs[inaCurrent], c.regs[inaPower] = uint16(amps), uint16(watts)
	c.regs[inaBus] &^= inaOverflow
	if amps > math.MaxInt16 || amps < math.MinInt16 || watts > math.MaxUint16 {
		c.regs[inaBus] |= inaOverflow
	}
}

// read answers the selected register. Reading power clears the ready bit. mu must be held.
func (c *INA219) read(r []byte) {
	if len(r) == 0 {
		return
	}
	var v uint16
	if int(c.ptr) < len(c.regs) {
		v = c.regs[c.ptr]
	}
	switch c.ptr {
	case inaBus:
		if c.ready {
			v |= inaReady
		}
	case inaPower:
		c.ready = false
	}
	for i := range r {
		r[i] = byte(v >> (8 * (1 - i%2)))
	}
}

func (c *INA219) registerBytes() int { return 2 }
