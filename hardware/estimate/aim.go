package estimate

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// aimedFor is how long the head must be down before a sensor on it tells what is ahead: a sonar tells the middle of its last three
// measurements, 70 ms each, and was triggered for the first of them before.
const aimedFor = 250 * time.Millisecond

// aim tells whether a distance sensor that nods with the head looks at what is ahead.
type aim struct {
	up    time.Time // when the head was last up
	ahead bool
	told  hardware.Reading[hardware.RangeState] // the newest that counted
}

// update looks where the head is. It is up if the whole cone is above the level of the sensor, or if nobody knows where it is.
func (a *aim) update(s *hardware.Snapshot) {
	r := &s.Range.Value
	if r.OnHead && (s.Servos.Quality < hardware.Stale || s.Servos.Value.HeadRad > r.Cone()) {
		a.up = s.Now
	}
	a.ahead = a.up.IsZero() || s.Now.Sub(a.up) >= aimedFor
}

// judge is a reading as the mind may use it. An echo counts wherever the head looks: something is there, and no farther away than that.
// Silence counts only where the sensor looks ahead; else the newest reading that counted stays, as stale.
func (a *aim) judge(r hardware.Reading[hardware.RangeState]) hardware.Reading[hardware.RangeState] {
	if !r.OK() {
		return r
	}
	if a.ahead || r.Value.Found {
		a.told = r
		return r
	}
	if !a.told.At.IsZero() {
		r = a.told
	}
	r.Quality = hardware.Stale
	return r
}
