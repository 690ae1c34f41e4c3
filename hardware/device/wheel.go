package device

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// Wheel control. The motor is a first-order lag with the free speed at full duty as its gain. The feed-forward inverts that
// model; the feedback corrects what the model leaves out: battery voltage, load, slip.
const (
	positionGain = 6.0   // 1/s: speed asked for per mm of following error
	speedGain    = 1.2   // proportional part of the speed loop, relative to the motor's gain
	integralGain = 8.0   // 1/s, its integral part
	maxIntegral  = 0.35  // of full duty
	speedTime    = 0.014 // seconds, filter of the measured speed; one encoder count in 10 ms is 3.3 mm/s
	minDuty      = 0.004 // below one PWM step nothing turns
	stillMMPS    = 0.5   // a model below that stands still
	stallDuty    = 0.20  // class H/K: above this duty ...
	stallCounts  = 3     // ... the encoder must move more than this, or by one count if three are more than stallMM ...
	stallMM      = 1.0
	stallTime    = 250 * time.Millisecond // ... within this time; it equals the lease
	coasting     = 3                      // time constant of a motor that coasts, over that of one that is driven or braked
	maxFollowMM  = 25.0                   // following error that counts as stuck
)

// A drivetrain is what the control must know of motors and wheels.
type drivetrain struct {
	treadMM   float64
	limitMMPS float64 // never asked for more
	lagS      float64 // first order
	coastS    float64 // of a motor without duty
	minDuty   float64 // below it nothing turns
}

func trainOf(d *profile.Drive, c profile.Calibration) drivetrain {
	t := drivetrain{
		treadMM: c.Or(profile.KeyTread, d.TreadMM), limitMMPS: min(d.LimitMMPS, d.MaxMMPS), lagS: d.LagS, minDuty: d.MinDuty,
	}
	if e := d.Encoders; e != nil {
		turns := c.Or(profile.KeyEdges, e.MaxEdgesPerSecond) / e.CountsPerTurn
		smallest := min(c.Or(profile.Of(profile.KeyWheel, "left"), d.WheelMM), c.Or(profile.Of(profile.KeyWheel, "right"), d.WheelMM))
		t.limitMMPS = min(t.limitMMPS, turns*math.Pi*smallest)
	}
	if t.coastS = t.lagS; !d.Brake {
		t.coastS *= coasting
	}
	return t
}

// size takes the diameter of the wheel.
func (w *wheel) size(d *profile.Drive, mm float64) {
	if e := d.Encoders; e != nil {
		around := math.Pi * mm
		w.mmPerCount = around / e.CountsPerTurn
		w.leastMM = stallCounts * w.mmPerCount
		if w.leastMM > stallMM {
			w.leastMM = 0.9 * w.mmPerCount
		}
		w.unsigned, w.sign = e.Edges != 4, 1
	}
	w.freeMMPS = d.MaxMMPS * (mm / d.WheelMM)
}

// wheel is one motor with its encoder.
type wheel struct {
	train      *drivetrain
	mmPerCount float64
	leastMM    float64 // that a wheel which is not stalled moves
	freeMMPS   float64 // at full duty
	unsigned   bool    // the encoder does not tell which way the wheel turns
	model      float64 // speed of such a wheel by the model of the motor
	sign       float64 // its way, 1 or -1
	count      int64   // last encoder count
	mm         float64 // distance since Open
	mmps       float64 // filtered speed
	integral   float64
	duty       float64       // as last written, −1 to 1
	stallFrom  time.Duration // since the driver's Open, or never
	stallMM    float64
	filter     approach // of mmps
	follow     approach // of model
}

// An approach is by which share of the way to its goal a first-order lag comes in a step. Steps and lags are nearly always those of the time before.
type approach struct{ dt, lag, share float64 }

// in is the share in a step of dt seconds.
func (a *approach) in(dt, lag float64) float64 {
	if dt != a.dt || lag != a.lag {
		*a = approach{dt, lag, 1 - math.Exp(-dt/lag)}
	}
	return a.share
}

// measure takes a new encoder count. If it is not whole, the wheel went at least as far as at its last speed, as long as it may have had power.
func (w *wheel) measure(count int64, dt float64, whole bool) {
	d := float64(count-w.count) * w.mmPerCount
	if w.unsigned {
		d = math.Copysign(d, w.way(dt))
	}
	if !whole {
		if run := w.mmps * min(dt, maxPulse.Seconds()); math.Abs(d) < math.Abs(run) {
			d = run
		}
	}
	w.count = count
	w.mm += d
	if dt > 0 {
		w.mmps += w.filter.in(dt, speedTime) * (d/dt - w.mmps)
	}
}

// way is positive while the wheel turns forward, as the model of the motor has it: an encoder of one line does not tell. A wheel that rolls
// on against its duty keeps its way until the model has it turn.
func (w *wheel) way(dt float64) float64 {
	speed, lag := w.pull()
	w.model += w.follow.in(dt, lag) * (speed - w.model)
	if math.Abs(w.model) > stillMMPS || w.duty != 0 {
		w.sign = math.Copysign(1, w.model)
	}
	return w.sign
}

// pull is the speed to which the duty takes the wheel, and with which lag.
func (w *wheel) pull() (mmps, lag float64) {
	dead := w.train.minDuty
	if d := math.Abs(w.duty); d > dead {
		return math.Copysign(w.freeMMPS*(d-dead)/(1-dead), w.duty), w.train.lagS
	}
	return 0, w.train.coastS
}

// reckon advances a wheel without an encoder by the model of its motor.
func (w *wheel) reckon(dt float64) {
	speed, lag := w.pull()
	w.roll(speed, lag, dt)
}

// coast advances a wheel without an encoder whose power went dt seconds ago. Nothing brakes it.
func (w *wheel) coast(dt float64) {
	if dt > 0 {
		w.duty = 0
		w.roll(0, coasting*w.train.lagS, dt)
	}
}

// roll advances a wheel that something takes to a speed, in steps that are short for that.
func (w *wheel) roll(speed, lag, dt float64) {
	for ; dt > 0; dt -= maxControlStep {
		step := min(dt, maxControlStep)
		before := w.mmps
		w.mmps += (1 - math.Exp(-step/lag)) * (speed - w.mmps)
		w.mm += (before + w.mmps) / 2 * step
	}
}

// control returns the duty for a reference: position error in mm, speed in mm/s, acceleration in mm/s².
func (w *wheel) control(lag, mmps, accel, dt float64) float64 {
	gentle := min(1, maxControlStep/dt)
	want := mmps + positionGain*gentle*lag
	err := want - w.mmps
	feed := (mmps + w.train.lagS*accel) / w.freeMMPS
	duty := feed + (speedGain*gentle*err)/w.freeMMPS + w.integral
	if math.Abs(duty) < 1 { // do not wind up against the stop
		w.integral += integralGain * err / w.freeMMPS * min(dt, maxControlStep)
		w.integral = clamp(w.integral, -maxIntegral, maxIntegral)
	}
	duty = clamp(duty, -1, 1)
	if math.Abs(duty) < minDuty {
		return 0
	}
	if dead := w.train.minDuty; dead > 0 {
		return math.Copysign(dead+(1-dead)*math.Abs(duty), duty)
	}
	return duty
}

// stalled reports whether the motor has been driven for long without turning.
func (w *wheel) stalled(at time.Duration) bool {
	least := w.train.minDuty + stallDuty*(1-w.train.minDuty)
	if math.Abs(w.duty) <= least || math.Abs(w.mm-w.stallMM) > w.leastMM || w.stallFrom == never {
		w.stallFrom, w.stallMM = at, w.mm
		return false
	}
	return at-w.stallFrom >= stallTime
}

// release forgets the control state.
func (w *wheel) release() {
	w.duty, w.integral, w.stallFrom = 0, 0, never
}

// outline is what the readings of the motors say of the robot's body.
func outline(robot *profile.Profile) hardware.Outline {
	b := robot.Body
	return hardware.Outline{FrontMM: int16(math.Round(b.FrontMM)), BackMM: int16(math.Round(b.BackMM)), WidthMM: int16(math.Round(b.WidthMM))}
}
