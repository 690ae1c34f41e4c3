package library_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

const thenKeys = `"behaviorClass": "FindFaceAndThen", "timeUntilCancelFaceLooking_s": 4, "shouldLeaveChargerFirst": false,
	"additionalLookTimeIfSawBody_s": 6, "additionalSearchTimeIfSawBody_s": 6, "behavior": "Greet"`

// then plays the scene of looking for a face to greet.
func then(t *testing.T, more string, files ...string) scene {
	t.Helper()
	return stage(t, thenKeys+more, append(files, short("Greet", "SearchWithinBoundingBox"))...)
}

// Rules: data/2.3.3.
func TestFindFaceTurnsToTheFaceThatComesAndFollowsUp(t *testing.T) {
	s := then(t, "")
	s.state(time.Second, "looking")
	s.Body.People = people(1, 600, 200)
	states := s.trace(s.ended)
	if want := []string{"looking", "turning to the face", "following up"}; !sequence(states, want) {
		t.Errorf("states %q, want %q", states, want)
	}
	if _, bearing := s.Body.To(600, 200); math.Abs(bearing) > 0.1 || s.Started("Greet") != 1 {
		t.Errorf("the face is at %.2f rad, greeted %d times", bearing, s.Started("Greet"))
	}
	s.NoRefusals()
}

// Rules: data/2.3.3.
func TestFindFaceBeginsWithAFaceSeenLately(t *testing.T) {
	s := then(t, "")
	s.Body.People = people(1, 600, 200) // in view at the start, when all is seen
	s.Step(1)
	if s.State("S") != "turning to the face" {
		t.Errorf("state %q", s.State("S"))
	}
}

// Rules: data/2.3.3.
func TestFindFaceGivesUpWhenNobodyComes(t *testing.T) {
	s := then(t, "")
	s.lastly(6*time.Second, "nobody there")
	if d := s.Now().Sub(began(s)); d < 4*time.Second || s.Started("Greet") != 0 {
		t.Errorf("after %v, greeted %d times", d, s.Started("Greet"))
	}
}

// Rules: data/2.3.3.
func TestFindFaceSearchesAfterLooking(t *testing.T) {
	s := then(t, `, "searchForFaceBehavior": "Search", "timeUntilCancelFaceSearch_s": 8`, search)
	s.state(6*time.Second, "searching")
	s.For(6 * time.Second)
	if n := s.Started("Search"); n != 2 { // it lasts five seconds
		t.Errorf("searched %d times", n)
	}
	s.lastly(4*time.Second, "nobody found")
}

// Rules: data/2.3.3.
func TestFindFaceLooksAgainIfTheFaceIsGone(t *testing.T) {
	s := then(t, "")
	s.state(time.Second, "looking")
	s.Body.People = people(1, 600, 200)
	s.state(time.Second, "turning to the face")
	s.Body.People = nil
	s.state(8*time.Second, "looking")
	s.lastly(8*time.Second, "nobody there")
}

// A robot that sees somebody but cannot turn gives up after some turns.
// Rules: data/2.3.3.
func TestFindFaceGivesUpIfItCannotTurn(t *testing.T) {
	s := then(t, "")
	s.Body.People = people(1, 600, 200)
	s.Body.Broken = map[string]hardware.Quality{hardware.Motors: hardware.Failed}
	s.lastly(20*time.Second, "cannot turn to a face")
	if n := s.Started("Greet"); n != 0 {
		t.Errorf("greeted %d times", n)
	}
}

// The camera sees a face again and again that is gone when the robot has turned to it. Looking between the turns takes no longer than looking once.
// Rules: data/2.3.3.
func TestFindFaceLooksNoLongerBetweenTurnsThatFail(t *testing.T) {
	s := then(t, "")
	s.state(time.Second, "looking")
	s.For(3 * time.Second)
	s.Body.People = people(1, 600, 200)
	s.state(time.Second, "turning to the face")
	s.Body.People = nil
	s.state(8*time.Second, "looking")
	from := s.Now()
	s.lastly(8*time.Second, "nobody there")
	if d := s.Now().Sub(from); d > 2*time.Second {
		t.Errorf("it looked for %v more", d)
	}
}

// Rules: data/2.3.3.
func TestFindFaceLooksLongerForABody(t *testing.T) {
	s := then(t, "")
	s.Edit = func(n *hardware.Snapshot) {
		n.Vision.Value.Points = []hardware.SalientPoint{{Kind: "Person"}}
	}
	s.state(time.Second, "looking for the face of a body")
	s.Until(12*time.Second, "it gives up", s.ended)
	if d := s.Now().Sub(began(s)); d < 10*time.Second || s.Started("SearchWithinBoundingBox") != 1 {
		t.Errorf("after %v, searched %d times", d, s.Started("SearchWithinBoundingBox"))
	}
}

// Rules: data/2.3.3.
func TestFindFaceLeavesTheChargerFirst(t *testing.T) {
	s := stage(t, strings.Replace(thenKeys, `"shouldLeaveChargerFirst": false`, `"shouldLeaveChargerFirst": true, "driveOffChargerBehavior": "Off"`, 1),
		short("Greet", "SearchWithinBoundingBox", "Off"))
	s.Body.Plugged = true
	s.state(time.Second, "leaving the charger")
	s.Body.Plugged = false
	s.state(3*time.Second, "looking")
	if s.Started("Off") != 1 {
		t.Error("it did not leave")
	}
}

// Rules: data/2.3.3.
func TestFindFaceEndsTheFollowUpInTime(t *testing.T) {
	s := stage(t, thenKeys+`, "timeUntilCancelFollowup_s": 2`, probesOf("Greet"), short("SearchWithinBoundingBox"))
	s.Body.People = people(1, 600, 0)
	s.probe("Greet").Wants = true
	s.state(5*time.Second, "following up")
	from := s.Now()
	s.lastly(3*time.Second, "followed up long enough")
	if d := s.Now().Sub(from); d < 1900*time.Millisecond {
		t.Errorf("after %v", d)
	}
}

// Rules: data/2.3.3.
func TestFindFaceGivesItsFaceToTheBehavior(t *testing.T) {
	s := stage(t, strings.Replace(thenKeys, "Greet", "Turn", 1), "-- Turn.json --\n"+`{"behaviorClass": "TurnToFace", "behaviorID": "Turn"}`,
		short("SearchWithinBoundingBox"))
	s.Body.People = people(7, 600, 0)
	s.Until(5*time.Second, "the behavior takes the face", func() bool { return s.Active("Turn") })
	s.NoRefusals()
}

func TestFindFaceTellsWhatIsMissing(t *testing.T) {
	const head = `"behaviorClass": "FindFaceAndThen", "timeUntilCancelFaceLooking_s": 4, `
	for keys, want := range map[string]string{
		`"shouldLeaveChargerFirst": true, "useBodyDetector": false, "exitOnceFound": true`:                                     `"driveOffChargerBehavior" is missing`,
		`"shouldLeaveChargerFirst": false, "useBodyDetector": false, "exitOnceFound": true, "searchForFaceBehavior": "Search"`: `"timeUntilCancelFaceSearch_s" is missing`,
		`"shouldLeaveChargerFirst": false, "exitOnceFound": true`:                                                              `"additionalLookTimeIfSawBody_s" is missing`,
		`"shouldLeaveChargerFirst": false, "useBodyDetector": false`:                                                           "one of the two",
	} {
		if got := mistakes(t, head+keys, search, short("SearchWithinBoundingBox")); !strings.Contains(got, want) {
			t.Errorf("%s\n%sdoes not say %q", keys, got, want)
		}
	}
}
