package sim

import "github.com/robotd/robotd/hardware/profile"

// Truth is what is true of the robot's body and what a calibration should find.
type Truth struct {
	Volts      float64    // of the battery
	FloorVolts [4]float64 // of the cliff sensors over the floor
	GyroRadPS  [3]float64 // offset of the gyroscope in the sensor's axes
	TreadMM    float64    // distance between the wheels by which it really turns
	Mount      [3]string  // axes of the inertial sensor that point forward, left and up
	// ChipHz is what a meter shows at an output of each PWM chip, OscillatorHz the clocks of these chips.
	ChipHz, OscillatorHz map[string]float64
	Servos               map[string]ServoTruth // head, lift, pan, if they are there
	Cubes                [3]TruthCube
}

// A ServoTruth is what is true of a servo.
type ServoTruth struct {
	LowUS, HighUS float64 // pulses at the ends of its travel, in true microseconds
	AtEnd         int     // -1: it touches its low end, 1: its high end
}

// A TruthCube is one cube, for judges.
type TruthCube struct {
	ViewCube
	Present bool // on the table; otherwise it fell and is put back later
	On      int  // the cube below it, 0 for the table or the lift
}

// Truth returns what is true of the robot's body.
func (r *Rig) Truth() (t Truth) {
	r.with(func(w *world) {
		t = Truth{FloorVolts: w.offsets.floor, GyroRadPS: w.offsets.gyro, TreadMM: w.body.tread, Mount: w.opt.Mount, Servos: map[string]ServoTruth{}}
		t.Volts, _ = w.power()
		p := r.profile
		for i, part := range [...]struct {
			name string
			s    *profile.Servo
		}{head: {"head", p.Head}, lift: {"lift", p.Lift}, pan: {"pan", p.Pan}} {
			if part.s != nil {
				t.Servos[part.name] = w.servos[i].truth()
			}
		}
		for i := range w.cubes {
			t.Cubes[i] = TruthCube{w.viewCube(i), w.cubes[i].present, max(0, w.cubes[i].on)}
		}
	})
	t.ChipHz, t.OscillatorHz = map[string]float64{}, map[string]float64{}
	for name, chip := range r.pwms {
		t.ChipHz[name], t.OscillatorHz[name] = chip.Frequency(), r.oscillator(r.profile.Chips[name].Address)
	}
	return t
}

func (s *servo) truth() ServoTruth {
	t := ServoTruth{LowUS: 1000 * s.low, HighUS: 1000 * (s.low + s.span)}
	const touch = 1e-6
	switch {
	case s.at <= s.min+touch:
		t.AtEnd = -1
	case s.at >= s.max-touch:
		t.AtEnd = 1
	}
	return t
}
