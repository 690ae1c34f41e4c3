package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/jakecoffman/cp/v2"
)

// amongCubes is a robot between three cubes, of which some overlap at first, so that they push each other away.
func amongCubes(rng *rand.Rand) *world {
	w := off(1)
	w.bare()
	for i := range w.cubes {
		p := pose(vec{90 + 35*float64(i), 60 * (rng.Float64() - 0.5)}, rng.Float64())
		w.cubes[i] = cube{home: p, pose: p, present: true, backAt: never}
	}
	w.contacts = newContacts(w)
	w.place(pose(vec{}, 0))
	return w
}

// workOutAll lets the world work out each cube at each step, whether or not it lies still.
func (w *world) workOutAll() {
	for i, r := range w.contacts.rests {
		r.shaped, r.free = nowhere, nowhere
		r.stir()
		w.contacts.cubes[i].SetPositionUpdateFunc(cp.BodyUpdatePosition)
	}
}

func TestCubesThatAreNotWorkedOutLieWhereTheyWould(t *testing.T) {
	stood, moved := 0, 0
	for seed := range uint64(12) {
		a, b := amongCubes(rand.New(rand.NewPCG(seed, 1))), amongCubes(rand.New(rand.NewPCG(seed, 1)))
		rng := rand.New(rand.NewPCG(seed, 2))
		for n := range 4000 {
			if n%250 == 0 {
				l, r := 1.2*rng.Float64()-0.6, 1.2*rng.Float64()-0.6
				a.drive(l, r)
				b.drive(l, r)
			}
			before := a.cubes
			b.workOutAll()
			a.after(step)
			b.after(step)
			if a.cubes != b.cubes || a.robot != b.robot {
				t.Fatalf("seed %d, step %d: cubes %+v, robot %+v, want %+v, %+v", seed, n, a.cubes, a.robot, b.cubes, b.robot)
			}
			for i := range before {
				if a.cubes[i].pose == before[i].pose {
					stood++
				} else {
					moved++
				}
			}
		}
	}
	if stood < 1000 || moved < 1000 {
		t.Errorf("cubes stood still in %d steps and moved in %d: too few to compare", stood, moved)
	}
}
