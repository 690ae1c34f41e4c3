// Package mpu6x drives the InvenSense MPU-6050 family (6050, 6500, 9250, ICM-20689 and clones), accelerometer and gyroscope.
// Registers by RM-MPU-6000A and RM-MPU-6500A; the order of the reset, times and identities by Linux's inv_mpu6050 driver.
//
// After a power loss a 6050 or an ICM sleeps and repeats its last sample forever without an error; reading the power register
// back detects this. A 6500 or 9250 goes on to measure, but by the smallest ranges, so that everything looks larger than it is;
// its ranges are read back too. All seven values are read in one burst, because the chip latches them for one transaction only.
package mpu6x

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
	regRateDiv     = 0x19
	regConfig      = 0x1a
	regGyroConfig  = 0x1b
	regAccelConfig = 0x1c
	regAccel2      = 0x1d // of the 6500 and later: the accelerometer's own filter
	regFIFOEnable  = 0x23
	regIntEnable   = 0x38
	regData        = 0x3b // 14 bytes: acceleration, temperature, rotation, big-endian
	regPathReset   = 0x68
	regUserCtrl    = 0x6a
	regPower1      = 0x6b
	regPower2      = 0x6c
	regWhoAmI      = 0x75
)

const (
	deviceReset = 0x80
	sleep       = 0x40
	wake        = 0x01 // the X gyroscope's PLL as clock, no sleep
	allPaths    = 0x07
)

const gravityMMPS2 = 9806.65

// Times of the reset. The chip shows the end of its reset; at power-up it may take 100 ms.
const (
	resetStep  = 10 * time.Millisecond
	resetLimit = 100 * time.Millisecond
	pathReset  = 100 * time.Millisecond
	wakeUp     = 10 * time.Millisecond
)

// Opts is how the chip measures.
type Opts struct {
	// GyroDPS is the range of the gyroscope, ±250, 500, 1000 or 2000 °/s.
	GyroDPS int
	// AccelG is the range of the accelerometer, ±2, 4, 8 or 16 g.
	AccelG int
	// Filter is the low-pass filter of both, DLPF_CFG 1 to 6: about 184, 94, 44, 21, 10 and 5 Hz, with a delay of 2, 3, 5, 8.5, 14
	// and 19 ms. The sample rate is 1 kHz.
	Filter int
}

// DefaultOpts holds the fastest turn of a small robot (300 °/s), a fall (2.2 g) and shaking.
var DefaultOpts = Opts{GyroDPS: 500, AccelG: 4, Filter: 2}

var (
	gyroRanges  = [...]int{250, 500, 1000, 2000}
	accelRanges = [...]int{2, 4, 8, 16}
	filters     = [...]int{1, 2, 3, 4, 5, 6}
)

// config is everything this driver depends on. FCHOICE_B of the newer chips, bits 1 and 0 of the gyroscope's range, is 0: the
// filter works.
func (o *Opts) config(k Kind) ([]reg.Setting, error) {
	gyro, err := reg.Choice(gyroRanges[:], o.GyroDPS, "mpu6x: range of the gyroscope in °/s")
	if err != nil {
		return nil, err
	}
	accel, err := reg.Choice(accelRanges[:], o.AccelG, "mpu6x: range of the accelerometer in g")
	if err != nil {
		return nil, err
	}
	if _, err := reg.Choice(filters[:], o.Filter, "mpu6x: filter"); err != nil {
		return nil, err
	}
	table := []reg.Setting{
		{Reg: regPower1, Value: wake},
		{Reg: regPower2, Value: 0},
		{Reg: regUserCtrl, Value: 0},
		{Reg: regFIFOEnable, Value: 0},
		{Reg: regIntEnable, Value: 0},
		{Reg: regRateDiv, Value: 0},
		{Reg: regConfig, Value: byte(o.Filter)},
		{Reg: regGyroConfig, Value: byte(gyro) << 3},
		{Reg: regAccelConfig, Value: byte(accel) << 3},
	}
	if k.accel2 != noAccel2 {
		table = append(table, reg.Setting{Reg: regAccel2, Value: k.accel2 | byte(o.Filter)})
	}
	return table, nil
}

// A Raw is one burst as the chip sent it; two equal ones in a row are unlikely, six are a freeze.
type Raw [14]byte

// A Sample is one burst in units, chip axes.
type Sample struct {
	AccelMMPS2 [3]float64
	GyroRadPS  [3]float64
	Celsius    float64
}

// A Dev is one chip. It has one owner and no lock.
type Dev struct {
	r     *reg.Dev
	clk   hardware.Clock
	bus   string
	opts  Opts
	kind  Kind
	table []reg.Setting // its configuration
	reset bool          // once was

	accel, gyro float64 // mm/s² and rad/s of one count
}

// New returns a driver for the chip at addr. Nil opts means [DefaultOpts].
func New(bus i2c.Bus, addr uint16, clk hardware.Clock, health *hardware.Health, opts *Opts) *Dev {
	if opts == nil {
		opts = &DefaultOpts
	}
	return &Dev{
		r: reg.New(bus, addr, clk, health), clk: clk, bus: fmt.Sprintf("{%s(%#02x)}", bus, addr), opts: *opts,
		accel: float64(opts.AccelG) * gravityMMPS2 / 32768, gyro: float64(opts.GyroDPS) * math.Pi / 180 / 32768,
	}
}

// String names the chip that was found, its bus and its address.
func (d *Dev) String() string {
	if d.kind.Name == "" {
		return "MPU" + d.bus
	}
	return d.kind.Name + d.bus
}

// Kind is the chip that Init found.
func (d *Dev) Kind() Kind { return d.kind }

// Init identifies the chip, resets it, writes the whole configuration, waits for the gyroscope and reads everything back. The
// reset is done once: a chip that lost its configuration was reset already.
func (d *Dev) Init() error {
	id, err := d.r.Read8(regWhoAmI)
	if err != nil {
		return err
	}
	kind, ok := kindOf(id)
	if !ok {
		return &reg.IDError{Got: uint16(id), Want: known()}
	}
	table, err := d.opts.config(kind)
	if err != nil {
		return err
	}
	d.kind, d.table = kind, table
	if !d.reset {
		if err := d.restart(); err != nil {
			return err
		}
		d.reset = true
	}
	if err := d.r.Write8(regPower1, wake); err != nil {
		return err
	}
	d.r.Sleep(wakeUp)
	if err := d.r.Configure(table); err != nil {
		return err
	}
	d.r.Sleep(kind.startUp)
	return d.r.Check(table)
}

// restart resets all registers, whatever another program left in them, and then the filters.
func (d *Dev) restart() error {
	if err := d.r.Write8(regPower1, deviceReset); err != nil {
		return err
	}
	for end := d.clk.Now().Add(resetLimit); ; {
		d.r.Sleep(resetStep)
		v, err := d.r.Read8(regPower1)
		if err == nil && v&deviceReset == 0 {
			break
		}
		if d.clk.Now().Before(end) {
			continue // it may not acknowledge meanwhile
		}
		if err == nil {
			err = reg.ErrNotReady
		}
		return err
	}
	if !d.kind.path {
		return nil
	}
	if err := d.r.Write8(regPathReset, allPaths); err != nil {
		return err
	}
	d.r.Sleep(pathReset)
	return nil
}

// Verify reads back what tells a chip that lost its power: the power register, and of a chip that does not sleep then its filter
// and ranges, of which the filter is never that of the reset.
func (d *Dev) Verify() error {
	err := d.r.Check([]reg.Setting{{Reg: regPower1, Value: wake}})
	if err != nil || !d.kind.awake {
		return err
	}
	return d.verifyRanges()
}

// verifyRanges reads filter and ranges back, which lie side by side, in one burst.
func (d *Dev) verifyRanges() error {
	got, err := d.r.Read(regConfig, regAccelConfig-regConfig+1)
	if err != nil {
		return err
	}
	for _, s := range d.table {
		if i := int(s.Reg) - regConfig; i >= 0 && i < len(got) && got[i] != s.Value {
			return fmt.Errorf("%w: register %#02x reads %#02x, want %#02x", reg.ErrConfigLost, s.Reg, got[i], s.Value)
		}
	}
	return nil
}

// Read reads one burst.
func (d *Dev) Read() (Raw, error) {
	b, err := d.r.Read(regData, len(Raw{}))
	return Raw(b), err
}

// Decode converts a burst by the ranges and the kind of the chip.
func (d *Dev) Decode(b Raw) Sample {
	word := func(i int) float64 { return float64(int16(uint16(b[i])<<8 | uint16(b[i+1]))) }
	return Sample{
		AccelMMPS2: [3]float64{word(0) * d.accel, word(2) * d.accel, word(4) * d.accel},
		Celsius:    word(6)/d.kind.tempLSB + d.kind.tempZeroC,
		GyroRadPS:  [3]float64{word(8) * d.gyro, word(10) * d.gyro, word(12) * d.gyro},
	}
}

// Halt puts the chip to sleep.
func (d *Dev) Halt() error { return d.r.Write8(regPower1, sleep) }
