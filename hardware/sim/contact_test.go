package sim

import (
	"math"
	"testing"
	"time"
)

// backOnto starts ahead of the charger, side millimeters off its axis and turned by deg, and backs up for 4 s.
func backOnto(seed uint64, side, deg float64) *world {
	w := newWorld(Options{Seed: seed, Now: epoch, Nobody: true, StartOffCharger: true})
	w.place(pose(w.chargerFrame.out(vec{dockX + 130, side}), w.charger.HeadingRad+degrees(deg)))
	w.drive(-0.3, -0.3)
	w.after(4 * time.Second)
	return w
}

func TestDockingNeedsPositionAndHeadingInWindow(t *testing.T) {
	for _, c := range []struct {
		side, deg float64
		want      bool
	}{{0, 0, true}, {6, 0, true}, {-6, 0, true}, {13, 0, false}, {-13, 0, false}, {0, 3, true}, {0, -3, true}} {
		for seed := range uint64(4) {
			// The start is corrected for the sideways drift of a slanted approach.
			w := backOnto(seed, c.side+130*math.Tan(degrees(c.deg)), c.deg)
			s := w.stats()
			if s.OnContacts != c.want || s.Dockings == 1 != c.want {
				t.Errorf("seed %d, %v mm and %v° off: contacts %v, dockings %d, want %v; robot in charger frame %+v",
					seed, c.side, c.deg, s.OnContacts, s.Dockings, c.want, w.chargerFrame.in(position(w.robot)))
			}
		}
	}
}

func TestContactsCloseOnlyInTheirWindow(t *testing.T) {
	for _, c := range []struct {
		side, deg, gap float64
		want           bool
	}{
		{0, 0, 2.5, true},
		{0, 0, 3.5, false},
		{7.5, 0, 1, true},
		{-7.5, 0, 1, true},
		{8.5, 0, 1, false},
		{0, 11.5, 1, true},
		{0, -11.5, 1, true},
		{0, 12.5, 1, false},
		{0, -12.5, 1, false},
		{0, 180, 1, false},
	} {
		w := off(1)
		turn := math.Abs(degrees(c.deg))
		x := dockX - bodyBack + c.gap + bodyBack*math.Cos(turn) + bodyWidth/2*math.Sin(turn)
		w.place(pose(w.chargerFrame.out(vec{x, c.side}), w.charger.HeadingRad+degrees(c.deg)))
		if w.onContacts != c.want {
			t.Errorf("%v mm aside, %v°, gap %v mm: contacts %v", c.side, c.deg, c.gap, w.onContacts)
		}
	}
}

func TestCubeOnTheChargerIsPutBack(t *testing.T) {
	w := facingCube()
	w.layOut()
	w.cubes = [3]cube{{home: pose(w.chargerFrame.out(vec{600, 0}), 0), pose: w.charger, present: true, backAt: never}}
	w.contacts = newContacts(w)
	w.robot = pose(w.chargerFrame.out(vec{300, 0}), w.charger.HeadingRad)
	w.contacts.cubes[0].SetVelocity(20, 0)
	w.contacts.moving = true
	w.after(12 * time.Second)
	if w.cubes[0].pose != w.cubes[0].home {
		t.Errorf("cube still at %+v", w.cubes[0].pose)
	}
}

func TestDockedStartCountsNoDocking(t *testing.T) {
	for seed := range uint64(20) {
		w := newWorld(Options{Seed: seed, Now: epoch})
		if s := w.stats(); !s.OnContacts || s.Dockings != 0 {
			t.Fatalf("seed %d: %+v", seed, s)
		}
		w.drive(0.4, 0.4)
		w.after(2 * time.Second)
		if w.onContacts || w.mode != standing {
			t.Errorf("seed %d: still on the contacts after driving off", seed)
		}
		w.drive(-0.4, -0.4)
		w.after(3 * time.Second)
		if s := w.stats(); !s.OnContacts || s.Dockings != 1 {
			t.Errorf("seed %d: backed on: %+v", seed, s)
		}
	}
}

func TestDockingByHandCountsNoDocking(t *testing.T) {
	w := off(1)
	w.place(w.dock)
	if s := w.stats(); !s.OnContacts || s.Dockings != 0 {
		t.Errorf("%+v", s)
	}
}

func TestWallStallsTheWheels(t *testing.T) {
	w := newWorld(Options{Seed: 1, Now: epoch, Nobody: true})
	w.after(time.Second)
	w.drive(-0.6, -0.6)
	w.after(time.Second)
	at := w.robot
	if v := w.forward(); math.Abs(v) > 3 {
		t.Errorf("wheels turn at %.1f mm/s against the charger", v)
	}
	if a := w.amps(); a < idleAmps+0.7 {
		t.Errorf("%.2f A while blocked", a)
	}
	w.after(2 * time.Second)
	if d := position(w.robot).distance(position(at)); d > 1 {
		t.Errorf("crept %.2f mm into the wall", d)
	}
	if gap := w.chargerFrame.in(position(w.robot)).x - dockX; gap < -0.5 {
		t.Errorf("%.2f mm inside the wall", -gap)
	}
}

// facingCube puts one cube 100 mm ahead of a robot in the middle of an otherwise empty table.
func facingCube() *world {
	w := off(1)
	w.bare()
	w.cubes[0] = cube{home: pose(vec{100, 0}, 0.3), pose: pose(vec{100, 0}, 0.3), present: true, backAt: never}
	w.contacts = newContacts(w)
	w.place(pose(vec{}, 0))
	return w
}

func TestRobotPushesCube(t *testing.T) {
	w := facingCube()
	w.drive(0.4, 0.4)
	w.after(3 * time.Second)
	c := position(w.cubes[0].pose)
	if w.robot.XMM < 200 || c.x < w.robot.XMM+bodyFront+cubeMM/2-2 || c.x > w.robot.XMM+bodyFront+cubeMM/math.Sqrt2+8 {
		t.Errorf("robot at %.1f, cube at %.1f", w.robot.XMM, c.x)
	}
	w.drive(0, 0)
	w.after(2 * time.Second)
	if !w.idle() {
		t.Error("the world does not come to rest")
	}
}

func TestPushedCubeFallsAndIsPutBack(t *testing.T) {
	w := facingCube()
	w.place(pose(vec{450, 0}, 0))
	w.cubes[0].pose = pose(vec{520, 0}, 0)
	w.contacts.put(0, w.cubes[0])
	w.drive(0.4, 0.4)
	for w.cubes[0].present && w.mode == standing {
		w.after(step)
	}
	w.drive(0, 0)
	if w.mode != standing {
		t.Fatal("the robot fell before the cube")
	}
	if len(w.view().Cubes) != 0 {
		t.Error("the fallen cube is still in view")
	}
	w.after(11 * time.Second)
	if !w.cubes[0].present || w.cubes[0].pose != w.cubes[0].home {
		t.Errorf("cube %+v", w.cubes[0])
	}
}

func TestRangeMeasuresObjectsAhead(t *testing.T) {
	w := facingCube()
	w.cubes[0].pose.HeadingRad = 0
	want := 100 - cubeMM/2 - bodyFront
	if d, ok := w.ahead(); !ok || math.Abs(d-want) > 0.01 {
		t.Errorf("true distance %.2f %v, want %.2f", d, ok, want)
	}
	if d, ok := w.ranged(); !ok || math.Abs(d-want) > 5 {
		t.Errorf("measured %.2f %v, want about %.2f", d, ok, want)
	}
	w.robot.HeadingRad = degrees(20) // beside the axis, but within the cone of ±12°
	if _, ok := w.ahead(); !ok {
		t.Error("edge of the cone does not see the cube")
	}
	w.robot.HeadingRad = degrees(60)
	if d, ok := w.ranged(); ok {
		t.Errorf("sees %.1f mm where nothing is", d)
	}
	w.place(pose(vec{41, 0}, 0))
	if d, ok := w.ranged(); !ok || d != rangeMinMM {
		t.Errorf("nose at the cube: %.1f %v, want the minimum", d, ok)
	}
	w.place(pose(vec{-599, 0}, 0))
	w.robot.XMM = -1200
	if _, ok := w.ahead(); ok {
		t.Error("sees beyond its range")
	}
}
