package device

import (
	"math"
	"testing"
	"time"
)

// What the wheels' counts say and the gyroscope does not is slip: the wheel that slips goes farther.
func TestSlipIsMadeGoodWithinLimits(t *testing.T) {
	var c course
	c.steer(5, true, 0, 0, 50)
	if c.steer(5.02, true, 0.06, 200, 50); math.Abs(c.mm-1) > 1e-9 || c.trim(0) != -c.mm || c.trim(1) != c.mm {
		t.Errorf("0.04 rad of slip over a tread of 50 mm: %.3f mm to each side, want 1", c.mm)
	}
	if c.steer(5.02, true, 9, 100, 50); c.mm != slipMM+slipShare*100 {
		t.Errorf("a robot that is held is steered by %.1f mm", c.mm)
	}
}

func TestCourseIsNotSteeredOnceTheHeadingWasLost(t *testing.T) {
	var c course
	c.steer(1, true, 0, 0, 50)
	c.steer(1, true, 0.02, 100, 50)
	before := c.mm
	c.steer(0, false, 0.5, 150, 50)
	if c.steer(1.3, true, 0.5, 150, 50); c.mm != before {
		t.Errorf("jumped from %.2f to %.2f mm", before, c.mm)
	}
	var late course
	late.steer(0, false, 0, 0, 50)
	if late.steer(1, true, 0.5, 100, 50); late.mm != 0 {
		t.Error("a segment that began without a heading is steered by one")
	}
}

// A slow veer is no offset of the gyroscope: it is learnt only while the wheels have stood for a while.
func TestWheelsMustRestBeforeTheOffsetIsLearnt(t *testing.T) {
	s := NewSafety(nil)
	at := time.Unix(100, 0)
	if !s.Heading(0, false, at) {
		t.Error("a robot that has not driven yet does not rest")
	}
	s.state.Enabled, s.guards = true, [4]bool{true}
	if s.Heading(0, true, at) {
		t.Error("a driving robot rests")
	}
	s.guards = [4]bool{}
	if s.Heading(0, true, at.Add(restTime-1)) || !s.Heading(0, true, at.Add(restTime)) {
		t.Errorf("rests at another time than %v after the drive", restTime)
	}
	if _, ok := s.Points(at.Add(restTime + headingFresh)); !ok {
		t.Error("a fresh heading is refused")
	}
	if _, ok := s.Points(at.Add(restTime + headingFresh + 1)); ok {
		t.Error("an old heading is given out")
	}
}

// The offset of a chip at the limit of its sheet is learned, drift is followed, and an offset that moved while the robot drove is learned anew after a
// few seconds of rest. A run of a slow turn between is not.
func TestOffsetOfAGyroscopeIsLearnedAgain(t *testing.T) {
	b := gyroBias{}
	rest := func(runs int, yaw float64) {
		for range runs * biasSamples {
			b.add(time.Second, [3]float64{0, 0, yaw})
		}
	}
	want := func(what string, yaw float64) {
		t.Helper()
		if !b.known || math.Abs(b.rad[2]-yaw) > 0.001 {
			t.Errorf("%s: %+v, want %g", what, b, yaw)
		}
	}
	rest(3, 0.35)
	want("20 degrees a second", 0.35)
	rest(biasAgain-1, 0.30)
	want("a slow turn", 0.35)
	rest(1, 0.35)
	rest(biasAgain-1, 0.30)
	want("two slow turns", 0.35)
	rest(1, 0.35)
	for i := range 2 * biasAgain {
		rest(1, 0.20+0.03*float64(i%2))
	}
	want("turns that do not agree", 0.35)
	rest(biasAgain, 0.30)
	want("ten runs that agree", 0.30)
	rest(biasAgain, 0.5)
	want("more than any chip has", 0.30)
}
