package condition_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Rules: 6.5/OnCharger, DT-C11, data/3.3k.
func TestOnChargerNeedsContacts(t *testing.T) {
	r := newRig(t)
	c, platform := r.parse(`{"conditionType": "OnCharger"}`), r.parse(`{"conditionType": "OnChargerPlatform"}`)
	r.want(c, false)
	r.world.Body.OnPlatform = true
	r.want(c, false)
	r.want(platform, true)
	r.world.Body.OnPlatform, r.world.Body.OnContacts = false, true
	r.want(c, true, true)
	r.want(platform, true) // includes the contacts
	r.world.Body.OnContacts = false
	r.want(c, false, false)
	r.want(platform, false)
}

// Rules: data/3.3l.
func TestBatteryLevelMatchesExactLevelOnly(t *testing.T) {
	r := newRig(t)
	for want, name := range hardware.BatteryNames {
		c := r.parse(fmt.Sprintf(`{"conditionType": "BatteryLevel", "targetBatteryLevel": %q}`, name))
		for is := range hardware.BatteryNames {
			r.world.Body.Battery = hardware.BatteryLevel(is)
			r.want(c, is == want)
		}
	}
}

// Rules: DT-C20, data/3.3m.
func TestOffTreadsStateInATimeRange(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "OffTreadsState", "targetState": "InAir", "minTimeSinceChange_ms": 500, "maxTimeSinceChange_ms": 2000}`)
	r.world.Body.Treads, r.world.Body.TreadsSince = hardware.InAir, r.when(time.Second)
	for ms, want := range map[int]bool{1499: false, 1500: true, 3000: true, 3001: false} {
		r.wantAt(c, time.Duration(ms)*time.Millisecond, want)
	}
	r.at(seconds(2))
	r.world.Body.Treads = hardware.OnTreads
	r.want(c, false)
}

// Rules: DT-C20, data/3.4g.
func TestOffTreadsStateLimitsBelowAndAtZero(t *testing.T) {
	r := newRig(t)
	r.world.Body.TreadsSince = r.when(0)
	negative := r.parse(`{"conditionType": "OffTreadsState", "targetState": "OnTreads", "minTimeSinceChange_ms": -5}`)
	none := r.parse(`{"conditionType": "OffTreadsState", "targetState": "OnTreads", "maxTimeSinceChange_ms": -1}`)
	now := r.parse(`{"conditionType": "OffTreadsState", "targetState": "OnTreads", "maxTimeSinceChange_ms": 0}`)
	r.want(negative, true)
	r.want(none, true)
	r.want(now, true)
	r.at(time.Hour)
	r.want(negative, true)
	r.want(none, true)
	r.want(now, false)
}

// Rules: data/3.3m.
func TestOffTreadsStateKnowsEveryState(t *testing.T) {
	r := newRig(t)
	for want, name := range hardware.TreadsNames {
		c := r.parse(fmt.Sprintf(`{"conditionType": "OffTreadsState", "targetState": %q}`, name))
		for is := range hardware.TreadsNames {
			r.world.Body.Treads = hardware.Treads(is)
			r.want(c, is == want)
		}
	}
}

// Rules: data/3.3n.
func TestRobotPickedUpFollowsBody(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "RobotPickedUp"}`)
	r.want(c, false)
	r.world.Body.PickedUp = true
	r.want(c, true)
}

// Rules: data/3.3n.
func TestRobotShakenNeedsToBePickedUp(t *testing.T) {
	const plain, low, high = `{"conditionType": "RobotShaken"}`,
		`{"conditionType": "RobotShaken", "minAccelMagnitudeThreshold": 12000}`,
		`{"conditionType": "RobotShaken", "minAccelMagnitudeThreshold": 20000}`
	for _, s := range []struct {
		src          string
		held, shaken bool
		peak         float64
		want         bool
	}{
		{plain, false, false, 30000, false},
		{plain, false, true, 30000, false},
		{plain, true, false, 30000, false},
		{plain, true, true, 0, true},
		{low, true, false, 11999, false},
		{low, true, false, 12000, true},
		{low, false, false, 12000, false},
		{low, true, true, 0, true},
		{high, true, true, 19999, false},
		{high, true, true, 20000, true},
		{high, true, false, 20000, false},
	} {
		r := newRig(t)
		c := r.parse(s.src)
		r.world.Body.PickedUp, r.world.Body.Shaken, r.world.IMU.Value.PeakAccelMMPS2 = s.held, s.shaken, s.peak
		if got := c.Met(r.view); got != s.want {
			t.Errorf("%+v: got %v", s, got)
		}
	}
}

// Rules: data/3.3n.
func TestRobotTouchedForLongerThanTheLimit(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "RobotTouched", "minTouchTime": 0.5}`)
	r.world.Body.TouchedSince = r.when(0)
	r.wantAt(c, seconds(2), false)
	r.world.Body.Touched = true
	r.wantAt(c, seconds(0.5), false)
	r.wantAt(c, seconds(0.5)+1, true)
}

// Rules: data/3.3n.
func TestPitchAndRollIncludeTheirLimits(t *testing.T) {
	const deg = math.Pi / 180
	r := newRig(t)
	pitch := r.parse(`{"conditionType": "RobotPitchInRange", "minPitchThreshold_deg": -20, "maxPitchThreshold_deg": 70.1}`)
	roll := r.parse(`{"conditionType": "RobotRollInRange", "minRollThreshold_deg": -20, "maxRollThreshold_deg": 70.1}`)
	for angle, want := range map[float64]bool{-20.01: false, -20: true, 0: true, 70.1: true, 70.11: false} {
		r.world.IMU.Value = hardware.IMUState{PitchRad: angle * deg, RollRad: 1.5}
		r.want(pitch, want)
		r.want(roll, false)
		r.world.IMU.Value = hardware.IMUState{PitchRad: 1.5, RollRad: angle * deg}
		r.want(pitch, false)
		r.want(roll, want)
	}
}

// Each case breaks one device under a condition that was met, or was not, and states the answer afterwards.
// Rules: data/3.1j.
func TestFailedDeviceFallsInItsFailDirection(t *testing.T) {
	all := func(r *rig) { // a state in which every condition of the table is met
		r.world.Body = hardware.Body{
			PickedUp: true, Shaken: true, Touched: true, OnContacts: true, OnPlatform: true, Treads: hardware.InAir,
			Battery: hardware.BatteryFull, TouchedSince: r.when(-time.Minute), TreadsSince: r.when(-time.Minute),
		}
		r.world.Range.Value = hardware.RangeState{DistanceMM: 100, Found: true}
		r.world.Faces = []hardware.KnownFace{{ID: 1, SeenAt: r.view.Now}}
		r.world.Objects = []hardware.KnownObject{{ID: 1, Kind: hardware.KindCube, SeenAt: r.view.Now}}
		r.image(0)
	}
	for _, s := range []struct {
		device, src string
		good, bad   bool
	}{
		{hardware.Cliff, `{"conditionType": "CliffDetected"}`, false, true},
		{hardware.Cliff, `{"conditionType": "CliffDetected", "numCliffDetectionsToTrigger": 4}`, false, true},
		{hardware.Cliff, `{"conditionType": "CliffDetected", "shouldDetectNoCliffs": true}`, true, false},
		{hardware.Range, `{"conditionType": "ProxInRange", "maxProxDist_mm": 200}`, true, false},
		{hardware.Range, `{"conditionType": "ProxInRange", "minProxDist_mm": 200, "invalidSensorReturn": true}`, false, true},
		{hardware.Charger, `{"conditionType": "OnCharger"}`, true, false},
		{hardware.Charger, `{"conditionType": "OnChargerPlatform"}`, true, true},
		{hardware.IMU, `{"conditionType": "OffTreadsState", "targetState": "InAir"}`, true, false},
		{hardware.IMU, `{"conditionType": "RobotPickedUp"}`, true, false},
		{hardware.IMU, `{"conditionType": "RobotShaken"}`, true, false},
		{hardware.IMU, `{"conditionType": "RobotPitchInRange", "minPitchThreshold_deg": -1, "maxPitchThreshold_deg": 1}`, true, false},
		{hardware.IMU, `{"conditionType": "RobotRollInRange", "minRollThreshold_deg": -1, "maxRollThreshold_deg": 1}`, true, false},
		{hardware.Touch, `{"conditionType": "RobotTouched", "minTouchTime": 1}`, true, false},
		{hardware.Vision, `{"conditionType": "FaceKnown"}`, true, false},
		{hardware.Vision, `{"conditionType": "ObjectInitialDetection", "objectTypes": ["cube"], "firstTimeOnly": false}`, true, false},
		{hardware.Vision, `{"conditionType": "ObjectKnown", "objectTypes": ["cube"], "maxAge_ms": 0}`, true, false},
		{hardware.Vision, `{"conditionType": "ObjectKnown", "objectTypes": ["cube"], "maxAge_ms": 10}`, true, true},
		{hardware.Vision, `{"conditionType": "ObjectKnown", "objectTypes": ["cube"]}`, true, true},
	} {
		for _, q := range []hardware.Quality{hardware.OK, hardware.Stale, hardware.Failed, hardware.Absent} {
			r := newRig(t)
			all(r)
			c := r.parse(s.src)
			r.quality(s.device, q)
			want := s.bad
			if q == hardware.OK {
				want = s.good
			}
			if got := c.Met(r.view); got != want {
				t.Errorf("%s, %s %s: got %v, want %v", s.src, s.device, q, got, want)
			}
		}
	}
}

// Rules: data/3.3t.
func TestDeviceFailedForEveryDevice(t *testing.T) {
	for _, device := range hardware.Names {
		r := newRig(t)
		c := r.parse(fmt.Sprintf(`{"conditionType": "DeviceFailed", "device": %q}`, device))
		r.want(c, false)
		for _, q := range []hardware.Quality{hardware.Absent, hardware.Failed, hardware.Stale} {
			r.quality(device, q)
			r.want(c, true)
		}
		for _, other := range hardware.Names {
			r.quality(other, hardware.Failed)
		}
		r.quality(device, hardware.OK)
		r.want(c, false)
	}
}

// A failed monitor is Low at once; a stale sample leaves the decision to the estimator.
// Rules: data/3.1j, data/3.3l.
func TestBatteryLevelFollowsTheEstimatorUnlessTheMonitorFailed(t *testing.T) {
	r := newRig(t)
	low, full := r.parse(`{"conditionType": "BatteryLevel", "targetBatteryLevel": "Low"}`), r.parse(`{"conditionType": "BatteryLevel", "targetBatteryLevel": "Full"}`)
	r.view.World.Body.Battery = hardware.BatteryFull
	for _, q := range []hardware.Quality{hardware.OK, hardware.Stale, hardware.Absent} {
		r.quality(hardware.Battery, q)
		if low.Met(r.view) || !full.Met(r.view) {
			t.Errorf("%v: not what the estimator says", q)
		}
	}
	r.quality(hardware.Battery, hardware.Failed)
	if !low.Met(r.view) || full.Met(r.view) {
		t.Error("failed: not Low")
	}
}
