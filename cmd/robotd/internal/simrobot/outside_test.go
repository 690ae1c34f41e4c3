package simrobot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// see posts detections, which must be taken.
func see(t *testing.T, r *Robot, d control.Detections) string {
	t.Helper()
	text, err := r.See(d)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// outside is a robot whose clock the test sets, and who is seen at that instant by processes outside.
func outside(t *testing.T) (r *Robot, at func(ms int) []int) {
	c := clock.NewVirtual(epoch)
	t.Cleanup(c.Close)
	r = New(profile.R1(), c, 1, false)
	now := epoch
	r.now = func() time.Time { return now }
	return r, func(ms int) (ids []int) {
		now = epoch.Add(time.Duration(ms) * time.Millisecond)
		var d hardware.Detections
		r.vision.add(&d, now)
		for _, f := range d.Faces {
			ids = append(ids, f.ID)
		}
		return ids
	}
}

func face(source string, id int) control.Detections {
	return control.Detections{Source: source, Faces: []hardware.Face{{ID: id}}}
}

// Two processes see different people: neither wipes out the other's, and equal numbers are different people.
func TestPostOfOneSourceLeavesThatOfAnother(t *testing.T) {
	r, at := outside(t)
	see(t, r, face("camera", 3))
	see(t, r, control.Detections{Source: "speech", Beat: "Possible"})
	if got, want := at(100), []int{1003}; !slices.Equal(got, want) {
		t.Errorf("after a post of another process: faces %v, want %v", got, want)
	}
	see(t, r, face("door", 3))
	if got, want := at(200), []int{1003, 2*sourceIDs + 1003}; !slices.Equal(got, want) {
		t.Errorf("two cameras: faces %v, want %v", got, want)
	}
	see(t, r, control.Detections{Source: "camera"})
	if got, want := at(200), []int{2*sourceIDs + 1003}; !slices.Equal(got, want) {
		t.Errorf("one camera sees nobody: faces %v, want %v", got, want)
	}
}

// A process that looks twice a second, the rate of a low frequency, is seen without gaps; one that looks ten times a second ends 300 ms after
// its last image.
func TestPostHoldsForThreeImagesOfItsSource(t *testing.T) {
	r, at := outside(t)
	for ms := 0; ms <= 2000; ms += 500 {
		at(ms)
		see(t, r, face("slow", 1))
		for later := 0; later < 500; later += 50 {
			if len(at(ms+later)) != 1 {
				t.Fatalf("nobody is seen %d ms after the image of %d ms", later, ms)
			}
		}
	}
	if got := at(2000 + 1500); len(got) != 1 {
		t.Errorf("1.5 s after the last image: %v", got)
	}
	if got := at(2000 + 1501); len(got) != 0 {
		t.Errorf("still seen: %v", got)
	}
	for ms := 4000; ms <= 4200; ms += 100 {
		at(ms)
		see(t, r, face("fast", 2))
	}
	if got := at(4200 + 300); len(got) != 1 {
		t.Errorf("300 ms after the last image: %v", got)
	}
	if got := at(4200 + 301); len(got) != 0 {
		t.Errorf("still seen: %v", got)
	}
}

// A process that says how long its post holds is believed, and an image that is older than the one before is not taken.
func TestSourceSaysHowLongItsPostHolds(t *testing.T) {
	r, at := outside(t)
	d := face("radio", 1)
	d.HoldMS = 5000
	see(t, r, d)
	at(1000)
	late := face("radio", 9)
	late.AgeMS = 1500
	see(t, r, late)
	if got := at(5000); !slices.Equal(got, []int{1001}) {
		t.Errorf("faces %v, want 1001", got)
	}
	if got := at(5001); len(got) != 0 {
		t.Errorf("still seen: %v", got)
	}
}

// Of what only one can be right about, the newest image holds; cube and lift are there if any process says so.
func TestNewestImageTellsLightAndHabitat(t *testing.T) {
	r, at := outside(t)
	see(t, r, control.Detections{Source: "b", Light: "Darkened", Habitat: "InHabitat", CubeConnected: true})
	at(50)
	see(t, r, control.Detections{Source: "a", Light: "Illuminated"})
	d := hardware.Detections{}
	r.vision.add(&d, r.now())
	if d.Light != hardware.Illuminated || d.Habitat != hardware.InHabitat || !d.CubeConnected {
		t.Errorf("light %v, habitat %v, cube %t", d.Light, d.Habitat, d.CubeConnected)
	}
}

// There is room for 16 processes. One more takes the place of one that is silent, and is refused while all speak.
func TestSourcesAreBounded(t *testing.T) {
	r, at := outside(t)
	for i := range maxSources {
		at(i)
		see(t, r, face(fmt.Sprintf("p%02d", i), i))
	}
	_, err := r.See(face("late", 1))
	if err == nil || !strings.Contains(err.Error(), `source: "late" is one too many: 16 processes post already, such as "p00"`) {
		t.Errorf("answered %v", err)
	}
	at(1501) // p00 is silent for longer than it holds
	see(t, r, face("late", 7))
	if got := at(1501); !slices.Contains(got, 1007) || slices.Contains(got, 1000) || len(got) != maxSources {
		t.Errorf("faces %v", got)
	}
}
