package library_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/hardware"
)

const listenKeys = `"preListeningAnim": "one", "listeningAnim": "one", "postListeningAnim": "two", "noBeatAnim": "Wiggle",
	"minListeningTime_sec": 2, "maxListeningTime_sec": 5`

// Rules: data/2.2.4.
func TestListenForBeatsEndsWhenItIsSureOrHasListenedLongEnough(t *testing.T) {
	for name, c := range map[string]struct {
		leave       string
		music, then hardware.Beat
		state       string
		least, most time.Duration
	}{
		"sure at once":     {"false", hardware.SteadyBeat, hardware.SteadyBeat, "a beat", 2 * time.Second, 3 * time.Second},
		"never sure":       {"false", hardware.PossibleBeat, hardware.PossibleBeat, "no beat", 5 * time.Second, 6 * time.Second},
		"silence":          {"true", hardware.NoBeat, hardware.NoBeat, "no beat", 5 * time.Second, 6 * time.Second},
		"beat lost":        {"true", hardware.PossibleBeat, hardware.NoBeat, "the beat is lost", time.Second, 2 * time.Second},
		"it may come back": {"false", hardware.PossibleBeat, hardware.NoBeat, "no beat", 5 * time.Second, 6 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			s := play(t, `"behaviorClass": "ListenForBeats", "cancelSelfIfBeatLost": `+c.leave+`, `+listenKeys, tricks)
			s.Body.Music = c.music
			s.state(2*time.Second, "listening")
			from := s.Now()
			s.For(time.Second)
			s.Body.Music = c.then
			s.Until(8*time.Second, c.state, func() bool { return s.State("S") == c.state })
			if d := s.Now().Sub(from); d < c.least || d > c.most {
				t.Errorf("after %v", d)
			}
			s.over(2 * time.Second)
		})
	}
}

// party is a coordinator with short behaviors to delegate to, under a base that waits else.
func party(t *testing.T, keys string) scene {
	t.Helper()
	files := `
-- Base.json --
{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "interruptActiveBehavior": true, "behaviors": ["S", "Wait"]}
-- Wait.json --
{"behaviorClass": "Wait", "behaviorID": "Wait"}
-- S.json --
{"behaviorClass": "DanceToTheBeatCoordinator", "behaviorID": "S", "listeningBehavior": "Listen", "longListeningBehavior": "ListenLong",
 "offChargerDancingBehavior": "DanceOff", "onChargerDancingBehavior": "DanceOn"` + keys + "}\n"
	files += "-- DriveOffChargerStraight.json --\n" + `{"behaviorClass": "Probe", "behaviorID": "DriveOffChargerStraight"}` + "\n"
	for _, id := range []string{"Listen", "ListenLong", "DanceOff", "DanceOn", "FindAndGoToHome", "Exploring"} {
		files += "-- " + id + ".json --\n" + `{"behaviorClass": "AnimSequence", "animNames": ["surprised"], "behaviorID": "` + id + `"}` + "\n"
	}
	classes := slices.Concat(dispatch.Classes(), library.Classes(), []behaviors.Class{behaviortest.ProbeClass()})
	return scene{behaviortest.New(t, behaviortest.Options{
		Classes: behaviors.NewRegistry(classes...), Files: files, Seed: 3, Intents: []string{"imperative_dance"}, Timers: []string{"DancingCooldown", "ListenForBeatsCooldown"},
	}), t}
}

// order lists the delegates that had control one after the other, until the coordinator ends.
func (s scene) order(limit time.Duration) string {
	s.t.Helper()
	var seen []string
	s.starts()
	s.Until(limit, "the end", func() bool {
		if c := s.Chain(); len(c) == 3 && (len(seen) == 0 || seen[len(seen)-1] != c[2]) {
			seen = append(seen, c[2])
		}
		return !s.Active("S")
	})
	s.NoRefusals()
	return strings.Join(seen, " ")
}

// Rules: data/2.2.4.
func TestDanceCoordinatorListensThenDancesWhereItCan(t *testing.T) {
	s := party(t, "")
	s.For(time.Second)
	if s.Active("S") {
		t.Fatal("active without music")
	}
	s.Body.Music = hardware.SteadyBeat
	if got := s.order(10 * time.Second); got != "Listen DanceOff" {
		t.Errorf("off the charger: %s", got)
	}
	s.For(9 * time.Minute)
	if why := s.Engine.Cell("S").Inc.Inst.Why(); s.Started("S") != 1 || !strings.Contains(why, "it danced") {
		t.Errorf("started %d times: %s", s.Started("S"), why)
	}
	s.Until(2*time.Minute, "the next dance", func() bool { return s.Started("S") == 2 })

	s = party(t, "")
	s.Body.Plugged, s.Body.Music = true, hardware.SteadyBeat
	s.Until(3*time.Second, "the way off", func() bool { return s.Active("DriveOffChargerStraight") })
	s.Body.Plugged = false
	s.Impl("DriveOffChargerStraight").(*behaviortest.Probe).End = true
	if got := s.order(20 * time.Second); got != "DriveOffChargerStraight DanceOff FindAndGoToHome" {
		t.Errorf("from the charger: %s", got)
	}

	s = party(t, "")
	s.Body.Plugged, s.Body.Music = true, hardware.SteadyBeat
	s.Impl("DriveOffChargerStraight").(*behaviortest.Probe).Wants = false
	if got := s.order(10 * time.Second); got != "Listen DanceOn" {
		t.Errorf("on the charger: %s", got)
	}
}

// Rules: data/2.2.4.
func TestDanceCoordinatorRestsAfterListeningInVain(t *testing.T) {
	s := party(t, "")
	s.Body.Music = hardware.PossibleBeat
	if got := s.order(10 * time.Second); got != "Listen" {
		t.Error(got)
	}
	s.For(50 * time.Second)
	if why := s.Engine.Cell("S").Inc.Inst.Why(); s.Started("S") != 1 || !strings.Contains(why, "in vain") {
		t.Errorf("started %d times: %s", s.Started("S"), why)
	}
	s.Until(15*time.Second, "the next time", func() bool { return s.Started("S") == 2 })
}

// Asked for a dance it listens longer, whatever it heard and did before.
// Rules: data/2.2.4.
func TestDanceCoordinatorListensLongerWhenAsked(t *testing.T) {
	s := party(t, `, "respondToUserIntents": [{"type": "imperative_dance"}]`)
	s.Body.Music = hardware.SteadyBeat
	s.For(time.Second)
	if s.Active("S") {
		t.Fatal("active although nobody asked")
	}
	s.Intent("imperative_dance")
	if got := s.order(10 * time.Second); got != "ListenLong DanceOff" {
		t.Error(got)
	}
}
