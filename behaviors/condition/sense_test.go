package condition_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Rules: DT-C21, data/3.3o.
func TestCliffDetectedCountsSensors(t *testing.T) {
	for src, want := range map[string][5]bool{
		`{"conditionType": "CliffDetected"}`:                                   {false, true, true, true, true},
		`{"conditionType": "CliffDetected", "numCliffDetectionsToTrigger": 3}`: {false, false, false, true, true},
		`{"conditionType": "CliffDetected", "numCliffDetectionsToTrigger": 4}`: {false, false, false, false, true},
		`{"conditionType": "CliffDetected", "shouldDetectNoCliffs": true}`:     {true, false, false, false, false},
		`{"conditionType": "CliffDetected", "shouldDetectNoCliffs": false}`:    {false, true, true, true, true},
	} {
		r := newRig(t)
		c := r.parse(src)
		for n := range want {
			r.cliffs(n)
			r.want(c, want[n])
		}
	}
}

// Rules: data/3.3o.
func TestCliffDurationComesFromTheBody(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "CliffDetected", "minDuration_ms": 500, "maxDuration_ms": 2000}`)
	r.cliffs(1)
	r.world.Body.CliffSince = r.when(time.Second)
	for _, s := range []struct {
		ms   int
		want bool
	}{{1499, false}, {1500, true}, {3000, true}, {3001, false}} {
		r.wantAt(c, time.Duration(s.ms)*time.Millisecond, s.want)
	}
}

// Rules: data/3.3o.
func TestCliffDurationOfSeveralSensorsCountsFromTheFirstEvaluation(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "CliffDetected", "numCliffDetectionsToTrigger": 2, "minDuration_ms": 500}`)
	r.world.Body.CliffSince = r.when(0)
	r.cliffs(1)
	r.wantAt(c, seconds(1), false)
	r.cliffs(2)
	r.wantAt(c, seconds(2), false)
	r.wantAt(c, seconds(2.4), false)
	r.wantAt(c, seconds(2.5), true)
	r.cliffs(1)
	r.wantAt(c, seconds(2.6), false)
	r.cliffs(2)
	r.wantAt(c, seconds(2.7), false)
	r.wantAt(c, seconds(3.2), true)

	r.world.Body.CliffSince = r.when(seconds(4)) // there was floor between two evaluations
	r.wantAt(c, seconds(4.4), false)
	r.wantAt(c, seconds(4.5), true)

	c.SetActive(r.view, false)
	c.SetActive(r.view, true)
	r.wantAt(c, seconds(6), false)
}

// Rules: data/3.3o.
func TestCliffDurationWithoutTheBodysInstant(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "CliffDetected", "minDuration_ms": 500}`)
	r.cliffs(1)
	r.want(c, false)
	r.wantAt(c, seconds(0.5), true)
}

// Rules: data/3.3o.
func TestNoCliffDurationCountsFromFirstEvaluation(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "CliffDetected", "shouldDetectNoCliffs": true, "minDuration_ms": 500, "maxDuration_ms": 900}`)
	r.want(c, false)
	r.wantAt(c, seconds(0.5), true)
	r.wantAt(c, seconds(0.9), true)
	r.wantAt(c, seconds(0.9)+1, false)
	r.cliffs(1)
	r.wantAt(c, seconds(1), false)
	r.cliffs(0)
	r.wantAt(c, seconds(1.1), false)
	r.wantAt(c, seconds(1.6), true)
}

// Rules: data/3.1j.
func TestCliffDurationWhileBlind(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "CliffDetected", "minDuration_ms": 500}`)
	r.world.Body.CliffSince = r.when(seconds(-100)) // an old value, which is not kept up
	r.quality(hardware.Cliff, hardware.Failed)
	r.want(c, false)
	r.wantAt(c, seconds(0.5), true)
}

// Rules: data/3.3p.
func TestProxInRangeIncludesItsLimits(t *testing.T) {
	const both, low, high, blind = `{"conditionType": "ProxInRange", "minProxDist_mm": 50, "maxProxDist_mm": 80}`,
		`{"conditionType": "ProxInRange", "minProxDist_mm": 50}`, `{"conditionType": "ProxInRange", "maxProxDist_mm": 80}`,
		`{"conditionType": "ProxInRange", "minProxDist_mm": 50, "invalidSensorReturn": true}`
	for _, s := range []struct {
		src   string
		found bool
		dist  float64
		want  bool
	}{
		{both, true, 49.9, false},
		{both, true, 50, true},
		{both, true, 80, true},
		{both, true, 80.1, false},
		{both, false, 60, false},
		{low, true, 49.9, false},
		{low, true, 400, true},
		{high, true, 80, true},
		{high, true, 81, false},
		{high, true, 0, true},
		{blind, false, 60, true},
		{blind, true, 40, false},
		{blind, true, 60, true},
	} {
		r := newRig(t)
		c := r.parse(s.src)
		r.world.Range.Value = hardware.RangeState{DistanceMM: s.dist, Found: s.found}
		if got := c.Met(r.view); got != s.want {
			t.Errorf("%+v: got %v", s, got)
		}
	}
}

// Rules: DT-C18, data/3.3s.
func TestFaceKnownByAgeAndDistance(t *testing.T) {
	r := newRig(t)
	conds := []struct {
		src  string
		want [3]bool // no face; new and near; old and far
	}{
		{`{"conditionType": "FaceKnown"}`, [3]bool{false, true, true}},
		{`{"conditionType": "FaceKnown", "maxFaceDist_mm": 400}`, [3]bool{false, true, false}},
		{`{"conditionType": "FaceKnown", "maxFaceAge_s": 10}`, [3]bool{false, true, true}},
		{`{"conditionType": "FaceKnown", "mustBeNamed": true}`, [3]bool{false, false, false}},
	}
	step := func(i int) {
		t.Helper()
		for _, c := range conds {
			if got := r.parse(c.src).Met(r.view); got != c.want[i] {
				t.Errorf("step %d, %s: got %v", i, c.src, got)
			}
		}
	}
	step(0)
	r.image(seconds(1))
	r.world.Faces = []hardware.KnownFace{{ID: 1, DistanceMM: 200, SeenAt: r.when(seconds(1))}}
	step(1)
	r.image(seconds(5))
	r.world.Faces[0].DistanceMM = 401
	step(2)
}

// Rules: data/3.3s.
func TestFaceDistanceIsStrictAndAgeIsNot(t *testing.T) {
	r := newRig(t)
	dist, age := r.parse(`{"conditionType": "FaceKnown", "maxFaceDist_mm": 400}`), r.parse(`{"conditionType": "FaceKnown", "maxFaceAge_s": 10}`)
	r.world.Faces = []hardware.KnownFace{{ID: 1, DistanceMM: 400, SeenAt: r.when(0)}}
	r.image(seconds(10))
	r.want(dist, false)
	r.want(age, true)
	r.world.Faces[0].DistanceMM = 399.9
	r.image(seconds(10) + 1)
	r.want(dist, true)
	r.want(age, false)
}

// Rules: data/3.3s.
func TestFaceLimitsAtAndBelowZero(t *testing.T) {
	r := newRig(t)
	r.world.Faces = []hardware.KnownFace{{ID: 1, SeenAt: r.when(-time.Hour)}}
	r.want(r.parse(`{"conditionType": "FaceKnown", "maxFaceDist_mm": -1, "maxFaceAge_s": -1}`), true)
	r.want(r.parse(`{"conditionType": "FaceKnown", "maxFaceDist_mm": 0}`), false)
	r.image(0)
	r.want(r.parse(`{"conditionType": "FaceKnown", "maxFaceAge_s": 0}`), false)
}

// Rules: data/3.4i.
func TestFaceDoesNotAgeWithoutNewImages(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "FaceKnown", "maxFaceAge_s": 10}`)
	r.world.Faces = []hardware.KnownFace{{ID: 1, SeenAt: r.when(0)}}
	r.image(seconds(1))
	r.wantAt(c, time.Hour, true)
}

// Rules: data/3.3s.
func TestOneFaceMustPassEveryTest(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "FaceKnown", "maxFaceDist_mm": 400, "mustBeNamed": true}`)
	r.world.Faces = []hardware.KnownFace{{ID: 1, DistanceMM: 100}, {ID: 2, Name: "Ada", DistanceMM: 900}}
	r.want(c, false)
	r.world.Faces = append(r.world.Faces, hardware.KnownFace{ID: 3, Name: "Bo", DistanceMM: 300})
	r.want(c, true)
}
