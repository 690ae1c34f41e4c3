package sim

import (
	"math"
	"syscall"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
)

// Serial opens the host's end of the cable to the robot's board. A port that the robot does not have gives ENODEV.
func (r *Rig) Serial(name string) (hardware.Serial, error) {
	if d := r.profile.Drive; d == nil || d.Port == "" || d.Port != name {
		return nil, syscall.ENODEV
	}
	p := serialPort{r}
	_, err := p.Read(nil) // fails if the cable is out
	return p, err
}

// serialPort is the port of the board. It first advances the world, as every access does.
type serialPort struct{ r *Rig }

func (p serialPort) Read(b []byte) (n int, err error) {
	p.r.withBoard(func(board *emul.UGV) { n, err = board.Read(b) })
	return n, err
}

func (p serialPort) Write(b []byte) (n int, err error) {
	p.r.withBoard(func(board *emul.UGV) { n, err = board.Write(b) })
	return n, err
}

func (p serialPort) Close() error { return nil }

// withBoard advances the world and runs f on the board, if the robot has one.
func (r *Rig) withBoard(f func(board *emul.UGV)) {
	r.with(func(w *world) {
		if w.board != nil {
			f(w.board)
		}
	})
}

// Text is what the text display of the board shows.
func (r *Rig) Text() (lines [4]string) {
	r.with(func(w *world) { lines = w.text })
	return lines
}

// boot gives the board its power, long before the world began.
func (w *world) boot() {
	d := w.body.Drive
	if d == nil || d.Port == "" || w.board != nil {
		return
	}
	w.powered = true
	w.board = emul.NewUGV(
		emul.UGVOptions{Start: w.start, ROS: d.Firmware == "ros", Wheels: d.Main, Running: true},
		emul.UGVBody{
			Drive:   w.bridges,
			Turned:  func() (left, right float64) { return w.wheels[0].turned, w.wheels[1].turned },
			Inertia: w.inertial,
			Volts:   func() float64 { volts, _ := w.power(); return volts },
			Lamps:   func(_, head float64) { w.lamp(head) },
			Screen:  func(lines [4]string) { w.text = lines },
		},
	)
}

// bridges drives the motors: the board's inputs give the direction, and its duty gates them, so that a motor is braked without one.
func (w *world) bridges(left, right float64) {
	for i, duty := range [2]float64{left, right} {
		w.wheels[i].drives, w.wheels[i].brakes = duty, 1-math.Abs(duty)
	}
}

// lamp shines white on all lights.
func (w *world) lamp(level float64) {
	for i := range w.lights {
		w.lights[i] = level
	}
	w.shine()
}

// keepUp advances the board to the world's step.
func (w *world) keepUp() {
	if w.board != nil {
		w.board.Advance(w.start.Add(time.Duration(w.n) * step))
	}
}

// onBoard reports whether a device is served by the board behind the serial port.
func (r *Rig) onBoard(device string) bool {
	const driver = "ugv"
	p := r.profile
	switch device {
	case hardware.Motors:
		return p.Drive != nil && p.Drive.Driver.Driver == driver
	case hardware.IMU:
		return p.IMU != nil && p.IMU.Driver.Driver == driver
	case hardware.Battery:
		return p.Battery != nil && p.Battery.Driver.Driver == driver
	case hardware.Display:
		return p.Display != nil && p.Display.Driver.Driver == driver
	case hardware.Lights:
		return p.Lights != nil && p.Lights.Driver.Driver == driver
	}
	return false
}

// portPlan is for devices of the board behind the serial port: all of them break.
func portPlan(kind string) (plan, string) {
	switch kind {
	case KindAbsent:
		return plan{port: true, mute: true}, ""
	case KindUnplug:
		return plan{port: true, gone: true}, ""
	case KindBrownout:
		return plan{port: true, brownout: true}, ""
	case KindNack:
		return plan{}, "a serial line has no acknowledge"
	case KindStuck:
		return plan{}, "a serial line has nothing that a chip could hold"
	case KindSlow:
		return plan{}, "the board sends at its own times"
	}
	return plan{}, "the board's program checks what its chips give"
}
