package condition_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

// An object that is seen anew is reported when it is unknown, or notably elsewhere than at the last report of it.
// Rules: data/3.3y.
func TestObjectPositionIsReportedWhenItMovedNotably(t *testing.T) {
	const deg = math.Pi / 180
	r := newRig(t)
	c := r.parse(`{"conditionType": "ObjectPositionUpdated"}`)
	origin := uint64(1)
	see := func(at float64, id int, x, heading float64) {
		r.at(seconds(at))
		r.image(seconds(at))
		r.world.Body.Origin = origin
		r.world.Objects = []hardware.KnownObject{{ID: id, Kind: hardware.KindCube, Pose: hardware.Pose{XMM: x, HeadingRad: heading * deg}, Origin: origin, SeenAt: r.view.Now}}
	}
	for _, s := range []struct {
		at      float64
		id      int
		x, turn float64
		want    bool
		why     string
	}{
		{0, 1, 0, 0, true, "new"},
		{1, 1, 80, 0, false, "80 mm"},
		{2, 1, 81, 0, true, "81 mm from the report"},
		{3, 1, 20, 0, false, "61 mm from the newest report"},
		{4, 1, 20, 45, false, "45°"},
		{5, 1, 20, 46, true, "46°"},
		{6, 2, 20, 46, true, "another object"},
		{7, 1, 20, 46, false, "back to the first, unmoved"},
		{604, 1, 20, 46, false, "599 s later"},
		{605.1, 1, 20, 46, true, "more than 600 s later"},
	} {
		see(s.at, s.id, s.x, s.turn)
		if got := c.Met(r.view); got != s.want {
			t.Errorf("%s: got %v", s.why, got)
		}
		r.want(c, false) // the same sighting
	}
	origin++
	see(606, 1, 20, 46)
	r.want(c, true) // the place that it was compared with is lost
	r.quality(hardware.Vision, hardware.Stale)
	see(607, 1, 900, 0)
	r.want(c, false)
}

// Rules: data/3.3y.
func TestFacePositionIsReportedWhenItMovedNotably(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "FacePositionUpdated"}`)
	see := func(at, x, bearing float64) {
		r.at(seconds(at))
		r.image(seconds(at))
		r.world.Faces = []hardware.KnownFace{{ID: 1, XMM: x, BearingRad: bearing, SeenAt: r.view.Now}}
	}
	for _, s := range []struct {
		at, x, bearing float64
		want           bool
	}{{0, 500, 0, true}, {1, 580, 0, false}, {2, 581, 0, true}, {3, 581, 0.8, true}, {4, 581, 0.1, false}} {
		see(s.at, s.x, s.bearing)
		r.want(c, s.want, false)
	}
}

// What was seen long ago, or more than can be remembered, is bounded.
// Rules: data/3.3y.
func TestPositionsAreBounded(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "ObjectPositionUpdated"}`)
	for i := range 70 {
		r.at(time.Duration(i) * time.Second)
		r.image(time.Duration(i) * time.Second)
		r.world.Objects = []hardware.KnownObject{{ID: i, Kind: hardware.KindCube, SeenAt: r.view.Now}}
		r.want(c, true, false)
	}
	r.world.Objects[0].ID = 69
	r.want(c, false)
	r.world.Objects[0].ID = 0 // forgotten
	r.want(c, true)
}
