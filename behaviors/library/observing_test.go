package library_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

func TestObservingOnChargerLooksUpAndDown(t *testing.T) {
	s := play(t, `"behaviorClass": "ObservingOnCharger", "lookUp_deg": 30, "lookDown_deg": -5`)
	s.Body.Plugged = true
	s.modifiers(false, true)
	for range 3 {
		s.state(10*time.Second, "looking up")
		s.Step(3)
		if a := s.World().Servos.Value.HeadRad; a < 0.5 {
			t.Errorf("head at %.2f rad while looking up", a)
		}
		s.state(10*time.Second, "looking down")
		s.Step(3)
		if a := s.World().Servos.Value.HeadRad; a > 0 {
			t.Errorf("head at %.2f rad while looking down", a)
		}
	}
	if s.Body.XMM != 0 || s.Body.HeadingRad != 0 {
		t.Error("it moved on the charger")
	}
	s.interrupt()
	s.NoRefusals()
}

func TestObservingGoesOnWithBrokenHead(t *testing.T) {
	s := play(t, `"behaviorClass": "ObservingOnCharger"`)
	s.Body.Broken = map[string]hardware.Quality{hardware.Servos: hardware.Failed}
	s.For(30 * time.Second)
	if n := s.Started("S"); n != 1 {
		t.Errorf("started %d times", n)
	}
	s.NoRefusals()
}

// Rules: data/2.3.2.
func TestLookAroundTurnsAroundOnceAndEnds(t *testing.T) {
	s := play(t, `"behaviorClass": "LookAround"`)
	s.state(time.Second, "s1")
	s.interrupt()
	s.state(time.Second, "s1")
	s.over(2 * time.Minute)
	if s.Body.XMM != 0 || s.Body.YMM != 0 {
		t.Errorf("left its place: %+v", s.Body.Pose)
	}
}

const explore = `"behaviorClass": "Explore", "legsMin": 3, "legsMax": 3`

func TestExploreWandersAndEnds(t *testing.T) {
	s := play(t, explore)
	s.modifiers(false, false)
	s.state(5*time.Second, "driving")
	s.interrupt()
	s.state(5*time.Second, "driving")
	s.over(time.Minute)
	if d, _ := s.Body.To(0, 0); d < 50 {
		t.Errorf("only %.0f mm away", d)
	}
}

func TestExploreLooksAtAnObstacleAndTurnsAway(t *testing.T) {
	s := play(t, `"behaviorClass": "Explore", "legsMin": 6, "legsMax": 6, "turnMin_deg": 0, "turnMax_deg": 1`)
	s.Body.WallXMM = 300
	s.state(20*time.Second, "looking at an obstacle")
	if gap := 300 - s.Body.XMM - 35; gap < 40 || gap > 95 {
		t.Errorf("stopped %.0f mm before the wall", gap)
	}
	s.state(5*time.Second, "turning away")
	s.over(2 * time.Minute)
}

// A distance sensor on a head that looks at faces would look over what is in the way.
func TestExploreHoldsAHeadWithTheSensorLevel(t *testing.T) {
	for onHead, want := range map[bool]float64{false: 12, true: 0} {
		s := play(t, explore+`, "headAngle_deg": 12`)
		s.Edit = func(w *hardware.Snapshot) { w.Range.Value.OnHead, w.Range.Value.ConeRad = onHead, 0.2 }
		s.Step(1)
		s.interrupt()
		s.state(5*time.Second, "driving")
		if got := s.World().Servos.Value.HeadRad * 180 / math.Pi; math.Abs(got-want) > 0.1 {
			t.Errorf("sensor on the head: %v: drives with the head at %.1f°, want %v°", onHead, got, want)
		}
	}
}

func TestExploreRefusesToDriveBlind(t *testing.T) {
	s := play(t, explore)
	s.state(5*time.Second, "driving")
	s.Body.Broken = map[string]hardware.Quality{hardware.Cliff: hardware.Failed}
	s.Step(2)
	if s.Active("S") || !s.Active("Wait") {
		t.Errorf("it goes on without cliff sensors\n%s", s.Describe())
	}
}

// A robot on a floor with walls, with nothing but wheels.
func TestExploreWandersWithoutSensorsThatTheRobotLacks(t *testing.T) {
	s := play(t, explore)
	s.Body.Edgeless = true
	s.Body.Broken = map[string]hardware.Quality{}
	for _, device := range hardware.Names {
		if device != hardware.Motors {
			s.Body.Broken[device] = hardware.Absent
		}
	}
	s.state(5*time.Second, "driving")
	s.over(time.Minute)
	if d, _ := s.Body.To(0, 0); d < 50 {
		t.Errorf("only %.0f mm away", d)
	}
}

func TestExploreGlancesBackAtTheCharger(t *testing.T) {
	s := play(t, `"behaviorClass": "Explore", "legsMin": 100, "legsMax": 100, "driveMin_mm": 50, "driveMax_mm": 60, "glanceAtCharger_s": 5`)
	s.Body.Charger = &hardware.Pose{XMM: 400, HeadingRad: 3.14}
	s.state(time.Minute, "glancing at the charger")
	before := s.Now()
	s.Until(10*time.Second, "it sees the charger again", func() bool {
		home, ok := s.World().Charger()
		return ok && home.SeenAt.After(before)
	})
}
