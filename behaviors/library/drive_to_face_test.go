package library_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

const drive = `"behaviorClass": "DriveToFace", "timeUntilCancelFaceTrack_s": 3, "minDriveToFaceDistanceKey_mm": 200, "animTooClose": "surprised"`

// Rules: data/2.8i.
func TestDriveToFaceDrivesThereAndLooks(t *testing.T) {
	s := stage(t, drive)
	s.Body.People = people(1, 700, 100) // in view at the start, when all is seen
	s.state(time.Second, "driving to the face")
	s.state(20*time.Second, "looking at the face")
	if d, _ := s.Body.To(700, 100); d > 240 || d < 150 {
		t.Errorf("arrived %.0f mm away", d)
	}
	s.lastly(6*time.Second, "looking at the face")
}

// Rules: data/2.8i.
func TestDriveToFaceDoesNotDriveToAFaceThatIsTooClose(t *testing.T) {
	s := stage(t, drive)
	s.Body.People = people(1, 150, 0)
	s.state(time.Second, "too close")
	s.lastly(10*time.Second, "looking at the face")
	if s.Body.XMM > 10 {
		t.Errorf("it drove to %.0f", s.Body.XMM)
	}
}

// Rules: data/2.8i.
func TestDriveToFaceLooksForAFace(t *testing.T) {
	s := stage(t, drive+`, "findFaceBehavior": "Find"`, short("Find"))
	s.state(time.Second, "looking for a face")
	s.Body.People = people(1, 500, 0)
	s.state(4*time.Second, "driving to the face")

	s = stage(t, drive+`, "findFaceBehavior": "Find"`, short("Find"))
	s.lastly(5*time.Second, "nobody found")
}

// Rules: data/2.8i.
func TestDriveToFaceGivesUpAfterItsTries(t *testing.T) {
	s := stage(t, drive+`, "maxNumFailures": 1`)
	s.Body.People = people(1, 900, 0)
	s.state(time.Second, "driving to the face")
	s.Edit = func(w *hardware.Snapshot) { w.Range.Value = hardware.RangeState{DistanceMM: 100, Found: true} } // wherever it looks
	s.lastly(90*time.Second, "gave up")
}

// Rules: data/2.1.7c, data/2.8i.
func TestDriveToFaceGoesOnAfterAnEdge(t *testing.T) {
	for resumes, want := range map[string]string{"1": "going on after an edge", "0": "driving to the face"} {
		s := stage(t, `"behaviorClass": "CoordinateGlobalInterrupts", "delegateID": "Top"`,
			"-- Top.json --\n"+`{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Top", "interruptActiveBehavior": true, "behaviors": ["ReactToCliff", "Go", "Idle"]}`+
				"\n-- Go.json --\n{"+`"behaviorID": "Go", "resumeAnimation": "surprised", "maxNumResumes": `+resumes+`, `+drive+"}\n-- Idle.json --\n"+
				`{"behaviorClass": "Wait", "behaviorID": "Idle"}`+"\n", probesOf("ReactToCliff"))
		s.Body.People = people(1, 900, 0)
		s.Until(2*time.Second, "it drives", func() bool { return s.Active("Go") && s.State("Go") == "driving to the face" })
		s.probe("ReactToCliff").Wants = true
		s.For(time.Second)
		s.probe("ReactToCliff").Wants, s.probe("ReactToCliff").End = false, true
		s.Until(2*time.Second, "it has control again", func() bool { return s.Active("Go") })
		if got := s.State("Go"); got != want {
			t.Errorf("%s resumes: state %q, want %q", resumes, got, want)
		}
		s.NoRefusals()
	}
}

func TestDriveToFaceTellsOfKeysThatDoNotGoTogether(t *testing.T) {
	got := mistakes(t, drive+`, "animDriveOverride": "surprised", "initialAnimation": "surprised"`)
	if !strings.Contains(got, "takes the place of initialAnimation") {
		t.Errorf("findings:\n%s", got)
	}
	got = mistakes(t, strings.Replace(drive, `"timeUntilCancelFaceTrack_s": 3, `, "", 1))
	if !strings.Contains(got, "trackFaceOnceKnown needs it") {
		t.Errorf("findings:\n%s", got)
	}
}
