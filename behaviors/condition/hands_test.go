package condition_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// Rules: data/3.3u.
func TestBeingHeldComparesFlagAndAge(t *testing.T) {
	r := newRig(t)
	held := r.parse(`{"conditionType": "BeingHeld", "shouldBeHeld": true, "minTimeSinceChange_ms": 500, "maxTimeSinceChange_ms": 2000}`)
	free := r.parse(`{"conditionType": "BeingHeld", "shouldBeHeld": false}`)
	at := r.parse(`{"conditionType": "BeingHeld", "shouldBeHeld": true, "maxTimeSinceChange_ms": 0}`)
	r.world.Body.Held, r.world.Body.HeldSince = true, r.when(time.Second)
	for _, s := range []struct {
		at   float64
		want bool
	}{{1.499, false}, {1.5, true}, {3, true}, {3.001, false}} {
		r.wantAt(held, seconds(s.at), s.want)
		r.want(free, false)
	}
	r.wantAt(at, time.Second, true)
	r.wantAt(at, seconds(1.001), false)
	r.world.Body.Held = false
	r.want(held, false)
	r.want(free, true)
	r.quality(hardware.IMU, hardware.Stale)
	r.want(free, false)
}

// On a palm the time counts from its begin, off it from the last moment on it; a robot that never was on one has no such time.
// Rules: data/3.3u.
func TestRobotHeldInPalmCountsFromBeginAndEnd(t *testing.T) {
	r := newRig(t)
	on := r.parse(`{"conditionType": "RobotHeldInPalm", "shouldBeHeldInPalm": true, "minDuration_s": 1, "maxDuration_s": 2}`)
	off := r.parse(`{"conditionType": "RobotHeldInPalm", "shouldBeHeldInPalm": false, "minDuration_s": 1, "maxDuration_s": 2}`)
	never := r.parse(`{"conditionType": "RobotHeldInPalm", "shouldBeHeldInPalm": false, "minDuration_s": 1}`)
	r.want(off, false)
	r.want(never, true)
	b := &r.world.Body
	b.InPalm, b.PalmSince = true, r.when(0)
	for _, s := range []struct {
		at   float64
		want bool
	}{{0.999, false}, {1, true}, {2, true}, {2.001, false}} {
		r.wantAt(on, seconds(s.at), s.want)
		r.want(off, false)
	}
	b.InPalm, b.PalmUntil = false, r.when(seconds(5))
	for _, s := range []struct {
		at   float64
		want bool
	}{{5.999, false}, {6, true}, {7, true}, {7.001, false}} {
		r.wantAt(off, seconds(s.at), s.want)
		r.want(on, false)
	}
	r.wantAt(off, seconds(6), true)
	r.quality(hardware.Cliff, hardware.Failed)
	r.want(off, false)
	if got := condition.Found(off).Text; got != "cliff reading is failed" {
		t.Errorf("said %q", got)
	}
}

// Rules: data/3.3u.
func TestRobotPokedCountsForItsTime(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "RobotPoked", "wasPokedRecentlyTimeThreshold_sec": 0.5}`)
	r.want(c, false)
	r.world.Body.PokedAt = r.when(time.Second)
	r.wantAt(c, time.Second, true)
	r.wantAt(c, seconds(1.5), true)
	r.wantAt(c, seconds(1.501), false)
}

// Rules: DT-C12, data/3.3u.
func TestRobotInHabitatFollowsBelief(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "RobotInHabitat"}`)
	for belief, want := range map[hardware.Habitat]bool{hardware.InHabitat: true, hardware.NotInHabitat: false, hardware.HabitatUnknown: false} {
		r.world.Around.Habitat = belief
		r.want(c, want)
	}
}

// edges sets which sensors see no floor: front left, front right, back left, back right.
func (r *rig) edges(fl, fr, bl, br bool) { r.world.Cliff.Value.Detected = [4]bool{fl, fr, bl, br} }

// Rules: data/3.3v.
func TestStuckOnEdgeNeedsExactlyOnePairOfSensors(t *testing.T) {
	const T, F = true, false
	for _, s := range []struct {
		edges          [4]bool
		picked, inPalm bool
		plain, palm    bool // without and with enableWhileHeldOnPalm
	}{
		{[4]bool{T, F, T, F}, F, F, T, T},
		{[4]bool{F, T, F, T}, F, F, T, T},
		{[4]bool{T, F, F, T}, F, F, T, T},
		{[4]bool{F, T, T, F}, F, F, T, T},
		{[4]bool{T, T, F, F}, F, F, F, F},
		{[4]bool{T, F, T, T}, F, F, F, F},
		{[4]bool{T, T, T, T}, F, F, F, F},
		{[4]bool{F, F, F, F}, F, F, F, F},
		{[4]bool{T, F, T, F}, T, F, F, F},
		{[4]bool{T, F, T, F}, T, T, F, T},
		{[4]bool{T, F, F, T}, T, T, F, F},
	} {
		r := newRig(t)
		r.edges(s.edges[0], s.edges[1], s.edges[2], s.edges[3])
		r.world.Body.PickedUp, r.world.Body.InPalm = s.picked, s.inPalm
		plain, palm := r.parse(`{"conditionType": "StuckOnEdge"}`), r.parse(`{"conditionType": "StuckOnEdge", "enableWhileHeldOnPalm": true}`)
		plain.Met(r.view)
		palm.Met(r.view)
		r.at(seconds(0.6))
		if got := [2]bool{plain.Met(r.view), palm.Met(r.view)}; got != [2]bool{s.plain, s.palm} {
			t.Errorf("%+v: got %v", s, got)
		}
	}
}

// The clock starts anew with each occurrence, also when the robot was not picked up in between.
// Rules: data/3.3v.
func TestStuckOnEdgeClockRestartsWithEachOccurrence(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "StuckOnEdge"}`)
	r.edges(true, false, true, false)
	r.wantAt(c, 0, false)
	r.wantAt(c, seconds(0.55), false)
	r.wantAt(c, seconds(0.551), true)
	r.edges(true, false, false, false)
	r.wantAt(c, seconds(0.6), false)
	r.edges(true, false, true, false)
	r.wantAt(c, seconds(0.7), false)
	r.wantAt(c, seconds(1.25), false)
	r.wantAt(c, seconds(1.251), true)
	c.SetActive(r.view, true)
	r.wantAt(c, seconds(1.3), false)
	r.quality(hardware.Cliff, hardware.Stale)
	r.wantAt(c, seconds(3), false)
}

// Rules: data/3.3v.
func TestRobotPlacedOnSlopeLiesStillAndWasInAHand(t *testing.T) {
	const deg = math.Pi / 180
	r := newRig(t)
	c := r.parse(`{"conditionType": "RobotPlacedOnSlope"}`)
	b, imu := &r.world.Body, &r.world.IMU.Value
	imu.PitchRad = 20 * deg
	r.want(c, false) // never in a hand
	b.PickedUp, b.Treads = true, hardware.InAir
	imu.GyroRadPS[1] = 0.6 * deg
	r.wantAt(c, time.Second, false)
	b.PickedUp, b.Treads, imu.GyroRadPS[1] = false, hardware.OnTreads, 0.5*deg
	r.wantAt(c, seconds(1.4), false)
	r.wantAt(c, seconds(1.401), true)
	for _, pitch := range []float64{10, 55, -20} {
		imu.PitchRad = pitch * deg
		r.want(c, false)
	}
	imu.PitchRad = 54.9 * deg
	r.want(c, true)
	b.Treads = hardware.OnBack
	r.want(c, false)
	b.Treads = hardware.OnTreads
	r.wantAt(c, seconds(3.499), true)
	r.wantAt(c, seconds(3.5), false)
}

// Rules: data/3.3w.
func TestUnexpectedMovementIsThatOfItsTick(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "UnexpectedMovement"}`)
	r.want(c, false)
	r.world.Body.Moved = true
	r.want(c, true, true)
	for _, device := range []string{hardware.IMU, hardware.Motors} {
		r.quality(device, hardware.Failed)
		r.want(c, false)
		r.quality(device, hardware.OK)
	}
	r.world.Body.Moved = false
	r.want(c, false)
}

// Rules: data/3.3w.
func TestObstacleDetectedWhileItIsSudden(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "ObstacleDetected"}`)
	r.want(c, false)
	r.world.Body.ObstacleAt = r.when(time.Second)
	r.wantAt(c, seconds(1.5), true)
	r.wantAt(c, seconds(1.501), false)
	r.quality(hardware.Range, hardware.Stale)
	r.wantAt(c, seconds(1.2), false)
}
