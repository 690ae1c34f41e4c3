package condition_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// light lets a number of messages tell of the light, at an instant.
func (r *rig) light(at float64, l hardware.Light, messages uint64) {
	r.at(seconds(at))
	r.world.Around.Light = l
	r.world.Around.LightSeq += messages
}

const lightsOut = `{"conditionType": "IlluminationDetected", "preTriggerStates": ["Illuminated"], "preConfirmationTime": 1, "preConfirmationMinNum": 3,
	"postTriggerStates": ["Darkened"], "postConfirmationTime": 0.5, "postConfirmationMinNum": 2, "matchHoldTime": 9}`

// The state before is confirmed by time and messages, then the one after; then the condition holds until the state is lost, or for the
// confirmation time: matchHoldTime is read only.
// Rules: data/3.3y.
func TestIlluminationConfirmsBothStates(t *testing.T) {
	type message struct {
		at    float64
		light hardware.Light
		n     uint64
		want  bool
	}
	const on, off = hardware.Illuminated, hardware.Darkened
	for name, life := range map[string][]message{
		"confirmed, held for the confirmation time": {
			{0, on, 1, false},
			{0.5, on, 1, false},
			{1.1, on, 1, false},
			{1.2, on, 1, false},
			{2, off, 1, false},
			{2.6, off, 1, true},
			{3.1, off, 1, true},
			{3.2, off, 1, false},
		},
		"lost":                       {{0, on, 1, false}, {0.5, on, 1, false}, {1.1, on, 1, false}, {2, off, 1, false}, {2.6, off, 1, true}, {2.7, on, 1, false}, {3.3, off, 1, false}},
		"exactly the time":           {{0, on, 1, false}, {0.5, on, 1, false}, {1, on, 1, false}, {1.1, off, 1, false}, {1.7, off, 1, false}},
		"too few messages":           {{0, on, 1, false}, {1.1, on, 1, false}, {1.2, off, 1, false}, {1.8, off, 1, false}},
		"no message":                 {{0, on, 1, false}, {1.1, on, 2, false}, {2, off, 1, false}, {2.6, off, 0, false}},
		"the other state in between": {{0, on, 1, false}, {0.5, off, 1, false}, {1.1, on, 2, false}, {1.2, off, 1, false}, {1.8, off, 1, false}},
		"lost while it is confirmed": {{0, on, 1, false}, {1.1, on, 2, false}, {2, off, 1, false}, {2.2, on, 1, false}, {2.6, off, 2, false}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			c := r.parse(lightsOut)
			r.want(c, false) // what was told before does not count
			for _, m := range life {
				r.light(m.at, m.light, m.n)
				r.want(c, m.want)
			}
		})
	}
}

// Without a list any state counts.
// Rules: data/3.3y.
func TestIlluminationWithoutStatesTakesAny(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "IlluminationDetected", "postTriggerStates": ["Illuminated"], "postConfirmationTime": 0.5, "postConfirmationMinNum": 1, "matchHoldTime": 0}`)
	r.want(c, false)
	for _, s := range []struct {
		at    float64
		light hardware.Light
		want  bool
	}{{0, hardware.Darkened, false}, {0.1, hardware.Darkened, false}, {0.2, hardware.Illuminated, false}, {0.8, hardware.Illuminated, true}} {
		r.light(s.at, s.light, 1)
		r.want(c, s.want)
	}
	c.SetActive(r.view, true)
	r.want(c, false)
}

// A condition that is met says what would end it.
// Rules: Q-16.
func TestMetConditionWithMemorySaysWhatWouldEndIt(t *testing.T) {
	for src, s := range map[string]struct {
		set  func(r *rig)
		want string
	}{
		lightsOut: {func(r *rig) {
			r.light(0, hardware.Illuminated, 3)
		}, "the light must change again, or wait"},
		`{"conditionType": "StuckOnEdge"}`: {func(r *rig) { r.edges(true, false, true, false) }, "the robot must not stand over an edge with two wheels"},
		`{"conditionType": "RobotPlacedOnSlope"}`: {func(r *rig) {
			r.world.Body.PickedUp, r.world.IMU.Value.PitchRad = true, 0.5
		}, "take the robot off the slope"},
	} {
		r := newRig(t)
		c := r.parse(`{"conditionType": "Compound", "not": ` + src + `}`)
		c.Met(r.view)
		s.set(r)
		c.Met(r.view)
		r.light(1.1, hardware.Illuminated, 1)
		c.Met(r.view)
		r.light(2, hardware.Darkened, 1)
		c.Met(r.view)
		r.light(2.6, hardware.Darkened, 1)
		r.want(c, false)
		if got := condition.Needs(condition.Notes(nil, c), nil); len(got) != 1 || got[0] != s.want {
			t.Errorf("%s: needs %q, want %q", src, got, s.want)
		}
		r.at(time.Hour)
	}
}
