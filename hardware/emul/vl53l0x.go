package emul

import (
	"math"
	"syscall"
	"time"
)

// Registers of the VL53L0X that ST's interface and the Linux driver use.
const (
	tofStart     = 0x00 // SYSRANGE_START
	tofIntConfig = 0x0A
	tofIntClear  = 0x0B
	tofIntStatus = 0x13
	tofResult    = 0x14 // 12 bytes: status, -, SPADs 8.8, -, -, signal 9.7, ambient 9.7, mm
	tofResultEnd = 0x1F
	tofIDFirst   = 0xC0 // model id EE AA, revision 10
	tofIDLast    = 0xC2
	tofPage      = 0xFF

	tofModeShot       = 0x01
	tofModeContinuous = 0x02
	tofModeTimed      = 0x04
	tofNewSample      = 0x04 // INT_CONFIG: raise on a new sample; INT_STATUS: that happened
	tofComplete       = 0x01 // RESULT status, bit 0
	tofValid          = 11   // RESULT status, bits 6 to 3: range complete
	tofNoTarget       = 4    // signal too weak

	// tofOutOfRange is what the chip reports in place of a distance when it saw nothing.
	tofOutOfRange = 8190
	// tofRangingTime is the measurement time with the power-on timing budget.
	tofRangingTime = 33 * time.Millisecond
	// tofBootTime passes between XSHUT high and the first answer.
	tofBootTime = 1200 * time.Microsecond
	// tofStopVariable is the byte that ST's start sequence reads from private page 1, register 91.
	tofStopVariable = 0x3C
)

// A VL53L0X is a time-of-flight ranger. A measurement takes 33 ms from its start; the registers then show what was in
// front of it when it began. INT_CONFIG is 0 after reset, so INT_STATUS stays 0 until a driver asks for new-sample
// interrupts; bit 0 of the result status works without. Private pages are stored and read back; a new address written
// to 8A is too, but the chip stays where it is attached.
type VL53L0X struct {
	now   func() time.Time
	sense func() (mm float64, found bool)

	guarded
	pages   [8][256]byte
	page    byte
	ptr     byte
	shut    bool
	boot    time.Time // no answer before
	ranging bool
	repeat  bool // start the next measurement after this one
	due     time.Time
	mm      float64 // of the running measurement
	found   bool
}

// NewVL53L0X returns the chip as after power-on. read gives the distance of what is in front of it.
func NewVL53L0X(now func() time.Time, read func() (mm float64, found bool)) *VL53L0X {
	c := &VL53L0X{now: now, sense: read}
	c.reset()
	return c
}

// PowerOnReset restores all reset values and drops a running measurement.
func (c *VL53L0X) PowerOnReset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reset()
}

// XSHUT is the shutdown input: low holds the chip in reset, where it does not answer; high boots it.
func (c *VL53L0X) XSHUT(high bool) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut && high {
		c.reset()
		c.boot = now.Add(tofBootTime)
	}
	c.shut = !high
}

func (c *VL53L0X) reset() {
	c.pages = [8][256]byte{}
	copy(c.pages[0][tofIDFirst:], []byte{0xEE, 0xAA, 0x10})
	c.pages[0][0x8A] = 0x29
	c.pages[1][0x91] = tofStopVariable
	c.page, c.ptr, c.ranging, c.repeat, c.boot = 0, 0, false, false, time.Time{}
}

// I2C writes registers from w[0] on, then reads on from the register pointer.
func (c *VL53L0X) I2C(w, r []byte) error {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut || now.Before(c.boot) {
		return syscall.EREMOTEIO
	}
	start := c.settle(now)
	if len(w) > 0 {
		c.ptr = w[0]
		for _, v := range w[1:] {
			start = c.write(c.ptr, v) || start
			c.ptr++
		}
	}
	if start {
		c.begin(now)
	}
	for i := range r {
		r[i] = c.read(c.ptr)
		c.ptr++
	}
	return nil
}

// settle publishes a running measurement that is due, and reports whether another follows. mu must be held.
func (c *VL53L0X) settle(now time.Time) bool {
	if !c.ranging || now.Before(c.due) {
		return false
	}
	c.ranging = false
	status, mm, signal := byte(tofNoTarget), uint16(tofOutOfRange), 0.05
	if c.found {
		status, mm = tofValid, uint16(quantize(min(max(c.mm, 0), tofOutOfRange-1), 1))
		signal = min(30, 30*math.Pow(100/max(c.mm, 1), 2)) // Mcps, inverse square from 10 cm on
	}
	res := c.pages[0][tofResult : tofResultEnd+1]
	clear(res)
	res[0] = status<<3 | tofComplete
	put16(res[2:], 16<<8) // SPADs
	put16(res[6:], uint16(signal*128))
	put16(res[8:], 25) // 0.2 Mcps of ambient light
	put16(res[10:], mm)
	if c.pages[0][tofIntConfig]&0x07 == tofNewSample {
		c.pages[0][tofIntStatus] = tofNewSample
	}
	return c.repeat
}

// measure asks the world. mu must be held, and is free meanwhile, because the world has locks of its own.
func (c *VL53L0X) measure() (mm float64, found bool) {
	c.mu.Unlock()
	defer c.mu.Lock()
	return c.sense()
}

// begin starts a measurement of what is seen now. mu must be held.
func (c *VL53L0X) begin(now time.Time) {
	c.mm, c.found = c.measure()
	c.ranging, c.due = true, now.Add(tofRangingTime)
	if !c.repeat { // a result of continuous ranging stays readable until the next
		c.pages[0][tofResult] &^= tofComplete
	}
}

// write stores one byte and reports whether it starts a measurement. mu must be held.
func (c *VL53L0X) write(reg, v byte) bool {
	switch {
	case reg == tofPage:
		c.page = v & 7
		return false
	case c.page != 0:
		c.pages[c.page][reg] = v
		return false
	case reg == tofStart:
		c.pages[0][reg] = v &^ tofModeShot // clears itself
		return c.mode(v)
	case reg == tofIntClear && v&1 != 0:
		c.pages[0][tofIntStatus] = 0
	case reg >= tofIntStatus && reg <= tofResultEnd, reg >= tofIDFirst && reg <= tofIDLast:
		return false // read only
	}
	c.pages[0][reg] = v
	return false
}

// mode carries out a write of SYSRANGE_START. In continuous ranging, the start bit alone stops after this measurement.
func (c *VL53L0X) mode(v byte) bool {
	switch {
	case v&(tofModeContinuous|tofModeTimed) != 0:
		c.repeat = true
		return true
	case v&tofModeShot != 0 && c.repeat:
		c.repeat = false
		return false
	}
	return v&tofModeShot != 0
}

func (c *VL53L0X) read(reg byte) byte {
	if reg == tofPage {
		return c.page
	}
	return c.pages[c.page][reg]
}

// foreignID is the identity of another chip, ST's VL53L1X.
func (c *VL53L0X) foreignID(reg byte) (byte, bool) {
	switch reg {
	case tofIDFirst:
		return 0xEA, true
	case tofIDFirst + 1:
		return 0xCC, true
	}
	return 0, false
}

// alive excepts the ready bit from a freeze.
func (c *VL53L0X) alive(reg byte) bool { return reg == tofIntStatus }

func put16(b []byte, v uint16) { b[0], b[1] = byte(v>>8), byte(v) }
