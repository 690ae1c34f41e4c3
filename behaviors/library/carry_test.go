package library_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/hardware"
)

// holding is play with cube 7 on the lift.
func holding(t *testing.T, subject string) scene {
	t.Helper()
	s := play(t, subject)
	s.Body.Cubes = []behaviortest.Cube{{ID: 7, XMM: 45}}
	s.Body.Lift(32)
	s.Body.Lift(92)
	if s.Body.Carried() != 7 {
		t.Fatal("the lift is empty")
	}
	return s
}

// A robot that came to its charger with a cube neither charged nor left it again.
func TestGoHomePutsWhatItCarriesBesideTheCharger(t *testing.T) {
	s := holding(t, home)
	s.Body.Charger = &hardware.Pose{XMM: 400, YMM: 60, HeadingRad: math.Pi}
	s.state(time.Second, "putting a cube beside the charger")
	s.state(2*time.Minute, "docking")
	if c := s.Body.Cubes[0]; s.Body.Carried() != 0 || math.Hypot(c.XMM-400, c.YMM-60) < 120 {
		t.Errorf("it carries %d, the cube is at %+v", s.Body.Carried(), c)
	}
	s.state(2*time.Minute, "home")
	s.over(10 * time.Second)
}

func TestShortBehaviorsKeepWhatIsOnTheLift(t *testing.T) {
	for name, c := range map[string]struct{ subject, last string }{
		"greeting": {`"behaviorClass": "GreetFace", "cooldownPerFace_s": 60`, "greeting"},
		"looking":  {`"behaviorClass": "LookAtFace"`, "looking at the face"},
		"coming":   {`"behaviorClass": "ComeHere", "driveOffChargerBehavior": "Wait"`, "arrived"},
		"stopping": {`"behaviorClass": "StandStill", "duration_s": 3`, "still"},
		"clip":     {`"behaviorClass": "AnimSequence", "animNames": ["celebrate"]`, "playing"},
	} {
		t.Run(name, func(t *testing.T) {
			s := holding(t, c.subject)
			s.Body.People = people(1, 500, 50)
			s.state(20*time.Second, c.last)
			s.For(4 * time.Second)
			if s.Body.Carried() != 7 {
				t.Errorf("the cube is at %+v", s.Body.Cubes[0])
			}
			s.NoRefusals()
		})
	}
}

// On the charger there is no room to put a cube down: lowered there, it would stand in the robot's way off it.
func TestDanceOnTheChargerKeepsWhatIsOnTheLift(t *testing.T) {
	s := holding(t, `"behaviorClass": "Dance"`)
	s.Body.Plugged = true
	s.state(time.Second, "dancing")
	s.state(time.Minute, "finale")
	s.over(10 * time.Second)
	if s.Body.Carried() != 7 {
		t.Errorf("the cube is at %+v", s.Body.Cubes[0])
	}
}

func TestLongBehaviorsPutDownWhatIsOnTheLift(t *testing.T) {
	for name, c := range map[string]struct{ subject, then string }{
		"dancing":   {`"behaviorClass": "Dance"`, "dancing"},
		"exploring": {`"behaviorClass": "Explore"`, "looking ahead"},
		"sleeping":  {`"behaviorClass": "Sleep", "fallAsleepAfter_s": 0`, "falling asleep"},
	} {
		t.Run(name, func(t *testing.T) {
			s := holding(t, c.subject)
			s.state(time.Second, "putting down what it carries")
			s.interrupt()
			s.state(time.Second, "putting down what it carries")
			s.state(10*time.Second, c.then)
			if s.Body.Carried() != 0 || s.Body.Cubes[0].BaseMM != 0 {
				t.Errorf("the cube is at %+v", s.Body.Cubes[0])
			}
		})
	}
}

func TestRobotWithNoFreeGroundLetsGoOfTheCube(t *testing.T) {
	s := holding(t, `"behaviorClass": "Dance"`)
	s.Edit = func(n *hardware.Snapshot) {
		for i := range 12 {
			n.Vision.Value.Objects = append(n.Vision.Value.Objects, hardware.Object{
				ID: 20 + i, Kind: hardware.KindCube, DistanceMM: 60, BearingRad: hardware.WrapRad(float64(i) * math.Pi / 6),
			})
		}
	}
	s.state(10*time.Second, "letting go of what it carries")
	s.state(10*time.Second, "dancing")
	if s.Body.Carried() != 0 {
		t.Error("it dances with the cube")
	}
}

func TestCubeOnTheLiftKeepsNobodyFromChargingAndLeaving(t *testing.T) {
	s := holding(t, `"behaviorClass": "StayOnChargerUntilCharged", "delegate": "Wait"`)
	s.Body.Plugged = true
	s.state(2*time.Second, "charging")
	s = holding(t, leave)
	s.Body.Plugged = true
	s.state(2*time.Second, "driving off")
	if s.Body.Carried() != 7 {
		t.Error("it dropped the cube on the charger")
	}
}
