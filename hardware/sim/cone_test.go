package sim

import (
	"math"
	"testing"
)

// What the distance sensor leaves out is nothing that one of its rays meets.
func TestDistanceSensorSeesWhatEveryRayMeets(t *testing.T) {
	met := 0
	for seed := range uint64(200) {
		w := newWorld(Options{Seed: seed, StartOffCharger: true})
		for k := range int64(50) {
			at := func(i uint64, lo, hi float64) float64 { return w.seed.span(1000+i, k, lo, hi) }
			w.robot = pose(vec{at(0, -400, 400), at(1, -400, 400)}, at(2, -math.Pi, math.Pi))
			nose := frameOf(w.robot).out(vec{bodyFront, 0})
			want := math.Inf(1)
			boxes := []box{w.block}
			for _, o := range w.obstacles {
				boxes = append(boxes, o.box)
			}
			for i := range w.cubes {
				if w.cubes[i].present {
					boxes = append(boxes, w.cubes[i].box())
				}
			}
			for ray := range coneRays {
				d := direction(w.robot.HeadingRad + degrees(coneDeg)*(2*float64(ray)/(coneRays-1)-1))
				for _, b := range boxes {
					if mm, ok := b.ray(nose, d); ok {
						want = min(want, mm)
					}
				}
			}
			got, ok := w.ahead()
			if ok != (want <= rangeMaxMM) || ok && got != want {
				t.Fatalf("seed %d, pose %+v: %v %t, want %v", seed, w.robot, got, ok, want)
			}
			if ok {
				met++
			}
		}
	}
	if met < 1000 {
		t.Errorf("only %d poses see something", met)
	}
}
