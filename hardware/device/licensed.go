package device

import (
	"errors"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
)

// errUnlicensed is what a driver gets that was given up while it hung.
var errUnlicensed = errors.New("the driver was given up and may not use the bus")

// Licensed makes bus handles that ask the device's clock before each transaction, if it is a [hardware.Licence].
func Licensed(bus func(clk hardware.Clock) i2c.Bus) func(clk hardware.Clock) i2c.Bus {
	return func(clk hardware.Clock) i2c.Bus {
		b := bus(clk)
		if l, ok := clk.(hardware.Licence); ok {
			return licensed{b, l}
		}
		return b
	}
}

type licensed struct {
	i2c.Bus
	licence hardware.Licence
}

// Tx implements i2c.Bus.
func (b licensed) Tx(addr uint16, w, r []byte) error {
	if !b.licence.Enter() {
		return errUnlicensed
	}
	defer b.licence.Leave()
	return b.Bus.Tx(addr, w, r)
}

// Replaceable reports whether a hung driver of the subsystem may be replaced while it still hangs. Its transactions on the
// bus ask its licence, its lines are taken over by the newest request, and [Safety] knows the motors by number. The display
// is not: nothing stands between a driver and the SPI port.
func Replaceable(name string) bool { return name != hardware.Display }
