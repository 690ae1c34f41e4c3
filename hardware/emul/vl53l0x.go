package emul

import (
	"math/rand/v2"
	"syscall"
	"time"
)

// Registers of the VL53L0X, by ST's interface for it. Those marked with a page are private.
const (
	tofStart      = 0x00 // SYSRANGE_START
	tofSequence   = 0x01
	tofPeriod     = 0x04 // 32 bits: ms between two timed measurements
	tofIntConfig  = 0x0A
	tofIntClear   = 0x0B
	tofIntStatus  = 0x13
	tofResult     = 0x14 // 12 bytes: status, -, SPADs 8.8, -, -, signal 9.7, ambient 9.7, mm
	tofResultEnd  = 0x1F
	tofLimit      = 0x44 // 16 bits, 9.7: least signal rate
	tofMSRC       = 0x46
	tofPrePeriod  = 0x50
	tofPre        = 0x51
	tofFinPeriod  = 0x70
	tofFinal      = 0x71
	tofStop       = 0x91 // page 1
	tofStrobe     = 0x83 // page 7: 0 fetches the word that tofNVMIndex names
	tofNVMWord    = 0x90 // page 7, 32 bits
	tofNVMIndex   = 0x94 // page 7
	tofAddress    = 0x8A
	tofSPADs      = 0xB0 // 6 bytes
	tofReset      = 0xBF
	tofIDFirst    = 0xC0 // model id EE AA, revision 10
	tofIDLast     = 0xC2
	tofPage       = 0xFF
	tofOwnAddress = 0x29

	tofModeShot       = 0x01
	tofModeContinuous = 0x02
	tofModeTimed      = 0x04
	tofModeVHV        = 0x40
	tofNewSample      = 0x04 // INT_CONFIG: raise on a new sample; INT_STATUS: that happened
	tofComplete       = 0x01 // RESULT status, bit 0

	// tofBootTime passes between XSHUT high, or the end of a soft reset, and the first answer.
	tofBootTime = 1200 * time.Microsecond
	// tofFetchTime is how long a word of the factory's memory takes.
	tofFetchTime = 100 * time.Microsecond
	// tofCalibrationTime is the length of a reference calibration.
	tofCalibrationTime = 8 * time.Millisecond
)

// What a VL53L0X does at the moment.
type tofTask uint8

const (
	tofIdle tofTask = iota
	tofRanging
	tofVHV   // reference calibration of the voltage
	tofPhase // and of the phase
	tofHung  // a start without the stop variable: nothing comes of it
)

// A VL53L0X is a time-of-flight ranger. The registers show what was in front of it when a measurement began; its length
// follows from the time-out registers and the VCSEL periods, 34 ms after reset. INT_CONFIG is 0 after reset, so INT_STATUS
// stays 0 until a driver asks for new-sample interrupts; bit 0 of the result status works without.
//
// What a driver leaves out of ST's set-up shows: not tuned, without reference SPADs or without calibration the distance is 4 %
// too long; tuned but without the VHV calibration each result has status 3, without that of the phase 9; with no reference SPAD
// enabled, 3; with less time than the first steps need, 7. A start while the stop variable (page 1, 91) differs from what the
// chip held at power-on never ends. Status and number of a measurement without target are those that real ones give: 4 or 6,
// with 8190, 8191, or any number. A weak echo is 4, 6 or 7 at times, a strong one 7 or 8 rarely.
type VL53L0X struct {
	now   func() time.Time
	sense func() (mm float64, found bool)
	moved func(addr uint16)

	guarded
	nvm      tofNVM
	rng      *rand.Rand
	pages    [8][256]byte
	page     byte
	ptr      byte
	address  byte
	shut     bool
	boot     time.Time // no answer before
	held     bool      // soft reset
	up       time.Time // end of the boot after it: reads are 0 before
	fetched  time.Time // end of the newest fetch from the memory
	task     tofTask
	vhv      bool // calibrations done
	phase    bool
	repeat   bool // start the next measurement after this one
	due      time.Time
	mm       float64 // of the running measurement
	found    bool
	announce bool // the address changed
}

// NewVL53L0X returns the chip as after power-on. read gives the distance of what is in front of it.
func NewVL53L0X(now func() time.Time, read func() (mm float64, found bool)) *VL53L0X {
	c := &VL53L0X{now: now, sense: read}
	c.Seed(1)
	return c
}

// Seed makes it another specimen, as after power-on.
func (c *VL53L0X) Seed(seed uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rng = rand.New(rand.NewPCG(seed, 0x53))
	c.nvm = newTofNVM(c.rng)
	c.reset()
}

// OnAddress has f called with each new address of the chip, so that the bus can follow.
func (c *VL53L0X) OnAddress(f func(addr uint16)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moved = f
}

// PowerOnReset restores all reset values and drops a running measurement. The chip boots.
func (c *VL53L0X) PowerOnReset() {
	now := c.now()
	c.mu.Lock()
	c.reset()
	c.boot = now.Add(tofBootTime)
	c.mu.Unlock()
	c.tell()
}

// XSHUT is the shutdown input: low holds the chip in reset, where it does not answer; high boots it.
func (c *VL53L0X) XSHUT(high bool) {
	now := c.now()
	c.mu.Lock()
	if c.shut && high {
		c.reset()
		c.boot = now.Add(tofBootTime)
	}
	c.shut = !high
	c.mu.Unlock()
	c.tell()
}

// reset gives all registers their reset values. The time-outs are as from memory; those that a driver reads before it writes
// them are the factory's.
func (c *VL53L0X) reset() {
	c.pages = [8][256]byte{}
	p := &c.pages[0]
	copy(p[tofIDFirst:], []byte{0xEE, 0xAA, 0x10})
	copy(p[tofSPADs:], c.nvm.good[:])
	p[tofSequence], p[tofMSRC], p[tofPrePeriod], p[tofFinPeriod], p[0x84], p[tofAddress] = 0xF8, 0x25, 6, 4, 0x10, tofOwnAddress
	put16(p[tofLimit:], 0x0020)
	put16(p[tofPre:], 0x0099)
	put16(p[tofFinal:], 0x01FE)
	c.pages[1][tofStop] = c.nvm.stop
	c.page, c.ptr, c.task, c.repeat, c.vhv, c.phase, c.held = 0, 0, tofIdle, false, false, false, false
	c.boot, c.up, c.fetched = time.Time{}, time.Time{}, time.Time{}
	c.move(tofOwnAddress)
}

// move gives the chip another address. mu must be held.
func (c *VL53L0X) move(addr byte) {
	if c.address != 0 && addr != c.address {
		c.announce = true
	}
	c.address = addr
}

// tell reports a changed address. mu must not be held.
func (c *VL53L0X) tell() {
	c.mu.Lock()
	f, addr, changed := c.moved, c.address, c.announce
	c.announce = false
	c.mu.Unlock()
	if changed && f != nil {
		f(uint16(addr))
	}
}

// I2C writes registers from w[0] on, then reads on from the register pointer.
func (c *VL53L0X) I2C(w, r []byte) error {
	err := c.transfer(w, r)
	if len(w) > 1 {
		c.tell()
	}
	return err
}

func (c *VL53L0X) transfer(w, r []byte) error {
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
			start = c.write(now, c.ptr, v) || start
			c.ptr++
		}
	}
	if start {
		c.begin(now)
	}
	if c.held || now.Before(c.up) {
		clear(r)
		c.ptr += byte(len(r))
		return nil
	}
	for i := range r {
		r[i] = c.read(now, c.ptr)
		c.ptr++
	}
	return nil
}

// settle ends what is due, and reports whether another measurement follows. mu must be held.
func (c *VL53L0X) settle(now time.Time) bool {
	if c.task == tofIdle || c.task == tofHung || now.Before(c.due) {
		return false
	}
	done := c.task
	c.task = tofIdle
	switch done {
	case tofVHV:
		c.vhv = c.spads() > 0
	case tofPhase:
		c.phase = c.spads() > 0
	default:
		c.publish()
	}
	if c.pages[0][tofIntConfig]&0x07 == tofNewSample {
		c.pages[0][tofIntStatus] = tofNewSample
	}
	return done == tofRanging && c.repeat
}

// publish shows the result of a measurement. mu must be held.
func (c *VL53L0X) publish() {
	status, mm, signal := c.outcome()
	res := c.pages[0][tofResult : tofResultEnd+1]
	clear(res)
	res[0] = status<<3 | tofComplete
	put16(res[2:], 16<<8) // SPADs
	put16(res[6:], uint16(signal*128))
	put16(res[8:], 25) // 0.2 Mcps of ambient light
	put16(res[10:], mm)
}

// measure asks the world. mu must be held, and is free meanwhile, because the world has locks of its own.
func (c *VL53L0X) measure() (mm float64, found bool) {
	c.mu.Unlock()
	defer c.mu.Lock()
	return c.sense()
}

// begin starts a measurement of what is seen now. mu must be held.
func (c *VL53L0X) begin(now time.Time) {
	if c.pages[1][tofStop] != c.nvm.stop {
		c.task = tofHung
		return
	}
	c.mm, c.found = c.measure()
	length := c.length()
	if c.repeat && c.pages[0][tofStart]&tofModeTimed != 0 {
		length = max(length, time.Duration(be32(c.pages[0][tofPeriod:]))*time.Millisecond)
	}
	c.task, c.due = tofRanging, now.Add(length)
	if !c.repeat { // a result of continuous ranging stays readable until the next
		c.pages[0][tofResult] &^= tofComplete
	}
}

// write stores one byte and reports whether it starts a measurement. mu must be held.
func (c *VL53L0X) write(now time.Time, reg, v byte) bool {
	switch {
	case c.held:
		if reg == tofReset && v&1 != 0 {
			c.reset()
			c.up = now.Add(tofBootTime)
		}
		return false
	case now.Before(c.up):
		return false
	case reg == tofPage:
		c.page = v & 7
		return false
	case c.page != 0:
		c.private(now, reg, v)
		return false
	}
	return c.public(now, reg, v)
}

// public is write on page 0.
func (c *VL53L0X) public(now time.Time, reg, v byte) bool {
	switch {
	case reg == tofStart:
		c.pages[0][reg] = v &^ tofModeShot // clears itself
		return c.mode(now, v)
	case reg == tofIntClear && v&1 != 0:
		c.pages[0][tofIntStatus] = 0
	case reg == tofReset && v&1 == 0:
		c.reset()
		c.held = true
		return false
	case reg == tofAddress:
		c.move(v & 0x7F)
	case reg >= tofIntStatus && reg <= tofResultEnd, reg >= tofIDFirst && reg <= tofIDLast:
		return false // read only
	}
	c.pages[0][reg] = v
	return false
}

// mode carries out a write of SYSRANGE_START. In continuous ranging, the start bit alone stops after this measurement.
func (c *VL53L0X) mode(now time.Time, v byte) bool {
	switch steps := c.pages[0][tofSequence]; {
	case v&(tofModeContinuous|tofModeTimed) != 0:
		c.repeat = true
		return true
	case v&tofModeShot != 0 && c.repeat:
		c.repeat = false
		return false
	case v == tofModeVHV|tofModeShot && steps == 0x01:
		c.task, c.due = tofVHV, now.Add(tofCalibrationTime)
		return false
	case v == tofModeShot && steps == 0x02:
		c.task, c.due = tofPhase, now.Add(tofCalibrationTime)
		return false
	}
	return v&tofModeShot != 0
}

// read answers one register of a chip that is up. mu must be held.
func (c *VL53L0X) read(now time.Time, reg byte) byte {
	switch {
	case reg == tofPage:
		return c.page
	case c.page == 7 && reg == tofStrobe && !c.fetched.IsZero() && !now.Before(c.fetched):
		return 1
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

func be16(b []byte) uint16 { return uint16(b[0])<<8 | uint16(b[1]) }

func be32(b []byte) uint32 { return uint32(be16(b))<<16 | uint32(be16(b[2:])) }
