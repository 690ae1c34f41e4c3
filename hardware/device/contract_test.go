package device_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/sim"
)

func TestEveryDeviceKeepsTheContract(t *testing.T) {
	commands := map[string][]hardware.Command{
		hardware.Motors: {
			hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 10, SpeedMMPS: 50}, hardware.StopWheels{}, hardware.AckCliff{},
		},
		hardware.Servos:  {hardware.MoveHead{ID: 1, AngleRad: 0.3}, hardware.MoveLift{ID: 2, HeightMM: 60}},
		hardware.Lights:  {hardware.SetLights{Colors: [5]hardware.RGB{{R: 255}, {G: 128}}}},
		hardware.Display: {hardware.ShowFace{Face: "happy"}},
		hardware.Speaker: {hardware.PlaySound{ID: 1, Text: "hello"}, hardware.StopSound{}},
	}
	for _, name := range hardware.Names {
		t.Run(name, func(t *testing.T) {
			hwtest.Contract(t, func() (hardware.Device, *hwtest.Env) {
				b := newBench(t, sim.Options{Seed: 3})
				env := &hwtest.Env{
					Clock: b.clk, Commands: commands[name],
					Fresh: func() hardware.Device { return b.device(name) },
				}
				kind := sim.KindUnplug
				switch name {
				case hardware.Speaker, hardware.Vision: // nothing there that could break
					return b.device(name), env
				case hardware.Battery, hardware.Cliff, hardware.IMU, hardware.Lights, hardware.Motors, hardware.Range, hardware.Servos:
					kind = sim.KindAbsent
				}
				env.Break = func() {
					if err := b.rig.Fault(name, kind, 0); err != nil {
						t.Fatal(err)
					}
					if name == hardware.Display {
						b.clk.Sleep(time.Minute) // nothing is sent until the next refresh
					}
				}
				env.Mend = b.rig.ClearFaults
				return b.device(name), env
			})
		})
	}
}

func TestNewRefusesUnknownSubsystem(t *testing.T) {
	if d, err := device.New("tail", device.Board{}, device.NewSafety(nil), nil); err == nil {
		t.Errorf("got %v", d)
	}
}
