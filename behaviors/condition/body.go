package condition

import (
	"fmt"
	"math"
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

// noReading is the explanation of a fail direction.
func noReading(device string, q hardware.Quality) string { return device + " reading is " + q.String() }

// batteryLevel compares the coarse charge. A failed monitor counts as Low at once. A stale sample does not: the estimator decides when
// it is too old.
func (r *reader) batteryLevel() Condition {
	want := hardware.BatteryLevel(r.wordIndex("targetBatteryLevel", hardware.BatteryNames))
	return newLeaf("BatteryLevel("+want.String()+")",
		func(v *View) bool {
			if v.World.Battery.Quality == hardware.Failed {
				return want == hardware.BatteryLow
			}
			return v.World.Body.Battery == want
		},
		func(v *View) string {
			if v.World.Battery.Quality == hardware.Failed {
				return noReading(hardware.Battery, v.World.Battery.Quality) + ", taken as Low"
			}
			return "level is " + v.World.Body.Battery.String()
		})
}

// onCharger is met while the charger's contacts have power.
func (r *reader) onCharger() Condition {
	return newLeaf("OnCharger", onContacts, func(v *View) string {
		if !v.World.Snapshot.Charger.OK() {
			return noReading(hardware.Charger, v.World.Snapshot.Charger.Quality)
		}
		return yesNo(v.World.Body.OnContacts, "on contacts", "off contacts")
	})
}

func onContacts(v *View) bool { return v.World.Snapshot.Charger.OK() && v.World.Body.OnContacts }

// onPlatform is met while the robot stands on the charger's platform or its contacts.
func (r *reader) onPlatform() Condition {
	return newLeaf("OnChargerPlatform",
		func(v *View) bool { return v.World.Body.OnPlatform || onContacts(v) },
		func(v *View) string {
			return yesNo(v.World.Body.OnPlatform || onContacts(v), "on the platform", "off the platform")
		})
}

// offTreads is met while the robot has been in one posture for a time within limits, both included. A negative minimum counts as zero.
// A negative maximum means no limit; zero means "since this tick".
func (r *reader) offTreads() Condition {
	want := hardware.Treads(r.wordIndex("targetState", hardware.TreadsNames))
	low := r.signed("minTimeSinceChange_ms", time.Millisecond, 0)
	high := r.signed("maxTimeSinceChange_ms", time.Millisecond, noLimit)
	r.ordered("maxTimeSinceChange_ms", high < low)
	return newLeaf("OffTreadsState("+want.String()+")",
		func(v *View) bool {
			age := v.Now.Sub(v.World.Body.TreadsSince)
			return v.World.IMU.OK() && v.World.Body.Treads == want && low <= age && age <= high
		},
		func(v *View) string {
			if !v.World.IMU.OK() {
				return noReading(hardware.IMU, v.World.IMU.Quality)
			}
			return fmt.Sprintf("%s for %s", v.World.Body.Treads, short(v.Now.Sub(v.World.Body.TreadsSince)))
		})
}

func (r *reader) pickedUp() Condition {
	return newLeaf("RobotPickedUp", pickedUp, func(v *View) string {
		if !v.World.IMU.OK() {
			return noReading(hardware.IMU, v.World.IMU.Quality)
		}
		return yesNo(v.World.Body.PickedUp, "picked up", "not picked up")
	})
}

func pickedUp(v *View) bool { return v.World.IMU.OK() && v.World.Body.PickedUp }

// shakenMMPS2 is the filtered acceleration at which the body estimator sets Body.Shaken, and the default threshold.
const shakenMMPS2 = 16000

// shaken is met while the robot is picked up and shaken. The filtered magnitude itself is not part of the world, so a
// threshold other than the estimator's is refined with the peak since the previous sample: a higher one must be reached
// by flag and peak, a lower one by either.
func (r *reader) shaken() Condition {
	limit := r.numberOr("minAccelMagnitudeThreshold", shakenMMPS2, 0, math.MaxFloat64)
	return newLeaf("RobotShaken",
		func(v *View) bool {
			flag := pickedUp(v) && v.World.Body.Shaken
			peak := pickedUp(v) && v.World.IMU.Value.PeakAccelMMPS2 >= limit
			switch {
			case limit > shakenMMPS2:
				return flag && peak
			case limit < shakenMMPS2:
				return flag || peak
			default:
				return flag
			}
		},
		func(v *View) string {
			if !v.World.IMU.OK() {
				return noReading(hardware.IMU, v.World.IMU.Quality)
			}
			return yesNo(pickedUp(v), "picked up", "not picked up") + ", peak " + fixed(v.World.IMU.Value.PeakAccelMMPS2) + " mm/s²"
		})
}

// touched is met while the back was touched for longer than a time; exactly that long is not enough.
func (r *reader) touched() Condition {
	limit := r.seconds("minTouchTime")
	return newLeaf("RobotTouched",
		func(v *View) bool {
			b := &v.World.Body
			return v.World.Touch.OK() && b.Touched && v.Now.Sub(b.TouchedSince) > limit
		},
		func(v *View) string {
			switch b := &v.World.Body; {
			case !v.World.Touch.OK():
				return noReading(hardware.Touch, v.World.Touch.Quality)
			case !b.Touched:
				return "not touched"
			default:
				return "touched for " + short(v.Now.Sub(b.TouchedSince)) + ", limit " + short(limit)
			}
		})
}

// slackRad absorbs the rounding of degrees to radians at the limits, which are included.
const slackRad = 1e-9

func (r *reader) pitchInRange() Condition {
	return r.tilt("RobotPitchInRange", "minPitchThreshold_deg", "maxPitchThreshold_deg",
		func(s *hardware.IMUState) float64 { return s.PitchRad })
}

func (r *reader) rollInRange() Condition {
	return r.tilt("RobotRollInRange", "minRollThreshold_deg", "maxRollThreshold_deg",
		func(s *hardware.IMUState) float64 { return s.RollRad })
}

func (r *reader) tilt(name, lowKey, highKey string, of func(*hardware.IMUState) float64) Condition {
	const deg = math.Pi / 180
	low, high := r.number(lowKey, -180, 180), r.number(highKey, -180, 180)
	r.ordered(highKey, high < low)
	return newLeaf(name,
		func(v *View) bool {
			a := of(&v.World.IMU.Value)
			return v.World.IMU.OK() && low*deg-slackRad <= a && a <= high*deg+slackRad
		},
		func(v *View) string {
			if !v.World.IMU.OK() {
				return noReading(hardware.IMU, v.World.IMU.Quality)
			}
			return fixed(of(&v.World.IMU.Value)/deg) + "°"
		})
}
