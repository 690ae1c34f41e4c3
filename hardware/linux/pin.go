package linux

import (
	"fmt"
	"syscall"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"

	"github.com/robotd/robotd/hardware"
)

// Pin returns an output line in the shape that periph's drivers want, for the D/C line of a display.
func Pin(l hardware.Line) gpio.PinOut { return outPin{l} }

// An outPin is an output line. It has no number: lines are known by name.
type outPin struct{ hardware.Line }

func (p outPin) String() string   { return p.Name() }
func (p outPin) Number() int      { return -1 }
func (p outPin) Function() string { return "Out" }

// Halt leaves the line as it is; its owner closes it.
func (p outPin) Halt() error { return nil }

// Out sets the level.
func (p outPin) Out(l gpio.Level) error { return p.Set(bool(l)) }

// PWM fails: a line is on or off.
func (p outPin) PWM(gpio.Duty, physic.Frequency) error {
	return fmt.Errorf("line %s: pwm: %w", p.Name(), syscall.EOPNOTSUPP)
}
