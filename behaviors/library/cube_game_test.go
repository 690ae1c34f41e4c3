package library_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/hardware"
)

// game is a CubeGame before a stack of cube 7 on cube 8.
func game(t *testing.T, name string) scene {
	t.Helper()
	s := play(t, `"behaviorClass": "CubeGame", "game": "`+name+`", "maxCubeAge_s": 90, "maxCubeDist_mm": 900, "cooldownPerCube_s": 60, "maxTries": 2,
		"doneClip": "celebrate", "failedClip": "sad_no_face"`)
	s.Body.Cubes = []behaviortest.Cube{{ID: 7, XMM: 250, BaseMM: 44}, {ID: 8, XMM: 250}}
	return s
}

func TestKnockOverGameSweepsTheUpperCubeOffAndIsGlad(t *testing.T) {
	s := game(t, "knock")
	s.state(time.Minute, "knocking a stack over")
	s.state(time.Minute, "glad")
	if s.cubeAt(7).BaseMM != 0 || s.Body.Carried() != 0 {
		t.Errorf("the upper cube is %+v", s.cubeAt(7))
	}
	s.over(10 * time.Second)
	s.For(10 * time.Second)
	if s.Active("S") {
		t.Error("it knocks over what lies on the ground")
	}
}

func TestKnockOverGameInterruptedWithTheCubeOnTheLiftKeepsIt(t *testing.T) {
	s := game(t, "knock")
	s.Until(time.Minute, "the cube is on the lift", func() bool { return s.World().Body.Carrying })
	s.interrupt()
	s.For(5 * time.Second)
	if s.Active("S") || s.Body.Carried() != 7 {
		t.Errorf("active %v, it carries %d", s.Active("S"), s.Body.Carried())
	}
	s.NoRefusals()
}

// A stroke while the cube is on the lift interrupts the game, which then goes on with that cube: no new start, and nothing is put away.
// Rules: Q-13.
func TestStrokedRobotGoesOnWithTheCubeOnItsLift(t *testing.T) {
	e := whole(t)
	s := scene{e, t}
	s.Body.Cubes = []behaviortest.Cube{{ID: 7, XMM: 250, YMM: -80}, {ID: 8, XMM: 250, YMM: 80}}
	s.Until(2*time.Minute, "a cube is on the lift", func() bool { return s.Active("StackCubes") && s.World().Body.Carrying })
	s.For(time.Second)
	cube, starts := s.Body.Carried(), s.Started("StackCubes")
	s.Body.Touched = true
	s.Until(3*time.Second, "it is stroked", func() bool { return s.Active("ReactToTouch") })
	s.Body.Touched = false
	s.Until(20*time.Second, "the stroke is over", func() bool { return !s.Active("ReactToTouch") })
	s.Step(2)
	if !s.Active("StackCubes") || s.Started("StackCubes") != starts || s.Body.Carried() != cube {
		t.Errorf("after the stroke there are %d starts, want %d; it carries %d, want %d\n%s", s.Started("StackCubes"), starts, s.Body.Carried(), cube, s.Describe())
	}
	s.Until(2*time.Minute, "the end", func() bool { return !s.Active("StackCubes") })
	if c := s.cubeAt(cube); c.BaseMM != 44 || s.Started("PutCubeAway") != 0 {
		t.Errorf("the cube is %+v, put away %d times", c, s.Started("PutCubeAway"))
	}
}

// A stack that could not be built counted as one: the robot was glad with the cube still on its lift.
func TestStackGameThatCannotStackIsNotGlad(t *testing.T) {
	s := game(t, "stack")
	s.Body.Cubes = []behaviortest.Cube{{ID: 7, XMM: 250, YMM: -80}, {ID: 8, XMM: 250, YMM: 80}}
	s.Until(2*time.Minute, "a cube is on the lift", func() bool { return s.World().Body.Carrying })
	other := 15 - s.Body.Carried()
	for i := range s.Body.Cubes { // somebody takes the other one away
		if s.Body.Cubes[i].ID == other {
			s.Body.Cubes[i].XMM = -900
		}
	}
	glad := false
	s.Until(2*time.Minute, "the end", func() bool {
		glad = glad || s.Body.Carried() != 0 && s.State("S") == "glad"
		return !s.Active("S")
	})
	if glad || s.Body.Carried() != 0 {
		t.Errorf("glad with the cube on the lift: %v; it carries %d", glad, s.Body.Carried())
	}
}

func TestKnockOverGameGivesUpAStackWithoutRoomBeside(t *testing.T) {
	s := game(t, "knock")
	s.Edit = func(n *hardware.Snapshot) { // others stand on both sides
		b := s.World().Body.Pose
		for i, y := range []float64{100, -100} {
			d, bearing := b.To(260, y)
			n.Vision.Value.Objects = append(n.Vision.Value.Objects, hardware.Object{ID: 20 + i, Kind: hardware.KindCube, DistanceMM: d, BearingRad: bearing})
		}
	}
	s.state(2*time.Minute, "giving up")
	if s.cubeAt(7).BaseMM != 44 {
		t.Errorf("the upper cube is %+v", s.cubeAt(7))
	}
}

// It drives around a cube that stands on the way to the one that it looks at.
func TestInspectGameDrivesAroundOtherCubes(t *testing.T) {
	s := game(t, "inspect")
	s.Body.FreeWheels = true
	s.Body.Cubes = []behaviortest.Cube{{ID: 7, XMM: 250}, {ID: 8, XMM: 450}}
	nearest := math.Inf(1)
	for _, id := range []int{7, 8} {
		s.state(time.Minute, "driving to a cube")
		s.Until(time.Minute, "it has looked at it", func() bool {
			d, _ := s.Body.To(s.cubeAt(7).XMM, s.cubeAt(7).YMM)
			nearest = min(nearest, d)
			return s.State("S") == "glad"
		})
		if d, bearing := s.Body.To(s.cubeAt(id).XMM, s.cubeAt(id).YMM); d > 140 || math.Abs(bearing) > 0.2 {
			t.Errorf("cube %d is %.0f mm away at %.2f rad", id, d, bearing)
		}
		s.over(10 * time.Second)
	}
	if nearest < 60 {
		t.Errorf("it came as near to the first cube as %.0f mm", nearest)
	}
}

// A cube that somebody moved while the robot drove to it is looked for, and found.
// Rules: LOOK-7.
func TestGameLooksForACubeThatItLostSightOf(t *testing.T) {
	s := game(t, "roll")
	s.Body.Cubes = []behaviortest.Cube{{ID: 7, XMM: 400}}
	s.state(10*time.Second, "driving to a cube")
	s.For(time.Second)
	s.Body.Cubes = nil
	s.state(time.Minute, "looking for the cube")
	s.Body.Cubes = []behaviortest.Cube{{ID: 7, XMM: -250, YMM: 150}}
	s.state(time.Minute, "rolling a cube")
	s = game(t, "roll")
	s.Body.Cubes = []behaviortest.Cube{{ID: 7, XMM: 400}}
	s.state(10*time.Second, "driving to a cube")
	s.Body.Cubes = nil
	s.state(2*time.Minute, "giving up")
}
