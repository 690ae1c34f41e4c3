package library_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/library/performing"
	"github.com/robotd/robotd/hardware"
)

const clockKeys = `"getInAnimTrigger": "one", "getOutAnimTrigger": "two", "displayClockFor_s": 3`

// digits notes the digits on the display until the subject ends, each text once, and counts the ticks.
func (s scene) digits(limit time.Duration) (shown []string, ticks int) {
	s.t.Helper()
	s.starts()
	s.Until(limit, "the end", func() bool {
		if text, ok := hardware.DigitsOf(s.World().Display.Value.Face); ok && (len(shown) == 0 || shown[len(shown)-1] != text) {
			shown = append(shown, text)
		}
		for _, c := range s.Out.Commands {
			if p, ok := c.(hardware.PlaySound); ok && p.Clip == "tick" {
				ticks++
			}
		}
		return !s.Active("S")
	})
	s.NoRefusals()
	return shown, ticks
}

// Rules: data/2.2.3.
func TestClockShowsTimeOfDayBetweenItsAnimations(t *testing.T) {
	for _, class := range []string{"ProceduralClock", "DisplayWallTime"} {
		keys := `"behaviorClass": "` + class + `", "shouldTurnToFace": true, ` + clockKeys
		s := play(t, keys, tricks)
		s.For(time.Second)
		if why := s.Engine.Cell("S").Inc.Inst.Why(); s.Active("S") || !strings.Contains(why, "its clock was never set: it reads the year 1970") {
			t.Errorf("%s: %s", class, why)
		}
		s = playAt(t, time.Date(2026, 5, 3, 9, 7, 30, 0, time.UTC), keys, tricks)
		s.Body.People = []behaviortest.Person{{ID: 1, XMM: 500, YMM: 150}}
		s.state(10*time.Second, "turning to the face") // the second time: the first time it had seen nobody yet
		if shown, ticks := s.digits(10 * time.Second); !slices.Equal(shown, []string{"09:07"}) || ticks != 0 {
			t.Errorf("%s: %q, %d ticks", class, shown, ticks)
		}
	}
}

// The parent gives a countdown; it is good for one activation.
// Rules: data/2.2.3.
func TestClockShowsWhatIsLeftOfCountdown(t *testing.T) {
	s, g := give(t, `"behaviorClass": "ProceduralClock", "shouldPlayAudioOnClockUpdates": true, `+clockKeys)
	s.Step(1)
	g.data = performing.Countdown{Until: s.Now().Add(90 * time.Second)}
	shown, ticks := s.digits(10 * time.Second)
	if len(shown) != 3 || shown[0] > "1:30" || !strings.HasPrefix(shown[0], "1:2") && shown[0] != "1:30" || !slices.IsSortedFunc(shown, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("%q", shown)
	}
	if ticks != 3 {
		t.Errorf("%d ticks", ticks)
	}
	g.data = performing.Utterance{Text: "no"}
	s.For(time.Second)
	if !g.no {
		t.Error("took an utterance for a countdown")
	}
}

// Rules: data/2.2.3.
func TestAdvanceClockRunsFromOneTimeToAnother(t *testing.T) {
	for keys, want := range map[string][2]string{
		`"startTime_sec": 0, "endTime_sec": 600`:     {"0:", "10:00"},
		`"startTime_sec": 600, "endTime_sec": 0`:     {"9:", "0:00"},
		`"startTime_sec": 0, "endTime_sec": 7200`:    {"7:", "2:00"}, // hours from 100 minutes on
		`"startTime_sec": 500, "endTime_sec": 86400`: {"8:", "24:00"},
	} {
		s := play(t, `"behaviorClass": "AdvanceClock", `+keys+`, `+clockKeys, tricks)
		shown, _ := s.digits(10 * time.Second)
		if n := len(shown); n < 8 || shown[n-1] != want[1] {
			t.Errorf("%s: %q, want %q", keys, shown, want)
		}
	}
}

// Without a countdown of the parent it shows the timer that people set, which needs no clock that was set.
// Rules: data/2.2.3.
func TestClockShowsTimerThatPeopleSet(t *testing.T) {
	s, g := give(t, `"behaviorClass": "ProceduralClock", `+clockKeys)
	s.Step(1)
	g.set = 75 * time.Second
	g.data = plain{}
	if shown, _ := s.digits(10 * time.Second); len(shown) != 3 || shown[0] > "1:15" || shown[0] < "1:13" {
		t.Errorf("%q", shown)
	}
}
