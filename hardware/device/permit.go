package device

import (
	"errors"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
)

// errNoPermit is what a driver gets on the bus after it was given up because it hung.
var errNoPermit = errors.New("the driver was given up and may not use the bus")

// permitted makes bus handles that ask the permit of the driver before each transaction.
func permitted(bus func(clk hardware.Clock) i2c.Bus, permit hardware.BusPermit) func(clk hardware.Clock) i2c.Bus {
	return func(clk hardware.Clock) i2c.Bus { return &permittedBus{bus(clk), permit} }
}

type permittedBus struct {
	i2c.Bus
	permit hardware.BusPermit
}

// Tx implements i2c.Bus.
func (b *permittedBus) Tx(addr uint16, w, r []byte) error {
	if !b.permit.Enter() {
		return errNoPermit
	}
	defer b.permit.Leave()
	return b.Bus.Tx(addr, w, r)
}

// Replaceable reports whether a driver of the subsystem may be replaced while it hangs. Its transactions on the bus ask its
// permit, its lines are taken over by the newest request, and [Safety] knows the motors by number. The display is not
// replaceable: nothing stands between its driver and the SPI port.
func Replaceable(name string) bool { return name != hardware.Display }
