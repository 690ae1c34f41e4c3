package device

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Defaults of motion.
const (
	defaultAccelMMPS2 = 200.0
	decelMMPS2        = 500.0
	turnAccelRadPS2   = 10.0
)

// A segment counts as finished when the reference has arrived and both wheels are this near and slow; if they do not
// get there within settleTime, it is finished if they are within tolerance. An encoder whose counts are farther apart cannot tell more exactly
// where its wheel is: then a count is near, and two are within tolerance.
const (
	settleMM    = 0.4
	settleMMPS  = 4.0
	settleTime  = 400 * time.Millisecond
	toleranceMM = 1.5
)

// segment is the running motion.
type segment struct {
	hardware.Drive
	train     *drivetrain
	axis      trapezoid     // Straight and Turn
	start     [2]float64    // wheel distances at the start
	speed     [2]float64    // Wheels: ramped reference speeds
	want      [2]float64    // Wheels: reference distances since the start
	course    course        // Straight and Turn
	began     time.Duration // since the driver's Open
	arrivedAt time.Time
	leaseEnd  time.Time
}

// newSegment plans a motion from the current state of the wheels.
func newSegment(d hardware.Drive, wheels *[2]wheel) segment {
	if d.AccelMMPS2 <= 0 {
		d.AccelMMPS2 = defaultAccelMMPS2
	}
	train := wheels[0].train
	s := segment{Drive: d, train: train, start: [2]float64{wheels[0].mm, wheels[1].mm}}
	left, right := wheels[0].mmps, wheels[1].mmps
	switch d.Kind {
	case hardware.Straight:
		s.axis = trapezoid{
			goal: d.DistanceMM, speed: min(d.SpeedMMPS, train.limitMMPS), accel: d.AccelMMPS2, decel: decelMMPS2,
			rate: (left + right) / 2,
		}
	case hardware.Turn:
		s.axis = trapezoid{
			goal: d.AngleRad, speed: min(d.SpeedRadPS, 2*train.limitMMPS/train.treadMM), accel: turnAccelRadPS2, decel: turnAccelRadPS2,
			rate: (right - left) / train.treadMM,
		}
	default:
		s.speed = [2]float64{left, right}
	}
	return s
}

// valid describes what is wrong with a command; it returns "" for a valid one.
func valid(d hardware.Drive) string {
	for _, v := range [...]float64{d.LeftMMPS, d.RightMMPS, d.DistanceMM, d.SpeedMMPS, d.AngleRad, d.SpeedRadPS, d.AccelMMPS2} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "a number is not finite"
		}
	}
	switch {
	case d.ID == 0:
		return "ID 0"
	case d.Kind == hardware.Straight && d.SpeedMMPS <= 0:
		return "speed must be > 0"
	case d.Kind == hardware.Turn && d.SpeedRadPS <= 0:
		return "turn speed must be > 0"
	case d.Kind > hardware.Turn:
		return "unknown kind"
	}
	return ""
}

// span is the length in seconds of a control step that ends at a time since the driver's Open and is dt seconds after the one before. What was
// late before the segment began is none of its time.
func (s *segment) span(at time.Duration, dt float64) float64 {
	if dt <= maxControlStep {
		return dt
	}
	return min(dt, max((at-s.began).Seconds(), maxControlStep))
}

// advance advances the reference by dt seconds, in steps that are short for its ramps.
func (s *segment) advance(dt float64) {
	for ; dt > 0; dt -= maxControlStep {
		step := min(dt, maxControlStep)
		if s.Kind != hardware.Wheels {
			s.axis.step(step)
			continue
		}
		for i, target := range [2]float64{s.LeftMMPS, s.RightMMPS} {
			old := s.speed[i]
			s.speed[i] = ramp(old, clamp(target, -s.train.limitMMPS, s.train.limitMMPS), decelMMPS2, step)
			s.want[i] += (old + s.speed[i]) / 2 * step
		}
	}
}

// step advances the reference and returns for each wheel the following error, the speed and the acceleration.
func (s *segment) step(wheels *[2]wheel, dt float64) (lag, mmps, accel [2]float64) {
	rate, speed := s.axis.rate, s.speed
	s.advance(dt)
	if s.Kind == hardware.Wheels {
		for i, old := range speed {
			// A free-running wheel that was held back does not catch up the lost distance.
			lag[i] = s.want[i] - (wheels[i].mm - s.start[i])
			if limit := 5.0; math.Abs(lag[i]) > limit {
				s.want[i] -= lag[i] - math.Copysign(limit, lag[i])
				lag[i] = math.Copysign(limit, lag[i])
			}
			mmps[i] = s.speed[i]
			if dt > 0 {
				accel[i] = (s.speed[i] - old) / dt
			}
		}
		return lag, mmps, accel
	}
	a := 0.0
	if dt > 0 {
		a = (s.axis.rate - rate) / dt
	}
	for i, k := range s.sides() {
		lag[i] = k*s.axis.at + s.course.trim(i) - (wheels[i].mm - s.start[i])
		mmps[i], accel[i] = k*s.axis.rate, k*a
	}
	return lag, mmps, accel
}

// sides are the millimeters of each wheel per unit of the axis.
func (s *segment) sides() [2]float64 {
	if s.Kind == hardware.Turn {
		return [2]float64{-s.train.treadMM / 2, s.train.treadMM / 2}
	}
	return [2]float64{1, 1}
}

// finished reports whether the segment has arrived, and whether it ended too far from its goal.
func (s *segment) finished(now time.Time, wheels *[2]wheel) (done, missed bool) {
	if s.Kind == hardware.Wheels || !s.axis.done {
		return false, false
	}
	if s.arrivedAt.IsZero() {
		s.arrivedAt = now
	}
	worst, fastest := 0.0, 0.0
	count := max(wheels[0].mmPerCount, wheels[1].mmPerCount)
	for i, k := range s.sides() {
		worst = max(worst, math.Abs(k*s.axis.goal+s.course.trim(i)-(wheels[i].mm-s.start[i])))
		fastest = max(fastest, math.Abs(wheels[i].mmps))
	}
	if worst <= max(settleMM, count) && fastest <= settleMMPS {
		return true, false
	}
	if now.Sub(s.arrivedAt) < settleTime {
		return false, false
	}
	return true, worst > max(toleranceMM, 2*count)
}

// guards returns the cliff sensors that this motion may lead over an edge, in the order front left, front right, back
// left, back right. These are all sensors, but for a retreat only those in its direction, because the others still see
// the edge that it leaves.
func (s *segment) guards() [4]bool {
	all := [4]bool{true, true, true, true}
	if !s.Retreat {
		return all
	}
	forward := 0.0
	switch s.Kind {
	case hardware.Straight:
		forward = s.DistanceMM
	case hardware.Wheels:
		forward = s.LeftMMPS + s.RightMMPS
	}
	switch {
	case forward > 0:
		return [4]bool{true, true, false, false}
	case forward < 0:
		return [4]bool{false, false, true, true}
	}
	return all
}
