package sim

import (
	"math"
	"math/rand/v2"
	"testing"
)

// gapBetween is the distance between two boxes that do not overlap: that of a corner of one to the other.
func gapBetween(a, b box) (mm float64) {
	mm = a.distance(b.at)
	for _, pair := range [2][2]box{{a, b}, {b, a}} {
		for _, p := range pair[0].outline() {
			mm = min(mm, pair[1].distance(vec{p.X, p.Y}))
		}
	}
	return mm
}

func TestBoxesThatAreNotNearAreApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	some := func() box {
		return newBox(pose(vec{rng.Float64() * 300, rng.Float64() * 300}, rng.Float64()*7), 20+rng.Float64()*120, 20+rng.Float64()*60)
	}
	near, apart := 0, 0
	for range 20000 {
		a, b := some(), some()
		if a.near(&b, nearMM) {
			near++
			continue
		}
		apart++
		if mm := gapBetween(a, b); mm < nearMM-1e-9 || a.overlaps(b) {
			t.Fatalf("%v and %v are %.3f mm apart", a, b, mm)
		}
	}
	if near < 1000 || apart < 1000 {
		t.Errorf("%d are near and %d apart", near, apart)
	}
}

func TestPairsThatAreNearAtOneHeightAreLookedAt(t *testing.T) {
	w := newWorld(Options{Seed: 1})
	for i := range w.cubes {
		p := pose(w.frame().out(vec{w.body.front + 4 + cubeMM/2 + 80*float64(i), 0}), w.robot.HeadingRad)
		w.cubes[i].pose, w.cubes[i].present, w.cubes[i].base, w.cubes[i].on = p, true, 0, 0
		w.contacts.put(i, w.cubes[i])
	}
	c := &w.contacts
	c.engage(w)
	c.sift(w)
	if mm := gapBetween(w.body.box(w.robot), w.cubes[0].box()); mm >= nearMM || c.hull.Filter.Mask&ofCube == 0 {
		t.Errorf("the cube %.1f mm before the robot is left out", mm)
	}
	if got := c.hull.Filter.Mask & (ofCube << 2); got != 0 {
		t.Error("a cube far ahead is looked at")
	}
	w.cubes[1].pose, w.cubes[1].on, w.cubes[1].base = w.cubes[0].pose, 1, cubeMM
	c.put(1, w.cubes[1])
	c.sift(w)
	for i, k := range [2]int{1, 0} {
		if c.rests[i].shape.Filter.Mask&(ofCube<<k) != 0 {
			t.Errorf("cube %d of a stack is looked at by the other", k)
		}
	}
	w.cubes[1].on, w.cubes[1].base = 0, 0
	c.sift(w)
	if c.rests[0].shape.Filter.Mask&(ofCube<<1) == 0 {
		t.Error("cubes at one height are kept apart")
	}
}

func TestBoxesOverlapWhereOneReachesIntoTheOther(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	some := func() box {
		return newBox(pose(vec{rng.Float64() * 200, rng.Float64() * 200}, rng.Float64()*7), 20+rng.Float64()*120, 20+rng.Float64()*60)
	}
	over, apart := 0, 0
	for range 5000 {
		a, b := some(), some()
		shared := false // a point of a grid on a
		for x := -1.0; x <= 1 && !shared; x += 0.05 {
			for y := -1.0; y <= 1 && !shared; y += 0.05 {
				shared = b.distance(a.out(vec{x * a.hl, y * a.hw})) == 0
			}
		}
		switch {
		case a.overlaps(b) != b.overlaps(a):
			t.Fatalf("%v overlaps %v: %t, but not the other way round", a, b, a.overlaps(b))
		case shared:
			if over++; !a.overlaps(b) {
				t.Fatalf("%v and %v share a point", a, b)
			}
		case a.overlaps(b) && !a.shrunk(6).overlaps(b):
		case a.overlaps(b):
			t.Fatalf("%v and %v share nothing", a, b)
		default:
			apart++
		}
	}
	if over < 500 || apart < 500 {
		t.Errorf("%d overlap and %d are apart", over, apart)
	}
}

// A place that is at least some distance inside is one whose margin is that wide, even if the origin is not inside.
func TestInsideIsWhereTheMarginIsWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	triangle := newPolygon(vec{0, -400}, vec{500, 300}, vec{-600, 350})
	for k, g := range []polygon{newTable(), newRoom(7), triangle, newPolygon(vec{10, 10}, vec{90, 10}, vec{50, 90})} {
		quick := 0
		for range 20000 {
			p, mm := vec{(rng.Float64()*2 - 1) * 700, (rng.Float64()*2 - 1) * 500}, rng.Float64()*200-20
			if got, want := g.inside(p, mm), g.margin(p) >= mm; got != want {
				t.Fatalf("polygon %d: %v is %.3f mm inside: %t, its margin is %v", k, p, mm, got, g.margin(p))
			}
			if p := (vec{math.Abs(p.x), math.Abs(p.y)}); p.x <= g.midst.x-mm && p.y <= g.midst.y-mm {
				quick++
			}
		}
		if k < 3 && quick == 0 {
			t.Errorf("polygon %d: nothing is in its midst", k)
		}
	}
}
