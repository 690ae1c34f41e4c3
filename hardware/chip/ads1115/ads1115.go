// Package ads1115 drives the TI ADS1115 (data sheet SBAS444), a 16-bit ADC with four inputs, in single-shot mode.
//
// The internal oscillator is only good to ±10 %, so waiting one nominal period and reading returns the previous
// channel's value on a slow chip. This driver waits for the slowest chip and then for the ready bit. Because that bit lives
// in the configuration register, each look at it also proves that the configuration is still there.
//
// Such a look is a third of the transactions of a conversion. Once a chip has shown that its conversions are over in time, 64 in a row, only
// each 16th is looked at. That is safe:
//
//   - The wait is at least 1/0.9 nominal periods, because the data sheet allows a data rate that is 10 % low, and 25 µs for the wake-up. The bytes on
//     the wire that say which register is read come on top of it. A chip that is in its specification is therefore never late.
//   - The ready bit is still seen: after each 16th conversion, and by [Dev.Verify], which reads that register anyhow, for the last one before it. All
//     inputs take equally long, so it does not matter whose conversion is looked at. A chip that is late is looked at after each conversion again, until
//     64 in a row were over in time; one that hangs is reported by the conversion after that Verify.
//   - A chip that still converts ignores a start, and the look would see the end of the conversion before. So a look counts only if the
//     chip was seen at rest before the start; otherwise the next conversion is looked at too.
//   - A chip that lost its power during a conversion reads 0. The configuration is read back before such a value is believed.
//   - Until a late chip is found it gives values of conversions before, of other inputs too. Of a scan of four inputs each 10 ms these are of the same
//     scan or of the one before, for less than 50 ms: 17 conversions. One who measures one input gets its own value of the time before.
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

// Bits of the configuration. The reset value is 0x8583: ±2.048 V, 128 samples/s.
const (
	start      = 0x8000
	muxSingle  = 0x4000 // input 0 against ground; inputs 1 to 3 follow in steps of 0x1000
	singleShot = 0x0100
	noCompare  = 0x0003

	// Comparator thresholds. The comparator is off, so they mean nothing; they are written, whatever another program left there,
	// because reading them back tells whether an ADS1115 is there: it has no identity register.
	lowThreshold  = 0x8000
	highThreshold = 0x7fff
)

// Opts is how the inputs are measured.
type Opts struct {
	// Volts is the full scale: 6.144, 4.096, 2.048, 1.024, 0.512 or 0.256. An input must stay below the supply whatever it is.
	Volts float64
	// Rate is the number of samples a second: 8, 16, 32, 64, 128, 250, 475 or 860. A conversion takes 1/Rate.
	Rate int
}

// DefaultOpts measures fast, and as high as a supply of 3.3 V allows.
var DefaultOpts = Opts{Volts: 4.096, Rate: 860}

// ranges and rates are in the order of their codes.
var (
	ranges = [...]float64{6.144, 4.096, 2.048, 1.024, 0.512, 0.256}
	rates  = [...]int{8, 16, 32, 64, 128, 250, 475, 860}
)

// Range is the smallest full scale that measures so many volts; the largest one, 6.144, if none does.
func Range(volts float64) float64 {
	for i := len(ranges) - 1; i > 0; i-- {
		if volts <= ranges[i] {
			return ranges[i]
		}
	}
	return ranges[0]
}

// config is the configuration of the options, for input 0.
func (o *Opts) config() (uint16, error) {
	gain, err := reg.Choice(ranges[:], o.Volts, "ads1115: full scale in volts")
	if err != nil {
		return 0, err
	}
	rate, err := reg.Choice(rates[:], o.Rate, "ads1115: samples a second")
	return muxSingle | uint16(gain)<<9 | singleShot | uint16(rate)<<5 | noCompare, err
}

const (
	slowest  = 140 * time.Millisecond // a conversion at 8 samples a second
	step     = 2 * time.Millisecond
	wakeUp   = 25 * time.Microsecond
	reserve  = 50 * time.Microsecond
	again    = 100 * time.Microsecond
	maxAgain = 8
	// A chip of which promptly conversions in a row were over in time is looked at only at each seldom-th one. That is a multiple of four
	// inputs, so that it is the one after [Dev.Verify], before which the chip was seen at rest.
	promptly = 64
	seldom   = 16
)

// A Dev is one chip. It has one owner and no lock.
type Dev struct {
	r      *reg.Dev
	name   string
	opts   Opts
	takes  time.Duration // a conversion, at most
	config uint16        // as last acknowledged, without the start bit
	prompt int           // conversions in a row, of those that were looked at, that were over at the first look
	unseen int           // conversions since the last look that counts
	rests  bool          // the chip was seen at rest since the last start
}

// New returns a driver for the chip at addr. Nil opts means [DefaultOpts].
func New(bus i2c.Bus, addr uint16, clk hardware.Clock, health *hardware.Health, opts *Opts) *Dev {
	if opts == nil {
		opts = &DefaultOpts
	}
	return &Dev{r: reg.New(bus, addr, clk, health), name: fmt.Sprintf("ADS1115{%s(%#02x)}", bus, addr), opts: *opts}
}

// String names the chip, its bus and its address.
func (d *Dev) String() string { return d.name }

// Init writes thresholds and configuration and reads them back.
func (d *Dev) Init() error {
	config, err := d.opts.config()
	if err != nil {
		return err
	}
	d.takes = d.opts.conversion()
	for _, s := range [...]struct {
		reg   byte
		value uint16
	}{{regLow, lowThreshold}, {regHigh, highThreshold}} {
		if err := d.r.Write16(s.reg, s.value); err != nil {
			return err
		}
		got, err := d.r.Read16(s.reg)
		if err != nil {
			return err
		}
		if got != s.value {
			return &reg.IDError{Got: got, Want: fmt.Sprintf("threshold %#04x", s.value)}
		}
	}
	if err := d.r.Write16(regConfig, config); err != nil {
		return err
	}
	d.config = config
	d.prompt = 0 // what it did before it lost its power says nothing
	return d.idle()
}

// idle waits for the end of a conversion that another program began, at most as long as the slowest takes.
func (d *Dev) idle() error {
	for range slowest / step {
		ready, err := d.ready()
		if err != nil || ready {
			return err
		}
		d.r.Sleep(step)
	}
	return reg.ErrNotReady
}

// Verify reads the configuration register back. It also sees whether the last conversion is over. One that is not is no error yet: the next
// conversions are looked at, and say so.
func (d *Dev) Verify() error {
	ready, err := d.ready()
	if err == nil && !ready {
		d.prompt = 0
	}
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
	d.rests = got&start != 0
	return d.rests, nil
}

// Read converts one input, 0 to 3, and returns the raw value. It sleeps for a conversion of the slowest chip in
// specification: 1.33 ms at 860 samples a second.
func (d *Dev) Read(input int) (int16, error) {
	config, taken := d.config&^(3<<12)|uint16(input)<<12, d.rests
	d.rests = false
	if err := d.r.Write16(regConfig, start|config); err != nil {
		return 0, err // the chip holds what it held: that is no lost configuration
	}
	d.config = config
	d.r.Sleep(d.takes)
	if d.unseen++; d.prompt < promptly || d.unseen >= seldom { // what was prompt is believed to be over
		if err := d.over(taken); err != nil {
			return 0, err
		}
	}
	v, err := d.r.Read16(regConversion)
	if err == nil && v == 0 { // so it reads after a loss of power too, and that is no value
		err = d.Verify()
	}
	return int16(v), err
}

// over waits until the conversion is. Taken tells that the chip has surely taken the start.
func (d *Dev) over(taken bool) error {
	for look := range maxAgain {
		ready, err := d.ready()
		if err != nil {
			return err // nothing was seen: the next conversion is looked at
		}
		if ready {
			if taken {
				d.unseen = 0
			}
			if d.prompt++; look > 0 {
				d.prompt = 0
			}
			return nil
		}
		d.r.Sleep(again)
	}
	d.prompt = 0
	return reg.ErrNotReady
}

// conversion is the longest time of one, and a reserve at the fast rates: the data rate may be 10 % low, which is a period of 1/0.9, and the chip wakes
// up first.
func (o *Opts) conversion() time.Duration {
	rate := time.Duration(o.Rate)
	return max(time.Second*11/(10*rate)+reserve, time.Second*10/(9*rate)+wakeUp)
}

// Volts converts a raw value.
func (d *Dev) Volts(raw int16) float64 { return float64(raw) * d.opts.Volts / 32768 }

// Halt does nothing: in single-shot mode the chip powers itself down.
func (d *Dev) Halt() error { return nil }
