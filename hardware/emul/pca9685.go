package emul

import "math/bits"

// Registers and bits of the PCA9685 (NXP PCA9685 rev. 4, tables 4 to 8).
const (
	pcaMode1    = 0x00
	pcaMode2    = 0x01
	pcaSub1     = 0x02 // three sub-addresses, then the all-call address
	pcaAllAddr  = 0x05
	pcaLED0     = 0x06 // ON_L, ON_H, OFF_L, OFF_H for each of 16 channels
	pcaLEDEnd   = 0x45
	pcaAllLED   = 0xFA // the same four, for all channels; reads 0
	pcaAllEnd   = 0xFD
	pcaPrescale = 0xFE

	pcaRestart = 0x80 // MODE1
	pcaExtClk  = 0x40
	pcaAI      = 0x20
	pcaSleep   = 0x10
	pcaAllCall = 0x01
	pcaInvert  = 0x10 // MODE2
	pcaFull    = 0x10 // bit 4 of ON_H: full on; of OFF_H: full off

	pcaOscillatorHz = 25e6
	pcaSteps        = 4096
	pcaMinPrescale  = 3
)

// A PCA9685 is a 16-channel PWM chip. While it sleeps, as after reset, all outputs are 0. They also stay 0 when the chip
// was put to sleep while running and woken without RESTART, until a PWM register is written.
type PCA9685 struct {
	guarded
	oscillatorHz float64
	regs         [256]byte
	ptr          byte
	out          relay[[16]float64]
	programmed   [16]float64 // duty of each channel by its registers
}

// NewPCA9685 returns the chip as after power-on. set receives each change of an output: channel 0 to 15, duty 0 to 1.
// All duties are 0 before the first call.
func NewPCA9685(set func(channel int, duty float64)) *PCA9685 {
	c := &PCA9685{oscillatorHz: pcaOscillatorHz}
	c.out = relay[[16]float64]{mu: &c.mu, state: c.duties}
	if set != nil {
		c.out.send = func(old, now *[16]float64) {
			for ch := range now {
				if now[ch] != old[ch] {
					set(ch, now[ch])
				}
			}
		}
	}
	c.reset()
	return c
}

// SetOscillator sets the frequency of the chip's oscillator, 25 MHz by default. Of four chips that users measured it was 24.06, 24.09, 24.6 and
// 25.0 MHz, of others up to 27. Call it before the chip is used.
func (c *PCA9685) SetOscillator(hz float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.oscillatorHz = hz
}

// Frequency is the PWM frequency in Hz that PRESCALE and the oscillator give. A servo sees pulses of duty/frequency.
func (c *PCA9685) Frequency() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.oscillatorHz / pcaSteps / (float64(c.regs[pcaPrescale]) + 1)
}

// Duty is the current output of a channel.
func (c *PCA9685) Duty(channel int) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	var d [16]float64
	c.duties(&d)
	return d[channel]
}

// PowerOnReset restores all reset values; every output becomes 0.
func (c *PCA9685) PowerOnReset() {
	c.mu.Lock()
	c.reset()
	c.mu.Unlock()
	c.out.flush()
}

// I2C writes registers from w[0] on, then reads on from the register pointer. Without auto-increment (MODE1 AI) all
// bytes go to or come from one register. Outputs change at the end of the transaction (MODE2 OCH is not modeled).
func (c *PCA9685) I2C(w, r []byte) error {
	if c.transfer(w, r) {
		c.out.flush()
	}
	return nil
}

// transfer runs the transaction on the registers and reports whether outputs may have changed.
func (c *PCA9685) transfer(w, r []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	changed, pwm := false, false
	if len(w) > 0 {
		c.ptr = w[0]
		for w = w[1:]; len(w) > 0; {
			n, isPWM := c.write(w)
			pwm = pwm || isPWM
			changed = true
			w = w[n:]
			c.advance(n)
		}
	}
	for len(r) > 0 {
		n := c.read(r)
		r = r[n:]
		c.advance(n)
	}
	if pwm { // a stop after writing any PWM register clears RESTART (7.3.1.1)
		c.regs[pcaMode1] &^= pcaRestart
		c.out.change()
	}
	return changed
}

// run is how many of n bytes go on from the register pointer to the last LED register, at least one.
func (c *PCA9685) run(n int) int {
	if c.ptr >= pcaLEDEnd || c.regs[pcaMode1]&pcaAI == 0 {
		return 1
	}
	return min(n, pcaLEDEnd+1-int(c.ptr))
}

// advance moves the register pointer on by a run, from the last LED register back to MODE1.
func (c *PCA9685) advance(run int) {
	switch {
	case c.regs[pcaMode1]&pcaAI == 0:
	case int(c.ptr)+run == pcaLEDEnd+1:
		c.ptr = pcaMode1
	default:
		c.ptr += byte(run)
	}
}

// read reads a run into r and returns how many bytes that is.
func (c *PCA9685) read(r []byte) int {
	if c.ptr > pcaLEDEnd && c.ptr != pcaPrescale { // reserved, or the write-only ALL_LED
		r[0] = 0
		return 1
	}
	n := c.run(len(r))
	return copy(r[:n], c.regs[c.ptr:])
}

// write stores the first of some bytes, or a run of them in LED registers. It returns how many, and whether they belong to PWM registers.
func (c *PCA9685) write(w []byte) (n int, pwm bool) {
	reg, v := c.ptr, w[0]
	switch {
	case reg == pcaMode1:
		c.mode1(v)
		c.out.change()
	case reg == pcaMode2:
		c.regs[reg] = v & 0x1F
		c.out.change()
	case reg >= pcaSub1 && reg <= pcaAllAddr:
		c.regs[reg] = v &^ 1
	case reg >= pcaLED0 && reg <= pcaLEDEnd:
		n := c.run(len(w))
		c.led(reg, w[:n])
		return n, true
	case reg >= pcaAllLED && reg <= pcaAllEnd:
		for ch := byte(0); ch < 16; ch++ {
			c.led(pcaLED0+4*ch+reg-pcaAllLED, w[:1])
		}
		return 1, true
	case reg == pcaPrescale && c.regs[pcaMode1]&pcaSleep != 0:
		c.regs[reg] = max(v, pcaMinPrescale)
	}
	return 1, false
}

// mode1 carries out a write of MODE1. RESTART is a flag: writing 1 on a chip that is awake already clears it, 0 leaves
// it; falling asleep with a channel running raises it. EXTCLK can be set only asleep and never cleared.
func (c *PCA9685) mode1(v byte) {
	old := c.regs[pcaMode1]
	restart := old & pcaRestart
	asleep, falls := old&pcaSleep != 0, v&pcaSleep != 0
	switch {
	case !asleep && falls && c.running():
		restart = pcaRestart
	case !asleep && !falls && v&pcaRestart != 0:
		restart = 0
	}
	if !asleep {
		v &^= pcaExtClk
	}
	c.regs[pcaMode1] = v&^pcaRestart | old&pcaExtClk | restart
}

// led stores bytes of channels from reg on; the upper bits of the high bytes do not exist.
func (c *PCA9685) led(reg byte, w []byte) {
	first := int(reg - pcaLED0)
	channels := 0 // that change, a bit each
	leds := c.regs[pcaLED0 : pcaLEDEnd+1]
	for i, v := range w {
		at := first + i
		if at%2 == 1 {
			v &= 0x1F
		}
		if leds[at] != v {
			leds[at] = v
			channels |= 1 << (at / 4)
		}
	}
	for ; channels != 0; channels &= channels - 1 {
		ch := bits.TrailingZeros(uint(channels))
		c.programmed[ch] = c.channel(ch)
	}
}

// duties sets d to the state of all outputs. mu must be held.
func (c *PCA9685) duties(d *[16]float64) {
	switch {
	case c.regs[pcaMode1]&(pcaSleep|pcaRestart) != 0:
		*d = [16]float64{}
	case c.regs[pcaMode2]&pcaInvert == 0:
		*d = c.programmed
	default:
		for ch := range d {
			d[ch] = 1 - c.programmed[ch]
		}
	}
}

// channel is the programmed duty of one channel. Full off takes precedence over full on, and that over the counts; equal
// counts give no pulse.
func (c *PCA9685) channel(ch int) float64 {
	b := c.regs[pcaLED0+4*ch:]
	switch {
	case b[3]&pcaFull != 0:
		return 0
	case b[1]&pcaFull != 0:
		return 1
	}
	on, off := int(b[1])<<8|int(b[0]), int(b[3])<<8|int(b[2])
	return float64((off-on+pcaSteps)%pcaSteps) / pcaSteps
}

// running reports whether any channel gives pulses now.
func (c *PCA9685) running() bool {
	if c.regs[pcaMode1]&pcaRestart != 0 {
		return true // it stays restartable through another sleep
	}
	for ch := range 16 {
		if c.programmed[ch] > 0 {
			return true
		}
	}
	return false
}

// broadcast accepts a write to the all-call address while MODE1 ALLCALL is set, which it is after reset, and the
// software reset: 06 to the general call address.
func (c *PCA9685) broadcast(addr uint16, w []byte) bool {
	if addr == generalCall {
		if len(w) == 1 && w[0] == softwareReset {
			c.PowerOnReset()
			return true
		}
		return false
	}
	c.mu.Lock()
	mine := c.regs[pcaMode1]&pcaAllCall != 0 && addr == uint16(c.regs[pcaAllAddr]>>1)
	c.mu.Unlock()
	if !mine {
		return false
	}
	return c.I2C(w, nil) == nil
}

// The general call and its reset command (I2C specification UM10204, 3.1.13).
const (
	generalCall   = 0x00
	softwareReset = 0x06
)

// reset restores the reset values. mu must be held, or the chip not yet shared.
func (c *PCA9685) reset() {
	c.regs, c.ptr = [256]byte{}, 0
	c.regs[pcaMode1] = pcaSleep | pcaAllCall
	c.regs[pcaMode2] = 0x04
	copy(c.regs[pcaSub1:], []byte{0xE2, 0xE4, 0xE8, 0xE0})
	for ch := range 16 {
		c.regs[pcaLED0+4*ch+3] = pcaFull
	}
	c.programmed = [16]float64{}
	c.out.change()
	c.regs[pcaPrescale] = 0x1E
}
