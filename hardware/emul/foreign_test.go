package emul_test

import (
	"math"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/devices/v3/ads1x15"
	"periph.io/x/devices/v3/ina219"
	"periph.io/x/devices/v3/mpu9250"
	"periph.io/x/devices/v3/pca9685"

	"github.com/robotd/robotd/hardware/emul"
)

// Drivers that are not ours on the emulated chips: what they do right on a board they must do right here, and what they do
// wrong there, wrong here. They sleep in real time.

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestPeriphDrivesThePCA9685(t *testing.T) {
	bus, chip := emul.NewBus("i2c1", nil, 1), emul.NewPCA9685(nil)
	bus.Attach(0x40, chip)
	d, err := pca9685.NewI2C(bus, 0x40)
	check(t, err)
	near(t, "frequency", chip.Frequency(), 50, 0.5)
	check(t, d.SetPwm(3, 0, 1024))
	near(t, "duty", chip.Duty(3), 0.25, 0)
	check(t, d.SetFullOn(4))
	near(t, "full on", chip.Duty(4), 1, 0)
	check(t, d.SetFullOff(4))
	near(t, "full off", chip.Duty(4), 0, 0)
	check(t, d.SetPwmFreq(200*physic.Hertz))
	near(t, "new frequency", chip.Frequency(), 25e6/4096/32, 1e-9) // it forgets the -1 of the prescaler
	check(t, d.SetAllPwm(0, gpio.Duty(2048)))
	near(t, "all", chip.Duty(15), 0.5, 0)
}

func TestPeriphReadsTheADS1115(t *testing.T) {
	bus := emul.NewBus("i2c1", nil, 1)
	chip := emul.NewADS1115(emul.Since(time.Now), func(ch int) float64 { return 0.5 + 0.5*float64(ch) })
	bus.Attach(0x48, chip)
	d, err := ads1x15.NewADS1115(bus, &ads1x15.DefaultOpts)
	check(t, err)
	for ch, c := range []ads1x15.Channel{ads1x15.Channel0, ads1x15.Channel1, ads1x15.Channel2, ads1x15.Channel3} {
		for _, full := range []physic.ElectricPotential{3 * physic.Volt, 5 * physic.Volt} {
			p, err := d.PinForChannel(c, full, 860*physic.Hertz, ads1x15.SaveEnergy)
			check(t, err)
			s, err := p.Read()
			check(t, err)
			near(t, c.String(), float64(s.V)/float64(physic.Volt), 0.5+0.5*float64(ch), 0.001)
		}
	}
	p, err := d.PinForChannel(ads1x15.Channel0Minus3, physic.Volt*2, 860*physic.Hertz, ads1x15.SaveEnergy)
	check(t, err)
	s, err := p.Read()
	check(t, err)
	near(t, "difference", float64(s.V)/float64(physic.Volt), -1.5, 0.001)
}

// That driver waits one nominal period and does not look whether the chip is done. On a slow chip it reads the channel before.
func TestPeriphReadsAnotherChannelOfASlowADS1115(t *testing.T) {
	bus := emul.NewBus("i2c1", nil, 1)
	now := time.Unix(0, 0) // the chip's time stands still: it is much slower than any tolerance
	bus.Attach(0x48, emul.NewADS1115(emul.Since(func() time.Time { return now }), func(ch int) float64 { return float64(ch) }))
	d, err := ads1x15.NewADS1115(bus, &ads1x15.DefaultOpts)
	check(t, err)
	read := func(c ads1x15.Channel) float64 {
		p, err := d.PinForChannel(c, 4*physic.Volt, 860*physic.Hertz, ads1x15.SaveEnergy)
		check(t, err)
		s, err := p.Read()
		check(t, err)
		return float64(s.V) / float64(physic.Volt)
	}
	near(t, "nothing converted yet", read(ads1x15.Channel2), 0, 0)
	now = now.Add(time.Second)
	near(t, "channel 1", read(ads1x15.Channel1), 2, 0.001)
}

func TestPeriphReadsTheINA219(t *testing.T) {
	bus := emul.NewBus("i2c1", nil, 1)
	bus.Attach(0x45, emul.NewINA219(func() (float64, float64) { return 7.4, -1.25 }))
	d, err := ina219.New(bus, &ina219.Opts{Address: 0x45})
	check(t, err)
	p, err := d.Sense()
	check(t, err)
	near(t, "volts", float64(p.Voltage)/float64(physic.Volt), 7.4, 0.004)
	near(t, "amps", float64(p.Current)/float64(physic.Ampere), -1.25, 0.002)
	near(t, "shunt", float64(p.Shunt)/float64(physic.Volt), -0.125, 1e-5)
	near(t, "watts", float64(p.Power)/float64(physic.Watt), 7.4*1.25, 0.02)
}

func TestPeriphReadsTheMPU(t *testing.T) {
	bus := emul.NewBus("i2c1", nil, 1)
	bus.Attach(0x68, emul.NewMPU6050(func() (accel, gyro [3]float64) {
		return [3]float64{0, -4903.325, 9806.65}, [3]float64{math.Pi / 2}
	}))
	tr, err := mpu9250.NewI2cTransport(bus, 0x68)
	check(t, err)
	d, err := mpu9250.New(*tr)
	check(t, err)
	check(t, d.Init())
	accel, err := d.GetAcceleration()
	check(t, err)
	rotation, err := d.GetRotationX() // it leaves the z axis in standby
	check(t, err)
	// It leaves the ranges at ±2 g and ±250 °/s: 16384 and 131 a unit.
	near(t, "x", float64(accel.X), 0, 1)
	near(t, "y", float64(accel.Y), -8192, 1)
	near(t, "z", float64(accel.Z), 16384, 1)
	near(t, "turn", float64(rotation), 90*131.07, 2)
}
