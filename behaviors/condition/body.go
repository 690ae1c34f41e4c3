package condition

import (
	"math"
	"strings"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Fail directions (data/3.1j). A condition on a device whose reading is not OK (absent, failed or stale) does not use the
// old value; for a battery or a cliff it assumes the worst, and otherwise it answers so that no reaction starts:
//
//	BatteryLevel                       Low if it failed, else what the estimator says
//	CliffDetected                      a cliff under every sensor, and never "no cliffs": do not drive
//	ProxInRange                        as if no object is found: invalidSensorReturn
//	OnCharger                          false: power that is not measured does not count
//	OnChargerPlatform                  unchanged: the flag comes from the remembered place
//	OffTreadsState, RobotPickedUp,     false: posture unknown
//	  RobotShaken, pitch, roll
//	RobotTouched                       false: feature off
//	FaceKnown, new sightings           false: feature off; an object's remembered place stays known
//	DeviceFailed                       true
//
// A behavior that moves because of CliffDetected should also ask for not(DeviceFailed cliff): otherwise it reacts to failed sensors.

// batteryLevel compares the coarse charge. A failed monitor counts as Low at once. A stale sample does not: the estimator decides when
// it is too old.
func (r *reader) batteryLevel() Condition {
	want := hardware.BatteryLevel(r.wordIndex("targetBatteryLevel", hardware.BatteryNames))
	return newLeaf("BatteryLevel("+want.String()+")", func(v *View, f *facts) {
		*f = facts{q: v.World.Battery.Quality, n: int32(v.World.Body.Battery), m: int32(want)}
	}, batteryIs, sayBattery).needing(needsBattery)
}

// batteryIs compares the charge, fact n, with the wanted one, fact m.
func batteryIs(f *facts) bool {
	if f.q == hardware.Failed {
		return hardware.BatteryLevel(f.m) == hardware.BatteryLow
	}
	return f.n == f.m
}

func sayBattery(f *facts) (string, Values) {
	if f.q == hardware.Failed {
		text, values := noReading(hardware.Battery, f.q)
		return text + ", taken as Low", values
	}
	level := hardware.BatteryLevel(f.n).String()
	return "level is " + level, Values{{"level", level}, {"wanted", hardware.BatteryLevel(f.m).String()}}
}

func needsBattery(f *facts, yes bool) string {
	if f.q == hardware.Failed {
		return needReading(hardware.Battery, f.q)
	}
	return needBattery(hardware.BatteryLevel(f.m), yes) + it(hardware.BatteryLevel(f.n).String())
}

// onCharger is met while the charger's contacts have power.
func (r *reader) onCharger() Condition {
	return newLeaf("OnCharger",
		func(v *View, f *facts) { *f = facts{q: v.World.Snapshot.Charger.Quality, a: v.World.Body.OnContacts} },
		func(f *facts) bool { return f.q == hardware.OK && f.a },
		func(f *facts) (string, Values) {
			if f.q != hardware.OK {
				return noReading(hardware.Charger, f.q)
			}
			return yesNo(f.a, "on contacts", "off contacts"), one("on_contacts", f.a)
		}).needing(needOK(hardware.Charger, func(_ *facts, yes bool) string {
		return must("the robot", yes, "stand on the contacts of the charger")
	}))
}

// onPlatform is met while the robot stands on the charger's platform or its contacts.
func (r *reader) onPlatform() Condition {
	return newFlag("OnChargerPlatform",
		func(v *View, f *facts) {
			*f = facts{a: v.World.Body.OnPlatform || v.World.Snapshot.Charger.OK() && v.World.Body.OnContacts}
		},
		func(f *facts) (string, Values) {
			return yesNo(f.a, "on the platform", "off the platform"), one("on_platform", f.a)
		}).needing(func(_ *facts, yes bool) string { return must("the robot", yes, "stand on the charger's platform") })
}

// offTreads is met while the robot has been in one posture for a time within limits, both included. A negative minimum counts as zero.
// A negative maximum means no limit; zero means "since this tick".
func (r *reader) offTreads() Condition {
	want := hardware.Treads(r.wordIndex("targetState", hardware.TreadsNames))
	low := r.signed("minTimeSinceChange_ms", time.Millisecond, 0)
	high := r.signed("maxTimeSinceChange_ms", time.Millisecond, noLimit)
	r.ordered("maxTimeSinceChange_ms", high < low)
	return newLeaf("OffTreadsState("+want.String()+")",
		func(v *View, f *facts) {
			b := &v.World.Body
			*f = facts{q: v.World.IMU.Quality, n: int32(b.Treads), d: v.Now.Sub(b.TreadsSince)}
		},
		func(f *facts) bool {
			return f.q == hardware.OK && hardware.Treads(f.n) == want && low <= f.d && f.d <= high
		},
		func(f *facts) (string, Values) {
			if f.q != hardware.OK {
				return noReading(hardware.IMU, f.q)
			}
			is := hardware.Treads(f.n).String()
			return is + " for " + Elapsed(f.d).String(), Values{{"treads", is}, {"wanted", want.String()}}.elapsed("for_s", f.d).
				seconds("min_s", low).seconds("max_s", high)
		}).needing(needOK(hardware.IMU, func(f *facts, yes bool) string {
		is := hardware.Treads(f.n)
		switch {
		case !yes:
			return must("the robot", false, "be "+want.String()) + lasting(low, high)
		case is != want && want == hardware.OnTreads:
			return "put the robot on its treads" + lasting(low, high) + it(is.String())
		case is != want:
			return must("the robot", true, "be "+want.String()) + lasting(low, high) + it(is.String())
		case f.d < low:
			return wait(low - f.d)
		}
		return "the robot must become " + want.String() + " anew: it has been so for longer than " + short(high)
	}))
}

func (r *reader) pickedUp() Condition {
	return newLeaf("RobotPickedUp",
		func(v *View, f *facts) { *f = facts{q: v.World.IMU.Quality, a: v.World.Body.PickedUp} },
		func(f *facts) bool { return f.q == hardware.OK && f.a },
		func(f *facts) (string, Values) {
			if f.q != hardware.OK {
				return noReading(hardware.IMU, f.q)
			}
			return yesNo(f.a, "picked up", "not picked up"), one("picked_up", f.a)
		}).needing(needOK(hardware.IMU, func(_ *facts, yes bool) string { return yesNo(yes, "pick the robot up", "put the robot down") }))
}

// shakenMMPS2 is the filtered acceleration at which the body estimator sets Body.Shaken, and the default threshold.
const shakenMMPS2 = 16000

// shaken is met while the robot is picked up and shaken. The filtered magnitude itself is not part of the world, so a
// threshold other than the estimator's is refined with the peak since the previous sample: a higher one must be reached
// by flag and peak, a lower one by either.
func (r *reader) shaken() Condition {
	return newShaken(r.numberOr("minAccelMagnitudeThreshold", shakenMMPS2, 0, math.MaxFloat64))
}

func newShaken(limit float64) *leaf {
	return newLeaf("RobotShaken",
		func(v *View, f *facts) {
			imu, b := &v.World.IMU, &v.World.Body
			*f = facts{q: imu.Quality, a: b.PickedUp, b: b.Shaken, x: imu.Value.PeakAccelMMPS2}
		},
		func(f *facts) bool {
			if f.q != hardware.OK || !f.a {
				return false
			}
			switch {
			case limit > shakenMMPS2:
				return f.b && f.x >= limit
			case limit < shakenMMPS2:
				return f.b || f.x >= limit
			default:
				return f.b
			}
		},
		func(f *facts) (string, Values) {
			if f.q != hardware.OK {
				return noReading(hardware.IMU, f.q)
			}
			return yesNo(f.a, "picked up", "not picked up") + ", peak " + fixed(f.x) + " mm/s²",
				Values{{"picked_up", f.a}, {"shaken", f.b}, {"peak_mmps2", f.x}, {"limit_mmps2", limit}}
		}).needing(needOK(hardware.IMU, func(_ *facts, yes bool) string {
		return yesNo(yes, "pick the robot up and shake it, to "+fixed(limit)+" mm/s² or more", "the robot must not be shaken")
	}))
}

// touched is met while the back was touched for longer than a time; exactly that long is not enough.
func (r *reader) touched() Condition { return newTouched(r.seconds("minTouchTime")) }

func newTouched(limit time.Duration) *leaf {
	return newLeaf("RobotTouched",
		func(v *View, f *facts) {
			*f = facts{q: v.World.Touch.Quality, a: v.World.Body.Touched}
			if f.a {
				f.d = v.Now.Sub(v.World.Body.TouchedSince)
			}
		},
		func(f *facts) bool { return f.q == hardware.OK && f.a && f.d > limit },
		func(f *facts) (string, Values) {
			values := Values{{"touched_s", Elapsed(f.d)}, {"limit_s", limit.Seconds()}}
			switch {
			case f.q != hardware.OK:
				return noReading(hardware.Touch, f.q)
			case !f.a:
				return "not touched", values
			default:
				return "touched for " + Elapsed(f.d).String() + ", limit " + short(limit), values
			}
		}).needing(needOK(hardware.Touch, func(_ *facts, yes bool) string {
		return yesNo(yes, "touch the robot's back for more than "+short(limit), "take the hand off the robot's back")
	}))
}

// slackRad absorbs the rounding of degrees to radians at the limits, which are included.
const slackRad = 1e-9

func (r *reader) pitchInRange() Condition {
	return r.tilt("RobotPitchInRange", "minPitchThreshold_deg", "maxPitchThreshold_deg", func(v *View, f *facts) {
		*f = facts{q: v.World.IMU.Quality, x: v.World.IMU.Value.PitchRad}
	})
}

func (r *reader) rollInRange() Condition {
	return r.tilt("RobotRollInRange", "minRollThreshold_deg", "maxRollThreshold_deg", func(v *View, f *facts) {
		*f = facts{q: v.World.IMU.Quality, x: v.World.IMU.Value.RollRad}
	})
}

func (r *reader) tilt(name, lowKey, highKey string, read func(*View, *facts)) Condition {
	const deg = math.Pi / 180
	low, high := r.number(lowKey, -180, 180), r.number(highKey, -180, 180)
	r.ordered(highKey, high < low)
	return newLeaf(name, read,
		func(f *facts) bool { return f.q == hardware.OK && low*deg-slackRad <= f.x && f.x <= high*deg+slackRad },
		func(f *facts) (string, Values) {
			if f.q != hardware.OK {
				return noReading(hardware.IMU, f.q)
			}
			return fixed(f.x/deg) + "°", Values{{"deg", f.x / deg}, {"min_deg", low}, {"max_deg", high}}
		}).needing(needOK(hardware.IMU, func(f *facts, yes bool) string {
		what := strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(name, "Robot"), "InRange"))
		return must("the robot's "+what, yes, "be from "+fixed(low)+"° to "+fixed(high)+"°") + it(fixed(f.x/deg)+"°")
	}))
}
