package simrobot

import (
	"errors"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/linux"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
)

// NewReal builds the robot of that profile on the buses, lines and ports of this machine. It does not move before its devices are opened.
func NewReal(p *profile.Profile) (*Robot, error) {
	host, err := linux.Open(p)
	if err != nil {
		return nil, err
	}
	r := Over(realWorld{Host: host, robot: p}, p, clock.Live{}, true)
	r.Real = true
	return r, nil
}

// errReal is why nobody acts on a real robot's world by a command.
var errReal = errors.New("this robot is real: pick it up, touch it and break it by hand")

// realWorld is the world of a real robot: drivers reach it through the kernel, nothing knows what is true in it, and no command changes it.
type realWorld struct {
	*linux.Host
	robot *profile.Profile
}

// Bus is the robot's bus.
func (w realWorld) Bus(_ string, clk hardware.Clock) i2c.Bus { return w.Host.Bus(profile.MainBus, clk) }

// Detect sees nothing: images are posted.
func (realWorld) Detect(time.Time) hardware.Detections {
	return hardware.Detections{Posted: true, Blind: true}
}

// What people do in a simulated world has no effect here; Robot.Act refuses it before.
func (realWorld) PickUp()                                              {}
func (realWorld) PutDownHere()                                         {}
func (realWorld) Place(_, _, _ float64)                                {}
func (realWorld) PushNearEdge()                                        {}
func (realWorld) Carry(_, _, _ float64)                                {}
func (realWorld) MoveCube(int, float64, float64, float64) (moved bool) { return false }
func (realWorld) MovePerson(int, float64, float64) (moved bool)        { return false }
func (realWorld) Touch(time.Duration)                                  {}
func (realWorld) Shake(time.Duration)                                  {}
func (realWorld) Palm()                                                {}
func (realWorld) Twist(time.Duration)                                  {}
func (realWorld) Press(time.Duration)                                  {}
func (realWorld) Heat(time.Duration)                                   {}
func (realWorld) Darken(time.Duration)                                 {}
func (realWorld) Music(time.Duration)                                  {}
func (realWorld) Wave(hardware.MotionArea, time.Duration)              {}
func (realWorld) Pet(time.Duration)                                    {}
func (realWorld) Point(string, time.Duration)                          {}
func (realWorld) Surround(hardware.Habitat)                            {}
func (realWorld) ShowFace(string, time.Duration)                       {}
func (realWorld) HideFace()                                            {}

// Fault refuses: faults are injected into emulated chips.
func (realWorld) Fault(string, string, time.Duration) error { return errReal }
func (realWorld) Faults() []sim.Fault                       { return nil }
func (realWorld) ClearFaults()                              {}

// View and Stats are empty: nobody knows what is true.
func (realWorld) View() sim.View   { return sim.View{} }
func (realWorld) Stats() sim.Stats { return sim.Stats{} }

var _ World = realWorld{}
