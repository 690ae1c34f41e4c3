package sim

import (
	"math"
	"testing"
	"time"
)

// looking is a robot that sees one cube, straight ahead at a distance and turned by some angle.
func looking(mm, turn float64) *world {
	w := handWorld(pose(vec{mm, 0}, turn))
	w.servos[head].at = 0
	return w
}

// spreadOf is the standard deviation of what 4000 images tell of the distance, without those that are far off.
func spreadOf(w *world, mm float64) float64 {
	var sum, squares, n float64
	for range 4000 {
		w.n++
		for _, o := range w.detect(epoch).Objects {
			if off := o.DistanceMM - mm; math.Abs(off) < 0.2*mm {
				sum, squares, n = sum+off, squares+off*off, n+1
			}
		}
	}
	return math.Sqrt(squares/n - sum/n*sum/n)
}

func TestSightingsGetWorseWithDistanceAndSlant(t *testing.T) {
	near, far, slanted := spreadOf(looking(100, 0), 100), spreadOf(looking(700, 0), 700), spreadOf(looking(700, degrees(44)), 700)
	if near < 0.5 || near > 3 || far < 6*near || far > 25 || slanted < 1.2*far {
		t.Errorf("standard deviations: %.1f mm at 100 mm, %.1f at 700, %.1f at a slant", near, far, slanted)
	}
	w := looking(700, 0)
	w.opt.SightNoise = 0
	if s := spreadOf(w, 700); s > 1e-9 {
		t.Errorf("without noise: %v mm", s)
	}
}

func TestFewSightingsAreFarOffOrOfAnotherCube(t *testing.T) {
	w := looking(300, 0)
	n, far, wrong := 0, 0, 0
	for range 100_000 {
		w.n++
		for _, o := range w.detect(epoch).Objects {
			n++
			if math.Abs(o.DistanceMM-300) > 30 {
				far++
			}
			if o.ID != ObjectID(1) {
				wrong++
			}
		}
	}
	if n < 96_500 || n > 97_500 || far < 30 || far > 500 || wrong < 50 || wrong > 150 {
		t.Errorf("of 100000 images the cube was found in %d, far off in %d, taken for another one in %d", n, far, wrong)
	}
}

func TestDarknessCostsSightings(t *testing.T) {
	found := func(level float64) (n int) {
		w := looking(300, 0)
		w.opt.Light = level
		for range 1000 {
			w.n++
			n += len(w.detect(epoch).Objects)
		}
		return n
	}
	bright, dim, dark := found(1), found(0.3), found(0.08)
	if bright < 950 || dim < 350 || dim > 650 || dark != 0 {
		t.Errorf("found %d of 1000 in a bright room, %d in a dim one, %d in the dark", bright, dim, dark)
	}
}

// An image that is told is older than now, and shows what was there when it was taken.
func TestImageShowsTheInstantAtWhichItWasTaken(t *testing.T) {
	b := newBench(t, Options{Seed: 1, Nobody: true, SightNoise: -1, Spread: -1})
	b.Sleep(time.Second)
	b.PutDown(0, 0, 0)
	c := b.View().Charger
	away := math.Atan2(c.YMM, c.XMM)
	b.Place(c.XMM+300*math.Cos(c.HeadingRad), c.YMM+300*math.Sin(c.HeadingRad), c.HeadingRad+math.Pi+0.3)
	b.Turn(-0.06, 0.06)
	was := map[time.Time]float64{} // bearing of the charger by instant
	seen := 0
	for range 600 {
		b.Sleep(2 * time.Millisecond)
		r := b.View().Robot
		_, bearing := r.To(c.XMM, c.YMM)
		was[b.Now()] = bearing
		d := b.Detect(b.Now())
		if len(d.Objects) == 0 {
			continue
		}
		if age := b.Now().Sub(d.CapturedAt); age < 60*time.Millisecond || age > 170*time.Millisecond {
			t.Fatalf("an image that is %v old", age)
		}
		if want, ok := was[d.CapturedAt]; ok {
			seen++
			if math.Abs(d.Objects[0].BearingRad-want) > 0.002 {
				t.Fatalf("bearing %.4f, at %v it was %.4f, now it is %.4f (%.1f)", d.Objects[0].BearingRad, d.CapturedAt, want, bearing, away)
			}
		}
	}
	if seen < 100 {
		t.Errorf("seen %d times", seen)
	}
}
