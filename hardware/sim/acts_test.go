package sim

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

func size(a [3]float64) float64 { return math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2]) }

func TestShakeIsStrongAndEndsOnTheTable(t *testing.T) {
	w := off(1)
	at := w.robot
	w.shake(time.Second)
	for range 99 {
		w.after(10 * time.Millisecond)
		if a, _ := w.inertial(); size(a) < 20000 {
			t.Fatalf("%.0f mm/s² at step %d", size(a), w.n)
		}
	}
	w.after(12 * time.Millisecond)
	if a, _ := w.inertial(); w.mode != standing || w.robot != at || math.Abs(size(a)-gravityMMPS2) > 200 {
		t.Errorf("afterwards mode %d at %+v, %.0f mm/s²", w.mode, w.robot, size(a))
	}
	w.pickUp()
	w.shake(time.Second)
	w.after(2 * time.Second)
	if w.mode != held || w.shaking {
		t.Error("a robot that was in hand must stay there")
	}
}

// A person moves the nearest cube, on the table and to a place where nothing is. A cube that cannot be moved stays.
func TestMovedCubeStandsWhereThereIsRoom(t *testing.T) {
	w := off(1)
	before := w.view().Cubes
	at := position(w.robot)
	for _, p := range []hpose{pose(at, 0), pose(vec{590, 0}, 0), pose(position(w.charger), 0), w.obstacles[0].pose, pose(vec{5000, 0}, 0)} {
		if w.moveCube(0, p) || !slices.Equal(w.view().Cubes, before) {
			t.Errorf("a cube was moved to %+v", p)
		}
	}
	want, nearest := hpose{}, -1
	for x := -500.0; nearest < 0 && x < 500; x += 10 {
		want = pose(vec{x, 150}, 0.5)
		nearest = slices.IndexFunc(before, func(c ViewCube) bool { return position(c.Pose).distance(position(want)) < 400 })
		if nearest >= 0 && !w.moveCube(0, want) {
			nearest = -1
		}
	}
	after := w.view().Cubes
	moved := func(c ViewCube) bool { return c.Pose == want }
	if nearest < 0 || !slices.ContainsFunc(after, moved) || len(after) != len(before) {
		t.Fatalf("cubes %v, then %v", before, after)
	}
	w.after(time.Second)
	if !slices.ContainsFunc(w.view().Cubes, moved) {
		t.Errorf("the cube does not stay at %+v: %v", want, w.view().Cubes)
	}
}

// A hand takes one cube of several: not the one that is nearest to where it is put.
func TestCubeOfThatNumberIsMoved(t *testing.T) {
	w := off(1)
	before := w.view().Cubes
	far := before[2]
	var near hpose
	for a := 0.0; a < 6.3 && w.view().Cubes[2] == far; a += 0.1 {
		near = pose(position(before[0].Pose).add(direction(a).scale(70)), 1)
		w.moveCube(far.ID, near)
	}
	after := w.view().Cubes
	if after[0] != before[0] || after[2].ID != far.ID || after[2].Pose != near {
		t.Errorf("cubes %v, then %v", before, after)
	}
	if w.moveCube(9, near) {
		t.Error("a cube that does not exist was moved")
	}
}

// A carried robot is over the place of the hand, also beyond the edge, and put down there or on the table again.
func TestCarriedRobotFollowsTheHandAndIsPutDownThere(t *testing.T) {
	w := off(1)
	over := pose(vec{700, 0}, 1)
	w.carry(over)
	w.after(2 * time.Second)
	if w.mode != held || w.robot != over || w.falls != 0 {
		t.Fatalf("mode %d at %+v after %d falls, held at %+v", w.mode, w.robot, w.falls, over)
	}
	w.putBack()
	if w.mode != standing || w.table.margin(position(w.robot)) < 60 {
		t.Errorf("put down at %+v in mode %d", w.robot, w.mode)
	}
}

// A guest who was moved by hand stays, although the robot looks elsewhere; nobody is put on the table.
func TestMovedPersonStaysBesideTheTable(t *testing.T) {
	w := off(1)
	w.show("Ada", never)
	id := w.visitors()[0].id
	there := vec{0, 900}
	if w.movePerson(id, vec{0, 0}) || w.movePerson(99, there) || !w.movePerson(id, there) {
		t.Fatal("moved onto the table, or not beside it")
	}
	w.robot.HeadingRad = wrap(w.robot.HeadingRad + 2)
	w.after(2 * time.Second)
	if at := w.visitors()[0].at; at != there {
		t.Errorf("stands at %v, put at %v", at, there)
	}
}

func TestFallShowsFreeFallThenImpact(t *testing.T) {
	w := off(1)
	w.place(pose(vec{620, 0}, 0))
	if w.mode != fallen {
		t.Fatal("put beyond the edge, it does not fall")
	}
	w.after(100 * time.Millisecond)
	if a, _ := w.inertial(); size(a) > 300 {
		t.Errorf("%.0f mm/s² in free fall", size(a))
	}
	w.after(260 * time.Millisecond)
	if a, _ := w.inertial(); size(a) < 22000 {
		t.Errorf("%.0f mm/s² at the impact", size(a))
	}
	w.after(time.Second)
	if a, _ := w.inertial(); math.Abs(a[1]+gravityMMPS2) > 200 {
		t.Errorf("accel %v, want lying on its left side", a)
	}
	w.pickUp()
	w.after(10 * time.Second)
	if w.mode != held {
		t.Error("a robot in hand is not put back by itself")
	}
	w.putBack()
	if w.mode != standing || w.table.margin(position(w.robot)) < 100 || w.falls != 1 {
		t.Errorf("mode %d at %+v, %d falls", w.mode, w.robot, w.falls)
	}
}

func TestWheelsTurnFreelyInTheAir(t *testing.T) {
	w := off(1)
	w.pickUp()
	at := w.robot
	w.drive(0.5, 0.5)
	w.after(time.Second)
	if w.wheels[0].counts(perMM) < 2500 || w.robot != at || w.distanceMM != 0 {
		t.Errorf("counts %d at %+v", w.wheels[0].counts(perMM), w.robot)
	}
}

func TestPushNearEdgeFacesTheEdgeWithoutFalling(t *testing.T) {
	for seed := range uint64(40) {
		w := newWorld(Options{Seed: seed, Now: epoch, StartOffCharger: seed%2 == 0})
		w.pushNearEdge()
		at := position(w.robot)
		if m := w.table.margin(at); math.Abs(m-60) > 0.01 {
			t.Fatalf("seed %d: %.2f mm from the edge", seed, m)
		}
		if d := w.table.exit(at, direction(w.robot.HeadingRad)); math.Abs(d-60) > 0.01 {
			t.Errorf("seed %d: %.2f mm ahead to the edge", seed, d)
		}
		for i := range cliffMounts {
			if w.cliffVolts(i) < 2 {
				t.Errorf("seed %d: cliff sensor %d is over the edge already", seed, i)
			}
		}
		if w.onContacts || !w.clear(w.robot, 50) {
			t.Errorf("seed %d: put onto something", seed)
		}
	}
}

func TestPutDownAvoidsObjects(t *testing.T) {
	w := facingCube()
	w.placeAt(pose(vec{100, 0}, 0))
	if d := position(w.robot).distance(vec{100, 0}); d < 30 || d > 130 || !w.clear(w.robot, 0) {
		t.Errorf("put at %+v", w.robot)
	}
}

func TestGuestMovesToWhereTheRobotLooks(t *testing.T) {
	b := newBench(t, Options{Seed: 3, Nobody: true, StartOffCharger: true, SightDelay: -1})
	sees := func() (f []hardware.Face) {
		for range 5 {
			b.Sleep(10 * time.Millisecond)
			if d := b.Detect(b.Now()); len(d.Faces) > 0 {
				f = d.Faces
			}
		}
		return f
	}
	b.ShowFace("Eve", 10*time.Second)
	if f := sees(); len(f) != 1 || f[0].Name != "Eve" || f[0].ID != guestIDs || math.Abs(f[0].BearingRad) > degrees(4) {
		t.Errorf("saw %+v", f)
	}
	p := b.View().Robot
	b.Place(p.XMM, p.YMM, p.HeadingRad+2)
	b.Sleep(600 * time.Millisecond)
	if f := sees(); len(f) != 1 {
		t.Errorf("after turning away saw %+v", f)
	}
	b.Sleep(10 * time.Second)
	if f := sees(); len(f) != 0 {
		t.Errorf("after it left saw %+v", f)
	}
	b.ShowFace("Ada", 0)
	b.Sleep(time.Hour)
	if f := sees(); len(f) != 1 || f[0].ID != 1 {
		t.Errorf("a guest without end: %+v", f)
	}
	b.HideFace()
	if f := sees(); len(f) != 0 {
		t.Errorf("hidden, yet saw %+v", f)
	}
	b.ShowFace("Eve", 0)
	b.ShowFace("Max", 0)
	if f := sees(); len(f) != 1 || f[0].ID != guestIDs+1 {
		t.Errorf("second guest %+v", f)
	}
}
