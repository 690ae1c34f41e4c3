package sim_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

const cubeSide = 44.0

// inside reports whether a box around a pose, each side nearer to its middle by trim, holds one of the grid of points of another one.
func inside(a hardware.Pose, length, width, ahead float64, b hardware.Pose, trim float64) bool {
	sa, ca := math.Sincos(a.HeadingRad)
	sb, cb := math.Sincos(b.HeadingRad)
	for u := -cubeSide / 2; u <= cubeSide/2; u += cubeSide / 8 {
		for v := -cubeSide / 2; v <= cubeSide/2; v += cubeSide / 8 {
			x, y := b.XMM+cb*u-sb*v-a.XMM, b.YMM+sb*u+cb*v-a.YMM
			along, across := x*ca+y*sa-ahead, y*ca-x*sa
			if math.Abs(along) < length/2-trim && math.Abs(across) < width/2-trim {
				return true
			}
		}
	}
	return false
}

// keep checks what must be true of cubes at every instant.
func keep(t *testing.T, r *sim.Rig) {
	t.Helper()
	v, cubes := r.View(), r.Truth().Cubes
	carried := 0
	for i, c := range cubes {
		if !c.Present {
			continue
		}
		if c.ID != i+1 || c.Up < 1 || c.Up > 6 || math.IsNaN(c.XMM+c.YMM+c.HeadingRad+c.BaseMM) || c.BaseMM < 0 {
			t.Fatalf("cube %d is %+v", i+1, c)
		}
		switch {
		case c.Carried:
			if carried++; v.Robot.Held || v.Robot.Fallen || c.BaseMM > 60.1 {
				t.Fatalf("cube %d is carried: %+v by %+v", i+1, c, v.Robot)
			}
		case c.On != 0:
			below := cubes[c.On-1]
			if !below.Present || math.Abs(c.BaseMM-below.BaseMM-cubeSide) > 0.01 || math.Hypot(c.XMM-below.XMM, c.YMM-below.YMM) > 22 {
				t.Fatalf("cube %d hangs in the air: %+v on %+v", i+1, c, below)
			}
		case c.BaseMM != 0:
			t.Fatalf("cube %d hangs in the air: %+v", i+1, c)
		}
		if standing := !v.Robot.Held && !v.Robot.Fallen; standing && !c.Carried && c.BaseMM < 60 && inside(v.Robot.Pose, v.Robot.LengthMM, v.Robot.WidthMM, v.Robot.LengthMM/2-v.Robot.BackMM, c.Pose, 3) {
			t.Fatalf("cube %d is in the robot: %+v, %+v", i+1, c, v.Robot.Pose)
		}
		for j, d := range cubes {
			if j > i && d.Present && math.Abs(c.BaseMM-d.BaseMM) < cubeSide-4 && inside(c.Pose, cubeSide, cubeSide, 0, d.Pose, 3) {
				t.Fatalf("cubes %d and %d are in each other: %+v, %+v", i+1, j+1, c, d)
			}
		}
		for _, o := range v.Obstacles {
			if inside(o.Pose, o.LengthMM, o.WidthMM, 0, c.Pose, 3) {
				t.Fatalf("cube %d is in a box: %+v, %+v", i+1, c, o)
			}
		}
	}
	if carried > 1 {
		t.Fatalf("%d cubes are carried", carried)
	}
}

// A cube never vanishes for long, is never in another thing, and stands on the table or on a cube if the lift does not hold it: whatever
// the robot and people do.
func TestCubesKeepTheirPlacesWhateverHappens(t *testing.T) {
	seeds := 40
	if testing.Short() {
		seeds = 20
	}
	stacked, carried, rolled, fell := 0, 0, 0, 0
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := &stage{now: time.Unix(1000, 0)}
		s.Rig = sim.New(sim.Options{Seed: seed, Now: s.now, Nobody: true, StartOffCharger: true})
		s.SetNow(func() time.Time { return s.now })
		up := [3]uint8{}
		for i, c := range s.Truth().Cubes {
			up[i] = c.Up
		}
		gone := [3]time.Duration{}
		for range 60 {
			random(s, rng)
			for range 1 + rng.IntN(30) {
				s.after(20 * time.Millisecond)
				keep(t, s.Rig)
				for i, c := range s.Truth().Cubes {
					if gone[i] += 20 * time.Millisecond; c.Present {
						gone[i] = 0
					}
					switch {
					case gone[i] > 40*time.Second:
						t.Fatalf("seed %d: cube %d has been gone for %v", seed, i+1, gone[i])
					case !c.Present:
						fell++
					case c.Carried:
						carried++
					case c.On != 0:
						stacked++
					}
					if c.Up != up[i] {
						up[i] = c.Up
						rolled++
					}
				}
			}
		}
	}
	t.Logf("%d stacked, %d carried, %d off the table, of 20 ms each; %d rolled", stacked, carried, fell, rolled)
	if stacked < 100 || carried < 100 || rolled < 5 || fell < 100 {
		t.Error("that is too tame to prove much")
	}
}

// random does something to the world: mostly what makes things meet.
func random(s *stage, rng *rand.Rand) {
	v := s.View()
	some := func() (sim.ViewCube, bool) {
		if len(v.Cubes) == 0 {
			return sim.ViewCube{}, false
		}
		return v.Cubes[rng.IntN(len(v.Cubes))], true
	}
	switch k := rng.IntN(20); {
	case k < 7:
		s.Turn(rng.Float64()*2-1, rng.Float64()*2-1)
	case k < 9:
		s.Turn(0, 0)
	case k < 13:
		s.LiftTo([]float64{32, 32, 68, 76, 92, 92, 50}[rng.IntN(7)])
	case k < 15: // before a cube, as a robot that aims at it
		if c, ok := some(); ok {
			h := c.HeadingRad + float64(rng.IntN(4))*math.Pi/2 + 0.1*rng.NormFloat64()
			sin, cos := math.Sincos(h)
			s.LiftTo([]float64{32, 68, 76}[rng.IntN(3)])
			s.Place(c.XMM-cos*(57+40*rng.Float64()), c.YMM-sin*(57+40*rng.Float64()), h)
			s.Turn(0.3, 0.3)
		}
	case k < 17: // a cube onto another one
		a, ok := some()
		b, _ := some()
		if ok && a.ID != b.ID {
			s.MoveCube(a.ID, b.XMM+30*(rng.Float64()-0.5), b.YMM+30*(rng.Float64()-0.5), rng.Float64())
		}
	case k == 17:
		if c, ok := some(); ok {
			s.MoveCube(c.ID, 1200*(rng.Float64()-0.5), 800*(rng.Float64()-0.5), rng.Float64())
		}
	case k == 18:
		s.PickUp()
	default:
		s.PutDownHere()
	}
}
