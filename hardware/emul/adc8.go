package emul

import "math"

// eightBits is what a converter of 256 steps reads.
func eightBits(volts, full float64) byte {
	return byte(min(max(math.Floor(volts/full*256), 0), 255))
}

// Bits of the ADS7830's command byte (Texas Instruments SBAS302).
const (
	ads7830Single   = 0x80 // against ground; otherwise two inputs against each other
	ads7830Internal = 0x08 // reference of 2.5 V is on; otherwise the pin REF counts

	ads7830InternalVolts = 2.5
)

// An ADS7830 is an eight-channel 8-bit converter without registers: a byte that is written chooses input and reference, and each byte
// that is read is a new conversion of it. The choice stays.
type ADS7830 struct {
	volts func(channel int) float64
	full  float64 // at the pin REF

	guarded
	command byte
}

// NewADS7830 returns the chip as after power-on. volts gives the voltage of inputs 0 to 7, full is the voltage at its reference pin.
func NewADS7830(full float64, volts func(channel int) float64) *ADS7830 {
	return &ADS7830{volts: volts, full: full}
}

// PowerOnReset forgets the choice.
func (c *ADS7830) PowerOnReset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.command = 0
}

// I2C takes a command, or several, of which the last one counts, and reads conversions.
func (c *ADS7830) I2C(w, r []byte) error {
	c.mu.Lock()
	if len(w) > 0 {
		c.command = w[len(w)-1]
	}
	command := c.command
	c.mu.Unlock()
	for i := range r {
		r[i] = c.convert(command)
	}
	return nil
}

// convert reads the inputs that a command chooses. The three bits are the input's own with the lowest one first.
func (c *ADS7830) convert(command byte) byte {
	code := int(command >> 4 & 7)
	full := c.full
	if command&ads7830Internal != 0 {
		full = ads7830InternalVolts
	}
	if command&ads7830Single != 0 {
		return eightBits(c.volts(code<<1&6|code>>2), full)
	}
	plus := code & 3 * 2
	minus := plus + 1
	if code&4 != 0 {
		plus, minus = minus, plus
	}
	return eightBits(c.volts(plus)-c.volts(minus), full)
}

// Bits of the PCF8591's control byte (NXP PCF8591 rev. 7, figure 4).
const (
	pcfIncrement = 0x04
	pcfMode      = 0x30
	pcfFixed     = 0x88 // must be 0
)

// A PCF8591 is a four-channel 8-bit converter. Each byte that is read is the conversion that the byte before it began, so the first byte
// after a choice belongs to the choice before.
type PCF8591 struct {
	volts func(channel int) float64
	full  float64

	guarded
	control byte
	channel int
	result  byte
}

// NewPCF8591 returns the chip as after power-on. volts gives the voltage of inputs 0 to 3, full is the voltage of its reference.
func NewPCF8591(full float64, volts func(channel int) float64) *PCF8591 {
	c := &PCF8591{volts: volts, full: full}
	c.PowerOnReset()
	return c
}

// PowerOnReset restores all reset values: the first byte reads 80.
func (c *PCF8591) PowerOnReset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.control, c.channel, c.result = 0, 0, 0x80
}

// I2C takes the control byte; a second one is for the analog output, which is not connected. Then it reads.
func (c *PCF8591) I2C(w, r []byte) error {
	c.mu.Lock()
	if len(w) > 0 {
		c.control = w[0] &^ pcfFixed
		c.channel = int(c.control & 3)
	}
	control, channel, result := c.control, c.channel, c.result
	c.mu.Unlock()
	for i := range r { // the world is read without the lock, as its other readers do
		r[i] = result
		result = c.convert(control, channel)
		if control&pcfIncrement != 0 {
			channel = (channel + 1) % 4
		}
	}
	c.mu.Lock()
	c.channel, c.result = channel, result
	c.mu.Unlock()
	return nil
}

// convert reads an input. Of the modes with differences only the one of three against the last, and that of two pairs, are modeled.
func (c *PCF8591) convert(control byte, channel int) byte {
	var d float64
	switch control & pcfMode {
	case 0x10:
		d = c.volts(min(channel, 2)) - c.volts(3)
	case 0x30:
		d = c.volts(channel*2%4) - c.volts(channel*2%4+1)
	default:
		return eightBits(c.volts(channel), c.full)
	}
	return byte(int8(min(max(math.Floor(d/c.full*256), -128), 127)))
}

var (
	_ Chip = (*ADS7830)(nil)
	_ Chip = (*PCF8591)(nil)
)
