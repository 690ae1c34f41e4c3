package device

import (
	"github.com/robotd/robotd/hardware/chip/pca9685"
	"github.com/robotd/robotd/hardware/profile"
)

// duties are the outputs of a PWM chip in 4096ths.
type duties [pca9685.Channels]uint16

// A run is a row of neighboring channels, which one transaction writes.
type run struct{ first, end int }

// A bridge says which channels of a PWM chip turn the motors of both sides.
type bridge struct {
	sides [2][]profile.Motor // left, right
	brake bool
	runs  []run // of the channels that are the motors'
}

func bridgeOf(d *profile.Drive) bridge {
	b := bridge{sides: [2][]profile.Motor{d.Left, d.Right}, brake: d.Brake}
	var ours []int
	for _, side := range b.sides {
		for _, m := range side {
			ours = append(ours, m.Forward, m.Backward)
			if m.PWM >= 0 {
				ours = append(ours, m.PWM)
			}
		}
	}
	b.runs = runsOf(ours)
	return b
}

// outputs are the channels for a duty of each side, -1 to 1. A side at rest is braked if hold is set, and coasts otherwise.
func (b *bridge) outputs(left, right float64, hold bool) (out duties) {
	for i, duty := range [2]float64{left, right} {
		for _, m := range b.sides[i] {
			setMotor(&out, m, duty, hold && b.brake)
		}
	}
	return out
}

// setMotor puts the channels of one motor into out.
func setMotor(out *duties, m profile.Motor, duty float64, brake bool) {
	in := m.Forward
	if duty < 0 {
		in = m.Backward
	}
	switch {
	case duty == 0 && brake:
		out[m.Forward], out[m.Backward] = pca9685.Full, pca9685.Full
	case duty == 0:
	case m.PWM >= 0:
		out[in], out[m.PWM] = pca9685.Full, share4096(duty)
	default:
		out[in] = share4096(duty)
	}
}

// share4096 is the magnitude of a duty in 4096ths.
func share4096(duty float64) uint16 {
	if duty < 0 {
		duty = -duty
	}
	return uint16(duty*pca9685.Full + 0.5)
}
