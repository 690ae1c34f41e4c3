package calibrate

import (
	"context"
	"fmt"
	"maps"
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// Limits of what tells how the inertial sensor is mounted, in units of gravity and radians.
const (
	gravityMMPS2 = 9806.65
	leastUp      = 0.9 // along one axis while the robot stands
	leastForward = 0.3 // along another one while its nose is up
	mostAside    = 0.5 // of that, along the third one
	turnPause    = 5 * time.Second
	leastTurnRad = 0.5
)

var mountStep = Step{
	Name: "mount", Doc: "how the inertial sensor is mounted, and its offset: the robot stands, its nose is held up, it is turned",
	keys: func(*profile.Profile) (keys []string) {
		for _, to := range profile.Directions {
			keys = append(keys, profile.Of(profile.KeyMount, to))
		}
		return keys
	},
	lacks: gyroStep.lacks,
	run:   mounting,
}

// mounting finds the sensor's axes by gravity: at rest it is along the axis that points up, and with the nose up a part of it along the one
// that points forward. A turn to the left shows that the gyroscope agrees.
func mounting(ctx context.Context, b *Bench) (profile.Calibration, error) {
	s, imu, err := b.inertia(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if err := b.Operator.Do(ctx, Rest, "Put the robot on something level and firm and do not touch it."); err != nil {
		return nil, err
	}
	accel, rate, err := s.still(imu)
	if err != nil {
		return nil, err
	}
	level, rate := sensed(accel, imu.Mount()), sensed(rate, imu.Mount())
	up, ok := along(level, leastUp*gravityMMPS2, math.Sqrt(1-leastUp*leastUp)*gravityMMPS2, -1)
	if !ok {
		return nil, fmt.Errorf("gravity is %s; want it along one axis: is the robot level, and the sensor mounted at a right angle?", inG(level))
	}
	if err := b.Operator.Do(ctx, NoseUp, "Lift the robot's nose by 30 to 60 degrees and hold it there."); err != nil {
		return nil, err
	}
	accel, _, err = s.still(imu)
	if err != nil {
		return nil, err
	}
	tilted := sensed(accel, imu.Mount())
	forward, ok := along(tilted, leastForward*gravityMMPS2, mostAside*leastForward*gravityMMPS2, abs(up)-1)
	if !ok {
		return nil, fmt.Errorf("with the nose up gravity is %s; want at least %.1f g along one axis beside %s", inG(tilted), leastForward, profileAxis(up))
	}
	mount := [3]string{profileAxis(forward), profileAxis(cross(up, forward)), profileAxis(up)}
	if err := s.turned(imu, up, rate); err != nil {
		return nil, err
	}
	c := profile.MountOf(mount)
	maps.Copy(c, offsets(mountedAs(rate, mount)))
	return c, nil
}

// turned asks for a turn to the left and fails unless the gyroscope feels it about the axis that points up.
func (s *session) turned(imu gyroscope, up int, offset [3]float64) error {
	text := fmt.Sprintf("Put the robot back on its wheels. After this you have %v to turn it by hand to the left, by a quarter turn.", turnPause)
	if err := s.b.Operator.Do(s.ctx, TurnLeft, text); err != nil {
		return err
	}
	var rad float64
	var at time.Time
	err := s.run(turnPause, func(now time.Time, sample hardware.Sample) (bool, error) {
		v := sample.Value.(*hardware.IMUState)
		known, _ := imu.Offset()
		rate := v.GyroRadPS
		for i := range rate {
			rate[i] += known[i]
		}
		if !at.IsZero() {
			k := abs(up) - 1
			rad += (sensed(rate, imu.Mount())[k] - offset[k]) * float64(up/abs(up)) * now.Sub(at).Seconds()
		}
		at = now
		return true, nil
	})
	switch {
	case err != nil:
		return err
	case rad < -leastTurnRad:
		return fmt.Errorf("the gyroscope felt %.0f degrees to the right; was it turned to the left? If it was, gyroscope and accelerometer disagree", -rad*180/math.Pi)
	case rad < leastTurnRad:
		return fmt.Errorf("the gyroscope felt a turn of %.0f degrees; want at least %.0f", rad*180/math.Pi, leastTurnRad*180/math.Pi)
	}
	return nil
}

// An axis of the sensor is 1, 2 or 3 for x, y or z, and below zero the other way round.

// along is the axis beside not (0 to 2; -1 for none) along which a vector has at least that much, and at most that much along the others.
func along(v [3]float64, least, most float64, not int) (axis int, ok bool) {
	for i, x := range v {
		switch {
		case i == not:
		case math.Abs(x) >= least && axis == 0:
			if axis = i + 1; x < 0 {
				axis = -axis
			}
		case math.Abs(x) > most:
			return 0, false
		}
	}
	return axis, axis != 0
}

// cross is the axis that is left of one that points forward if another one points up.
func cross(up, forward int) int {
	third := 6 - abs(up) - abs(forward)
	sign := up / abs(up) * forward / abs(forward)
	if (abs(forward)-abs(up)+3)%3 == 2 {
		sign = -sign
	}
	return third * sign
}

func abs(n int) int { return max(n, -n) }

// profileAxis is the name of an axis in a profile.
func profileAxis(axis int) string {
	name := string("xyz"[abs(axis)-1])
	if axis < 0 {
		return "-" + name
	}
	return name
}

// sensed is a vector of the robot's axes in the sensor's.
func sensed(v [3]float64, mount [3]string) (out [3]float64) {
	for i, axis := range mount {
		k := axis[len(axis)-1] - 'x'
		if out[k] = v[i]; axis[0] == '-' {
			out[k] = -v[i]
		}
	}
	return out
}

// mountedAs is a vector of the sensor's axes in the robot's.
func mountedAs(v [3]float64, mount [3]string) (out [3]float64) {
	for i, axis := range mount {
		if out[i] = v[axis[len(axis)-1]-'x']; axis[0] == '-' {
			out[i] = -out[i]
		}
	}
	return out
}

func inG(v [3]float64) string {
	return fmt.Sprintf("%.2f, %.2f and %.2f g along x, y and z", v[0]/gravityMMPS2, v[1]/gravityMMPS2, v[2]/gravityMMPS2)
}
