package estimate_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

// noisy is a robot before a charger that it sees with so much more noise than usual.
func noisy(seed uint64, times float64) *lost {
	l := newLost(seed)
	l.put(1, hardware.KindCharger, 220, 30)
	l.times = times
	return l
}

// watch looks ten times a second.
func (l *lost) watch(d time.Duration) {
	for range d / (100 * time.Millisecond) {
		l.move(0, 0)
		l.look()
		l.move(0, 0)
	}
}

// The place of a charger that is seen badly for three seconds is as good as the sightings allow: about their error by the root of their
// number. Its heading is within 2.5°, which a docking robot forgives.
func TestNoisySightingsAreAveraged(t *testing.T) {
	var mm, turn float64
	const n = 40
	for seed := range uint64(n) {
		l := noisy(seed+1, 5)
		l.watch(3 * time.Second)
		o, _ := l.w.Charger()
		mm += math.Hypot(o.Pose.XMM-220, o.Pose.YMM-30) / n
		turn += math.Abs(o.Pose.HeadingRad) / degree / n
	}
	if mm > 6 || turn > 1.5 {
		t.Errorf("the charger is believed %.1f mm and %.1f° off, in the mean", mm, turn)
	}
}

// With bad eyes, too, the true place is within two sigma of the believed one as a rule, and good eyes make it certain again.
func TestUncertaintyFollowsTheNoiseOfSightings(t *testing.T) {
	outside := 0
	for seed := range uint64(40) {
		l := noisy(seed+1, 5)
		l.watch(3 * time.Second)
		o, _ := l.w.Charger()
		if math.Hypot(o.Pose.XMM-220, o.Pose.YMM-30) > 2*o.SigmaMM {
			outside++
		}
		l.times = 1
		l.watch(4 * time.Second)
		if good, _ := l.w.Charger(); good.SigmaMM > o.SigmaMM/1.4 {
			t.Errorf("seed %d: sigma is %.1f mm with good eyes again, and was %.1f", seed+1, good.SigmaMM, o.SigmaMM)
		}
	}
	if outside > 8 {
		t.Errorf("%d of 40 are outside two sigma", outside)
	}
}

// A charger that is carried away is no noise: within a second it is believed where it stands.
func TestMovedChargerIsNotTakenForNoise(t *testing.T) {
	l := noisy(3, 1)
	l.watch(3 * time.Second)
	l.things[0].Pose.YMM += 120
	l.watch(time.Second)
	if o, _ := l.w.Charger(); math.Hypot(o.Pose.XMM-220, o.Pose.YMM-150) > 10 {
		t.Errorf("the charger is believed at %+v", o.Pose)
	}
}
