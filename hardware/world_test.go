package hardware_test

import (
	"math"
	"testing"

	"github.com/robotd/robotd/hardware"
)

func TestAheadIsBeforeTheFront(t *testing.T) {
	nose := hardware.Outline{FrontMM: 120, BackMM: 100, WidthMM: 150}
	for _, c := range []struct {
		why   string
		body  hardware.Outline
		r     hardware.RangeState
		q     hardware.Quality
		mm    float64
		found bool
	}{
		{"the reference robot", hardware.Outline{}, hardware.RangeState{Found: true, DistanceMM: 70.1}, hardware.OK, 70.1, true},
		{"behind the front", nose, hardware.RangeState{Found: true, DistanceMM: 70, FrontMM: 100, ConeRad: 0.2}, hardware.OK, 50, true},
		{"behind the axle", nose, hardware.RangeState{Found: true, DistanceMM: 200, FrontMM: -20, ConeRad: 0.2}, hardware.OK, 60, true},
		{"before the front, where it is met first", nose, hardware.RangeState{Found: true, DistanceMM: 70, FrontMM: 150, ConeRad: 0.2}, hardware.OK, 70, true},
		{"nothing", nose, hardware.RangeState{DistanceMM: 1200}, hardware.OK, 0, false},
		{"no good reading", nose, hardware.RangeState{Found: true, DistanceMM: 70}, hardware.Stale, 0, false},
	} {
		var w hardware.World
		w.Motors.Value.Body, w.Range.Value, w.Range.Quality = c.body, c.r, c.q
		if mm, found := w.Ahead(); mm != c.mm || found != c.found {
			t.Errorf("%s: %v mm, %v; want %v, %v", c.why, mm, found, c.mm, c.found)
		}
	}
}

// A sensor may be behind the axle, as on a turret in the middle. Old recordings tell no cone, and nothing if they are of the reference robot.
func TestPlaceAndConeOfTheDistanceSensor(t *testing.T) {
	for _, c := range []struct {
		state       hardware.RangeState
		front, cone float64
	}{
		{hardware.RangeState{}, 35, hardware.R1ConeRad},
		{hardware.RangeState{FrontMM: 50}, 50, hardware.R1ConeRad},
		{hardware.RangeState{ConeRad: 0.26}, 0, 0.26},
		{hardware.RangeState{FrontMM: -20, ConeRad: 0.26}, -20, 0.26},
	} {
		if f, a := c.state.Front(), c.state.Cone(); f != c.front || a != c.cone {
			t.Errorf("%+v: %v mm before the axle, cone %v rad", c.state, f, a)
		}
	}
}

// An angle is wrapped the same way whether or not it needs a division.
func TestWrapRadTakesWholeTurnsAway(t *testing.T) {
	slow := func(a float64) float64 {
		switch a = math.Mod(a, 2*math.Pi); {
		case a > math.Pi:
			return a - 2*math.Pi
		case a <= -math.Pi:
			return a + 2*math.Pi
		}
		return a
	}
	for n := -40; n <= 40; n++ {
		a := float64(n) * math.Pi / 4
		for _, a := range []float64{a, math.Nextafter(a, 99), math.Nextafter(a, -99), a + 0.1} {
			if got := hardware.WrapRad(a); got != slow(a) || got <= -math.Pi || got > math.Pi {
				t.Errorf("%v is wrapped to %v, want %v", a, got, slow(a))
			}
		}
	}
}
