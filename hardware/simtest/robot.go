// Package simtest builds the simulated robot for tests: its world, its devices on the emulated chips, and a virtual
// clock. Only tests import it.
//
//	r := simtest.NewRobot(t, sim.Options{Seed: 1})
//	r.Run(time.Second, nil)
package simtest

import (
	"testing"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/sim"
)

// Board returns the board whose interfaces are those of the simulated robot.
func Board(rig *sim.Rig) device.Board {
	return device.Board{
		Temperatures: rig.Temperatures,
		Bus:          func(clk hardware.Clock) i2c.Bus { return rig.Bus(sim.BusName, clk) },
		Lines:        rig.Lines(), SPI: rig.SPI, Serial: rig.Serial, Pin: rig.Pin, Detect: rig.Detect,
	}
}

// NewRig returns a simulated robot that follows a virtual clock. It sets opt.Now.
func NewRig(opt sim.Options) (*sim.Rig, *hwtest.Clock) {
	clk := hwtest.NewClock()
	opt.Now = clk.Now()
	rig := sim.New(opt)
	rig.SetNow(clk.Now)
	return rig, clk
}

// A Robot is a simulated robot with all of its devices open.
type Robot struct {
	*hwtest.Runner
	Rig     *sim.Rig
	Devices map[string]hardware.Device // by subsystem name
}

// NewRobot builds a robot and opens its devices.
func NewRobot(t testing.TB, opt sim.Options) *Robot {
	t.Helper()
	rig, clk := NewRig(opt)
	board := Board(rig)
	board.Profile = opt.Profile
	safety := device.NewSafety(board.Lines)
	r := &Robot{Rig: rig, Devices: map[string]hardware.Device{}}
	all := make([]hardware.Device, 0, len(hardware.Names))
	for _, name := range hardware.Names {
		if opt.Profile != nil && !opt.Profile.Has(name) {
			continue
		}
		d, err := device.New(name, board, safety, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Devices[name] = d
		all = append(all, d)
	}
	r.Runner = hwtest.NewRunner(clk, all...)
	if err := r.Open(); err != nil {
		t.Fatal(err)
	}
	return r
}
