package device

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware/profile"
)

// Wheel control. The motor is a first-order lag with the free speed at full duty as its gain. The feed-forward inverts that
// model; the feedback corrects what the model leaves out: battery voltage, load, slip.
const (
	positionGain = 6.0                    // 1/s: speed asked for per mm of following error
	speedGain    = 1.2                    // proportional part of the speed loop, relative to the motor's gain
	integralGain = 8.0                    // 1/s, its integral part
	maxIntegral  = 0.35                   // of full duty
	speedTime    = 0.014                  // seconds, filter of the measured speed; one encoder count in 10 ms is 3.3 mm/s
	minDuty      = 0.004                  // below one PWM step nothing turns
	stallDuty    = 0.20                   // class H/K: above this duty ...
	stallCounts  = 3                      // ... the encoder must move more than this ...
	stallTime    = 250 * time.Millisecond // ... within this time; it equals the lease
	maxFollowMM  = 25.0                   // following error that counts as stuck
)

// A drivetrain is what the control must know of motors and wheels.
type drivetrain struct {
	treadMM    float64
	mmPerCount float64
	stallMM    float64
	freeMMPS   float64 // at full duty
	limitMMPS  float64 // never asked for more
	lagS       float64 // first order
}

func trainOf(d *profile.Drive) drivetrain {
	around := math.Pi * d.WheelMM
	return drivetrain{
		treadMM: d.TreadMM, mmPerCount: around / d.Encoders.CountsPerTurn, stallMM: around * stallCounts / d.Encoders.CountsPerTurn,
		freeMMPS: d.MaxMMPS, limitMMPS: min(d.LimitMMPS, d.MaxMMPS), lagS: d.LagS,
	}
}

// wheel is one motor with its encoder.
type wheel struct {
	train     *drivetrain
	count     int64   // last encoder count
	mm        float64 // distance since Open
	mmps      float64 // filtered speed
	integral  float64
	duty      float64 // as last written, −1 to 1
	stallFrom time.Time
	stallMM   float64
}

// measure takes a new encoder count.
func (w *wheel) measure(count int64, dt float64) {
	d := float64(count-w.count) * w.train.mmPerCount
	w.count = count
	w.mm += d
	if dt > 0 {
		w.mmps += (1 - math.Exp(-dt/speedTime)) * (d/dt - w.mmps)
	}
}

// control returns the duty for a reference: position error in mm, speed in mm/s, acceleration in mm/s².
func (w *wheel) control(lag, mmps, accel, dt float64) float64 {
	want := mmps + positionGain*lag
	err := want - w.mmps
	feed := (mmps + w.train.lagS*accel) / w.train.freeMMPS
	duty := feed + (speedGain*err)/w.train.freeMMPS + w.integral
	if math.Abs(duty) < 1 { // do not wind up against the stop
		w.integral += integralGain * err / w.train.freeMMPS * dt
		w.integral = min(max(w.integral, -maxIntegral), maxIntegral)
	}
	duty = min(max(duty, -1), 1)
	if math.Abs(duty) < minDuty {
		return 0
	}
	return duty
}

// stalled reports whether the motor has been driven for long without turning.
func (w *wheel) stalled(now time.Time) bool {
	if math.Abs(w.duty) <= stallDuty || math.Abs(w.mm-w.stallMM) > w.train.stallMM || w.stallFrom.IsZero() {
		w.stallFrom, w.stallMM = now, w.mm
		return false
	}
	return now.Sub(w.stallFrom) >= stallTime
}

// release forgets the control state.
func (w *wheel) release() {
	w.duty, w.integral, w.stallFrom = 0, 0, time.Time{}
}
