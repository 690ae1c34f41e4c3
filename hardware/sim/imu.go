package sim

import "math"

// attitude is the tilt of the robot: pitch is positive with the nose up, roll with the left side up.
type attitude struct {
	pitch, roll         float64
	pitchRate, rollRate float64
	yawRate             float64    // of a robot in a person's hands
	extra               [3]float64 // acceleration beyond gravity, mm/s²
	weightless          bool
}

// Phases of a fall in steps: free fall, impact, lying on the left side, then in a person's hands until put back.
const (
	dropSteps   = 350 / StepMS
	impactSteps = dropSteps + 20/StepMS
	lyingSteps  = 2300 / StepMS
	backSteps   = 3000 / StepMS
)

// shakeMMPS2 is the acceleration of a shake. Its direction circles at 5 Hz and its magnitude is constant.
const shakeMMPS2 = 26000.0

func (w *world) attitude() attitude {
	since := w.n - w.modeAt
	switch {
	case w.mode == held:
		return w.inHand(since)
	case w.mode == fallen && since < dropSteps:
		t := float64(since) * stepS
		return attitude{pitch: -5 * t, pitchRate: -5, weightless: true}
	case w.mode == fallen && since < impactSteps:
		return attitude{roll: -math.Pi / 2, extra: [3]float64{0, -12000, 35000}}
	case w.mode == fallen && since < lyingSteps:
		return attitude{roll: -math.Pi / 2}
	case w.mode == fallen:
		return w.inHand(since - lyingSteps)
	}
	t := &w.tilt
	return attitude{pitch: t.pitch, roll: t.roll, pitchRate: t.pitchRate, rollRate: t.rollRate, extra: [3]float64{w.accel.x, w.accel.y, 0}}
}

// inHand is the slow sway of a robot in a person's hands; the first 300 ms are the lift.
func (w *world) inHand(since int64) attitude {
	if w.hand != nil {
		return *w.hand
	}
	t := float64(since) * stepS
	grow := min(1, t/0.3)
	if w.senses.palm && t >= 0.3 && !w.shaking {
		return attitude{
			pitch: 0.04 * math.Sin(1.7*t), pitchRate: 0.04 * 1.7 * math.Cos(1.7*t), roll: 0.03 * math.Sin(2.3*t), rollRate: 0.03 * 2.3 * math.Cos(2.3*t),
		}
	}
	a := attitude{
		pitch:     grow * (0.30 + 0.08*math.Sin(2.1*t)),
		roll:      grow * (0.15 + 0.10*math.Sin(1.3*t)),
		pitchRate: grow * 0.08 * 2.1 * math.Cos(2.1*t),
		rollRate:  grow * 0.10 * 1.3 * math.Cos(1.3*t),
	}
	if t < 0.3 {
		a.pitchRate += 1.0
		a.rollRate += 0.5
		a.extra[2] = 4000 * math.Sin(2*math.Pi*t/0.3)
	}
	if w.shaking {
		s, c := math.Sincos(2 * math.Pi * 5 * float64(w.n) * stepS)
		a.extra = [3]float64{shakeMMPS2 * c, shakeMMPS2 * s, 0}
	}
	return a
}

// inertial returns the true specific force plus noise, and the rotation rate plus noise and a constant bias.
func (w *world) inertial() (accel, gyro [3]float64) {
	a := w.attitude()
	if !a.weightless {
		sp, cp := math.Sincos(a.pitch)
		sr, cr := math.Sincos(a.roll)
		accel = [3]float64{gravityMMPS2 * sp, gravityMMPS2 * cp * sr, gravityMMPS2 * cp * cr}
	}
	gyro = [3]float64{a.rollRate, -a.pitchRate, a.yawRate}
	if w.mode == standing {
		gyro[2] = w.yawRate
	}
	for i := range accel {
		accel[i] += a.extra[i]
	}
	accel, gyro = w.mount.sensed(accel), w.mount.sensed(gyro)
	for i := range accel {
		accel[i] += 30 * w.offsets.accels[i].bell(w.n)
		gyro[i] += w.offsets.gyro[i] + 0.002*w.offsets.gyros[i].bell(w.n)
	}
	return accel, gyro
}

// A mount is how a sensor sits: for each direction of the robot the sensor's axis that points there, and its sign.
type mount [3]struct {
	axis int
	sign float64
}

func newMount(axes [3]string) (m mount) {
	for i, a := range axes {
		m[i].axis, m[i].sign = int(a[len(a)-1]-'x'), 1
		if a[0] == '-' {
			m[i].sign = -1
		}
	}
	return m
}

// sensed gives a vector of the robot's axes in the sensor's.
func (m *mount) sensed(v [3]float64) (out [3]float64) {
	for i, to := range m {
		out[to.axis] = to.sign * v[i]
	}
	return out
}
