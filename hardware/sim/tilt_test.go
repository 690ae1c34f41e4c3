package sim

import (
	"math"
	"testing"
	"time"
)

// pitchOf is the pitch that a perfect sensor works out of gravity, in degrees.
func pitchOf(w *world) float64 {
	var x, z float64
	for range 50 { // against noise
		a, _ := w.inertial()
		x, z = x+a[0]-w.accel.x, z+a[2]
		w.n++
	}
	w.n -= 50
	return math.Atan2(x, z) * 180 / math.Pi
}

func TestRobotTiltsOnTheEdgeBeforeItFalls(t *testing.T) {
	for _, c := range []struct {
		name    string
		heading float64
		duty    float64
		want    float64 // sign of the pitch
	}{{"nose first", 0, 0.15, -1}, {"tail first", math.Pi, -0.15, 1}} {
		w := off(3)
		w.bare()
		w.place(pose(vec{560, 0}, c.heading))
		w.drive(c.duty, c.duty)
		void, most := int64(0), 0.0
		for w.mode == standing && w.n < 5000 {
			w.after(step)
			if void == 0 && min(w.cliffVolts(0), w.cliffVolts(2)) < 1 {
				void = w.n
				if math.Abs(pitchOf(w)) > 0.5 {
					t.Errorf("%s: tilts by %.1f° already when a sensor loses the floor", c.name, pitchOf(w))
				}
			}
			if w.mode == standing {
				most = max(most, c.want*pitchOf(w))
			}
		}
		if w.mode != fallen || void == 0 || most < 6 || most > 14 {
			t.Errorf("%s: mode %d, void at %d, tilted by at most %.1f°", c.name, w.mode, void, most)
		}
	}
}

func TestRobotThatBacksOffTheEdgeStandsLevelAgain(t *testing.T) {
	w := off(3)
	w.bare()
	w.place(pose(vec{611.5, 0}, 0)) // its center of mass is 1.5 mm beyond the edge
	if p := pitchOf(w); w.mode != standing || p > -4 || p < -8 {
		t.Fatalf("mode %d, pitch %.1f°", w.mode, p)
	}
	w.drive(-0.2, -0.2)
	w.after(time.Second)
	if p := pitchOf(w); w.mode != standing || math.Abs(p) > 0.5 {
		t.Errorf("mode %d, pitch %.1f°", w.mode, p)
	}
}

// The way on the charger's tongue lifts the tail by 7°; a robot that misses it by more than the window of the contacts stays level.
func TestChargerTiltsTheRobotThatBacksOntoIt(t *testing.T) {
	for seed := range uint64(4) {
		w := backOnto(seed, 0, 0)
		if !w.onContacts || math.Abs(pitchOf(w)+7) > 1 {
			t.Errorf("seed %d: contacts %v, pitch %.1f°", seed, w.onContacts, pitchOf(w))
		}
		if p := w.view().Robot.PitchRad * 180 / math.Pi; math.Abs(p-pitchOf(w)) > 1 {
			t.Errorf("seed %d: the view tells a pitch of %.1f°, it is %.1f°", seed, p, pitchOf(w))
		}
		if w := backOnto(seed, 14, 0); w.onContacts || math.Abs(pitchOf(w)) > 1 {
			t.Errorf("seed %d, 14 mm aside: contacts %v, pitch %.1f°", seed, w.onContacts, pitchOf(w))
		}
	}
	w := newWorld(Options{Seed: 1, Now: epoch})
	w.drive(0.4, 0.4)
	w.after(2 * time.Second)
	w.drive(0, 0)
	w.after(time.Second)
	if p := pitchOf(w); math.Abs(p) > 0.5 || !w.idle() && w.accel == (vec{}) {
		t.Errorf("after driving off: pitch %.1f°, idle %v", p, w.idle())
	}
}

func TestWheelsSlipMoreWithALoadAndOnCarpet(t *testing.T) {
	// off is the mean deviation of a way from what the wheels say, as a ratio.
	off := func(w *world) (sum float64) {
		for k := range int64(200) {
			w.n = k * slipSteps
			w.slip()
			sum += math.Abs(w.wheels[0].grip-1) / 200
		}
		return sum
	}
	plain, loaded := handWorld(), handWorld(ahead(30))
	loaded.pickUpAhead(30, 32)
	carpet := handWorld()
	carpet.opt.Slip = carpetSlip
	exact := newWorld(Options{Seed: 1, Now: epoch, Slip: -1})
	p, l, c, e := off(plain), off(loaded), off(carpet), off(exact)
	if l < 1.3*p || c < 1.8*p || p > 0.01 || e != 0 {
		t.Errorf("slip %.4f, with a load %.4f, on carpet %.4f, without any %.4f", p, l, c, e)
	}
}
