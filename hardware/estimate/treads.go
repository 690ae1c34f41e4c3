package estimate

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

const (
	gravityMMPS2 = 9806.65
	deg          = math.Pi / 180

	// A pick-up is detected by four sensors without floor, confirmed by a tilt, a jerk or by time: a standing robot never
	// has all four over the void. A strong tilt alone is enough when the sensors have failed.
	liftTilt    = 4 * deg
	liftJerk    = 1500.0 // mm/s² away from 1 g
	liftConfirm = 180 * time.Millisecond
	tiltAlone   = 25 * deg
	// A robot is down again when at most two sensors see no floor (it may stand at a corner) and it lies level and
	// quiet for setConfirm.
	setTilt    = 12 * deg
	setBand    = 2500.0 // mm/s² around 1 g
	setVoid    = 2
	setConfirm = 100 * time.Millisecond

	// Persistence of the other states (TRD-1).
	persist     = 250 * time.Millisecond
	persistBack = 750 * time.Millisecond

	fallMMPS2 = 3000.0 // less than this is free fall
	sideMMPS2 = 9800.0 // lateral acceleration on a side ...
	sideBand  = 3000.0 // ... within this
	backFrom  = (74.5 - 15) * deg
	backTo    = 110 * deg // beyond it, and below faceBelow, the face is down
	faceBelow = -80 * deg
)

// treads classifies how the robot stands or lies.
type treads struct {
	state     hardware.Treads
	since     time.Time
	pickedUp  bool
	voidSince time.Time // all four sensors see no floor
	downSince time.Time // all signs of standing hold
	candidate hardware.Treads
	candSince time.Time
}

// update takes one snapshot and reports whether the robot left its treads or returned to them (TRD-2).
func (t *treads) update(s *hardware.Snapshot) bool {
	if t.since.IsZero() {
		t.since, t.candSince = s.Now, s.Now
	}
	t.lift(s)
	c := t.classify(s)
	if c != t.candidate {
		t.candidate, t.candSince = c, s.Now
	}
	switch {
	case t.state == hardware.OnTreads && t.pickedUp:
		c = hardware.InAir // at once; the final state follows
	case c == t.state || s.Now.Sub(t.candSince) < wait(c):
		return false
	}
	was := t.state
	t.state, t.since = c, s.Now
	return was == hardware.OnTreads || c == hardware.OnTreads
}

// wait is how long a candidate must persist (TRD-1).
func wait(c hardware.Treads) time.Duration {
	switch c {
	case hardware.OnTreads:
		return 0
	case hardware.OnBack:
		return persistBack
	}
	return persist
}

// lift decides whether the robot is held.
func (t *treads) lift(s *hardware.Snapshot) {
	feel, sense := s.Cliff.OK(), s.IMU.OK()
	mark(&t.voidSince, s.Now, feel && allVoid(&s.Cliff.Value))
	tilt, jerk := 0.0, 0.0
	if sense {
		tilt, jerk = attitude(s.IMU.Value)
	}
	if !t.pickedUp {
		void := !t.voidSince.IsZero()
		if void && (tilt > liftTilt || jerk > liftJerk || s.Now.Sub(t.voidSince) >= liftConfirm) ||
			!feel && sense && tilt > tiltAlone && jerk < setBand {
			t.pickedUp = true
		}
		t.downSince = time.Time{}
		return
	}
	floor := !feel || !allVoid(&s.Cliff.Value) && s.Cliff.Value.Count() <= setVoid
	level := !sense || tilt < setTilt && jerk < setBand
	mark(&t.downSince, s.Now, floor && level && (feel || sense))
	if !t.downSince.IsZero() && s.Now.Sub(t.downSince) >= setConfirm {
		t.pickedUp, t.downSince = false, time.Time{}
	}
}

// allVoid reports whether all sensors that are there see no floor.
func allVoid(c *hardware.CliffState) bool { return c.AllVoid || c.Count() == len(c.Detected) }

// mark records the instant since which a condition holds.
func mark(since *time.Time, now time.Time, holds bool) {
	switch {
	case !holds:
		*since = time.Time{}
	case since.IsZero():
		*since = now
	}
}

// attitude is the angle between up and the measured acceleration, and how far that is from 1 g.
func attitude(v hardware.IMUState) (tilt, jerk float64) {
	a := v.AccelMMPS2
	size := math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2])
	return math.Atan2(math.Hypot(a[0], a[1]), a[2]), math.Abs(size - gravityMMPS2)
}

// classify names the state of this instant, without persistence.
func (t *treads) classify(s *hardware.Snapshot) hardware.Treads {
	if s.IMU.OK() {
		v := s.IMU.Value
		a := v.AccelMMPS2
		lateral := math.Abs(a[1])
		switch {
		case math.Sqrt(a[0]*a[0]+a[1]*a[1]+a[2]*a[2]) < fallMMPS2:
			return hardware.Falling
		case math.Abs(lateral-sideMMPS2) <= sideBand && lateral > math.Abs(a[0]) && lateral > math.Abs(a[2]):
			if a[1] > 0 { // the left side is up
				return hardware.OnRightSide
			}
			return hardware.OnLeftSide
		case v.PitchRad >= backTo || v.PitchRad <= faceBelow:
			return hardware.OnFace
		case v.PitchRad >= backFrom:
			return hardware.OnBack
		}
	}
	if t.pickedUp {
		return hardware.InAir
	}
	return hardware.OnTreads
}

const (
	shakeMMPS2 = 16000.0
	shakeTime  = 100 * time.Millisecond // low-pass, so that a knock does not count as a shake
)

// shake detects shaking in the hand.
type shake struct {
	filtered float64
	at       time.Time
}

func (k *shake) update(s *hardware.Snapshot, pickedUp bool, dt time.Duration) (now bool, at time.Time) {
	if s.IMU.OK() {
		w := 1 - math.Exp(-dt.Seconds()/shakeTime.Seconds())
		k.filtered += w * (s.IMU.Value.PeakAccelMMPS2 - k.filtered)
	} else {
		k.filtered = 0
	}
	now = pickedUp && k.filtered >= shakeMMPS2
	if now {
		k.at = s.Now
	}
	return now, k.at
}
