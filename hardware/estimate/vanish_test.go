package estimate_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// cubeAhead is cube 7 at a distance straight ahead.
func cubeAhead(mm float64) hardware.Object {
	return hardware.Object{ID: 7, Kind: hardware.KindCube, DistanceMM: mm}
}

// images lets n images come, one every 120 ms, each with these objects.
func (y *wheeled) images(n int, objects ...hardware.Object) {
	for range n {
		y.set(hardware.Vision, hardware.Detections{CapturedAt: y.s.Now, Objects: objects})
		y.step(0, 0)
		y.step(0, 0)
	}
}

func (y *wheeled) knows(id int) bool {
	_, ok := y.w.Object(id)
	return ok
}

// looking is a robot that looks for markers and saw cube 7.
func looking(o hardware.Object) *wheeled {
	y := newLooker()
	y.e.Looking(true, y.s.Now)
	y.images(12, o)
	return y
}

// Rules: LOOK-9.
func TestCubeMissingInSeveralImagesIsForgotten(t *testing.T) {
	y := looking(cubeAhead(300))
	y.images(7)
	if !y.knows(7) {
		t.Fatal("forgotten after seven images")
	}
	y.images(20)
	if y.knows(7) {
		t.Error("never forgotten")
	}
	y.images(1, cubeAhead(320))
	if !y.knows(7) {
		t.Error("not known although seen again")
	}
}

// Rules: LOOK-9.
func TestCubeSeenNowAndThenIsKept(t *testing.T) {
	y := looking(cubeAhead(300))
	for range 10 {
		y.images(6)
		y.images(1, cubeAhead(300))
	}
	if !y.knows(7) {
		t.Error("forgotten")
	}
}

// Rules: LOOK-9.
func TestCubeThatCannotBeSeenIsNotMissed(t *testing.T) {
	for name, c := range map[string]struct {
		o      hardware.Object
		change func(y *wheeled)
		images []hardware.Object
	}{
		"beside the view": {o: hardware.Object{ID: 7, Kind: hardware.KindCube, DistanceMM: 300, BearingRad: 0.5}},
		"too near":        {o: cubeAhead(90)},
		"too far":         {o: cubeAhead(700)},
		"hidden":          {o: cubeAhead(300), images: []hardware.Object{{ID: 8, Kind: hardware.KindCube, DistanceMM: 150, BearingRad: 0.05}}},
		"the charger":     {o: hardware.Object{ID: 7, Kind: hardware.KindCharger, DistanceMM: 300}},
		"not looked for":  {o: cubeAhead(300), change: func(y *wheeled) { y.e.Looking(false, y.s.Now) }},
		"head up":         {o: cubeAhead(300), change: func(y *wheeled) { y.set(hardware.Servos, hardware.ServoState{HeadRad: 0.5}) }},
	} {
		y := looking(c.o)
		if c.change != nil {
			c.change(y)
		}
		y.images(40, c.images...)
		if !y.knows(7) {
			t.Errorf("%s: forgotten", name)
		}
	}
}

// Rules: LOOK-9.
func TestCubeOnTheLiftHidesAndIsNotMissed(t *testing.T) {
	y := looking(cubeAhead(300))
	for range 40 {
		y.set(hardware.Vision, hardware.Detections{CapturedAt: y.s.Now, Carrying: true})
		y.step(0, 0)
		y.step(0, 0)
	}
	if !y.knows(7) {
		t.Error("forgotten")
	}
}

// Rules: LOOK-9.
func TestCubeNotSeenForTenMinutesIsForgotten(t *testing.T) {
	y := looking(hardware.Object{ID: 7, Kind: hardware.KindCube, DistanceMM: 300, BearingRad: 1})
	y.images(1, hardware.Object{ID: 9, Kind: hardware.KindCharger, DistanceMM: 300, BearingRad: -1})
	for begin := y.s.Now; y.s.Now.Sub(begin) < 9*time.Minute+55*time.Second; {
		y.step(0, 0)
	}
	if !y.knows(7) {
		t.Fatal("forgotten too early")
	}
	for begin := y.s.Now; y.s.Now.Sub(begin) < 10*time.Second; {
		y.step(0, 0)
	}
	if y.knows(7) || !y.knows(9) {
		t.Errorf("cube known %v, charger known %v", y.knows(7), y.knows(9))
	}
}

// Rules: LOOK-9.
func TestCubeThatAPersonTookFromUnderTheEyesIsForgottenWithinThreeSeconds(t *testing.T) {
	r := newRobot(t, sim.Options{Seed: 5, StartOffCharger: true})
	r.Rig.Place(-200, 0, 0)
	r.e.Looking(true, r.Clock.Now())
	if !r.Rig.MoveCube(2, 60, 0, 0) {
		t.Fatal("no room for the cube")
	}
	r.live(6 * time.Second)
	if _, ok := r.w.Object(sim.ObjectID(2)); !ok {
		t.Fatalf("it does not see the cube; it knows %+v", r.w.Objects)
	}
	if !r.Rig.MoveCube(2, -200, 150, 0) && !r.Rig.MoveCube(2, -200, -150, 0) {
		t.Fatal("no room beside the robot")
	}
	r.live(3 * time.Second)
	if o, ok := r.w.Object(sim.ObjectID(2)); ok {
		t.Errorf("it still knows %+v", o)
	}
}

// posted lets n images of two cameras come, one every 120 ms.
func (y *wheeled) posted(n int, own hardware.Image, others ...hardware.Image) {
	for range n {
		d := hardware.Detections{CapturedAt: y.s.Now, Posted: true, Objects: own.Objects}
		own.Source, own.CapturedAt = 1, y.s.Now
		for _, o := range others {
			d.Images, d.Objects = append(d.Images, o), append(d.Objects, o.Objects...)
		}
		d.Images = append(d.Images, own)
		y.set(hardware.Vision, d)
		y.step(0, 0)
		y.step(0, 0)
	}
}

// Rules: LOOK-9.
func TestCameraThatLooksForFacesOnlyMissesNoCube(t *testing.T) {
	y := looking(cubeAhead(300))
	y.posted(40, hardware.Image{NoMarkers: true})
	if !y.knows(7) {
		t.Error("forgotten by a camera that does not look for cubes")
	}
	y.posted(40, hardware.Image{}, hardware.Image{Source: 2, CapturedAt: y.s.Now, Objects: []hardware.Object{cubeAhead(300)}})
	if !y.knows(7) {
		t.Error("forgotten although another camera shows it")
	}
	y.posted(40, hardware.Image{})
	if y.knows(7) {
		t.Error("never forgotten")
	}
}
