package library_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/hardware"
)

const leave = `"behaviorClass": "LeaveCharger", "driveDirectionCues": ["left"]`

// Rules: data/2.3.1a, data/2.3.1b.
func TestDriveOffChargerLeavesAndTurns(t *testing.T) {
	s := play(t, leave)
	s.modifiers(true, true)
	s.Step(1)
	if s.Active("S") {
		t.Fatal("it wants to leave a charger on which it is not")
	}
	s.Body.Plugged = true
	s.state(time.Second, "driving off")
	s.Body.Plugged = false
	s.state(5*time.Second, "turning")
	s.over(5 * time.Second)
	if s.Body.XMM < 150 || math.Abs(s.Body.HeadingRad-math.Pi/3) > 0.1 {
		t.Errorf("at %+v", s.Body.Pose)
	}
}

// Rules: data/2.3.1a.
func TestDriveOffChargerWaitsWhileHeld(t *testing.T) {
	s := play(t, leave)
	s.Body.Plugged = true
	s.state(time.Second, "driving off")
	s.Body.Held = true
	s.state(2*time.Second, "waiting to be put down")
	if left := s.Actions(); len(left) > 0 {
		t.Errorf("it drives in the air: %v", left)
	}
	s.Body.Held = false
	s.state(2*time.Second, "driving off")
	s.interrupt()
	s.NoRefusals()
}

// Rules: data/2.3.1a.
func TestDriveOffChargerGivesUpAfterItsAttempts(t *testing.T) {
	s := play(t, leave)
	s.Body.Plugged = true // and stays so, wherever it drives
	s.Until(5*time.Minute, "it gives up", func() bool { return s.State("S") == "gave up" })
	s.For(10 * time.Second)
	if n := s.Started("S"); n != 1 || s.Active("S") {
		t.Errorf("it began %d times, want 1", n)
	}
	s.For(time.Minute)
	if n := s.Started("S"); n != 2 {
		t.Errorf("it began %d times after a minute, want 2", n)
	}
}

// Rules: data/2.3.1b.
func TestDriveOffChargerTurnsToAFace(t *testing.T) {
	s := play(t, `"behaviorClass": "LeaveCharger", "driveDirectionCues": ["face", "straight"]`)
	s.Body.People = people(1, 600, 250)
	s.Body.Plugged = true
	s.state(time.Second, "driving off")
	s.Body.Plugged = false
	s.over(10 * time.Second)
	if _, bearing := s.Body.To(600, 250); math.Abs(bearing) > 0.2 {
		t.Errorf("the face is at %.2f rad", bearing)
	}
}

const find = `"behaviorClass": "FindCharger", "minSearchAngleSweep_deg": 360, "maxSearchTurns": 10`

// Rules: data/2.3.5b.
func TestFindChargerTurnsUntilItSeesIt(t *testing.T) {
	s := play(t, find)
	s.modifiers(false, false)
	s.Body.Charger = &hardware.Pose{XMM: -500, YMM: 50}
	s.state(5*time.Second, "turning")
	s.interrupt()
	s.state(10*time.Second, "turning")
	s.over(time.Minute)
	if _, ok := s.World().Charger(); !ok {
		t.Error("it ended without having seen the charger")
	}
}

// Rules: data/2.3.5b.
func TestFindChargerDrivesElsewhereAfterFruitlessTurn(t *testing.T) {
	s := play(t, find)
	s.state(time.Minute, "driving elsewhere")
	s.state(20*time.Second, "turning")
	if d, _ := s.Body.To(0, 0); d < 100 {
		t.Errorf("only %.0f mm away", d)
	}
	s.interrupt()
	s.NoRefusals()
}

// What it searched before it was carried elsewhere says nothing of the new place.
// Rules: data/2.3.5b.
func TestFindChargerSearchesAnewWhereItWasCarried(t *testing.T) {
	s := play(t, find+`, "maxNumRecentSearches": 1, "recentSearchWindow_sec": 600`)
	s.Until(3*time.Minute, "it gives up", func() bool { return s.State("S") == "searched enough" })
	s.over(time.Second)
	n := s.Started("S")
	s.For(5 * time.Second)
	if got := s.Started("S"); got != n {
		t.Fatalf("it began %d times more where it was", got-n)
	}
	s.Body.Held = true
	s.For(3 * time.Second)
	s.Body.Held = false
	s.Until(20*time.Second, "it searches", func() bool { return s.Started("S") > n })
}

// Rules: data/2.3.5b.
func TestFindChargerGivesUpAfterItsSearches(t *testing.T) {
	s := play(t, find+`, "maxNumRecentSearches": 2, "recentSearchWindow_sec": 120`)
	from := s.Now()
	s.state(2*time.Minute, "driving elsewhere")
	s.Until(2*time.Minute, "it gives up", func() bool { return s.State("S") == "searched enough" })
	s.over(time.Second)
	n := s.Started("S")
	s.For(120*time.Second - s.Now().Sub(from))
	if got := s.Started("S"); got != n {
		t.Errorf("it began %d times more within its window", got-n)
	}
	s.state(10*time.Second, "turning")
	s.NoRefusals()
}

func TestNobodyLooksForAChargerThatTheRobotCannotUse(t *testing.T) {
	for _, class := range []string{find, home} {
		s := play(t, class)
		s.Body.Broken = map[string]hardware.Quality{hardware.Charger: hardware.Absent}
		s.Body.Charger = &hardware.Pose{XMM: 500}
		s.For(20 * time.Second)
		if n := s.Started("S"); n > 1 {
			t.Errorf("%s: started %d times", class, n)
		}
		if s.Active("S") || !s.Active("Wait") {
			t.Errorf("%s: goes on\n%s", class, s.Describe())
		}
	}
}

const home = `"behaviorClass": "DockOnCharger", "driveToRetryCount": 1, "mountChargerRetryCount": 1`

// Rules: data/2.3.5a.
func TestGoHomeDocks(t *testing.T) {
	s := play(t, home)
	s.modifiers(false, false)
	s.Step(3)
	if s.Active("S") {
		t.Fatal("it goes home without knowing where that is")
	}
	s.Body.Charger = &hardware.Pose{XMM: 400, YMM: 60, HeadingRad: math.Pi}
	s.state(time.Second, "docking")
	s.For(time.Second)
	s.interrupt()
	s.state(2*time.Minute, "home")
	if !s.World().Body.OnContacts {
		t.Error("it says it is home, without contact")
	}
	s.over(10 * time.Second)
}

// Rules: HLP-3.
func TestGoHomeCarriesACubeOutOfTheWay(t *testing.T) {
	s := play(t, home)
	s.Body.Charger = &hardware.Pose{XMM: 400, YMM: 60, HeadingRad: math.Pi}
	s.Body.Cubes = []behaviortest.Cube{{ID: 7, XMM: 262, YMM: 62}}
	s.state(time.Minute, "carrying a cube out of the way")
	s.state(4*time.Minute, "home")
	if c := s.Body.Cubes[0]; c.BaseMM != 0 || math.Hypot(c.XMM-262, c.YMM-62) < 100 {
		t.Errorf("the cube is at %+v", c)
	}
	s.over(10 * time.Second)
	s.NoRefusals()
}

// Rules: data/2.3.5a.
func TestGoHomeGivesUpUntilANewSighting(t *testing.T) {
	s := play(t, home)
	s.Body.Charger = &hardware.Pose{XMM: 400, HeadingRad: math.Pi}
	s.Step(5)
	s.Body.Charger = nil // a person took it away; the robot remembers its place
	s.state(5*time.Minute, "trying from another side")
	s.state(5*time.Minute, "giving up")
	s.over(10 * time.Second)
	s.For(10 * time.Second)
	if s.Active("S") {
		t.Error("it tries again although it has seen nothing new")
	}
	s.For(time.Minute)
	if s.Started("S") < 2 {
		t.Error("it never tries again")
	}
}

const sleep = `"behaviorClass": "Sleep", "onlyOnCharger": true, "fallAsleepAfter_s": 5`

func TestSleepFallsAsleepAndWakes(t *testing.T) {
	for name, disturb := range map[string]func(s scene){
		"touched":          func(s scene) { s.Body.Touched = true },
		"spoken to":        func(s scene) { s.Intent("other") },
		"somebody is here": func(s scene) { s.Body.People = people(1, 500, 0) },
		"fully charged":    func(s scene) { s.Body.Charged = true },
		"off the charger":  func(s scene) { s.Body.Plugged = false },
	} {
		t.Run(name, func(t *testing.T) {
			s := play(t, sleep)
			s.Body.Plugged = true
			s.For(4 * time.Second)
			if s.Active("S") {
				t.Fatal("it sleeps at once")
			}
			s.state(10*time.Second, "asleep")
			s.For(20 * time.Second)
			if s.State("S") != "asleep" {
				t.Fatalf("state %q", s.State("S"))
			}
			disturb(s)
			s.state(5*time.Second, "waking up: "+name)
			s.over(5 * time.Second)
			s.For(3 * time.Second)
			if s.Active("S") {
				t.Error("it falls asleep again at once")
			}
		})
	}
}

func TestSleepEndsAfterItsLimit(t *testing.T) {
	s := play(t, `"behaviorClass": "Sleep", "fallAsleepAfter_s": 0, "maxSleep_s": 20`)
	s.state(5*time.Second, "asleep")
	s.interrupt()
	s.state(10*time.Second, "asleep")
	s.state(30*time.Second, "waking up: slept enough")
	s.NoRefusals()
}

// Rules: data/2.3b.
func TestStayOnChargerUntilCharged(t *testing.T) {
	s := play(t, `"behaviorClass": "StayOnChargerUntilCharged", "delegate": "D"`,
		"-- D.json --\n"+`{"behaviorClass": "AnimSequence", "behaviorID": "D", "animNames": ["surprised"]}`)
	s.Step(2)
	if s.Active("S") {
		t.Fatal("it stays where there is no charger")
	}
	s.Body.Plugged = true
	s.state(time.Second, "charging")
	s.For(5 * time.Second)
	if s.Started("D") < 3 {
		t.Errorf("the delegate was started %d times\n%s", s.Started("D"), s.Describe())
	}
	s.interrupt()
	s.state(time.Second, "charging")
	s.Body.Charged = true
	s.over(5 * time.Second)
	s.Body.Charged = false // the level drops as soon as the charger lets go
	s.For(2 * time.Second)
	if s.Active("S") {
		t.Error("called back by a battery that was full a moment ago")
	}
}
