package emul

import (
	"math"
	"syscall"
	"time"
)

// Registers and bits of the ADS1115 (Texas Instruments SBAS444).
const (
	adsConversion = 0
	adsConfig     = 1
	adsLow        = 2
	adsHigh       = 3

	adsOS         = 0x8000
	adsSingleShot = 0x0100
)

// An ADS1115 is a four-channel 16-bit converter. A conversion takes 1/rate; until it is done, the conversion register
// keeps the previous result, which may be that of another channel.
type ADS1115 struct {
	elapsed func() time.Duration
	volts   func(channel int) float64

	guarded
	regs    [4]uint16 // OS is kept out of the config register
	ptr     byte
	slow    float64 // conversion time relative to nominal
	running bool    // a single shot runs
	pending int16   // its result
	ready   time.Duration
}

// NewADS1115 returns the chip as after power-on: powered down. volts gives the voltage of inputs 0 to 3 against ground;
// it is sampled when a conversion starts. elapsed tells the time since some instant, as [Since] does.
func NewADS1115(elapsed func() time.Duration, volts func(channel int) float64) *ADS1115 {
	c := &ADS1115{elapsed: elapsed, volts: volts, slow: 1}
	c.reset()
	return c
}

// SetSlowness scales the conversion time. A chip within its specification has 0.9 to 1.1, because the oscillator may be
// 10 % off.
func (c *ADS1115) SetSlowness(ratio float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slow = ratio
}

// PowerOnReset restores all reset values and drops a running conversion.
func (c *ADS1115) PowerOnReset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reset()
}

func (c *ADS1115) reset() {
	c.regs = [4]uint16{0, 0x8583 &^ adsOS, 0x8000, 0x7FFF}
	c.ptr, c.running, c.ready = 0, false, 0
}

// I2C selects the register w[0], writes w[1:3] to it, and reads it as two bytes, repeated if r is longer.
func (c *ADS1115) I2C(w, r []byte) error {
	if len(w) == 2 || len(w) > 3 {
		return syscall.EREMOTEIO // half a register is not taken
	}
	c.mu.Lock()
	if len(w) > 0 {
		c.ptr = w[0] & 3
	}
	if len(w) == 3 || c.running || c.regs[adsConfig]&adsSingleShot == 0 {
		c.work(w)
	}
	c.read(r)
	c.mu.Unlock()
	return nil
}

// work ends and begins conversions. mu must be held.
func (c *ADS1115) work(w []byte) {
	now := c.elapsed()
	c.settle(now)
	var start bool
	if len(w) == 3 {
		start = c.write(uint16(w[1])<<8 | uint16(w[2]))
	}
	// Continuous mode starts over with each write to the register and after each result.
	if c.regs[adsConfig]&adsSingleShot == 0 && now >= c.ready {
		start = true
	}
	if start {
		fresh := len(w) != 3 // continuous mode: at least one period has passed, so its result is there too
		c.begin(now, c.input(c.regs[adsConfig]>>12&7), fresh)
	}
}

// settle ends a running conversion that is due. mu must be held.
func (c *ADS1115) settle(now time.Duration) {
	if c.running && now >= c.ready {
		c.running = false
		c.regs[adsConversion] = uint16(c.pending)
	}
}

// write stores the selected register and reports whether a conversion starts. A start while one runs is ignored, and the
// running one keeps its old input. mu must be held.
func (c *ADS1115) write(v uint16) bool {
	switch c.ptr {
	case adsConfig:
		c.regs[adsConfig] = v &^ adsOS
		if v&adsSingleShot == 0 {
			c.running = false
			return true
		}
		return v&adsOS != 0 && !c.running
	case adsLow, adsHigh:
		c.regs[c.ptr] = v
	}
	return false
}

// begin starts a conversion of v volts. mu must be held.
func (c *ADS1115) begin(now time.Duration, v float64, fresh bool) {
	cfg := c.regs[adsConfig]
	c.pending = quantize(v, adsCounts[cfg>>9&7])
	if fresh {
		c.regs[adsConversion] = uint16(c.pending)
	}
	c.running = true
	c.ready = now + time.Duration(adsPeriods[cfg>>5&7]*c.slow)
}

// read answers the selected register. mu must be held.
func (c *ADS1115) read(r []byte) {
	v := c.regs[c.ptr]
	if c.ptr == adsConfig && !c.running {
		v |= adsOS
	}
	if len(r) == 2 { // as nearly always
		r[0], r[1] = byte(v>>8), byte(v)
		return
	}
	for i := range r {
		r[i] = byte(v >> (8 * (1 - i%2)))
	}
}

// input is the voltage between the two inputs that the multiplexer selects. mu must be held, and is free meanwhile, because
// the world has locks of its own.
func (c *ADS1115) input(mux uint16) float64 {
	c.mu.Unlock()
	var v float64
	if mux >= 4 {
		v = c.volts(int(mux) - 4)
	} else {
		pair := adsPairs[mux]
		v = c.volts(pair[0]) - c.volts(pair[1])
	}
	c.mu.Lock()
	return v
}

var (
	adsPairs = [4][2]int{{0, 1}, {0, 3}, {1, 3}, {2, 3}} // inputs of a multiplexer setting below 4
	// adsCounts are the volts of a count of a gain setting, adsPeriods the nanoseconds of a conversion of a rate setting.
	adsCounts  = [8]float64{6.144 / 32768, 4.096 / 32768, 2.048 / 32768, 1.024 / 32768, 0.512 / 32768, 0.256 / 32768, 0.256 / 32768, 0.256 / 32768}
	adsPeriods = [8]float64{1e9 / 8, 1e9 / 16, 1e9 / 32, 1e9 / 64, 1e9 / 128, 1e9 / 250, 1e9 / 475, 1e9 / 860}
)

// broadcast accepts the general call reset.
func (c *ADS1115) broadcast(addr uint16, w []byte) bool {
	if addr != generalCall || len(w) != 1 || w[0] != softwareReset {
		return false
	}
	c.PowerOnReset()
	return true
}

func (c *ADS1115) registerBytes() int { return 2 }

// alive excepts the config register, which has the ready bit, from a freeze.
func (c *ADS1115) alive(reg byte) bool { return reg == adsConfig }

// justBelowHalf is the number before 0.5. That much more, and without its fraction, is a number rounded: 0.5 more makes a 1 of this number.
const justBelowHalf = 0.49999999999999994

// quantize converts v to counts of lsb, saturating at 16 bits. Not a number reads 0.
func quantize(v, lsb float64) int16 {
	n := v / lsb
	switch {
	case n > -1<<15 && n < 1<<15-1: // as nearly always
		return int16(n + math.Copysign(justBelowHalf, n))
	case math.IsNaN(n):
		return 0
	case n > 0:
		return math.MaxInt16
	}
	return math.MinInt16
}
