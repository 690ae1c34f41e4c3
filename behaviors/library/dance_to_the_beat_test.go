package library_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/hardware"
)

// danceFloor is a scene of a DanceToTheBeat with music of a tempo.
func danceFloor(t *testing.T, bpm float64, lights, sessions string) scene {
	t.Helper()
	s := play(t, `"behaviorClass": "DanceToTheBeat", "useBackpackLights": `+lights+`, "backpackAnim": "blink", "eyeHoldAnim": "one", "getOutAnim": "bye",
		"danceSessions": [`+sessions+`]`, danceClips)
	s.For(time.Second)
	if s.Active("S") {
		t.Fatal("it dances without music")
	}
	s.Body.Music, s.Body.TempoBPM = hardware.SteadyBeat, bpm
	return s
}

const danceClips = `
-- animations/dance.json --
{ "clips": [
    {"name": "one", "length_ms": 300, "face": [{"at_ms": 0, "expression": "happy"}]},
    {"name": "long", "length_ms": 9000, "face": [{"at_ms": 0, "expression": "sad"}]},
    {"name": "bye", "length_ms": 300, "face": [{"at_ms": 0, "expression": "surprised"}]},
    {"name": "blink", "length_ms": 200, "lights": [{"at_ms": 0, "color": "#ffffff"}, {"at_ms": 150, "color": "#000000"}]} ] }
`

// session is one with the phrase "one" for one beat, "long" for two.
func session(keys string) string {
	return `{` + keys + `, "phrases": [{"moves": [{"animTrigger": "one", "beats": 1}, {"animTrigger": "long", "beats": 2}]}]}`
}

// steps are the debug states of the dance from its first move on, each with the time since then in milliseconds, to the tick, and a mark if it
// shows the get-out.
func (s scene) steps(during func(since time.Duration)) []string {
	s.t.Helper()
	var out []string
	var first time.Time
	last, getOut := "", false
	for range 2000 {
		s.Step(1)
		now := s.State("S")
		if first.IsZero() && strings.HasPrefix(now, "dancing") {
			first = s.Now()
		}
		if !first.IsZero() && now != last {
			out = append(out, fmt.Sprintf("%s %d", now, s.Now().Sub(first).Round(100*time.Millisecond).Milliseconds()))
			last = now
		}
		getOut = getOut || s.World().Display.Value.Face == "surprised"
		if !first.IsZero() && !s.Active("S") {
			if getOut {
				out = append(out, "bye")
			}
			s.NoRefusals()
			return out
		}
		if during != nil && !first.IsZero() {
			during(s.Now().Sub(first))
		}
	}
	s.t.Fatalf("it does not end; states %q\n%s", out, s.Describe())
	return nil
}

// The limits leave one length: eight beats. The ninth cuts the last phrase short, and a long clip ends with its beats.
// Rules: data/2.2.5.
func TestDanceBeginsEachMoveOnABeatAndLastsItsBeats(t *testing.T) {
	s := danceFloor(t, 100, "false", session(`"minBeats": 5, "maxBeats": 11, "multipleOf": 4`))
	s.Until(3*time.Second, "the first move", func() bool { return strings.HasPrefix(s.State("S"), "dancing") })
	if late := s.Now().Sub(s.Now().Truncate(600 * time.Millisecond)); late > 50*time.Millisecond {
		t.Errorf("the first move begins %v after a beat", late)
	}
	want := []string{
		"dancing one 0", "dancing long 600", "dancing one 1800", "dancing long 2400", "dancing one 3600", "dancing long 4200", "danced 4800", "bye",
	}
	s = danceFloor(t, 100, "false", session(`"minBeats": 5, "maxBeats": 11, "multipleOf": 4`))
	if got := s.steps(nil); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Rules: data/2.2.5.
func TestDanceEndsWhenTheBeatIsLost(t *testing.T) {
	const six = `"minBeats": 6, "maxBeats": 6`
	for name, c := range map[string]struct{ sessions, want string }{
		"listens":                  {session(six + `, "canListenForBeats": true`), "dancing one 0|dancing long 600|the beat is lost 1000"},
		"listens, with get-out":    {session(six + `, "canListenForBeats": true, "playGetoutIfInterrupted": true`), "dancing one 0|dancing long 600|the beat is lost 1000|bye"},
		"does not listen":          {session(six), "dancing one 0|dancing long 600|dancing one 1800|dancing long 2400|danced 3600|bye"},
		"hears it between the two": {session(six) + "," + session(six), "dancing one 0|dancing long 600|dancing one 1800|dancing long 2400|the beat is lost 3600"},
	} {
		t.Run(name, func(t *testing.T) {
			s := danceFloor(t, 100, "false", c.sessions)
			got := s.steps(func(since time.Duration) {
				if since > 900*time.Millisecond {
					s.Body.Music = hardware.NoBeat
				}
			})
			if strings.Join(got, "|") != c.want {
				t.Errorf("got %s, want %s", strings.Join(got, "|"), c.want)
			}
		})
	}
}

// Rules: data/2.2.5.
func TestDanceFollowsAnotherTempoOnlyWhileItListens(t *testing.T) {
	for listens, want := range map[string]string{
		"false": "dancing one 0|dancing long 600|dancing one 1800|dancing long 2400|danced 3600|bye",
		"true":  "dancing one 0|dancing long 600|dancing one 1800|dancing long 2100|danced 2700|bye",
	} {
		s := danceFloor(t, 100, "false", session(`"minBeats": 6, "maxBeats": 6, "canListenForBeats": `+listens))
		got := s.steps(func(since time.Duration) {
			if since > 900*time.Millisecond {
				s.Body.TempoBPM = 200
			}
		})
		if strings.Join(got, "|") != want {
			t.Errorf("listens %s: got %s, want %s", listens, strings.Join(got, "|"), want)
		}
	}
}

// Rules: data/2.2.5.
func TestBackLightsOfADancePulseOnEachBeatIfTheyAreUsed(t *testing.T) {
	for lights, want := range map[string]int{"false": 0, "true": 6} {
		s := danceFloor(t, 100, lights, session(`"minBeats": 6, "maxBeats": 6`))
		pulses, lit := 0, false
		s.steps(func(time.Duration) {
			now := s.World().Lights.Value.Colors[0] == hardware.RGB{R: 255, G: 255, B: 255}
			if now && !lit {
				pulses++
			}
			lit = now
		})
		if pulses != want {
			t.Errorf("back lights used: %s: %d pulses, want %d", lights, pulses, want)
		}
	}
}

// Rules: data/2.2.5.
func TestDanceNeedsABeatWithATempo(t *testing.T) {
	s := danceFloor(t, 0, "false", session(`"minBeats": 6, "maxBeats": 6`))
	s.For(2 * time.Second)
	if why := s.Engine.Cell("S").Inc.Inst.Why(); s.Started("S") != 0 || !strings.Contains(why, "tempo is not known") {
		t.Errorf("started %d times: %s", s.Started("S"), why)
	}
	s.Body.Music, s.Body.TempoBPM = hardware.PossibleBeat, 100
	s.For(2 * time.Second)
	if why := s.Engine.Cell("S").Inc.Inst.Why(); s.Started("S") != 0 || !strings.Contains(why, "the beat is Possible") {
		t.Errorf("started %d times: %s", s.Started("S"), why)
	}
}

// Rules: data/2.2.5.
func TestDanceSessionWithoutAPossibleLengthIsAMistake(t *testing.T) {
	for keys, want := range map[string]string{
		`"minBeats": 5, "maxBeats": 7, "multipleOf": 4`: "multipleOf: has no multiple from minBeats to maxBeats: want at most 7",
		`"minBeats": 5, "maxBeats": 4`:                  "maxBeats: is less than minBeats",
		`"minBeats": 5, "maxBeats": 7, "multipleOf": 0`: "multipleOf",
	} {
		_, diags := behaviortest.Catalog(t, "-- S.json --\n"+`{"behaviorID": "S", "behaviorClass": "DanceToTheBeat", "useBackpackLights": true, "backpackAnim": "surprised", "eyeHoldAnim": "surprised", "getOutAnim": "surprised",
			"danceSessions": [{`+keys+`, "phrases": [{"moves": [{"animTrigger": "surprised", "beats": 1}]}]}]}`+"\n",
			library.Registry(), catalog.Boot{Base: "S", Fallback: "S"})
		got := diags.String()
		if strings.Count(got, "\n") > 1 || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want one with %q", keys, got, want)
		}
	}
}
