package device

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/spi"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// A Board provides the interfaces that the devices are connected to: those of a real board's kernel, or emulated ones.
type Board struct {
	// raw is Bus without the permit of a driver.
	raw func(clk hardware.Clock) i2c.Bus
	// Bus returns the I²C bus as seen by a device actor whose time is clk.
	Bus func(clk hardware.Clock) i2c.Bus
	// Lines opens GPIO lines. The devices use them through Safety, so it must be the value given to [NewSafety].
	Lines hardware.Lines
	// SPI opens a SPI port by the profile's name. A handle connects once and is closed for good, as periph's is, so each set-up opens another
	// one. Nil means that there is none.
	SPI func(name string) (spi.PortCloser, error)
	// Serial opens a serial port by the profile's name. Nil means that there is none.
	Serial func(name string) (hardware.Serial, error)
	// Pin makes the display's data/command pin of a line.
	Pin func(hardware.Line) gpio.PinOut
	// Detect returns the newest processed image. Nil means that there are no eyes.
	Detect func(now time.Time) hardware.Detections
	// Temperatures returns those of battery and processor in °C. Nil means that nothing measures them.
	Temperatures func(now time.Time) (battery, processor float64)
	// Voice makes what the speaker plays heard. Nil means that sounds are captions.
	Voice Voice
	// Mouth moves the lips of the display with what the speaker says. Nil means that they do not move.
	Mouth *Mouth
	// Profile describes the robot. Nil means R1.
	Profile *profile.Profile
	// Calibration holds what was measured of this robot before. Nil means nothing.
	Calibration profile.Calibration
	// Learned is called with what a device measured of the robot, by the keys of a calibration, so that somebody keeps it. It must not
	// block. Nil means that nobody does.
	Learned func(key string, value float64)
	// Rates fits the periods of the devices to the bus. Nil means that they are what is wanted.
	Rates *Rates
	// Lease is how long the wheels turn without a renewal. 0 means [DefaultLease].
	Lease time.Duration
	// Drivers take the place of built-in ones.
	Drivers Drivers
	// Named are drivers that the profile asks for by their words.
	Named NamedDrivers
}

// robot is the profile of the board.
func (b Board) robot() *profile.Profile {
	if b.Profile == nil {
		return profile.R1()
	}
	return b.Profile
}

// shared reports whether devices of several subsystems use a chip.
func (b Board) shared(chip string) bool {
	p, users := b.robot(), 0
	if d := p.Drive; d != nil && d.Chip == chip {
		users++
	}
	for _, s := range []*profile.Servo{p.Head, p.Lift, p.Pan} {
		if s != nil && s.Chip == chip {
			users++
			break
		}
	}
	if l := p.Lights; l != nil && l.Chip == chip {
		users++
	}
	return users > 1
}

// oscillator is the clock of a PWM chip.
func (b Board) oscillator(chip string) float64 {
	hz := b.robot().Chips[chip].OscillatorHz
	if hz == 0 {
		hz = 25e6
	}
	return b.Calibration.Or(profile.Of(profile.KeyOscillator, chip), hz)
}

// address is that of one of the robot's chips.
func (b Board) address(chip string) uint16 { return b.robot().Chips[chip].Address }

// DefaultLease is the dead-man time of the wheels: about four ticks at the default period.
const DefaultLease = 250 * time.Millisecond

// New returns a fresh, unopened device by its subsystem name. All devices of a robot share one s. The device asks permit
// before each transaction on the bus; nil permits everything. A driver of the board takes the place of the built-in one.
func New(name string, b Board, s *Safety, permit hardware.BusPermit) (hardware.Device, error) {
	b.raw = b.Bus
	if b.Bus != nil && permit != nil {
		b.Bus = permitted(b.Bus, permit)
	}
	if driver := b.driverOf(name); driver != nil {
		return foreign(name, driver, b, s, permit)
	}
	if d := newUGV(name, b, s, permit); d != nil {
		return d, nil
	}
	if b.Bus == nil || b.Rates == nil {
		return build(name, b, s)
	}
	part := b.Rates.part(name)
	b.Bus = b.Rates.meter(part, b.Bus)
	d, err := build(name, b, s)
	if f, ok := d.(interface{ fit(*Rates, *rate) }); ok {
		f.fit(b.Rates, part)
	}
	return d, err
}

// build makes a device.
func build(name string, b Board, s *Safety) (hardware.Device, error) {
	switch name {
	case hardware.Battery:
		if b.robot().Battery.Driver.Driver == "adc" {
			return NewVoltmeter(b, s), nil
		}
		return NewBattery(b, s), nil
	case hardware.Charger:
		return NewCharger(b, s), nil
	case hardware.Cliff:
		if b.robot().Cliff.Driver.Driver == "digital" {
			return NewLineCliff(b, s), nil
		}
		return NewCliff(b, s), nil
	case hardware.Display:
		return NewDisplay(b, s), nil
	case hardware.IMU:
		return NewIMU(b, s), nil
	case hardware.Lights:
		if b.robot().Lights.Driver.Driver == "ws2812" {
			return NewPixels(b), nil
		}
		return NewLights(b), nil
	case hardware.Motors:
		return NewMotors(b, s), nil
	case hardware.Range:
		return newRange(b, s), nil
	case hardware.Servos:
		return NewServos(b, s), nil
	case hardware.Speaker:
		if b.robot().Speaker.Driver.Driver == "buzzer" {
			return NewBuzzer(b, s), nil
		}
		return NewSpeaker(b), nil
	case hardware.Touch:
		return NewTouch(b, s), nil
	case hardware.Vision:
		return NewVision(b), nil
	default:
		return nil, fmt.Errorf("device: no subsystem %q; known: %v", name, hardware.Names)
	}
}
