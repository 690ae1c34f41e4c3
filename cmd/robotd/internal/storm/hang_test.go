package storm

import (
	"syscall"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// chips are the addresses of all chips on the bus of the simulated robot.
var chips = []uint16{0x29, 0x40, 0x41, 0x42, 0x45, 0x48, 0x49, 0x68}

// hanging is a world whose bus hangs when the storm wants.
type hanging struct {
	*sim.Rig
	robot *virtual
}

// Bus implements simrobot.World.
func (h hanging) Bus(name string, clk hardware.Clock) i2c.Bus {
	return hangingBus{h.Rig.Bus(name, clk), clk, h.robot}
}

type hangingBus struct {
	i2c.Bus
	clk   hardware.Clock
	robot *virtual
}

func (b hangingBus) SetSpeed(f physic.Frequency) error { return b.Bus.SetSpeed(f) }

// Tx implements i2c.Bus.
func (b hangingBus) Tx(addr uint16, w, r []byte) error {
	if addr != b.robot.hangAddr || !b.clk.Now().Before(b.robot.hangs) {
		return b.Bus.Tx(addr, w, r)
	}
	for b.clk.Now().Before(b.robot.hangs) {
		b.clk.Sleep(10 * time.Millisecond)
	}
	return syscall.EIO
}
