package device

import (
	"math"

	"github.com/robotd/robotd/hardware/profile"
)

// How the pulses of a servo are learned.
const (
	// maxPulseError is by how much of the travel the pulse of an end may differ from the profile's: 8 % of the longest pulse by the PWM
	// chip's oscillator, and 5 % of the travel by the servo.
	maxPulseError = 0.21
	pulseGain     = 0.5   // share of the error that one correction takes away
	stillRatio    = 0.004 // of the travel: a servo that moves less between two polls stands; its feedback is noisy
	maxLearning   = 15    // corrections for one target; what is left then is as near as it gets
	tellMS        = 0.005 // a change that is told to whoever keeps the calibration
)

// pulses are those of a servo at the ends of its travel, in ms by the clock that its PWM chip is taken to have. They are learned: when the
// servo stands where its pulse sends it, its potentiometer says by how much the pulse is wrong. That covers the oscillator of the chip, whose
// frequency differs by up to 8 %, and the servo itself.
type pulses struct {
	low, high           float64
	firstLow, firstHigh float64 // of the profile
	goodLow, goodHigh   float64 // with which the servo was in position last
	bestLow, bestHigh   float64 // with which it was nearest to the present target, and how far off then, as a share of the travel
	bestOff             float64
	toldLow, toldHigh   float64
	sure                [2]bool // the servo was in position in the lower and in the upper half of its travel
	target, last        float64
	tries               int
	nearest             bool // the target cannot be reached any better
}

// newPulses returns the pulses that are known of a joint before it moves.
func newPulses(name string, s *profile.Servo, c profile.Calibration) pulses {
	p := pulses{firstLow: s.LowUS / 1000, firstHigh: s.HighUS / 1000}
	p.low = c.Or(profile.Of(profile.KeyServoLow, name), s.LowUS) / 1000
	p.high = c.Or(profile.Of(profile.KeyServoHigh, name), s.HighUS) / 1000
	p.limit()
	p.goodLow, p.goodHigh, p.toldLow, p.toldHigh = p.low, p.high, p.low, p.high
	_, low := c[profile.Of(profile.KeyServoLow, name)]
	_, high := c[profile.Of(profile.KeyServoHigh, name)]
	p.sure = [2]bool{low, high}
	return p
}

// at is the pulse for a place of the travel, 0 to 1.
func (p *pulses) at(x float64) float64 { return p.low + (p.high-p.low)*x }

// unsure is by how much of the travel the servo may be elsewhere without being blocked, as long as its pulses are not known.
func (p *pulses) unsure() float64 {
	if p.sure[0] && p.sure[1] {
		return 0
	}
	return maxPulseError / 2
}

// limit keeps the pulses near those of the profile: a blocked servo must not teach anything else.
func (p *pulses) limit() {
	room := maxPulseError * math.Abs(p.firstHigh-p.firstLow)
	p.low = clamp(p.low, p.firstLow-room, p.firstLow+room)
	p.high = clamp(p.high, p.firstHigh-room, p.firstHigh+room)
}

// learn corrects the pulses of a joint that stands at the end of its way, and reports whether they are worth keeping.
func (j *joint) learn() (keep bool) {
	p, travel := &j.pulses, j.high-j.low
	still := math.Abs(j.measured-p.last) < stillRatio*travel
	p.last = j.measured
	if !j.powered || j.ref != j.target || j.target != p.target {
		p.target, p.tries, p.nearest, p.bestOff = j.target, 0, false, math.Inf(1)
		return false
	}
	x, wrong := (j.ref-j.low)/travel, (j.ref-j.measured)/travel
	switch {
	case math.Abs(wrong)*travel <= j.tolerance/2:
		return p.good(x)
	case !still || p.nearest:
		return false
	case p.tries >= maxLearning:
		p.giveUp(j.maxLag / travel)
		return false
	}
	if off := math.Abs(wrong); off < p.bestOff-stillRatio {
		p.bestLow, p.bestHigh, p.bestOff = p.low, p.high, off
	}
	p.tries++
	by := pulseGain * wrong * (p.firstHigh - p.firstLow) / ((1-x)*(1-x) + x*x)
	p.low, p.high = p.low+by*(1-x), p.high+by*x
	p.limit()
	return false
}

// giveUp keeps the pulses that brought the servo nearest to its target: at the end of its travel its potentiometer may say that it is not
// there, and no pulse brings it nearer. A servo that stays farther off than maxLag is blocked and taught nothing.
func (p *pulses) giveUp(maxLag float64) {
	p.low, p.high = p.goodLow, p.goodHigh
	if p.nearest = p.bestOff <= maxLag; p.nearest {
		p.low, p.high = p.bestLow, p.bestHigh
	}
}

// good notes that the servo is in position at a place of its travel.
func (p *pulses) good(x float64) (keep bool) {
	p.goodLow, p.goodHigh, p.tries = p.low, p.high, 0
	p.sure[0], p.sure[1] = p.sure[0] || x <= 0.5, p.sure[1] || x >= 0.5
	if math.Abs(p.low-p.toldLow) < tellMS && math.Abs(p.high-p.toldHigh) < tellMS {
		return false
	}
	p.toldLow, p.toldHigh = p.low, p.high
	return true
}
