package emul

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"time"
)

// Device statuses, bits 6 to 3 of the result.
const (
	tofNoVHV       = 3
	tofNoTarget    = 4 // signal too weak
	tofPhaseFail   = 6
	tofSigma       = 7
	tofTCC         = 8
	tofConsistency = 9
	tofMinClip     = 10
	tofValid       = 11

	// tofOutOfRange is what the chip mostly reports in place of a distance when it saw nothing.
	tofOutOfRange = 8190
	// tofNearest is the distance below which the chip only knows that something is there.
	tofNearest = 10
	// tofLeastFinal is the time that the final range needs.
	tofLeastFinal = 3 * time.Millisecond
)

// A tofNVM is what the factory stored in one specimen.
type tofNVM struct {
	stop     byte
	count    byte // reference SPADs
	aperture bool
	good     [6]byte // map of those that work
}

func newTofNVM(rng *rand.Rand) tofNVM {
	n := tofNVM{stop: 0x3C, count: byte(3 + rng.IntN(7)), aperture: rng.IntN(2) == 0, good: [6]byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F}}
	for range 3 { // dead ones
		i := rng.IntN(44)
		n.good[i/8] &^= 1 << (i % 8)
	}
	return n
}

// word is the 32-bit word at an index of the memory.
func (n tofNVM) word(index byte) [4]byte {
	switch index {
	case 0x6B:
		w := [4]byte{2: n.count}
		if n.aperture {
			w[2] |= 0x80
		}
		return w
	case 0x24:
		return [4]byte(n.good[:4])
	case 0x25:
		return [4]byte{n.good[4], n.good[5]}
	}
	return [4]byte{}
}

// private is a write on a private page. mu must be held.
func (c *VL53L0X) private(now time.Time, reg, v byte) {
	c.pages[c.page][reg] = v
	if c.page != 7 || reg != tofStrobe {
		return
	}
	if v != 0 {
		c.fetched = time.Time{}
		return
	}
	if c.pages[6][0x83]&4 != 0 && c.pages[7][0x81] == 1 { // the memory is switched on
		w := c.nvm.word(c.pages[7][tofNVMIndex])
		copy(c.pages[7][tofNVMWord:], w[:])
		c.fetched = now.Add(tofFetchTime)
	}
}

// spads is the number of enabled reference SPADs that work.
func (c *VL53L0X) spads() (n int) {
	for i, g := range c.nvm.good {
		n += bits.OnesCount8(g & c.pages[0][tofSPADs+i])
	}
	return n
}

// referenced reports whether the enabled SPADs are as the factory found best.
func (c *VL53L0X) referenced() bool {
	enabled := uint64(0)
	for i := range 6 {
		enabled |= uint64(c.pages[0][tofSPADs+i]) << (8 * i)
	}
	open := enabled & (1<<12 - 1)
	return c.spads() == int(c.nvm.count) && bits.OnesCount64(enabled) == int(c.nvm.count) && (open == 0) == c.nvm.aperture &&
		c.pages[1][0x4E] == 0x2C && c.pages[0][0xB6] == 180
}

// tuned reports whether ST's tuning is there, by samples of it on both pages.
func (c *VL53L0X) tuned() bool {
	p, q := &c.pages[0], &c.pages[1]
	return p[0x24] == 0x01 && p[0x25] == 0xFF && p[0x40] == 0x83 && p[0x66] == 0xA0 && p[0x35] == 0x44 &&
		q[0x22] == 0x32 && q[0x43] == 0x40 && q[0x4D] == 0x04 && q[0x0D] == 0x01 && q[0x8E] == 0x01
}

// length is the time of a measurement by the registers: overheads and steps of ST's interface, in µs. mu must be held.
func (c *VL53L0X) length() time.Duration {
	p := &c.pages[0]
	steps := p[tofSequence]
	ns := macroPeriod(p[tofPrePeriod])
	first := float64(p[tofMSRC]+1) * ns / 1000
	us := 1910.0 + 960
	if steps&0x10 != 0 {
		us += first + 590
	}
	switch {
	case steps&0x08 != 0:
		us += 2 * (first + 690)
	case steps&0x04 != 0:
		us += first + 660
	}
	if steps&0x40 != 0 {
		us += periods(p[tofPre:])*ns/1000 + 660
	}
	if steps&0x80 != 0 {
		us += 550
	}
	return time.Duration(us*1000) + c.finalTime()
}

// finalTime is the time that the final range has.
func (c *VL53L0X) finalTime() time.Duration {
	p := &c.pages[0]
	if p[tofSequence]&0x80 == 0 {
		return 0
	}
	n := periods(p[tofFinal:])
	if p[tofSequence]&0x40 != 0 {
		n -= periods(p[tofPre:]) // is included
	}
	return time.Duration(max(n, 0) * macroPeriod(p[tofFinPeriod]))
}

// macroPeriod is in ns: 2304 VCSEL periods of (register + 1) · 2 clocks of 1.655 ns.
func macroPeriod(reg byte) float64 { return 2304 * 1.655 * 2 * (float64(reg) + 1) }

// periods decodes a time-out register: low byte · 2^(high byte), plus one.
func periods(b []byte) float64 { return math.Ldexp(float64(b[1]), int(b[0])) + 1 }

// outcome is the result of the running measurement. mu must be held.
func (c *VL53L0X) outcome() (status byte, mm uint16, signal float64) {
	tuned := c.tuned()
	switch {
	case c.spads() == 0, tuned && !c.vhv:
		return tofNoVHV, 0, 0
	case tuned && !c.phase:
		return tofConsistency, uint16(c.rng.IntN(2000)), 0.3
	case !c.found:
		return c.nothing()
	}
	d := c.mm
	if !tuned || !c.vhv || !c.phase || !c.referenced() {
		d *= 1.04
	}
	mm = uint16(quantize(min(max(d, 0), tofOutOfRange-1), 1))
	signal = min(30, 30*math.Pow(100/max(c.mm, 1), 2)) // Mcps, inverse square from 10 cm on
	limit := float64(be16(c.pages[0][tofLimit:])) / 128
	roll := c.rng.IntN(1 << 14)
	switch {
	case d < tofNearest:
		return tofMinClip, 0, signal
	case signal < limit:
		return tofNoTarget, mm, signal
	case c.finalTime() < tofLeastFinal, signal < 4*limit && roll < 1<<7, roll < 2:
		return tofSigma, mm, signal
	case signal < 4*limit && roll < 1<<8:
		return tofPhaseFail, mm, signal
	case roll == 2:
		return tofTCC, mm, signal
	}
	return tofValid, mm, signal
}

// nothing is the result without a target.
func (c *VL53L0X) nothing() (status byte, mm uint16, signal float64) {
	switch roll := c.rng.IntN(64); {
	case roll == 0: // a plausible number
		return tofPhaseFail, uint16(20 + c.rng.IntN(1500)), 0.1
	case roll < 4:
		return tofNoTarget, uint16(20 + c.rng.IntN(1500)), 0.05
	case roll < 16:
		return tofNoTarget, tofOutOfRange + 1, 0.05
	}
	return tofNoTarget, tofOutOfRange, 0.05
}
