package condition_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

// see puts an object into the newest image, taken now.
func (r *rig) see(id int, kind string) {
	r.world.Vision.Value.CapturedAt = r.view.Now
	for i := range r.world.Objects {
		if r.world.Objects[i].ID == id {
			r.world.Objects[i].SeenAt = r.view.Now
			return
		}
	}
	r.world.Objects = append(r.world.Objects, hardware.KnownObject{
		ID: id, Kind: kind, Origin: r.world.Body.Origin, SeenAt: r.view.Now,
	})
}

// Rules: data/3.3q.
func TestObjectKnownOfAKindWithAPlace(t *testing.T) {
	r := newRig(t)
	cube, either := r.parse(`{"conditionType": "ObjectKnown", "objectTypes": ["cube"]}`), r.parse(`{"conditionType": "ObjectKnown", "objectTypes": ["charger", "cube"]}`)
	r.want(cube, false)
	r.want(either, false)
	r.see(1, hardware.KindCharger)
	r.want(cube, false)
	r.want(either, true, true)
	r.see(2, hardware.KindCube)
	r.wantAt(cube, time.Hour, true)
	r.world.Body.Origin++ // the robot lost its place, and so the objects theirs
	r.want(cube, false)
	r.want(either, false)
}

// Rules: data/3.3q.
func TestObjectKnownWithAMaximumAge(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "ObjectKnown", "objectTypes": ["cube"], "maxAge_ms": 1500}`)
	r.see(1, hardware.KindCube)
	r.want(c, true, true)
	r.wantAt(c, seconds(1.5), true)
	r.wantAt(c, seconds(1.5)+1, false)
}

const cubeThisTick = `{"conditionType": "ObjectKnown", "objectTypes": ["cube"], "maxAge_ms": 0}`

// Rules: data/3.3q, data/3.4f.
func TestObjectKnownThisTickIsMetOncePerSighting(t *testing.T) {
	r := newRig(t)
	c := r.parse(cubeThisTick)
	r.see(1, hardware.KindCube)
	r.want(c, true, false)
	r.wantAt(c, seconds(0.06), false) // a tick later, still the same image
	r.at(seconds(0.2))
	r.see(1, hardware.KindCube)
	r.want(c, true, false)
	r.at(seconds(0.3))
	r.see(1, hardware.KindCube)
	r.see(2, hardware.KindCube)
	r.want(c, true, false) // both sightings at once
}

// Rules: data/3.3q.
func TestObjectKnownThisTickIgnoresOldImages(t *testing.T) {
	r := newRig(t)
	c := r.parse(cubeThisTick)
	r.see(1, hardware.KindCube)
	r.wantAt(c, seconds(0.501), false) // no image since: the camera rests

	r = newRig(t)
	c = r.parse(cubeThisTick)
	r.see(1, hardware.KindCube)
	r.wantAt(c, seconds(0.5), true) // it was slow to arrive

	r = newRig(t)
	c = r.parse(cubeThisTick)
	r.see(1, hardware.KindCube)
	r.at(seconds(0.1))
	r.image(seconds(0.1)) // a newer image without it
	r.want(c, false)
	r.at(seconds(0.2))
	r.see(1, hardware.KindCube)
	r.want(c, true)
}

// Rules: data/3.1e.
func TestSetActiveForgetsSightings(t *testing.T) {
	r := newRig(t)
	c := r.parse(cubeThisTick)
	r.see(1, hardware.KindCube)
	r.want(c, true, false)
	c.SetActive(r.view, true)
	r.want(c, true, false)
}

// Rules: data/3.3r.
func TestObjectInitialDetectionFirstTimeOnly(t *testing.T) {
	r := newRig(t)
	first := r.parse(`{"conditionType": "ObjectInitialDetection", "objectTypes": ["cube"], "firstTimeOnly": true}`)
	every := r.parse(`{"conditionType": "ObjectInitialDetection", "objectTypes": ["cube"], "firstTimeOnly": false}`)
	sighting := func(at float64, id int, wantFirst bool) {
		t.Helper()
		r.at(seconds(at))
		r.see(id, hardware.KindCube)
		r.want(first, wantFirst, false)
		r.want(every, true, false)
	}
	sighting(0, 1, true)
	sighting(1, 1, false)
	sighting(2, 2, true)
	sighting(3, 1, false)
	first.SetActive(r.view, true)
	sighting(4, 1, true)
}

// Rules: data/3.3r.
func TestObjectSeenTooLateIsReportedAtNextSighting(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "ObjectInitialDetection", "objectTypes": ["cube"], "firstTimeOnly": true}`)
	r.see(1, hardware.KindCube)
	r.wantAt(c, seconds(10), false)
	r.see(1, hardware.KindCube)
	r.want(c, true, false)
}

// Rules: data/3.3r.
func TestSightingsAreBounded(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "ObjectInitialDetection", "objectTypes": ["cube"], "firstTimeOnly": true}`)
	for id := range 500 {
		r.at(time.Duration(id) * time.Second)
		r.world.Objects = nil
		r.see(id, hardware.KindCube)
		r.want(c, true, false)
	}
	r.at(time.Hour)
	r.world.Objects = nil
	r.see(499, hardware.KindCube)
	r.want(c, false) // among the newest, so remembered
	r.see(0, hardware.KindCube)
	r.want(c, true) // forgotten
}
