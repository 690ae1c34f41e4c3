// Package ads1115 drives the TI ADS1115 (data sheet SBAS444), a 16-bit ADC with four inputs, in single-shot mode.
//
// The internal oscillator is only good to ±10 %, so waiting one nominal period and reading returns the previous
// channel's value on a slow chip. This driver waits for the slowest chip and then for the ready bit. Because that bit lives
// in the configuration register, each conversion also proves that the configuration is still there. On a bus that is too slow for that,
// [Dev.Spare] leaves looks out.
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
	wakeUp   = 50 * time.Microsecond
	again    = 100 * time.Microsecond
	maxAgain = 8
	// A chip whose first promptly conversions were over in time is looked at only at each seldom-th one if the bus is to be spared. It has four
	// inputs, so each of them has its turn.
	promptly = 64
	seldom   = 17
)

// A Dev is one chip. It has one owner and no lock.
type Dev struct {
	r      *reg.Dev
	name   string
	opts   Opts
	config uint16 // as last acknowledged, without the start bit
	spare  bool
	prompt int // conversions in a row that were over at the first look
	unseen int // conversions since the last look
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

// Read converts one input, 0 to 3, and returns the raw value. It sleeps for a conversion of the slowest chip in
// specification: 1.33 ms at 860 samples a second.
func (d *Dev) Read(input int) (int16, error) {
	config := d.config&^(3<<12) | uint16(input)<<12
	if err := d.r.Write16(regConfig, start|config); err != nil {
		return 0, err // the chip holds what it held: that is no lost configuration
	}
	d.config = config
	d.r.Sleep(d.conversion())
	if err := d.over(); err != nil {
		return 0, err
	}
	v, err := d.r.Read16(regConversion)
	return int16(v), err
}

// Spare lets the driver leave out looks at the ready bit, a third of the bytes of a conversion, once the chip has shown that its conversions
// are over in time: its oscillator drifts by a few percent, and the wait allows for a tenth. It looks again now and then, and always after
// one that was late.
func (d *Dev) Spare(on bool) { d.spare = on }

// over waits until the conversion is.
func (d *Dev) over() error {
	if d.unseen++; d.spare && d.prompt >= promptly && d.unseen < seldom {
		return nil
	}
	d.unseen = 0
	for look := range maxAgain {
		ready, err := d.ready()
		if err != nil {
			return err
		}
		if ready {
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

// conversion is the longest time of one: its oscillator may be 10 % slow, and it wakes up first.
func (d *Dev) conversion() time.Duration {
	return time.Second*11/time.Duration(10*d.opts.Rate) + wakeUp
}

// Volts converts a raw value.
func (d *Dev) Volts(raw int16) float64 { return float64(raw) * d.opts.Volts / 32768 }

// Halt does nothing: in single-shot mode the chip powers itself down.
func (d *Dev) Halt() error { return nil }
