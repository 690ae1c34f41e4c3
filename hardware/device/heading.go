package device

import (
	"math"
	"time"
)

const (
	// headingFresh is how old a heading may be to steer by: three periods of the sensor.
	headingFresh = 30 * time.Millisecond
	// restTime is how long the wheels must stand before the gyroscope's offset may be learnt: the body still sways before.
	restTime = 300 * time.Millisecond

	// Limits of what the wheels turn otherwise than their counts say, beyond which something else is wrong: a share of the way, and a few
	// millimeters.
	slipShare, slipMM = 0.12, 4.0
)

// heading is what the inertial sensor tells the motors, each without the other's mailbox. Guarded by Safety.mu.
type heading struct {
	rad     float64 // since the sensor's Open; it does not wrap
	at      time.Time
	driven  time.Time // newest instant at which the wheels were driven
	learned bool
	offset  offset // of the gyroscope; it outlives the sensor's driver
}

// An offset is what a gyroscope reads at rest, in rad/s about the robot's axes as the sensor is mounted: the mean of so many runs of samples,
// none if it is not known.
type offset struct {
	rad   [3]float64
	runs  int
	mount [3]string
}

// keepOffset keeps the offset of the gyroscope for the next driver of the sensor.
func (s *Safety) keepOffset(o offset) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.yaw.offset = o
}

// offset is the offset of the gyroscope as it was learned last.
func (s *Safety) offset() offset {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.yaw.offset
}

// Heading hands on where the inertial sensor believes that the robot points, in radians that do not wrap, and whether its offset is
// known. It returns whether the wheels have stood for long enough to learn the offset.
func (s *Safety) Heading(rad float64, learned bool, now time.Time) (rests bool) {
	s.mu.Lock()
	s.yaw.rad, s.yaw.at, s.yaw.learned = rad, now, learned
	turning, driven := s.turning(), s.yaw.driven
	if turning {
		s.yaw.driven = now
	}
	s.mu.Unlock()
	return !turning && now.Sub(driven) >= restTime
}

// Points returns the newest heading, and false if there is none to steer by.
func (s *Safety) Points(now time.Time) (rad float64, ok bool) {
	rad, _, ok = s.PointsBy(now, headingFresh)
	return rad, ok
}

// PointsBy is like Points with a heading that may be older. It returns when it was taken.
func (s *Safety) PointsBy(now time.Time, oldest time.Duration) (rad float64, at time.Time, ok bool) {
	s.mu.Lock()
	rad, at, ok = s.yaw.rad, s.yaw.at, s.yaw.learned
	s.mu.Unlock()
	return rad, at, ok && now.Sub(at) <= oldest
}

// A course keeps a segment on its heading: it compares by how much the robot turned with what the wheels' counts say of it. What differs is
// slip, and the wheels make good for it.
type course struct {
	rad  float64 // at the start
	held bool    // a heading was there at the start, and ever since
	late bool    // the start is over
	mm   float64 // how much farther the right wheel goes than its reference, and how much less far the left one
}

// steer takes a heading. turned is by how much the counts say that the robot turned since the start, way the distance of the wheel that went
// farther. Without a heading the correction stays as it is, because a jump would steer.
func (c *course) steer(rad float64, ok bool, turned, way, treadMM float64) {
	if !c.late {
		c.rad, c.held, c.late = rad, ok, true
	}
	if c.held = c.held && ok; !c.held {
		return
	}
	slip := turned - (rad - c.rad) // what is missing of the turn that the counts tell
	limit := slipMM + slipShare*way
	c.mm = clamp(slip*treadMM/2, -limit, limit)
}

// trim is the correction of wheel i, left and right.
func (c *course) trim(i int) float64 {
	if i == 0 {
		return -c.mm
	}
	return c.mm
}

// turned is by how much the wheels' counts say that the robot turned since the segment's start, and the distance of the wheel that went farther.
func (s *segment) turned(wheels *[2]wheel) (rad, way float64) {
	left, right := wheels[0].mm-s.start[0], wheels[1].mm-s.start[1]
	return (right - left) / s.train.treadMM, max(math.Abs(left), math.Abs(right))
}
