package estimate_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

// image lets an image come that was taken just now.
func (y *wheeled) image() *hardware.Views {
	y.set(hardware.Vision, hardware.Detections{CapturedAt: y.s.Now})
	y.step(0, 0)
	return y.w.Views
}

func newLooker() *wheeled {
	y := newWheeled()
	y.set(hardware.Servos, hardware.ServoState{LiftMM: 32})
	return y
}

func count(v *hardware.Views) int {
	if v == nil {
		return 0
	}
	return len(v.All)
}

// Rules: LOOK-8.
func TestViewIsWhereTheRobotStoodAndLooked(t *testing.T) {
	y := newLooker()
	if v := y.image(); count(v) != 1 || v.All[0].HeadingRad != 0 {
		t.Fatalf("views %+v", v)
	}
	for range 20 {
		y.step(0, 0.05)
	}
	if v := y.image(); count(v) != 2 || math.Abs(v.All[1].HeadingRad-1) > 0.05 {
		t.Errorf("views %+v", v)
	}
	y.ahead(100)
	if v := y.image(); count(v) != 3 || math.Hypot(v.All[2].XMM, v.All[2].YMM) < 80 {
		t.Errorf("views %+v", v)
	}
}

// Rules: LOOK-8.
func TestLookInMotionOrWithTheHeadUpIsNoView(t *testing.T) {
	y := newLooker()
	y.set(hardware.Vision, hardware.Detections{CapturedAt: y.s.Now})
	y.step(5, 0)
	y.set(hardware.Servos, hardware.ServoState{HeadRad: 0.5})
	y.image()
	y.set(hardware.Servos, hardware.ServoState{HeadMoving: true})
	y.image()
	y.set(hardware.Servos, hardware.ServoState{})
	y.set(hardware.Vision, hardware.Detections{CapturedAt: y.s.Now, NoMarkers: true})
	y.step(0, 0)
	y.fail(hardware.Servos)
	if v := y.image(); count(v) != 0 {
		t.Errorf("views %+v", v)
	}
}

// A robot that rests changes nothing, and a look that is told again is the newest one.
// Rules: LOOK-8.
func TestSameViewIsOneView(t *testing.T) {
	y := newLooker()
	first := y.image()
	for range 30 {
		if y.image() != first {
			t.Fatal("it changed")
		}
	}
	for range 100 {
		y.image()
	}
	if v := y.w.Views; count(v) != 1 || v.Version > 4 || y.s.Now.Sub(v.All[0].At) > 6*time.Second {
		t.Errorf("views %+v", v)
	}
}

// Rules: LOOK-8, TRD-2.
func TestViewsAreForgottenWithTimeAndWithThePlace(t *testing.T) {
	y := newLooker()
	for range 60 {
		for range 5 {
			y.step(0, 0.06)
		}
		y.image()
	}
	if n := count(y.w.Views); n < 15 || n > 48 {
		t.Errorf("%d views of all around", n)
	}
	y.s.Now = y.s.Now.Add(4 * time.Minute)
	y.set(hardware.Motors, hardware.MotorState{LeftMM: y.left, RightMM: y.right})
	y.set(hardware.Servos, hardware.ServoState{LiftMM: 32})
	if v := y.image(); count(v) != 1 {
		t.Errorf("%d views after four minutes", count(v))
	}
	y.e.Delocalize()
	y.step(0, 0)
	if n := count(y.w.Views); n != 0 {
		t.Errorf("%d views after it lost its place", n)
	}
}
