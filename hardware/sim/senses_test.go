package sim_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// a stage is a simulated robot in the middle of the table, at an instant that the test moves.
type stage struct {
	*sim.Rig
	now time.Time
}

func newStage(seed uint64) *stage {
	s := &stage{now: time.Unix(1000, 0)}
	s.Rig = sim.New(sim.Options{Seed: seed, Now: s.now, StartOffCharger: true, Nobody: true, SightDelay: -1, SightNoise: -1})
	s.SetNow(func() time.Time { return s.now })
	s.Place(0, 0, 0)
	s.after(time.Second)
	return s
}

func (s *stage) after(d time.Duration) hardware.Detections {
	s.now = s.now.Add(d)
	return s.Detect(s.now)
}

// What people do beside hands and places is seen and heard while it lasts.
func TestSensesLastAsLongAsTheirCause(t *testing.T) {
	for _, c := range []struct {
		name  string
		cause func(s *stage)
		found func(d hardware.Detections) bool
	}{
		{"motion", func(s *stage) { s.Wave(hardware.MotionLeft, time.Second) }, func(d hardware.Detections) bool { return d.Motion == hardware.Motion{0.5, 0, 0, 0} }},
		{"dark", func(s *stage) { s.Darken(time.Second) }, func(d hardware.Detections) bool {
			return d.Light == hardware.Darkened && d.Trouble == "ImageQualityTooDark"
		}},
		{"pet", func(s *stage) { s.Pet(time.Second) }, func(d hardware.Detections) bool { return len(d.Pets) == 1 && d.Pets[0].ID == 1 }},
		{"point", func(s *stage) { s.Point("Hand", time.Second) }, func(d hardware.Detections) bool { return len(d.Points) == 1 && d.Points[0].Kind == "Hand" }},
		{"beat", func(s *stage) { s.Music(time.Second) }, func(d hardware.Detections) bool { return d.Beat == hardware.PossibleBeat }},
	} {
		s := newStage(1)
		if c.found(s.after(0)) {
			t.Errorf("%s: before its cause", c.name)
		}
		c.cause(s)
		if !c.found(s.after(900 * time.Millisecond)) {
			t.Errorf("%s: not found", c.name)
		}
		if c.found(s.after(200 * time.Millisecond)) {
			t.Errorf("%s: after its cause", c.name)
		}
	}
}

func TestBeatIsSureAfterTwoSecondsOfMusic(t *testing.T) {
	s := newStage(1)
	s.Music(3 * time.Second)
	for _, c := range []struct {
		after time.Duration
		want  hardware.Beat
	}{{0, hardware.PossibleBeat}, {1900 * time.Millisecond, hardware.PossibleBeat}, {200 * time.Millisecond, hardware.SteadyBeat}, {time.Second, hardware.NoBeat}} {
		m := s.after(c.after).Music
		if m.Beat != c.want {
			t.Errorf("%v later: %v, want %v", c.after, m.Beat, c.want)
		}
		if period := m.Period(); c.want != hardware.NoBeat && period != 500*time.Millisecond {
			t.Errorf("%v later: a beat each %v", c.after, period)
		}
	}
}

// A person who comes or moves, and a cube that is moved, are seen to move for a moment, in their part of the picture.
func TestWhatIsMovedInViewIsSeenToMove(t *testing.T) {
	s := newStage(1)
	s.ShowFace("Ada", 0)
	if m := s.after(100 * time.Millisecond).Motion; m != (hardware.Motion{0, 0, 0.3, 0}) {
		t.Errorf("a face straight ahead came: %v", m)
	}
	if m := s.after(time.Second).Motion; m != (hardware.Motion{}) {
		t.Errorf("a second later: %v", m)
	}
	if !s.MoveCube(0, 200, 60, 0) {
		t.Fatal("no cube was moved")
	}
	if m := s.after(100 * time.Millisecond).Motion; m != (hardware.Motion{0.3, 0, 0, 0}) {
		t.Errorf("a cube to the left was moved: %v", m)
	}
	s.after(time.Second)
	if !s.MoveCube(0, 200, 0, 0) {
		t.Fatal("no cube was moved")
	}
	s.Twist(time.Second)
	if m := s.after(100 * time.Millisecond).Motion; m != (hardware.Motion{}) {
		t.Errorf("the robot turns, and sees motion %v", m)
	}
}

// A guest looks at the robot; others do now and then, which follows from the seed alone.
func TestEyeContactFollowsFromTheSeed(t *testing.T) {
	looks := func(seed uint64) (text string, eyes int) {
		s := &stage{now: time.Unix(1000, 0)}
		s.Rig = sim.New(sim.Options{Seed: seed, Now: s.now})
		s.SetNow(func() time.Time { return s.now })
		s.ShowFace("Grace", 0)
		for range 600 {
			d := s.after(500 * time.Millisecond)
			for _, f := range d.Faces {
				switch {
				case f.Name == "Grace" && !f.EyeContact && f.BearingRad > -0.2 && f.BearingRad < 0.2:
					t.Error("a guest straight ahead looks elsewhere")
				case f.EyeContact:
					text, eyes = text+"x", eyes+1
				default:
					text += "."
				}
			}
		}
		return text, eyes
	}
	first, eyes := looks(4)
	if again, _ := looks(4); again != first || eyes == 0 {
		t.Errorf("equal seeds: %s and %s", first, again)
	}
}

// The habitat is seen by a robot that stands.
func TestHabitatIsSeenByAStandingRobot(t *testing.T) {
	s := newStage(1)
	if h := s.after(0).Habitat; h != hardware.HabitatUnknown {
		t.Errorf("nobody said: %v", h)
	}
	s.Surround(hardware.NotInHabitat)
	if h := s.after(0).Habitat; h != hardware.NotInHabitat {
		t.Errorf("told: %v", h)
	}
	s.PickUp()
	if h := s.after(0).Habitat; h != hardware.HabitatUnknown {
		t.Errorf("in a hand: %v", h)
	}
}
