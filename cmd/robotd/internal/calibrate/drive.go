package calibrate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// What is driven, slowly: at once a robot that is wrong about its wheels is not far wrong about a short way.
const (
	wayMM     = 300.0
	wayMMPS   = 60.0
	wayTime   = 20 * time.Second
	settle    = 500 * time.Millisecond
	renewal   = 50 * time.Millisecond
	turnMMPS  = 40.0 // of each wheel
	turnTime  = 60 * time.Second
	turnRad   = 4 * math.Pi
	settleIMU = 15 * time.Second // for the gyroscope to learn its offset
)

var wheelStep = Step{
	Name: "wheel", Doc: "the size of the wheels: the robot drives 300 mm, and a ruler tells how far that was",
	keys: func(*profile.Profile) []string {
		return []string{profile.Of(profile.KeyWheel, "left"), profile.Of(profile.KeyWheel, "right")}
	},
	lacks: lacksWheels,
	run:   wheels,
}

func lacksWheels(p *profile.Profile) string {
	if p.Drive == nil {
		return "it has no wheels"
	}
	return ""
}

func wheels(ctx context.Context, b *Bench) (profile.Calibration, error) {
	if err := b.Operator.Do(ctx, Clear, "Put the robot where it can drive half a meter straight ahead, and mark where it stands. It drives at once."); err != nil {
		return nil, err
	}
	told, err := b.driven(ctx)
	if err != nil {
		return nil, err
	}
	way, err := b.Operator.Number(ctx, WayMM, fmt.Sprintf("The robot counted %.0f mm. How far did it drive, in mm?", told))
	if err != nil {
		return nil, err
	}
	if !(math.Abs(way/told-1) <= 0.3) {
		return nil, fmt.Errorf("%.0f mm are not what the robot counted as %.0f mm; want %.0f to %.0f mm", way, told, told*0.7, told*1.3)
	}
	c := profile.Calibration{}
	for _, side := range [...]string{"left", "right"} {
		key := profile.Of(profile.KeyWheel, side)
		c[key] = b.Board.Calibration.Or(key, b.Board.Profile.Drive.WheelMM) * way / told
	}
	if tread, known := b.Board.Calibration[profile.KeyTread]; known { // it was measured by the wheels as they were believed to be
		c[profile.KeyTread] = tread * way / told
	}
	return c, nil
}

// driven drives straight ahead and returns the way by the robot's own reckoning.
func (b *Bench) driven(ctx context.Context) (mm float64, err error) {
	s, err := b.open(ctx, b.moving()...)
	if err != nil {
		return 0, err
	}
	defer s.close()
	first, last, err := s.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: wayMM, SpeedMMPS: wayMMPS}, wayTime, nil)
	switch {
	case err != nil:
		return 0, err
	case last.Phase != hardware.PhaseDone:
		return 0, fmt.Errorf("the robot did not drive %.0f mm: it stopped after %.0f mm (%s)", wayMM, last.LeftMM-first.LeftMM, last.Reason)
	}
	return (last.LeftMM - first.LeftMM + last.RightMM - first.RightMM) / 2, nil
}

// moving are the devices that the wheels need.
func (b *Bench) moving() []string {
	if b.Board.Profile.Cliff == nil {
		return []string{hardware.Motors}
	}
	return []string{hardware.Cliff, hardware.Motors} // the wheels stand while nothing looks down
}

// drive lets the wheels carry out a segment. It returns the first and the last of what they tell. Enough ends it early; nil for not.
func (s *session) drive(d hardware.Drive, limit time.Duration, enough func() bool) (first, last hardware.MotorState, err error) {
	motors := s.devices[len(s.devices)-1]
	if err := s.run(settle, s.noting(&first)); err != nil {
		return first, last, err
	}
	d.ID = 1 // the motors were opened for it
	var renewed time.Time
	over := errors.New("over")
	err = s.run(limit, func(now time.Time, sample hardware.Sample) (bool, error) {
		if enough != nil && enough() {
			return false, motors.Apply(now, hardware.StopWheels{})
		}
		if now.Sub(renewed) >= renewal {
			renewed = now
			if err := motors.Apply(now, d); err != nil {
				return false, err
			}
		}
		if v, ok := sample.Value.(*hardware.MotorState); ok {
			if last = *v; v.Segment == d.ID && v.Phase != hardware.PhaseMoving {
				return false, over
			}
		}
		return true, nil
	})
	if err != nil && !errors.Is(err, over) {
		return first, last, err
	}
	phase, reason := last.Phase, last.Reason
	err = s.run(settle, s.noting(&last)) // they coast
	last.Phase, last.Reason = phase, reason
	return first, last, err
}

func (s *session) noting(m *hardware.MotorState) func(time.Time, hardware.Sample) (bool, error) {
	return func(_ time.Time, sample hardware.Sample) (bool, error) {
		if v, ok := sample.Value.(*hardware.MotorState); ok {
			*m = *v
		}
		return true, nil
	}
}

var trackStep = Step{
	Name: "track", Doc: "the distance between the wheels: the robot turns twice, by the gyroscope",
	keys: func(*profile.Profile) []string { return []string{profile.KeyTread} },
	lacks: func(p *profile.Profile) string {
		switch {
		case p.Drive == nil:
			return "it has no wheels"
		case p.IMU == nil:
			return "it has no gyroscope"
		case p.Drive.Reckons():
			return "nothing counts its wheels"
		}
		return ""
	},
	run: track,
}

func track(ctx context.Context, b *Bench) (profile.Calibration, error) {
	if err := b.Operator.Do(ctx, Around, "Put the robot where it can turn on the spot. It turns at once."); err != nil {
		return nil, err
	}
	s, err := b.open(ctx, append([]string{hardware.IMU}, b.moving()...)...)
	if err != nil {
		return nil, err
	}
	defer s.close()
	yaw := 0.0
	s.see = func(sample hardware.Sample) {
		if v, ok := sample.Value.(*hardware.IMUState); ok {
			yaw = v.YawRad
		}
	}
	if err := s.settleGyro(); err != nil {
		return nil, err
	}
	start := yaw
	first, last, err := s.drive(hardware.Drive{Kind: hardware.Wheels, LeftMMPS: -turnMMPS, RightMMPS: turnMMPS}, turnTime, func() bool { return yaw-start >= turnRad })
	turned := yaw - start
	switch {
	case err != nil:
		return nil, err
	case turned < turnRad:
		return nil, fmt.Errorf("the robot did not turn twice: it stopped after %.0f degrees (%s)", turned*180/math.Pi, last.Reason)
	}
	way := (last.RightMM - first.RightMM) - (last.LeftMM - first.LeftMM)
	return profile.Calibration{profile.KeyTread: way / turned}, nil
}

// settleGyro lets the gyroscope, the first device, learn its offset. It fails if nobody knows it.
func (s *session) settleGyro() error {
	imu, ok := s.devices[0].(gyroscope)
	if !ok {
		return errForeign
	}
	err := s.run(settleIMU, func(time.Time, hardware.Sample) (bool, error) {
		_, known := imu.Offset()
		return !known, nil
	})
	if err != nil {
		return err
	}
	_, before := s.b.Board.Calibration[profile.Of(profile.KeyGyroBias, "z")]
	if _, known := imu.Offset(); !known && !before {
		return errors.New("the gyroscope does not know its offset; take the step gyro first, with the robot standing still")
	}
	return nil
}
