package sim

import (
	"math"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

const (
	// stopMMPS is the speed below which a wheel without drive stands still.
	stopMMPS = 0.05
	// slipSteps is how long a wheel's random slip stays the same.
	slipSteps = 64
	// coasting is how much longer than a braked motor a toy's motor takes to stop.
	coasting = 3
	// The wheels slip more on the carpet of a room, with a cube before the axle, and while they push one. The factors are estimates.
	carpetSlip, loadSlip, pushSlip = 2.0, 1.5, 2.0
	// nominalVolts is the voltage of a cell at which motors have the speed of the profile.
	nominalVolts = 3.7
)

func wrap(rad float64) float64 { return hardware.WrapRad(rad) }

// wheel is a motor with its wheel and encoder.
type wheel struct {
	motors   []motor // of this side
	drives   float64 // their mean drive, -1 to 1
	brakes   float64 // the share of them that is braked: both inputs high, or the gate low and one input high
	strength float64 // speed of a toy's motor over that of the profile
	dead     float64 // duty up to which it does not turn
	supply   float64 // voltage of the battery over the nominal one
	speed    float64 // of the wheel's rim, mm/s
	turned   float64 // distance of the rim since the start, mm
	reported int64   // of the counts, what was handed to the lines
	turning  bool    // the lines know that it turns
	slip     float64 // constant deviation of the ground speed, a ratio
	grip     float64 // ratio of ground speed to rim speed: within 1 % of 1
}

// motor is one motor at its half of the bridge.
type motor struct {
	in  [2]float64 // duty of the inputs that drive it forward and backward
	pwm float64    // duty of the channel that gates both; 1 if there is none
}

// set takes the duty of an input: 0 forward, 1 backward, 2 the gate.
func (m *motor) set(in int, duty float64, side *wheel) {
	if in == 2 {
		m.pwm = duty
	} else {
		m.in[in] = duty
	}
	side.drives, side.brakes = 0, 0
	for _, m := range side.motors {
		side.drives += (m.in[0] - m.in[1]) * m.pwm
		side.brakes += max(min(m.in[0], m.in[1]), max(m.in[0], m.in[1])*(1-m.pwm))
	}
	n := float64(len(side.motors))
	side.drives, side.brakes = side.drives/n, side.brakes/n
}

// duty is the signed drive, -1 to 1, or 0 when the bridge has no power.
func (m *wheel) duty(powered bool) float64 {
	if !powered {
		return 0
	}
	return m.drives
}

func (m *wheel) still(powered bool) bool { return m.speed == 0 && m.duty(powered) == 0 }

// drive moves the speed towards its target.
func (m *wheel) drive(powered bool, b *body) { m.speed = m.driven(powered, b) }

// driven is the speed after one step towards its target by a first-order lag.
func (m *wheel) driven(powered bool, b *body) float64 {
	target, lag := b.mmps*m.duty(powered), b.lag
	if b.toy {
		target, lag = m.pull(m.duty(powered), b)
	}
	speed := m.speed + (target-m.speed)*lag
	if target == 0 && math.Abs(speed) < stopMMPS {
		return 0
	}
	return speed
}

// pull is the drive of a motor without encoder, those of toys and kits. It does not turn below some duty, its speed follows the battery's
// voltage and differs from piece to piece, and it rolls on if it is not braked.
func (m *wheel) pull(duty float64, b *body) (target, lag float64) {
	push := math.Abs(duty) - m.dead
	switch {
	case push > 0:
		return math.Copysign(b.mmps*m.strength*m.supply*push/(1-m.dead), duty), b.lag
	case m.brakes < 0.5:
		return 0, b.coast
	}
	return 0, b.lag
}

// counts are the quarters of an encoder's period since the start.
func (m *wheel) counts(perMM float64) int64 {
	return int64(math.Floor(m.turned * perMM))
}

// forward is the speed of the axle's middle as the wheels turn.
func (w *world) forward() float64 { return (w.wheels[0].speed + w.wheels[1].speed) / 2 }

// slip gives the wheels the grip of the present slip period.
func (w *world) slip() {
	if w.n < w.gripEnd {
		return
	}
	k := w.n / slipSteps
	w.gripEnd = (k + 1) * slipSteps
	for i := range w.wheels {
		m := &w.wheels[i]
		m.grip = 1 + w.slipping()*(m.slip+0.001*w.seed.bell(srcSlip+uint64(i), k))
	}
}

// slipping is how many times more than on a table, and without a load, the wheels slip now.
func (w *world) slipping() float64 {
	k := w.opt.Slip
	if w.hands.load != 0 {
		k *= loadSlip
	}
	if w.contacts.moving {
		k *= pushSlip
	}
	return max(k, 0)
}

// spin turns the wheels in the air.
func (w *world) spin() {
	if w.body.toy && w.n%slipSteps == 0 {
		w.feed()
	}
	for i := range w.wheels {
		w.wheels[i].drive(w.powered, &w.body)
		w.wheels[i].turned += w.wheels[i].speed * stepS
	}
	w.yawRate = 0
}

// feed gives the motors the voltage of the battery.
func (w *world) feed() {
	for i := range w.wheels {
		w.wheels[i].supply = restVolts(w.battery.ratio()) / nominalVolts
	}
}

// roll moves the robot over free floor: differential drive, integrated at the middle of the step.
func (w *world) roll() {
	w.spin()
	w.slip()
	l, r := w.wheels[0].speed*w.wheels[0].grip, w.wheels[1].speed*w.wheels[1].grip
	v := (l + r) / 2
	w.yawRate = (r - l) / w.body.tread
	s, c := math.Sincos(w.robot.HeadingRad + w.yawRate*stepS/2)
	w.robot.XMM += v * c * stepS
	w.robot.YMM += v * s * stepS
	w.robot.HeadingRad = wrap(w.robot.HeadingRad + w.yawRate*stepS)
	w.distanceMM += math.Abs(v) * stepS
}

// updateAcceleration updates the acceleration of the body. The filter has a time constant of 20 ms.
func (w *world) updateAcceleration(before float64) {
	raw := vec{}
	if w.mode == standing {
		raw = vec{(w.forward() - before) / stepS, w.forward() * w.yawRate}
	}
	w.accel = w.accel.add(raw.sub(w.accel).scale(0.1))
	if raw == (vec{}) && math.Abs(w.accel.x)+math.Abs(w.accel.y) < 5 {
		w.accel = vec{}
	}
}

// servo is a hobby servo with an analog feedback pot. Without pulses it keeps its position and gives no torque.
type servo struct {
	min, max, speed float64 // speed in units a second
	low, span       float64 // pulse at the low end, and by how much it is longer at the high end, ms
	gain            float64 // of its potentiometer
	at, target      float64
	powered         bool
}

// The servos of the world.
const (
	head = iota
	lift
	pan
)

// servoSpread is by how much the pulses at the ends of a servo's travel, and its potentiometer, may differ from what they should be.
const servoSpread = 0.05

// spread makes servo i one of many. A part is the share of servoSpread.
func (s *servo) spread(seed noise, i int64, part float64) {
	by := func(k int64) float64 { return part * seed.span(srcOffset, 40+10*i+k, -servoSpread, servoSpread) }
	low, high := s.low+s.span*by(0), s.low+s.span+s.span*by(1)
	s.low, s.span, s.gain = low, high-low, 1+by(2)
}

// newServo starts at 0, or at the low end if 0 is out of range.
func newServo(p *profile.Servo, lo, hi, speed float64) servo {
	at := clamp(0, lo, hi)
	return servo{min: lo, max: hi, speed: speed, low: p.LowUS / 1000, span: (p.HighUS - p.LowUS) / 1000, at: at, target: at}
}

// pulse sets the duty of the 50 Hz channel; 0 switches the servo off. Pulses outside 0.3 to 2.7 ms are not servo pulses and are
// ignored.
func (s *servo) pulse(duty float64) {
	ms := duty * 20
	switch {
	case duty == 0:
		s.powered, s.target = false, s.at
	case ms >= 0.3 && ms <= 2.7:
		s.powered = true
		s.target = s.min + (s.max-s.min)*clamp((ms-s.low)/s.span, 0, 1)
	}
}

func (s *servo) still() bool { return s.at == s.target }

func (s *servo) slew() {
	if s.still() {
		return
	}
	d := s.speed * stepS
	s.at += clamp(s.target-s.at, -d, d)
	if math.Abs(s.target-s.at) < 1e-9 {
		s.at = s.target
	}
}
