package simrobot

import (
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// The simulated vision runs the modes that the newest tick wants, and all modes before the first tick. Detections of an outside
// process are not filtered.
// Rules: T-2.
func TestVisionRunsTheModesThatTheTickWants(t *testing.T) {
	c := clock.NewVirtual(epoch)
	defer c.Close()
	b := New(profile.R1(), c, 1, false)
	b.Rig.ShowFace("Ada", 0)
	sees := func(now time.Time) bool {
		for range 10 { // one image in thirty misses the face
			now = now.Add(100 * time.Millisecond)
			if len(b.detect(now).Faces) > 0 {
				return true
			}
		}
		return false
	}
	if !sees(epoch) {
		t.Fatal("no face before the first tick")
	}
	for _, look := range []hardware.Look{{}, hardware.LookFor(hardware.SeeFaces, hardware.Low), hardware.LookFor(hardware.SeeMarkers, hardware.High)} {
		b.ObserveTick(event.Tick{}, &engine.Output{Look: look}, nil)
		if got := sees(epoch); got != look.Sees(hardware.SeeFaces) {
			t.Errorf("%v: sees a face: %v", look, got)
		}
	}
	see(t, b, control.Detections{Faces: []hardware.Face{{ID: 3}}, CubeConnected: true, Carrying: true})
	if d := b.detect(epoch); len(d.Faces) != 1 || !d.CubeConnected || !d.Carrying {
		t.Errorf("from outside: %+v", d)
	}
	if d := b.detect(epoch.Add(2 * time.Second)); len(d.Faces) != 0 || d.CubeConnected || d.Carrying {
		t.Errorf("a silent process: %+v", d)
	}
}

// A person's poke is an event of its type, which behaviors can subscribe.
func TestPokeRaisesItsEvent(t *testing.T) {
	c := clock.NewVirtual(epoch)
	defer c.Close()
	var raised []behaviors.Event
	if _, err := New(profile.R1(), c, 1, false).Act(control.Act{Act: "poke"}, func(e behaviors.Event) { raised = append(raised, e) }); err != nil {
		t.Fatal(err)
	}
	if want := (behaviors.Event{Source: "person", Payload: behaviors.Poked{}, At: epoch}); len(raised) != 1 || raised[0] != want {
		t.Errorf("raised %+v, want %+v", raised, want)
	}
}

// Whoever cannot be moved is named, with who is here or where people stand.
func TestPersonActTellsWhyNobodyWasMoved(t *testing.T) {
	c := clock.NewVirtual(epoch)
	defer c.Close()
	r := New(profile.R1(), c, 1, false)
	move := func(a control.Act) string {
		a.Act = "person"
		text, err := r.Act(a, nil)
		if err != nil {
			return err.Error()
		}
		return text
	}
	for _, s := range []struct {
		act  control.Act
		want string
	}{
		{control.Act{ID: 1, XMM: 900}, `person: id 1: nobody is here; "face" brings somebody`},
		{control.Act{Act: "face", Name: "Ada"}, ""},
		{control.Act{ID: 1}, "person: 0, 0 mm is on the table; people stand beside it, such as at 1000, 0 mm"},
		{control.Act{ID: 7, XMM: 900}, "person: id 7 is not here; here are [1]"},
		{control.Act{ID: 1, XMM: 900}, "person 1 stands at 900, 0 mm"},
	} {
		if s.want == "" {
			_, _ = r.Act(s.act, nil)
		} else if got := move(s.act); got != s.want {
			t.Errorf("%+v: %s; want %s", s.act, got, s.want)
		}
	}
}

func TestOnTableIsTrueOnlyInsideTheTable(t *testing.T) {
	table := [][2]float64{{100, -50}, {100, 50}, {-100, 50}, {-100, -50}}
	for at, on := range map[[2]float64]bool{{0, 0}: true, {99, 49}: true, {101, 0}: false, {0, -51}: false, {-5000, 0}: false} {
		if onTable(table, at[0], at[1]) != on {
			t.Errorf("%v: %t", at, !on)
		}
	}
}

// What a vision or speech process finds joins what the simulated camera does, and ends when the process is silent.
func TestOutsideSensesJoinThoseOfTheCamera(t *testing.T) {
	c := clock.NewVirtual(epoch)
	defer c.Close()
	b := New(profile.R1(), c, 1, false)
	before := b.detect(epoch)
	text := see(t, b, control.Detections{
		Motion: control.MotionState{Left: 0.1, Ground: 0.9}, Points: []hardware.SalientPoint{{Kind: "Hand"}}, Pets: []hardware.Pet{{ID: 3}},
		Light: "Darkened", Beat: "Steady", TempoBPM: 90, BeatAgeMS: 100, Habitat: "InHabitat", Error: "ImageQualityTooBright",
	})
	if want := "0 faces, 0 objects, 1 points, 1 pets"; text != want {
		t.Errorf("said %q, want %q", text, want)
	}
	d := b.detect(epoch)
	if d.Motion != (hardware.Motion{0.1, 0, 0, 0.9}) || len(d.Points) != len(before.Points)+1 || len(d.Pets) != 1 || d.Pets[0].ID != 3+outsideID ||
		d.Light != hardware.Darkened || d.Music != (hardware.Music{Beat: hardware.SteadyBeat, TempoBPM: 90, BeatAt: epoch.Add(-100 * time.Millisecond)}) || d.Habitat != hardware.InHabitat || d.Trouble != "ImageQualityTooBright" {
		t.Errorf("from outside: %+v", d)
	}
	for k := range 20 { // the camera looks again
		b.detect(epoch.Add(time.Duration(k) * 100 * time.Millisecond))
	}
	if d := b.detect(epoch.Add(2 * time.Second)); d.Motion != before.Motion || len(d.Pets) != 0 || d.Light != hardware.Illuminated || d.Beat != hardware.NoBeat ||
		d.Habitat != hardware.HabitatUnknown || d.Trouble != "" {
		t.Errorf("a silent process: %+v", d)
	}
}

// Each act does what it says, and says so.
func TestActsOnTheSensesSayWhatTheyDo(t *testing.T) {
	c := clock.NewVirtual(epoch)
	defer c.Close()
	r := New(profile.R1(), c, 1, false)
	for _, s := range []struct {
		act  control.Act
		want string
	}{
		{control.Act{Act: "palm"}, "laid on a palm"},
		{control.Act{Act: "twist"}, "turned by hand for 2s"},
		{control.Act{Act: "button", Seconds: 0.5}, "the power button is pressed for 500ms"},
		{control.Act{Act: "motion"}, "something moves in the part Left of the picture for 2s"},
		{control.Act{Act: "motion", Name: "Ground"}, "something moves in the part Ground of the picture for 2s"},
		{control.Act{Act: "point"}, "the camera is shown: Person, for 2s"},
		{control.Act{Act: "pet"}, "a pet comes for 10s"},
		{control.Act{Act: "beat", Seconds: 3}, "music plays for 3s"},
		{control.Act{Act: "dark"}, "dark for 10s"},
		{control.Act{Act: "heat"}, "warm for 10s"},
		{control.Act{Act: "habitat"}, "the camera sees: InHabitat"},
		{control.Act{Act: "habitat", Name: "Unknown"}, "the camera sees: Unknown"},
	} {
		if got, err := r.Act(s.act, nil); err != nil || got != s.want {
			t.Errorf("%+v: %q, %v; want %q", s.act, got, err, s.want)
		}
	}
	if _, err := r.Act(control.Act{Act: "point", Name: "Hnd"}, nil); err == nil || !strings.Contains(err.Error(), `did you mean "Hand"?`) {
		t.Errorf("an unknown point: %v", err)
	}
}
