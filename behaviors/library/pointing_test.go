package library_test

import (
	"math"
	"strings"
	"testing"
	"time"
)

// Rules: data/2.3d.
func TestTurnTurnsByItsAngle(t *testing.T) {
	for subject, want := range map[string]float64{
		`"behaviorClass": "Turn", "shouldTurnClockwise": false, "turnDegrees": 90`: 90,
		`"behaviorClass": "Turn", "shouldTurnClockwise": true, "turnDegrees": 30`:  -30,
	} {
		s := stage(t, subject)
		s.state(time.Second, "turning")
		s.over(10 * time.Second)
		if got := s.Body.HeadingRad * 180 / math.Pi; math.Abs(got-want) > 3 {
			t.Errorf("turned by %.0f°, want %.0f°", got, want)
		}
	}
}

// Rules: data/2.3d.
func TestMoveHeadToAngleMovesTheHeadAnywhere(t *testing.T) {
	s := stage(t, `"behaviorClass": "MoveHeadToAngle", "headAngle_deg": 30`)
	s.Body.Plugged = true
	s.modifiers(true, true)
	s.state(time.Second, "moving the head")
	s.over(5 * time.Second)
	if got := s.World().Servos.Value.HeadRad * 180 / math.Pi; math.Abs(got-30) > 2 {
		t.Errorf("the head is at %.0f°", got)
	}
}

// Rules: data/2.3d.
func TestTurnToFaceNeedsAKnownFace(t *testing.T) {
	s := stage(t, `"behaviorClass": "TurnToFace"`)
	s.Step(2)
	if why := s.Engine.Cell("S").Why(); s.Active("S") || why != "no face is known" {
		t.Errorf("active %v, because %q", s.Active("S"), why)
	}
}

// Rules: data/2.3d.
func TestTurnToFaceTurnsToAKnownFace(t *testing.T) {
	s := stage(t, `"behaviorClass": "TurnToFace"`)
	s.Body.People = people(1, 600, 200) // in view at the start, when all is seen
	s.state(time.Second, "turning to the face")
	s.over(10 * time.Second)
	if _, bearing := s.Body.To(600, 200); math.Abs(bearing) > 0.1 {
		t.Errorf("the face is at %.2f rad", bearing)
	}
}

// began is when the subject was activated last.
func began(s scene) time.Time { return s.Engine.Cell("S").Since() }

const finding = `"behaviorClass": "FindFaces", "searchBehavior": "Search", `

const search = "-- Search.json --\n" + `{"behaviorClass": "StandStill", "behaviorID": "Search", "duration_s": 5}` + "\n"

// Rules: data/2.3d.
func TestFindFacesStopsByItsRule(t *testing.T) {
	for name, c := range map[string]struct {
		keys   string
		comes  time.Duration // until a person comes
		person bool
		last   string
		limit  time.Duration
	}{
		"no rule":      {`"stoppingCondition": "None"`, time.Second, true, "searching", 6 * time.Second},
		"any face":     {`"stoppingCondition": "AnyFace"`, time.Second, true, "found a face", 2 * time.Second},
		"new face":     {`"stoppingCondition": "NewFace"`, time.Second, true, "found a new face", 2 * time.Second},
		"nobody comes": {`"stoppingCondition": "NewFace"`, 0, false, "searching", 6 * time.Second},
		"time is over": {`"stoppingCondition": "Timeout", "timeout_sec": 2`, 0, false, "the time is over", 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			s := stage(t, finding+c.keys, search)
			s.state(time.Second, "searching")
			s.For(c.comes)
			if c.person {
				s.Body.People = people(1, 600, 0)
			}
			s.lastly(6*time.Second, c.last)
			if took := s.Now().Sub(began(s)); took > c.limit {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// Rules: data/2.3d.
func TestFindFacesLeavesTheSearchOutIfAFaceIsThere(t *testing.T) {
	s := stage(t, `"behaviorClass": "DispatcherQueue", "behaviors": ["Look", "Find"]`,
		"-- Look.json --\n"+`{"behaviorClass": "LookAtFaceInFront", "behaviorID": "Look"}`+"\n"+
			"-- Find.json --\n"+`{"behaviorID": "Find", `+finding+`"stoppingCondition": "AnyFace", "maxFaceAgeToLook_ms": 5000}`+"\n", search)
	s.Body.People = people(1, 600, 100)
	s.Until(10*time.Second, "it finds without a search", func() bool { return s.Started("Find") == 1 })
	if s.Started("Search") != 0 {
		t.Error("it searched")
	}
	s.NoRefusals()
}

func TestFindFacesNeedsATimeForTimeout(t *testing.T) {
	if got := mistakes(t, finding+`"stoppingCondition": "Timeout"`, search); !strings.Contains(got, "timeout_sec") {
		t.Errorf("findings:\n%s", got)
	}
}

// Rules: data/2.3d.
func TestLookAtFaceInFrontCentersOnTheFace(t *testing.T) {
	s := stage(t, `"behaviorClass": "LookAtFaceInFront"`)
	s.Body.People = people(1, 600, 200)
	s.state(time.Second, "looking up")
	s.state(3*time.Second, "centering on the face")
	s.over(10 * time.Second)
	if _, bearing := s.Body.To(600, 200); math.Abs(bearing) > 0.1 {
		t.Errorf("the face is at %.2f rad", bearing)
	}
}

// Rules: data/2.3d.
func TestLookAtFaceInFrontEndsWithoutAFace(t *testing.T) {
	s := stage(t, `"behaviorClass": "LookAtFaceInFront"`)
	s.state(time.Second, "looking up")
	s.lastly(5*time.Second, "no face in front")
}
