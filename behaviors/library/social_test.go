package library_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/hardware"
)

func people(id int, xMM, yMM float64) []behaviortest.Person {
	return []behaviortest.Person{{ID: id, Name: "Ada", XMM: xMM, YMM: yMM}}
}

const come = `"behaviorClass": "ComeHere", "respondToUserIntents": [{"type": "come_here"}], "driveOffChargerBehavior": "Leave",
	"suppressedBehaviors": ["Cliff"], "stopDistance_mm": 200`

// called plays the scene of "come here".
func called(t *testing.T, set func(b *behaviortest.Body)) scene {
	s := play(t, come,
		"-- Leave.json --\n"+"{"+completed(t, `"behaviorClass": "LeaveCharger", "behaviorID": "Leave", "driveDirectionCues": ["straight"]`)+"}",
		"-- Cliff.json --\n"+"{"+completed(t, `"behaviorClass": "ReactToEdge", "behaviorID": "Cliff"`)+"}")
	set(s.Body)
	s.Step(5)
	if s.Active("S") {
		t.Fatal("it comes without being called")
	}
	s.Intent("come_here")
	s.Step(1)
	if !s.Active("S") {
		t.Fatalf("it does not come: %s", s.Engine.Cell("S").Why())
	}
	if in := s.Engine.View().Intent; in.Pending != nil || in.Active == nil || in.Active.Tag != "come_here" {
		t.Errorf("the intent is not claimed: %+v", in)
	}
	return s
}

func TestComeHereDrivesToAKnownFace(t *testing.T) {
	s := called(t, func(b *behaviortest.Body) { b.People = people(1, 600, 200) })
	s.modifiers(false, true)
	s.state(5*time.Second, "turning to the face")
	s.state(10*time.Second, "coming")
	s.state(20*time.Second, "arrived")
	if d, bearing := s.Body.To(600, 200); d > 240 || d < 150 || math.Abs(bearing) > 0.2 {
		t.Errorf("arrived %.0f mm away, face at %.2f rad", d, bearing)
	}
	s.over(5 * time.Second)
	if s.Engine.View().Intent.Active != nil {
		t.Error("the intent is still active")
	}
}

func TestComeHereLooksForAFace(t *testing.T) {
	s := called(t, func(b *behaviortest.Body) { b.People = people(1, -500, 100) })
	s.state(5*time.Second, "looking for a face")
	s.state(30*time.Second, "coming")
	s.state(30*time.Second, "arrived")
	s.over(5 * time.Second)
}

func TestComeHereIsSadWithoutPerson(t *testing.T) {
	s := called(t, func(*behaviortest.Body) {})
	s.state(time.Minute, "nobody there")
	if turned := s.World().IMU.Value.YawRad; turned < 6 {
		t.Errorf("looked around by %.1f rad only", turned)
	}
	s.over(5 * time.Second)
}

func TestComeHereSearchesAgainForLostFace(t *testing.T) {
	s := called(t, func(b *behaviortest.Body) { b.People = people(1, 700, 0) })
	s.state(5*time.Second, "turning to the face")
	s.Body.People = nil
	s.state(20*time.Second, "looking for a face")
	s.state(time.Minute, "nobody there")
	s.over(5 * time.Second)
}

func TestComeHereLeavesTheChargerFirst(t *testing.T) {
	s := called(t, func(b *behaviortest.Body) {
		b.Plugged = true
		b.People = people(1, 900, 0)
	})
	s.Until(5*time.Second, "it drives off", func() bool { return s.Active("Leave") })
	s.Body.Plugged = false
	s.state(20*time.Second, "arrived")
	s.over(5 * time.Second)
}

func TestComeHereIsHappyAtTheEdge(t *testing.T) {
	s := called(t, func(b *behaviortest.Body) {
		b.People = people(1, 800, 0)
		b.EdgeXMM = 400
	})
	s.state(5*time.Second, "coming")
	s.state(20*time.Second, "stopped at an edge")
	s.over(10 * time.Second)
	if s.Body.XMM > 370-30 || s.Body.XMM < 300 {
		t.Errorf("it stands at %.0f; the edge is at 400", s.Body.XMM)
	}
	if s.Started("Cliff") != 0 {
		t.Error("it was startled by the edge")
	}
}

func TestComeHereStopsAtAnObstacle(t *testing.T) {
	s := called(t, func(b *behaviortest.Body) {
		b.People = people(1, 900, 0)
		b.WallXMM = 400
	})
	s.state(20*time.Second, "arrived")
	if s.Body.XMM > 330 {
		t.Errorf("drove to %.0f; the wall is at 400", s.Body.XMM)
	}
	s.over(5 * time.Second)
}

func TestComeHereIsSadWhenItCannotDriveOn(t *testing.T) {
	s := called(t, func(b *behaviortest.Body) { b.People = people(1, 900, 0) })
	s.state(10*time.Second, "coming")
	s.For(time.Second)
	s.Body.Broken = map[string]hardware.Quality{hardware.Motors: hardware.Failed}
	s.state(5*time.Second, "cannot come")
	s.over(5 * time.Second)
}

func TestComeHereStopsEarlyForApproachingPerson(t *testing.T) {
	s := called(t, func(b *behaviortest.Body) { b.People = people(1, 1200, 0) })
	s.state(10*time.Second, "coming")
	s.Body.People = people(1, s.Body.XMM+180, 0)
	s.state(time.Second, "arrived")
}

// Rules: data/1.7f.
func TestInterruptedComeHereLeavesNothingBehind(t *testing.T) {
	s := called(t, func(b *behaviortest.Body) { b.People = people(1, 700, 0) })
	s.state(10*time.Second, "coming")
	s.interrupt()
	if s.Engine.View().Intent.Active != nil || s.Active("S") {
		t.Error("it holds on to the intent")
	}
	s.NoRefusals()
}

const greet = `"behaviorClass": "GreetFace", "cooldownPerFace_s": 30`

func TestGreetFaceSaysTheNameOnceInAWhile(t *testing.T) {
	s := play(t, greet)
	s.Body.People = people(1, 600, 200)
	s.state(time.Second, "turning to the face")
	s.state(10*time.Second, "greeting")
	s.over(5 * time.Second)
	if want := []string{"Hello Ada"}; !slices.Equal(s.Said(), want) {
		t.Errorf("said %q", s.Said())
	}
	s.For(10 * time.Second)
	if s.Started("S") != 1 {
		t.Errorf("greeted %d times", s.Started("S"))
	}
	s.Body.People = append(s.Body.People, behaviortest.Person{ID: 2, XMM: 600, YMM: 250})
	s.state(time.Second, "turning to the face") // another person
	s.over(10 * time.Second)
	s.For(30 * time.Second)
	if s.Started("S") < 3 {
		t.Error("no person is greeted again")
	}
}

func TestGreetFaceInterruptedDoesNotStartAgain(t *testing.T) {
	s := play(t, greet)
	s.Body.People = people(1, 600, 0)
	s.state(time.Second, "turning to the face")
	s.interrupt()
	s.For(5 * time.Second)
	if s.Started("S") != 1 {
		t.Errorf("started %d times", s.Started("S"))
	}
	s.NoRefusals()
}

func TestGreetFaceIsSilentWhenTheFaceIsGone(t *testing.T) {
	s := play(t, greet)
	s.Body.People = people(1, 600, 200)
	s.state(time.Second, "turning to the face")
	s.Body.People = nil
	s.over(10 * time.Second)
	if len(s.Said()) != 0 {
		t.Errorf("said %q without a person", s.Said())
	}
}

func TestLookAtFaceSearchesAndKeepsLooking(t *testing.T) {
	s := play(t, `"behaviorClass": "LookAtFace", "lookTime_s": 4`)
	s.Body.FreeWheels = true
	s.Body.People = people(1, -500, 0)
	s.state(5*time.Second, "looking for a face")
	s.state(30*time.Second, "looking at the face")
	s.Body.People = people(1, -500, 150) // it moves
	s.For(3 * time.Second)
	if _, bearing := s.Body.To(-500, 150); math.Abs(bearing) > 0.15 {
		t.Errorf("the face is at %.2f rad", bearing)
	}
	s.over(10 * time.Second)
}

func TestLookAtFaceGivesUpWithoutFace(t *testing.T) {
	s := play(t, `"behaviorClass": "LookAtFace", "searchTurns": 2`)
	s.state(10*time.Second, "nobody there")
	s.interrupt()
	s.NoRefusals()
}

// A robot that cannot turn to the person whom it sees gives up after some turns.
func TestLookAtFaceGivesUpIfItCannotTurn(t *testing.T) {
	s := play(t, `"behaviorClass": "LookAtFace", "searchTurns": 2`)
	s.Body.People = people(1, 600, 200)
	s.Edit = func(n *hardware.Snapshot) { n.Motors.Quality = hardware.Failed }
	s.state(10*time.Second, "nobody there")
}

// A robot that stays on its contacts, wherever it drives, does not come.
func TestComeHereGivesUpIfItCannotLeave(t *testing.T) {
	s := called(t, func(b *behaviortest.Body) {
		b.People = people(1, 900, 0)
		b.Plugged = true // and stays so
	})
	s.Until(2*time.Minute, "it gives up", func() bool { return s.State("S") == "nobody there" })
	if n := s.Started("Leave"); n != 1 {
		t.Errorf("it tried to leave %d times", n)
	}
}

func TestDanceEndsWhereItBegan(t *testing.T) {
	s := play(t, `"behaviorClass": "Dance", "bars": 3`)
	s.state(time.Second, "dancing")
	s.interrupt()
	s.Body.HeadingRad, s.Body.XMM = 0, 0
	s.state(time.Second, "dancing")
	s.state(time.Minute, "finale")
	s.over(10 * time.Second)
	if math.Abs(s.Body.HeadingRad) > 0.15 || s.Body.XMM != 0 {
		t.Errorf("ended at %+v", s.Body.Pose)
	}
}
