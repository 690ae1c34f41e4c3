package sim

import (
	"math"
	"testing"
	"time"
)

func TestBatteryLastsMinutesAndChargesFaster(t *testing.T) {
	w := newWorld(Options{Now: epoch, StartOffCharger: true, Nobody: true, BatteryRatio: 1})
	w.bare()
	w.place(pose(vec{}, 0))
	w.drive(0.45, 0.55) // a circle
	low := func() bool { v, _ := w.power(); return v < lowVolts }
	for !low() && w.n < steps(time.Hour) {
		w.after(time.Second)
	}
	if d := time.Duration(w.n) * step; d < 6*time.Minute || d > 8*time.Minute {
		t.Errorf("low after %v of driving", d)
	}
	v, a := w.power()
	if v < 3.3 || a > -0.3 || a < -0.45 {
		t.Errorf("%.3f V, %.3f A while driving", v, a)
	}
	w.drive(0, 0)
	w.after(2 * time.Second)
	w.battery.charging = true
	from := w.n
	for !w.battery.full() && w.n < steps(2*time.Hour) {
		w.after(time.Second)
	}
	if d := time.Duration(w.n-from) * step; d < 2*time.Minute-20*time.Second || d > 3*time.Minute {
		t.Errorf("charged in %v", d)
	}
	if v, a := w.power(); math.Abs(v-4.2) > 0.02 || math.Abs(a) > 0.02 {
		t.Errorf("full: %.3f V, %.3f A", v, a)
	}
}

func TestBatteryChargeStaysBetweenEmptyAndFull(t *testing.T) {
	b := newBattery(Options{BatteryRatio: 0.5}.withDefaults(), 1)
	b.spend(0.3, steps(1000*time.Hour))
	if b.charge != 0 {
		t.Errorf("drained to %d", b.charge)
	}
	b.charging = true
	b.spend(0.3, steps(1000*time.Hour))
	if !b.full() {
		t.Errorf("charged to %d", b.charge)
	}
	for seed := range noise(50) {
		if r := newBattery(Options{}.withDefaults(), seed); r.ratio() < 0.6 || r.ratio() > 1 {
			t.Errorf("starts at %.2f", r.ratio())
		}
	}
}

func TestLayoutLeavesRoomForTheRobot(t *testing.T) {
	for seed := range uint64(300) {
		w := newWorld(Options{Seed: seed, Now: epoch})
		if len(w.obstacles) > 2 {
			t.Errorf("seed %d: %d boxes", seed, len(w.obstacles))
		}
		if m := w.table.margin(position(w.charger)); m < 60 || m > 80 {
			t.Errorf("seed %d: charger %.0f mm from the edge", seed, m)
		}
		if _, b := w.charger.To(0, 0); math.Abs(b) > degrees(60) {
			t.Errorf("seed %d: the charger's open side faces away from the middle", seed)
		}
		for i := range w.cubes {
			if !w.cubes[i].present || w.table.margin(position(w.cubes[i].pose)) < 80 {
				t.Errorf("seed %d: cube %+v", seed, w.cubes[i])
			}
		}
		if !w.onContacts || w.mode != standing {
			t.Errorf("seed %d: does not start docked", seed)
		}
		for d := 0.0; d < 350; d += 10 { // the way out is free
			if !w.clear(pose(w.chargerFrame.out(vec{dockX + 1 + d, 0}), w.charger.HeadingRad), 0) {
				t.Errorf("seed %d: way off the charger blocked at %.0f mm", seed, d)
				break
			}
		}
	}
}

func TestPeopleComeAndGoWhereTheyCanBeSeen(t *testing.T) {
	w := newWorld(Options{Seed: 11, Now: epoch})
	w.place(pose(vec{}, w.charger.HeadingRad))
	present, seen, changes, was := 0, 0, 0, 0
	w.opt.SightNoise = 0.5
	for range 1800 {
		w.after(time.Second)
		v := w.visitors()
		if len(v) > 0 {
			present++
		}
		if len(v) != was {
			changes++
		}
		was = len(v)
		for _, p := range v {
			if m := -w.table.margin(p.at); m < 200 || m > 701 {
				t.Fatalf("a person %.0f mm from the edge", m)
			}
			for deg := -90.0; deg < 90; deg += 30 {
				w.robot.HeadingRad = w.charger.HeadingRad + degrees(deg)
				w.servos[0].at, w.servos[0].target = degrees(25), degrees(25)
				if f, ok := w.seeFace(p); ok {
					seen++
					if e := f.ElevationRad; e < degrees(12) || e > degrees(45) {
						t.Fatalf("elevation %.0f°", e*180/math.Pi)
					}
					break
				}
			}
		}
	}
	if present < 600 || present > 1700 || changes < 20 || seen < present/2 {
		t.Errorf("of 1800 s somebody was there %d s and seen %d times, with %d changes", present, seen, changes)
	}
}

func TestFacesAreSeenOnlyWithALiftedHead(t *testing.T) {
	w := off(1)
	w.people[0].present, w.people[0].at, w.people[0].heightMM = true, vec{900, 0}, 450
	w.robot = pose(vec{}, 0)
	w.obstacles = nil
	look := func(deg float64) int {
		w.servos[0].at = degrees(deg)
		n := 0
		for range 100 {
			w.n++
			n += len(w.detect(epoch).Faces)
		}
		return n
	}
	if n := look(5); n != 0 {
		t.Errorf("level head saw %d faces", n)
	}
	if n := look(12); n < 88 || n == 100 {
		t.Errorf("lifted head saw %d of 100: dropouts should be about 3", n)
	}
	f := w.detect(epoch).Faces
	for len(f) == 0 {
		w.n++
		f = w.detect(epoch).Faces
	}
	if f[0].Name != "Ada" || math.Abs(f[0].DistanceMM-900) > 40 || math.Abs(f[0].BearingRad) > degrees(4) ||
		math.Abs(f[0].ElevationRad-math.Atan(390.0/900)) > degrees(4) {
		t.Errorf("face %+v", f[0])
	}
	w.robot.HeadingRad = degrees(35)
	if look(20) != 0 {
		t.Error("sees beyond its field of view")
	}
	w.robot = pose(vec{-601, 0}, 0)
	if look(20) != 0 {
		t.Error("sees beyond its range")
	}
}

func TestChargerIsSeenOnlyFromItsOpenSide(t *testing.T) {
	w := off(1)
	w.opt.SightNoise = 0.5
	w.obstacles = nil
	for i := range w.cubes {
		w.cubes[i].present = false
	}
	see := func(angleDeg, mm, headDeg float64) (o bool) {
		at := w.chargerFrame.out(direction(degrees(angleDeg)).scale(mm))
		w.robot = pose(at, wrap(w.charger.HeadingRad+degrees(angleDeg)+math.Pi))
		w.servos[0].at = degrees(headDeg)
		for range 5 {
			w.n++
			if d := w.detect(epoch); len(d.Objects) == 1 {
				got := d.Objects[0]
				want := wrap(w.charger.HeadingRad - w.robot.HeadingRad)
				if got.ID != 1 || math.Abs(got.DistanceMM-mm) > 0.05*mm || math.Abs(wrap(got.HeadingRad-want)) > degrees(4) {
					t.Errorf("from %v°: %+v, want heading %.2f", angleDeg, got, want)
				}
				o = true
			}
		}
		return o
	}
	for _, c := range []struct {
		angle, mm, head float64
		want            bool
	}{
		{0, 300, 0, true},
		{70, 300, 0, true},
		{-70, 300, 0, true},
		{80, 300, 0, false},
		{180, 300, 0, false},
		{0, 890, 15, true},
		{0, 910, 0, false},
		{0, 300, 20, false},
	} {
		if got := see(c.angle, c.mm, c.head); got != c.want {
			t.Errorf("from %v° at %v mm, head %v°: seen %v, want %v", c.angle, c.mm, c.head, got, c.want)
		}
	}
}

func TestBoxesHideCubes(t *testing.T) {
	w := facingCube()
	w.cubes[0].pose = pose(vec{300, 0}, 0)
	cubes := func() (n int) {
		for range 5 {
			w.n++
			n += len(w.detect(epoch).Objects)
		}
		return n
	}
	if cubes() == 0 {
		t.Error("cube not seen")
	}
	p := pose(vec{150, 0}, 0)
	w.obstacles = []obstacle{{newBox(p, 40, 80), p, 40, 80}}
	if cubes() != 0 {
		t.Error("cube seen through a box")
	}
}
