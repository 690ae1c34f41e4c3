// Package mpu6x drives the InvenSense MPU-6050 family (6050, 6500, 9250 and clones), accelerometer and gyroscope.
//
// After a power loss the chip sleeps and repeats its last sample forever without an error; reading the power register
// back detects this. All seven values are read in one burst, because the chip latches them for one transaction only.
package mpu6x

import (
	"math"
	"slices"
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
	regFIFOEnable  = 0x23
	regIntEnable   = 0x38
	regData        = 0x3b // 14 bytes: acceleration, temperature, rotation, big-endian
	regUserCtrl    = 0x6a
	regPower1      = 0x6b
	regPower2      = 0x6c
	regWhoAmI      = 0x75
)

// wake selects the X gyroscope's PLL as clock and leaves sleep (reset value 0x40).
const wake = 0x01

// Ranges: ±500 °/s holds the fastest turn (300 °/s), ±4 g holds a fall (2.2 g) and shaking.
const (
	gyroLSBPerDeg = 32768.0 / 500
	accelLSBPerG  = 8192
	gravityMMPS2  = 9806.65
)

// startUp is the gyroscope's start-up time.
const startUp = 35 * time.Millisecond

// config is everything this driver depends on. The filter is 98 Hz, the sample rate 1 kHz.
func config() []reg.Setting {
	return []reg.Setting{
		{Reg: regPower1, Value: wake},
		{Reg: regPower2, Value: 0},
		{Reg: regUserCtrl, Value: 0},
		{Reg: regFIFOEnable, Value: 0},
		{Reg: regIntEnable, Value: 0},
		{Reg: regRateDiv, Value: 0},
		{Reg: regConfig, Value: 0x02},
		{Reg: regGyroConfig, Value: 0x08},
		{Reg: regAccelConfig, Value: 0x08},
	}
}

// identities are the WHO_AM_I values of the family: 6050, 6500, 9250, 9255, and two clones that work the same.
func identities() []byte { return []byte{0x68, 0x70, 0x71, 0x73, 0x98, 0x19} }

// A Raw is one burst as the chip sent it; two equal ones in a row are unlikely, six are a freeze.
type Raw [14]byte

// A Sample is one burst in units, chip axes.
type Sample struct {
	AccelMMPS2 [3]float64
	GyroRadPS  [3]float64
	Celsius    float64
}

// A Dev is one chip. It has one owner and no lock.
type Dev struct{ r *reg.Dev }

// New returns a driver for the chip at addr.
func New(bus i2c.Bus, addr uint16, clk hardware.Clock, health *hardware.Health) *Dev {
	return &Dev{r: reg.New(bus, addr, clk, health)}
}

// Init identifies the chip, writes the whole configuration, waits for the gyroscope and reads everything back.
func (d *Dev) Init() error {
	id, err := d.r.Read8(regWhoAmI)
	if err != nil {
		return err
	}
	if !slices.Contains(identities(), id) {
		return &reg.IDError{Got: uint16(id), Want: "0x68, 0x70, 0x71, 0x73, 0x98 or 0x19"}
	}
	if err := d.r.Configure(config()); err != nil {
		return err
	}
	d.r.Sleep(startUp)
	return d.r.Check(config())
}

// Verify reads the power register back.
func (d *Dev) Verify() error { return d.r.Check([]reg.Setting{{Reg: regPower1, Value: wake}}) }

// Read reads one burst.
func (d *Dev) Read() (Raw, error) {
	b, err := d.r.Read(regData, len(Raw{}))
	return Raw(b), err
}

// Decode converts a burst. Temperature by the MPU-6050's formula.
func (b Raw) Decode() Sample {
	word := func(i int) float64 { return float64(int16(uint16(b[i])<<8 | uint16(b[i+1]))) }
	var s Sample
	for i := range 3 {
		s.AccelMMPS2[i] = word(2*i) / accelLSBPerG * gravityMMPS2
		s.GyroRadPS[i] = word(8+2*i) / gyroLSBPerDeg * math.Pi / 180
	}
	s.Celsius = word(6)/340 + 36.53
	return s
}

// Halt puts the chip to sleep.
func (d *Dev) Halt() error { return d.r.Write8(regPower1, 0x40) }
