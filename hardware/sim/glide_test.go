package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/jakecoffman/cp/v2"
)

// motion is what a step changes: of the robot's body, then of the cubes'.
type motion [4]struct {
	at, speed   cp.Vector
	angle, spin float64
}

func (c *contacts) bodies() [4]*cp.Body {
	return [4]*cp.Body{c.robot, c.cubes[0], c.cubes[1], c.cubes[2]}
}

func (w *world) motion() (m motion) {
	for i, b := range w.contacts.bodies() {
		m[i].at, m[i].speed, m[i].angle, m[i].spin = b.Position(), b.Velocity(), b.Angle(), b.AngularVelocity()
	}
	return m
}

func (w *world) setMotion(m motion) {
	for i, b := range w.contacts.bodies() {
		b.SetAngle(m[i].angle)
		b.SetPosition(m[i].at)
		b.SetVelocityVector(m[i].speed)
		b.SetAngularVelocity(m[i].spin)
	}
}

// Each step that cp is spared is taken by cp first: what it does must be what the world does without it.
func TestStepWithoutContactIsWhatTheSolverDoes(t *testing.T) {
	glided, solved, touching := 0, 0, 0
	for seed := range uint64(6) {
		w, rng := off(seed), rand.New(rand.NewPCG(seed, 3))
		c := &w.contacts
		for i := range w.cubes { // near each other; two of them touch
			w.cubes[i].pose = pose(w.frame().out(vec{110 + 20*float64(i), []float64{0, cubeMM, -90}[i]}), w.robot.HeadingRad)
			c.put(i, w.cubes[i])
		}
		for range 12000 {
			if w.n%100 == 0 {
				w.drive(rng.Float64()*1.4-0.7, rng.Float64()*1.4-0.7)
			}
			if w.n%700 == 0 { // somebody flicks a cube
				c.cubes[rng.IntN(3)].SetVelocity(rng.Float64()*100, 0)
				c.moving = true
			}
			if w.mode != standing {
				w.place(pose(vec{}, w.robot.HeadingRad))
			}
			var want motion
			glides := (w.near || c.moving) && c.on && c.alone >= rememberedSteps && w.hands.tip.cube == 0 && c.sift(w)
			if glides {
				was, left, right := w.motion(), w.wheels[0].speed, w.wheels[1].speed
				w.slip()
				c.space.Step(stepS)
				want = w.motion()
				w.setMotion(was)
				w.wheels[0].speed, w.wheels[1].speed = left, right
			}
			w.after(step)
			switch got := w.motion(); {
			case !glides:
				solved++
				continue
			case got != want:
				t.Fatalf("seed %d, step %d:\n%+v\ncp:\n%+v", seed, w.n, got, want)
			}
			glided++
			for _, r := range c.rests {
				if r.met {
					touching++
					break
				}
			}
		}
	}
	if glided < 5000 || touching < 100 || solved < 5000 {
		t.Errorf("%d steps without the solver, %d of them with cubes that touch, and %d with it", glided, touching, solved)
	}
}
