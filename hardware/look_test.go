package hardware_test

import (
	"testing"

	"github.com/robotd/robotd/hardware"
)

// A set holds each mode once, with its highest frequency.
// Rules: B-22.
func TestLookKeepsHighestFrequencyOfEachMode(t *testing.T) {
	a := hardware.LookFor(hardware.SeeFaces, hardware.Low)
	b := hardware.LookFor(hardware.SeeFaces, hardware.High).With(hardware.SeeMarkers, hardware.Standard)
	if u := a.Or(b); u != b || b.Or(a) != b || a.Or(a) != a {
		t.Errorf("union %v of %v and %v", u, a, b)
	}
	if b.With(hardware.SeeFaces, hardware.Low) != b {
		t.Error("a lower frequency replaced a higher one")
	}
	if !(hardware.Look{}).Empty() || a.Empty() || a.Sees(hardware.SeeMarkers) || !a.Sees(hardware.SeeFaces) {
		t.Error("membership")
	}
}

// T-2: vision reports only what is looked for; facts that need no vision are always reported.
func TestLookFilterDropsDetectionsNotLookedFor(t *testing.T) {
	all := hardware.Detections{Faces: make([]hardware.Face, 2), Objects: make([]hardware.Object, 3), CubeConnected: true, Carrying: true}
	for _, c := range []struct {
		look           hardware.Look
		faces, objects int
	}{
		{hardware.Look{}, 0, 0},
		{hardware.LookFor(hardware.SeeFaces, hardware.Low), 2, 0},
		{hardware.LookFor(hardware.SeeMarkers, hardware.Low), 0, 3},
		{hardware.LookFor(hardware.SeeMotion, hardware.High), 0, 0},
	} {
		d := c.look.Filter(all)
		if len(d.Faces) != c.faces || len(d.Objects) != c.objects || !d.CubeConnected || !d.Carrying {
			t.Errorf("%v: %+v", c.look, d)
		}
	}
}

// Each mode lets its own detections through, and eye contact needs faces and gaze. What is heard and where the robot is needs no mode.
func TestLookFilterKeepsWhatItsModeFinds(t *testing.T) {
	all := hardware.Detections{
		Faces: []hardware.Face{{ID: 1, EyeContact: true}}, Pets: make([]hardware.Pet, 1), Points: make([]hardware.SalientPoint, 1),
		Motion: hardware.Motion{0, 0, 0, 1}, Light: hardware.Darkened, Music: hardware.Music{Beat: hardware.SteadyBeat}, Habitat: hardware.InHabitat, Trouble: "ImageQualityTooDark",
	}
	for mode := range hardware.SeeLight + 1 {
		look := hardware.LookFor(hardware.SeeFaces, hardware.Low).With(mode, hardware.Low)
		d := look.Filter(all)
		got := map[hardware.VisionMode]bool{
			hardware.SeeGaze: d.Faces[0].EyeContact, hardware.SeePets: len(d.Pets) > 0, hardware.SeePeople: len(d.Points) > 0,
			hardware.SeeMotion: d.Motion.Max() > 0, hardware.SeeLight: d.Light != hardware.LightUnknown,
		}
		for m, seen := range got {
			if seen != (m == mode) {
				t.Errorf("looking for %v: %v is seen: %v", mode, m, seen)
			}
		}
		if d.Music != all.Music || d.Habitat != all.Habitat || d.Trouble != all.Trouble || !all.Faces[0].EyeContact {
			t.Errorf("looking for %v: %+v of %+v", mode, d, all)
		}
	}
}
