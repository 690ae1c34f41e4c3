package estimate

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

const (
	// A driver that restarted counts from 0 again. A step that differs from the measured speed by more than this is not
	// motion; the speed is used instead.
	jumpMM  = 25.0
	jumpRad = 0.25
	// maxGap limits the time over which a speed is used.
	maxGap = 300 * time.Millisecond

	// historyLen poses reach back 3.8 s at the default period: longer than any image takes to be processed.
	historyLen = 64
)

// odometry does dead reckoning: distance from the encoders, turn from the gyroscope, or from the encoders while the
// gyroscope has failed.
type odometry struct {
	pose   hardware.Pose
	motors hardware.Reading[hardware.MotorState] // last used
	imu    hardware.Reading[hardware.IMUState]   // last used

	history [historyLen]timedPose
	next    int
}

// timedPose is a pose at an instant.
type timedPose struct {
	at   time.Time
	pose hardware.Pose
}

// update advances the pose. In the air the wheels turn freely, so only the heading is updated.
func (o *odometry) update(s *hardware.Snapshot, onTreads bool) {
	way, wheelTurn := o.wheels(s)
	turn, ok := o.gyro(s)
	if !ok {
		turn = wheelTurn
	}
	if !onTreads {
		way = 0
		if !ok {
			turn = 0
		}
	}
	sin, cos := math.Sincos(o.pose.HeadingRad + turn/2)
	o.pose.XMM += way * cos
	o.pose.YMM += way * sin
	o.pose.HeadingRad = hardware.WrapRad(o.pose.HeadingRad + turn)
	o.history[o.next] = timedPose{s.Now, o.pose}
	o.next = (o.next + 1) % historyLen
}

// wheels returns distance and turn since the last reading that was used.
func (o *odometry) wheels(s *hardware.Snapshot) (way, turn float64) {
	now, old := &s.Motors, o.motors
	if !now.OK() || now.Seq == old.Seq {
		return 0, 0
	}
	o.motors = *now
	if old.Seq == 0 {
		return 0, 0
	}
	dt := now.At.Sub(old.At)
	l := plausibleStep(now.Value.LeftMM-old.Value.LeftMM, now.Value.LeftMMPS, old.Value.LeftMMPS, dt, jumpMM)
	r := plausibleStep(now.Value.RightMM-old.Value.RightMM, now.Value.RightMMPS, old.Value.RightMMPS, dt, jumpMM)
	return (l + r) / 2, (r - l) / now.Value.Tread()
}

// gyro returns the turn since the last reading that was used, and false if the sensor gives none.
func (o *odometry) gyro(s *hardware.Snapshot) (turn float64, ok bool) {
	now, old := &s.IMU, o.imu
	if !now.OK() {
		o.imu = hardware.Reading[hardware.IMUState]{}
		return 0, false
	}
	o.imu = *now
	if old.Seq == 0 {
		return 0, false // the encoders know the turn since its failure
	}
	if now.Seq == old.Seq {
		return 0, true
	}
	d := now.Value.YawRad - old.Value.YawRad
	return plausibleStep(d, now.Value.GyroRadPS[2], old.Value.GyroRadPS[2], now.At.Sub(old.At), jumpRad), true
}

// plausibleStep returns the step d, or the step by the mean of the rates if d is farther than jump from that.
func plausibleStep(d, rate, oldRate float64, dt time.Duration, jump float64) float64 {
	byRate := (rate + oldRate) / 2 * min(max(dt, 0), maxGap).Seconds()
	if math.Abs(d-byRate) > jump+math.Abs(byRate) {
		return byRate
	}
	return d
}

// at is the pose at an instant of the recent past, interpolated; false if the history does not reach back that far.
func (o *odometry) at(t time.Time) (hardware.Pose, bool) {
	var later timedPose
	for i := range historyLen {
		p := o.history[(o.next-1-i+2*historyLen)%historyLen]
		if p.at.IsZero() {
			return hardware.Pose{}, false
		}
		if !p.at.After(t) {
			if later.at.IsZero() || p.at.Equal(t) {
				return p.pose, true
			}
			k := t.Sub(p.at).Seconds() / later.at.Sub(p.at).Seconds()
			return hardware.Pose{
				XMM:        p.pose.XMM + k*(later.pose.XMM-p.pose.XMM),
				YMM:        p.pose.YMM + k*(later.pose.YMM-p.pose.YMM),
				HeadingRad: hardware.WrapRad(p.pose.HeadingRad + k*hardware.WrapRad(later.pose.HeadingRad-p.pose.HeadingRad)),
			}, true
		}
		later = p
	}
	return hardware.Pose{}, false
}

// forget empties the history: images taken before this instant can no longer be placed.
func (o *odometry) forget() { o.history = [historyLen]timedPose{} }
