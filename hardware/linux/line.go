package linux

import (
	"os"
	"sync/atomic"
	"syscall"

	"github.com/warthog618/go-gpiocdev"

	"github.com/robotd/robotd/hardware"
)

// A gpioLine is a requested line. It implements [hardware.Line].
type gpioLine struct {
	name   string
	line   *gpiocdev.Line
	output bool
	closed atomic.Bool
}

// Name is the line's name on the robot.
func (g *gpioLine) Name() string { return g.name }

// Set drives an output. EPERM on an input, ENODEV if the chip is gone, os.ErrClosed after Close.
func (g *gpioLine) Set(high bool) error {
	if !g.output {
		return lineError(g.name, "set", syscall.EPERM)
	}
	return g.checked("set", g.line.SetValue(level(high)))
}

// Get reads the level.
func (g *gpioLine) Get() (bool, error) {
	v, err := g.line.Value()
	return v != 0, g.checked("get", err)
}

// Close releases the line. An output becomes an input first, so that the pull decides on kernels that keep the level of a released
// output, too. Closing twice does nothing.
func (g *gpioLine) Close() error {
	if g.closed.Swap(true) {
		return nil
	}
	if g.output {
		_ = g.line.Reconfigure(gpiocdev.AsInput) // fails if the chip is gone
	}
	return g.line.Close()
}

func (g *gpioLine) checked(op string, err error) error {
	switch {
	case g.closed.Load():
		err = os.ErrClosed
	case err == nil:
		return nil
	}
	return lineError(g.name, op, err)
}

var _ hardware.Line = (*gpioLine)(nil)
