package sim

import (
	"math"
	"testing"
	"time"
)

// bench of the hands: an empty table, the robot in its middle, cubes where the test puts them, and exact servos.
func handWorld(cubes ...hpose) *world {
	w := newWorld(Options{Seed: 1, Now: epoch, StartOffCharger: true, Nobody: true, Spread: -1})
	w.bare()
	for i, p := range cubes {
		w.cubes[i] = cube{home: p, pose: p, present: true, backAt: never, sides: upright}
	}
	w.contacts = newContacts(w)
	w.place(pose(vec{}, 0))
	return w
}

// liftTo sends the lift to a height and waits until it is there.
func (w *world) liftTo(mm float64) {
	w.servos[lift].powered, w.servos[lift].target = true, mm
	w.after(time.Second)
}

// forwardFor drives at about 60 mm/s, or back, and stops.
func (w *world) forwardFor(mm float64) {
	duty := math.Copysign(60/220.0, mm)
	w.drive(duty, duty)
	w.after(time.Duration(math.Abs(mm) / 60 * float64(time.Second)))
	w.drive(0, 0)
	w.after(500 * time.Millisecond)
}

// pickUpAhead drives up to a cube that stands gap millimeters before the robot's front, and lifts it.
func (w *world) pickUpAhead(gap, low float64) {
	w.liftTo(low)
	w.forwardFor(gap + 2)
	w.liftTo(92)
}

func ahead(gap float64) hpose { return pose(vec{bodyFront + gap + 22, 0}, 0) }

func TestLiftPicksUpCarriesAndSetsDown(t *testing.T) {
	w := handWorld(ahead(60))
	w.pickUpAhead(60, 32)
	if got := w.view().Cubes[0]; !got.Carried || math.Abs(got.BaseMM-60) > 0.1 {
		t.Fatalf("raised: %+v, want it carried at 60 mm", got)
	}
	w.drive(-0.1, 0.1)
	w.after(time.Second)
	w.drive(0, 0)
	w.after(time.Second)
	// 22 mm per second and side turn the robot by 2·22/46 rad; the cube stays 57 mm before the axle.
	a := 44.0 / 46
	c := w.view().Cubes[0]
	want := vec{w.robot.XMM + 57*math.Cos(a), w.robot.YMM + 57*math.Sin(a)}
	if got := position(c.Pose); got.distance(want) > 5 || math.Abs(w.robot.HeadingRad-a) > 0.1 {
		t.Fatalf("after a turn of %.2f rad the cube is at %v, want about %v", w.robot.HeadingRad, got, want)
	}
	w.liftTo(32)
	w.forwardFor(-50)
	now := w.view().Cubes[0]
	if now.Carried || now.BaseMM != 0 || position(now.Pose).distance(position(c.Pose)) > 1 {
		t.Errorf("set down: %+v, was over %+v", now, c)
	}
}

// Where the fingers do not fit, raising the lift lifts nothing.
func TestFingersOutsideTheSlotLiftNothing(t *testing.T) {
	for _, c := range []struct {
		name      string
		side, deg float64
		low       float64
		want      bool
	}{
		{"in the middle", 0, 0, 32, true},
		{"5 mm to the left", 5, 0, 32, true},
		{"7 mm to the left", 7, 0, 32, false},
		{"7 mm to the right", -7, 0, 32, false},
		{"slanted by 7°", 0, 7, 32, true},
		{"slanted by 12°", 0, 12, 32, false},
		{"another side, slanted by 7°", 0, 97, 32, true},
		{"lift 4 mm high", 0, 0, 36, true},
		{"lift 7 mm high", 0, 0, 39, false},
	} {
		p := ahead(30)
		p.YMM, p.HeadingRad = c.side, degrees(c.deg)
		w := handWorld(p)
		w.pickUpAhead(30, c.low)
		if got := w.view().Cubes[0].Carried; got != c.want {
			t.Errorf("%s: carried %v", c.name, got)
		}
	}
}

func TestLiftHoldsNothingThatItDidNotReach(t *testing.T) {
	w := handWorld(ahead(30))
	w.liftTo(32)
	w.forwardFor(26) // 4 mm short: the tips alone are in
	w.liftTo(92)
	if w.view().Cubes[0].Carried {
		t.Error("carried by the tips of the fingers")
	}
	w = handWorld(ahead(30))
	w.liftTo(92) // raised before, lowered in front of it
	w.forwardFor(32)
	w.liftTo(32)
	w.liftTo(92)
	if w.view().Cubes[0].Carried {
		t.Error("carried although the fingers came from above")
	}
}

func TestCubeIsStackedAndTakenFromTheStack(t *testing.T) {
	w := handWorld(ahead(30), pose(vec{300, 0}, 0))
	w.pickUpAhead(30, 32)
	w.forwardFor(300 - 22 - bodyFront - w.robot.XMM + 2) // over the second one: carried at 60 mm it passes
	w.liftTo(76)
	w.forwardFor(-60)
	top, under := w.view().Cubes[0], w.view().Cubes[1]
	if top.Carried || top.BaseMM != 44 || position(top.Pose).distance(position(under.Pose)) > 15 {
		t.Fatalf("stacked: %+v on %+v", top, under)
	}
	w.pickUpAhead(60, 76)
	top = w.view().Cubes[0]
	if !top.Carried || math.Abs(top.BaseMM-60) > 0.1 || w.view().Cubes[1].BaseMM != 0 {
		t.Errorf("taken off again: %+v", top)
	}
}

func TestCubeSetDownBesideTheMiddleOfAnotherTopples(t *testing.T) {
	w := handWorld(ahead(30), pose(vec{300, 0}, 0))
	w.pickUpAhead(30, 32)
	w.forwardFor(300 - 22 - bodyFront - w.robot.XMM - 20)
	w.liftTo(76)
	c := w.view().Cubes
	if c[0].Carried || c[0].BaseMM != 0 || c[0].Up == 1 || position(c[0].Pose).distance(position(c[1].Pose)) < 44 {
		t.Errorf("%+v beside %+v: want it on the table, on another side", c[0], c[1])
	}
}

func TestPullingAnEdgeDownRollsTheCube(t *testing.T) {
	w := handWorld(ahead(30))
	w.liftTo(68)
	w.forwardFor(32)
	at := w.view().Cubes[0].XMM
	w.servos[lift].target = 32
	w.forwardFor(-30)
	w.after(time.Second)
	c := w.view().Cubes[0]
	// Side 2 looked along the heading, away from the robot: it is up now.
	if moved := at - c.XMM; c.Up != 2 || moved < 15 || moved > 46 || c.BaseMM != 0 {
		t.Errorf("rolled: %+v, %0.1f mm towards the robot", c, moved)
	}
	if gap := c.XMM - 22 - bodyFront - w.robot.XMM; gap < -1 {
		t.Errorf("the cube lies %.1f mm inside the robot", -gap)
	}
}

func TestLoweringTheClawsWithoutBackingUpRollsNothing(t *testing.T) {
	w := handWorld(ahead(30))
	w.liftTo(68)
	w.forwardFor(32)
	w.liftTo(32)
	w.liftTo(68)
	w.after(time.Second)
	if c := w.view().Cubes[0]; c.Up != 1 {
		t.Errorf("%+v", c)
	}
}

func TestLoadSinksWithoutPowerAndStandsThen(t *testing.T) {
	w := handWorld(ahead(30))
	w.pickUpAhead(30, 32)
	at := w.view().Cubes[0]
	w.servos[lift].pulse(0)
	w.after(time.Second)
	if c := w.view().Cubes[0]; !c.Carried || math.Abs(c.BaseMM-40) > 2 {
		t.Errorf("after a second without power: %+v, want it 20 mm lower", c)
	}
	w.after(3 * time.Second)
	if c := w.view().Cubes[0]; c.Carried || c.BaseMM != 0 || position(c.Pose).distance(position(at.Pose)) > 0.5 {
		t.Errorf("after four seconds: %+v", c)
	}
	empty := handWorld()
	empty.liftTo(92)
	empty.servos[lift].pulse(0)
	empty.after(time.Minute)
	if h := empty.servos[lift].at; h != 92 {
		t.Errorf("the empty lift sank to %v mm", h)
	}
}

func TestHardStopThrowsTheLoadOff(t *testing.T) {
	for _, c := range []struct {
		duty float64
		want bool
	}{{60 / 220.0, true}, {120 / 220.0, true}, {1, false}} {
		w := handWorld(ahead(30))
		w.pickUpAhead(30, 32)
		w.drive(c.duty, c.duty)
		w.after(time.Second)
		w.drive(0, 0)
		w.after(time.Second)
		if got := w.view().Cubes[0]; got.Carried != c.want || !c.want && got.BaseMM != 0 {
			t.Errorf("stopped from %.0f mm/s: %+v", 220*c.duty, got)
		}
	}
}

func TestPersonWhoLiftsTheRobotTakesItFromItsLoad(t *testing.T) {
	w := handWorld(ahead(30))
	w.pickUpAhead(30, 32)
	at := w.view().Cubes[0].Pose
	w.pickUp()
	if c := w.view().Cubes[0]; c.Carried || c.BaseMM != 0 || position(c.Pose).distance(position(at)) > 0.1 {
		t.Errorf("%+v", c)
	}
}

func TestLoadHidesFacesAndTheRangeSensorByItsHeight(t *testing.T) {
	w := handWorld(ahead(30), pose(vec{300, 0}, 0))
	w.pickUpAhead(30, 32)
	w.show("Eve", never)
	w.servos[head].at, w.servos[head].target = degrees(10), degrees(10)
	missed := 0
	for range 20 {
		w.after(100 * time.Millisecond)
		d := w.detect(epoch)
		if len(d.Faces) > 0 {
			t.Fatal("sees a face through the carried cube")
		}
		if !d.Carrying || d.CarriedID != ObjectID(1) {
			t.Fatalf("does not tell what it carries: %+v", d)
		}
		if len(d.Objects) != 1 || d.Objects[0].ID != ObjectID(2) {
			missed++
		}
	}
	if missed > 4 {
		t.Errorf("missed the cube on the table %d times of 20 below the carried one", missed)
	}
	far := 300 - 22 - w.robot.XMM - bodyFront
	if mm, ok := w.ahead(); !ok || math.Abs(mm-far) > 1 {
		t.Errorf("carry height: %v %v ahead, want %v", mm, ok, far)
	}
	w.servos[lift].target = 60
	w.after(time.Second)
	if mm, ok := w.ahead(); !ok || mm > 3 {
		t.Errorf("lift at 60 mm: %v %v ahead, want the carried cube", mm, ok)
	}
}

// What a person does with cubes: onto another one, out of a stack, off the lift, and under the robot's load.
func TestPersonPutsCubesOnEachOtherAndTakesThemAway(t *testing.T) {
	w := handWorld(pose(vec{200, 100}, 0), pose(vec{200, 200}, 0.4), pose(vec{200, -200}, 0))
	if w.moveCube(2, pose(vec{220, 105}, 0.2)) {
		t.Error("a cube hangs over the edge of another one")
	}
	for k, id := range []int{2, 3} {
		if c := w.view().Cubes; !w.moveCube(id, pose(vec{200 + 8*float64(k), 105}, 0.2)) {
			t.Fatalf("cube %d is not put on the stack: %+v", id, c)
		}
		if c := w.view().Cubes[id-1]; c.BaseMM != 44*float64(k+1) {
			t.Errorf("cube %d stands at %v mm", id, c.BaseMM)
		}
	}
	if !w.moveCube(1, pose(vec{200, 105}, 0)) || w.view().Cubes[0].BaseMM != 0 || w.view().Cubes[2].BaseMM != 88 {
		t.Errorf("the lowest cube was shifted by 5 mm: %+v", w.view().Cubes)
	}
	if !w.moveCube(2, pose(vec{0, -200}, 0)) {
		t.Fatal("the cube in the middle cannot be taken")
	}
	c := w.view().Cubes
	if c[0].BaseMM != 0 || c[1].BaseMM != 0 || c[2].BaseMM != 44 || c[2].XMM != 208 {
		t.Errorf("after the middle one was taken: %+v; want the upper one straight down on the lowest", c)
	}
	if !w.moveCube(1, pose(vec{-300, -200}, 0)) || w.view().Cubes[2].BaseMM != 0 {
		t.Errorf("after the lowest one was taken: %+v", w.view().Cubes)
	}
}

func TestPersonTakesTheCubeOffTheLift(t *testing.T) {
	w := handWorld(ahead(30))
	w.pickUpAhead(30, 32)
	if !w.moveCube(1, pose(vec{-300, 100}, 1)) {
		t.Fatal("not taken")
	}
	if d := w.detect(epoch); d.Carrying || d.CarriedID != 0 {
		t.Errorf("still carrying %d", d.CarriedID)
	}
	w.forwardFor(50)
	w.liftTo(32)
	if c := w.view().Cubes[0]; c.Carried || c.BaseMM != 0 || c.XMM != -300 || c.YMM != 100 {
		t.Errorf("%+v", c)
	}
}

func TestCubeThatIsCarriedOverTheEdgeFallsWhenLowered(t *testing.T) {
	w := handWorld(ahead(30))
	w.pickUpAhead(30, 32)
	w.drive(0.25, 0.25)
	for w.robot.XMM < 560 { // the front sensors are 10 mm before the edge, the cube beyond it
		w.after(step)
	}
	w.drive(0, 0)
	w.after(time.Second)
	if c := w.view().Cubes; len(c) != 1 || !c[0].Carried {
		t.Fatalf("held over the edge: %+v", c)
	}
	w.liftTo(32)
	if c := w.view().Cubes; len(c) != 0 || w.mode != standing {
		t.Errorf("lowered over the edge: %+v", c)
	}
	w.drive(-0.3, -0.3)
	w.after(12 * time.Second)
	w.drive(0, 0)
	if c := w.view().Cubes; len(c) != 1 || c[0].Pose != w.cubes[0].home || c[0].Carried {
		t.Errorf("ten seconds later: %+v", c)
	}
}

// A robot with a load before its axle tips over an edge earlier than one without.
func TestLoadMovesTheCenterOfMass(t *testing.T) {
	fell := func(w *world) float64 {
		w.drive(0.2, 0.2)
		for w.mode == standing && w.n < 20_000 {
			w.after(step)
		}
		return w.robot.XMM
	}
	plain, loaded := handWorld(), handWorld(ahead(30))
	loaded.pickUpAhead(30, 32)
	// 540·x = 500·(−10) + 40·57: from 10 mm behind the axle to 5 mm.
	if p, l := fell(plain), fell(loaded); math.Abs(p-l-5) > 0.7 {
		t.Errorf("without a load it falls at %.1f mm, with one at %.1f; want 5 mm earlier", p, l)
	}
}

// The energy of what is pushed comes from the wheels: a cube never gets faster than the robot, and stops soon.
func TestPushedCubeIsNoFasterThanTheRobotAndStops(t *testing.T) {
	w := handWorld(ahead(30), pose(vec{bodyFront + 30 + 22, 3}, 0))
	w.cubes[1].on, w.cubes[1].base = 1, 44
	w.contacts.put(1, w.cubes[1])
	w.drive(0.8, 0.8)
	x, fastest := w.cubes[0].pose.XMM, 0.0
	for range 1500 {
		w.after(step)
		fastest = max(fastest, (w.cubes[0].pose.XMM-x)/stepS)
		x = w.cubes[0].pose.XMM
	}
	if c := w.view().Cubes; len(c) != 2 || fastest > 1.1*0.8*220 || c[1].BaseMM != 44 {
		t.Errorf("up to %.0f mm/s: %+v", fastest, c)
	}
	w.drive(0, 0)
	w.after(time.Second)
	at := w.cubes[0].pose
	w.after(time.Second)
	if w.cubes[0].pose != at || !w.idle() {
		t.Errorf("it slides on by itself from %+v to %+v", at, w.cubes[0].pose)
	}
}
