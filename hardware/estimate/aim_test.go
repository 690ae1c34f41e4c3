package estimate_test

import (
	"math"
	"testing"

	"github.com/robotd/robotd/hardware"
)

const deg = math.Pi / 180

// nod puts the head at an angle, and tells a distance by a sensor on it; 0 is silence.
func (y *script) nod(head, mm float64) {
	y.set(hardware.Servos, hardware.ServoState{HeadRad: head})
	r := hardware.RangeState{DistanceMM: 3000, FrontMM: 115, ConeRad: 15 * deg, OnHead: true}
	if mm > 0 {
		r.DistanceMM, r.Found = mm, mm < 400
	}
	y.set(hardware.Range, r)
}

func TestSilenceCountsOnlyWhereTheSensorLooksAhead(t *testing.T) {
	y := newScript()
	check := func(why string, q hardware.Quality, ahead bool, aside ...string) {
		t.Helper()
		if len(aside) > 0 && y.w.RangeAside != aside[0] || q == hardware.OK && y.w.RangeAside != "" {
			t.Errorf("%s: it is said that %q", why, y.w.RangeAside)
		}
		if y.w.Range.Quality != q || y.w.Body.CanFeelAhead != ahead {
			t.Errorf("%s: a reading that is %v, and looks ahead: %v", why, y.w.Range.Quality, y.w.Body.CanFeelAhead)
		}
	}
	nod := func(head, mm float64) {
		y.nod(head, mm)
		y.tick()
	}
	nod(7*deg, 0)
	check("nobody ever saw the head up", hardware.OK, true)
	nod(8*deg, 0)
	check("more than half of the cone is above the level", hardware.Stale, false, "the head looks up")
	nod(8*deg, 200)
	check("an echo with the head up", hardware.OK, false)
	if r := y.w.Range.Value; !r.Found || r.DistanceMM != 200 {
		t.Errorf("the echo: %+v", r)
	}
	y.nod(7*deg, 0)
	for range 20 { // no measurement ends
		y.tick()
	}
	check("the first reading since it is down was triggered before", hardware.Stale, false)
	nod(7*deg, 0)
	check("the middle of three may be of before", hardware.Stale, false, "the head has just come to the level")
	nod(7*deg, 0)
	check("down for three readings", hardware.OK, true)
	nod(-8*deg, 0)
	check("at the floor", hardware.Stale, false, "the head looks down")
	nod(-8*deg, 120)
	check("the floor itself", hardware.Stale, false)
	for range 3 {
		nod(-7*deg, 120)
	}
	check("ahead again", hardware.OK, true)
	nod(math.NaN(), 0)
	check("an angle that is none", hardware.Stale, false)
	for range 3 {
		nod(0, 0)
	}
	check("an angle again", hardware.OK, true)
	y.s.Put(&hardware.Sample{Device: hardware.Servos, Quality: hardware.Stale})
	y.tick()
	check("the servos are late", hardware.OK, true)
	y.fail(hardware.Servos)
	y.tick()
	check("nobody knows where the head is", hardware.Stale, false)

	y = newScript()
	y.set(hardware.Servos, hardware.ServoState{HeadRad: 40 * deg})
	y.set(hardware.Range, hardware.RangeState{DistanceMM: 1200, FrontMM: 35, ConeRad: 12 * deg})
	y.tick()
	check("a sensor that does not nod", hardware.OK, true)
	y.fail(hardware.Range)
	y.tick()
	check("a sensor that failed", hardware.Failed, false)
}

// A head that nods lets what it looks over come and go.
func TestNothingIsSuddenBecauseTheHeadNods(t *testing.T) {
	y := newScript()
	look := func(head, mm float64) {
		for range 10 {
			y.nod(head, mm)
			y.tick()
		}
	}
	look(0, 300)
	look(30*deg, 0)
	look(30*deg, 150)
	look(0, 100)
	if b := y.w.Body; !b.ObstacleAt.IsZero() || !b.RangeAt.IsZero() {
		t.Errorf("sudden at %v, moved at %v", b.ObstacleAt, b.RangeAt)
	}
	look(0, 0)
	if y.w.Body.RangeAt.IsZero() {
		t.Error("with the head level nothing is told either")
	}
}

// nodding drives on with the head somewhere towards something mm ahead of the sensor, or silence.
func (y *wheeled) nodding(head, mm, way float64) {
	for d := 5.0; d <= way; d += 5 {
		if y.nod(head, 0); mm > 0 {
			y.nod(head, mm-d)
		}
		y.step(5, 0)
	}
}

func TestMapIsDrawnWithTheHeadLevel(t *testing.T) {
	y := newWheeled()
	y.nodding(30*deg, 250, 100)
	y.none(t, hardware.MarkObstacle, "the echo may be of something high")
	y.nodding(0, 300, 150)
	m := y.place(t, hardware.MarkObstacle, 115+100+300, 0, 15)
	if want := 150 * math.Tan(15*deg); m.RadiusMM < want || m.RadiusMM > 2*want {
		t.Errorf("half a cone of 15° is %.0f mm wide there, not %.0f", want, m.RadiusMM)
	}
	y.nodding(30*deg, 0, 40)
	y.place(t, hardware.MarkObstacle, 115+100+300, 0, 15)
	y.nodding(0, 0, 45)
	y.none(t, hardware.MarkObstacle, "it is gone, and the head is level")
}

// A wide cone does not tell where in it something is.
func TestMarkIsAsWideAsTheCone(t *testing.T) {
	radius := func(cone float64) float64 {
		y := newWheeled()
		for d := 300.0; d > 200; d -= 5 {
			y.set(hardware.Range, hardware.RangeState{Found: true, DistanceMM: d - 5, FrontMM: 35, ConeRad: cone})
			y.step(5, 0)
		}
		return y.place(t, hardware.MarkObstacle, 335, 0, 10).RadiusMM
	}
	if more, want := radius(0.4)-radius(0.1), 200*(math.Tan(0.4)-math.Tan(0.1)); more < want || more > 1.35*want { // it was farther away at first
		t.Errorf("a cone of 0.4 rad makes a mark %.0f mm wider than one of 0.1, want about %.0f", more, want)
	}
}

// A sonar hears nothing of what touches it nearly: that does not say that it is gone.
func TestWhatIsTooNearForTheSensorIsNotSeenThrough(t *testing.T) {
	y := newWheeled()
	y.nodding(0, 200, 180)
	y.nodding(0, 0, 15)
	y.place(t, hardware.MarkObstacle, 115+200, 0, 15)
}
