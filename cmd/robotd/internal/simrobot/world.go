package simrobot

import (
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/spi"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// A World is a simulated robot with its surroundings: what the drivers see of it, what people do to it, and what is true in it. It
// is a [sim.Rig], in this process or in another one.
type World interface {
	Bus(name string, clk hardware.Clock) i2c.Bus
	Lines() hardware.Lines
	SPI(name string) (spi.PortCloser, error)
	Serial(name string) (hardware.Serial, error)
	Pin(l hardware.Line) gpio.PinOut
	Detect(now time.Time) hardware.Detections
	Temperatures(now time.Time) (battery, processor float64)

	PickUp()
	PutDownHere()
	Place(xMM, yMM, headingRad float64)
	PushNearEdge()
	Carry(xMM, yMM, headingRad float64)
	MoveCube(id int, xMM, yMM, headingRad float64) (moved bool)
	MovePerson(id int, xMM, yMM float64) (moved bool)
	Touch(d time.Duration)
	Shake(d time.Duration)
	Palm()
	Twist(d time.Duration)
	Press(d time.Duration)
	Heat(d time.Duration)
	Darken(d time.Duration)
	Music(d time.Duration)
	Wave(area hardware.MotionArea, d time.Duration)
	Pet(d time.Duration)
	Point(kind string, d time.Duration)
	Surround(h hardware.Habitat)
	ShowFace(name string, d time.Duration)
	HideFace()
	Fault(device, kind string, d time.Duration) error
	Faults() []sim.Fault
	ClearFaults()

	View() sim.View
	Stats() sim.Stats
}

var _ World = (*sim.Rig)(nil)
