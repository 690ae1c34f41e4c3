package library_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/library/helpers"
	"github.com/robotd/robotd/hardware"
)

// fetching is a scene in which the helpers of FetchCube are there, with two cubes.
func fetching(t *testing.T, subject string) scene {
	t.Helper()
	files := []string{`
-- ReactToCliffDuringFetch.json --
{"behaviorID": "ReactToCliffDuringFetch", ` + completed(t, `"behaviorClass": "ReactToEdge"`) + `}`}
	for id, class := range map[string]string{
		"DriveOffChargerFace": "StandStill", "FindFacesFetchCube": "StandStill", "DriveOffChargerCube": "StandStill", "ConnectToCube": "StandStill",
	} {
		files = append(files, "-- "+id+".json --\n"+`{"behaviorClass": "`+class+`", "behaviorID": "`+id+`", "duration_s": 1}`)
	}
	for id, class := range map[string]string{"PickupCube": "PickUpCube", "PickupCubeNoInitialReaction": "PickUpCube"} {
		files = append(files, "-- "+id+".json --\n"+`{"behaviorClass": "`+class+`", "behaviorID": "`+id+`", "skipInitialReactionAnim": true}`)
	}
	for id, class := range map[string]string{
		"PlaceCubeByCharger": "PlaceCubeByCharger", "PutDownBlockAtPose": "PutDownBlockAtPose", "TurnToLastFace": "TurnToFace", "FindCube": "FindCube",
	} {
		files = append(files, "-- "+id+".json --\n"+`{"behaviorClass": "`+class+`", "behaviorID": "`+id+`"}`)
	}
	s := play(t, subject, strings.Join(files, "\n"))
	s.Body.Cubes = []behaviortest.Cube{{ID: 7, XMM: 250, YMM: 30}}
	return s
}

// Rules: HLP-1.
func TestFetchBringsTheCubeToThePersonItSees(t *testing.T) {
	s := fetching(t, `"behaviorClass": "FetchCube"`)
	s.Body.People = people(1, 700, -200)
	s.Step(2)
	var states []string
	s.Until(3*time.Minute, "it looks at the person", func() bool {
		if st := s.State("S"); len(states) == 0 || states[len(states)-1] != st {
			states = append(states, st)
		}
		return s.State("S") == "looking at the person"
	})
	c := s.cubeAt(7)
	if d := math.Hypot(c.XMM-700, c.YMM+200); s.Body.Carried() != 0 || d < 120 || d > 300 {
		t.Errorf("the cube is at %+v, %.0f mm from the person; %q", c, d, states)
	}
	if want := []string{"connecting to the cube", "picking the cube up", "bringing the cube to somebody"}; !contains(states, want) {
		t.Errorf("states %q without %q", states, want)
	}
	s.NoRefusals()
}

// contains reports whether all of want are in states, in that order.
func contains(states, want []string) bool {
	for _, st := range states {
		if len(want) > 0 && st == want[0] {
			want = want[1:]
		}
	}
	return len(want) == 0
}

// Rules: HLP-1.
func TestFetchWithoutAPersonBringsTheCubeToTheCharger(t *testing.T) {
	s := fetching(t, `"behaviorClass": "FetchCube", "skipConnectToCubeBehavior": true`)
	s.Body.Charger = &hardware.Pose{XMM: 600, YMM: 60, HeadingRad: math.Pi}
	s.state(time.Second, "looking who is there")
	s.state(10*time.Second, "picking the cube up")
	s.state(2*time.Minute, "bringing the cube to the charger")
	s.Until(2*time.Minute, "the cube stands", func() bool { return s.Body.Carried() == 0 })
	if c := s.cubeAt(7); math.Abs(c.YMM-60) < 100 || math.Hypot(c.XMM-600, c.YMM-60) > 260 {
		t.Errorf("the cube is at %+v, the charger at 600, 60", c)
	}
	s.over(time.Minute)
}

func TestFetchReactsToAnEdgeAndGoesOn(t *testing.T) {
	s := fetching(t, `"behaviorClass": "FetchCube", "skipConnectToCubeBehavior": true`)
	s.state(10*time.Second, "picking the cube up")
	s.Body.EdgeXMM = s.Body.XMM + 60
	s.state(time.Minute, "reacting to an edge")
	s.Body.EdgeXMM = 0
	s.state(time.Minute, "picking the cube up")
	s.Until(2*time.Minute, "the cube is on the lift", func() bool { return s.Body.Carried() == 7 })
	s.interrupt()
}

func TestFetchWithoutACubeEnds(t *testing.T) {
	s := fetching(t, `"behaviorClass": "FetchCube", "skipConnectToCubeBehavior": true`)
	s.Body.Cubes = nil
	s.state(time.Minute, "looking for a cube")
	s.state(time.Minute, "got no cube")
	s.over(time.Minute)
}

// Rules: HLP-1.
func TestCubeIsPutAwayBesideTheChargerAndTheRobotLooksBack(t *testing.T) {
	s := fetching(t, `"behaviorClass": "PlaceCubeByCharger"`)
	s.Body.Charger = &hardware.Pose{XMM: 600, YMM: 60, HeadingRad: math.Pi}
	s.Body.People = people(1, 700, -200)
	s.state(10*time.Second, "picking a cube up")
	s.state(time.Minute, "putting the cube beside the charger")
	s.state(2*time.Minute, "looking for praise")
	if c := s.cubeAt(7); s.Body.Carried() != 0 || math.Abs(c.YMM-60) < 100 || math.Hypot(c.XMM-600, c.YMM-60) > 260 {
		t.Errorf("the cube is at %+v", c)
	}
}

func TestPutDownAtAPlaceThatIsTakenPutsItElsewhere(t *testing.T) {
	b := &boss{helper: "PutDownBlockAtPose", data: helpers.PlaceGiven{XMM: 300}}
	s := crew(t, b, behaviortest.Cube{ID: 7, XMM: 45}, behaviortest.Cube{ID: 8, XMM: 300})
	s.Body.Lift(32)
	s.Body.Lift(92)
	s.hears(b, time.Minute, "success")
	if c := s.cubeAt(7); s.Body.Carried() != 0 || c.BaseMM != 0 || math.Hypot(c.XMM-300, c.YMM) < 40 {
		t.Errorf("the cube is %+v", c)
	}
}

func TestPutDownAtAPlacePutsItThere(t *testing.T) {
	b := &boss{helper: "PutDownBlockAtPose", data: helpers.PlaceGiven{XMM: 200, YMM: 150}}
	s := crew(t, b, behaviortest.Cube{ID: 7, XMM: 45})
	s.Body.Lift(32)
	s.Body.Lift(92)
	s.hears(b, time.Minute, "success")
	if c := s.cubeAt(7); math.Hypot(c.XMM-200, c.YMM-150) > 40 {
		t.Errorf("the cube is %+v", c)
	}
}
