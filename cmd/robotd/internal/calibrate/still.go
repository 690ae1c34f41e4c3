package calibrate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/profile"
)

// Limits of what is measured while the robot stands.
const (
	stillTime   = 3 * time.Second
	scanTime    = time.Second
	voltsTime   = 3 * time.Second
	maxSpread   = 0.08 // rad/s: noise, but no motion
	leastLifted = 0.25 // V by which a sensor gives less in the air
	mostLifted  = 0.25 // of the volts over the floor: more would not count as a void
)

// A gyroscope is a device that learns its offset.
type gyroscope interface {
	Offset() (rad [3]float64, measured bool)
	Mount() [3]string
}

var axes = [3]string{"x", "y", "z"}

var gyroStep = Step{
	Name: "gyro", Doc: "the gyroscope's offset, while the robot stands still for 3 seconds",
	keys: func(*profile.Profile) (keys []string) {
		for _, axis := range axes {
			keys = append(keys, profile.Of(profile.KeyGyroBias, axis))
		}
		return keys
	},
	lacks: func(p *profile.Profile) string {
		if p.IMU == nil {
			return "it has no inertial sensor"
		}
		return ""
	},
	run: gyro,
}

func gyro(ctx context.Context, b *Bench) (profile.Calibration, error) {
	if err := b.Operator.Do(ctx, Rest, "Put the robot on something firm and do not touch it."); err != nil {
		return nil, err
	}
	s, imu, err := b.inertia(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	_, rate, err := s.still(imu)
	if err != nil {
		return nil, err
	}
	return offsets(rate), nil
}

// offsets are the keys of the gyroscope's offset about the robot's axes.
func offsets(radPS [3]float64) profile.Calibration {
	c := profile.Calibration{}
	for i, axis := range axes {
		c[profile.Of(profile.KeyGyroBias, axis)] = radPS[i]
	}
	return c
}

// inertia opens the inertial sensor.
func (b *Bench) inertia(ctx context.Context) (*session, gyroscope, error) {
	s, err := b.open(ctx, hardware.IMU)
	if err != nil {
		return nil, nil, err
	}
	imu, ok := s.devices[0].(gyroscope)
	if !ok {
		s.close()
		return nil, nil, errForeign
	}
	return s, imu, nil
}

// errForeign is of a part whose driver is that of another module.
var errForeign = errors.New("its driver is not built in and cannot be calibrated so")

// still is the mean of what the inertial sensor gives while the robot is held still, in the axes that are taken to be the robot's. The
// gyroscope's offset is in it.
func (s *session) still(imu gyroscope) (accel, gyro [3]float64, err error) {
	if err := s.hold(settle); err != nil { // the hand lets go; a board behind a port still tells of before
		return accel, gyro, err
	}
	var n float64
	var low, high [3]float64
	err = s.run(stillTime, func(_ time.Time, sample hardware.Sample) (bool, error) {
		v := sample.Value.(*hardware.IMUState)
		known, _ := imu.Offset()
		for i, rate := range v.GyroRadPS {
			rate += known[i]
			if n == 0 {
				low[i], high[i] = rate, rate
			}
			accel[i] += v.AccelMMPS2[i]
			gyro[i], low[i], high[i] = gyro[i]+rate, min(low[i], rate), max(high[i], rate)
			if high[i]-low[i] > maxSpread {
				return false, fmt.Errorf("the robot moved: its turn about %s varied by %.2f rad/s; want at most %.2f", axes[i], high[i]-low[i], maxSpread)
			}
		}
		n++
		return true, nil
	})
	if err == nil && n < 50 {
		err = fmt.Errorf("the inertial sensor gave %.0f samples in %v; want at least 50", n, stillTime)
	}
	for i := range accel {
		accel[i], gyro[i] = accel[i]/n, gyro[i]/n
	}
	return accel, gyro, err
}

var cliffStep = Step{
	Name: "cliff", Doc: "what the cliff sensors see over the floor, and lifted from it",
	keys: func(p *profile.Profile) (keys []string) {
		for i := range p.Cliff.Sensors {
			keys = append(keys, profile.Of(profile.KeyFloor, strconv.Itoa(i)))
		}
		return keys
	},
	lacks: func(p *profile.Profile) string {
		switch {
		case p.Cliff == nil:
			return "it has no cliff sensors"
		case p.Cliff.FloorVolts == 0:
			return "its cliff sensors only tell floor or void"
		}
		return ""
	},
	run: cliff,
}

func cliff(ctx context.Context, b *Bench) (profile.Calibration, error) {
	floor, err := b.scan(ctx, Floor, "Put the robot on its usual floor, away from edges.")
	if err != nil {
		return nil, err
	}
	lifted, err := b.scan(ctx, Lift, "Lift the robot half a meter and hold it there.")
	if err != nil {
		return nil, err
	}
	c := profile.Calibration{}
	for i := range b.Board.Profile.Cliff.Sensors {
		if most := min(floor[i]-leastLifted, mostLifted*floor[i]); lifted[i] > most {
			return nil, fmt.Errorf("sensor %d gives %.2f V over the floor and %.2f V in the air, too little difference; want at most %.2f V in the air", i, floor[i], lifted[i], max(most, 0))
		}
		c[profile.Of(profile.KeyFloor, strconv.Itoa(i))] = floor[i]
	}
	return c, nil
}

// scan is the mean of the cliff sensors' volts.
func (b *Bench) scan(ctx context.Context, job Job, text string) (mean [4]float64, err error) {
	if err := b.Operator.Do(ctx, job, text); err != nil {
		return mean, err
	}
	s, err := b.open(ctx, hardware.Cliff)
	if err != nil {
		return mean, err
	}
	defer s.close()
	d, ok := s.devices[0].(*device.Cliff)
	if !ok {
		return mean, errForeign
	}
	n := 0.0
	for end := b.Clock.Now().Add(scanTime); b.Clock.Now().Before(end); n++ {
		b.Clock.Sleep(d.Period())
		if err := ctx.Err(); err != nil {
			return mean, err
		}
		volts, err := d.Volts()
		if err != nil {
			return mean, err
		}
		for i, v := range volts {
			mean[i] += v
		}
	}
	for i := range mean {
		mean[i] /= n
	}
	return mean, nil
}

var batteryStep = Step{
	Name: "battery", Doc: "the battery's voltage by a meter",
	keys: func(*profile.Profile) []string { return []string{profile.KeyBattery} },
	lacks: func(p *profile.Profile) string {
		if p.Battery == nil {
			return "nothing measures its battery"
		}
		return ""
	},
	run: battery,
}

func battery(ctx context.Context, b *Bench) (profile.Calibration, error) {
	if err := b.Operator.Do(ctx, Rest, "Let the robot stand and have a voltmeter at its battery."); err != nil {
		return nil, err
	}
	s, err := b.open(ctx, hardware.Battery)
	if err != nil {
		return nil, err
	}
	defer s.close()
	var sum, n float64
	err = s.run(voltsTime, func(_ time.Time, sample hardware.Sample) (bool, error) {
		if v := voltsOf(sample.Value); v > 0 {
			sum, n = sum+v, n+1
		}
		return true, nil
	})
	switch {
	case err != nil:
		return nil, err
	case n == 0:
		return nil, fmt.Errorf("the battery monitor gave no reading in %v", voltsTime)
	}
	told := sum / n
	volts, err := b.Operator.Number(ctx, Volts, fmt.Sprintf("The robot reads %.2f V. What does the meter show, in volts?", told))
	if err != nil {
		return nil, err
	}
	factor := b.Board.Calibration.Or(profile.KeyBattery, 1) * volts / told
	if !(math.Abs(volts/told-1) <= 0.2) {
		return nil, fmt.Errorf("%.2f V is not the battery that the robot reads as %.2f V; want %.2f to %.2f V", volts, told, told*0.8, told*1.2)
	}
	return profile.Calibration{profile.KeyBattery: factor}, nil
}

// voltsOf is the voltage of a battery's sample.
func voltsOf(value any) float64 {
	switch v := value.(type) {
	case *hardware.BatteryState:
		return v.Volts
	case hardware.BatteryState:
		return v.Volts
	}
	return 0
}
