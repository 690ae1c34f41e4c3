package library_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/behaviors/library/performing"
	"github.com/robotd/robotd/hardware"
)

// tricks are animations of the tests: two clips of which a trigger chooses, and clips that show what plays.
const tricks = `
-- animations/tricks.json --
{ "clips": [
    {"name": "one", "length_ms": 300, "face": [{"at_ms": 0, "expression": "happy"}]},
    {"name": "two", "length_ms": 300, "face": [{"at_ms": 0, "expression": "sad"}]},
    {"name": "wiggle", "length_ms": 300, "body": [{"at_ms": 0, "turn_deg": 8, "speed_radps": 2}], "head": [{"at_ms": 0, "angle_deg": 30}],
     "sound": [{"at_ms": 0, "sound": "hm", "duration_ms": 200}]} ],
  "groups": [
    {"name": "Either", "clips": [{"clip": "one", "cooldown_s": 600}, {"clip": "two", "cooldown_s": 600}]},
    {"name": "Wiggle", "clips": [{"clip": "wiggle"}]} ],
  "triggers": [{"name": "Either", "group": "Either"}, {"name": "Wiggle", "group": "Wiggle"}] }
`

// starts waits until the subject has begun.
func (s scene) starts() {
	s.t.Helper()
	s.Until(time.Second, "the begin", func() bool { return s.Active("S") })
}

// faces counts how often the display changed to each expression among those given, until done.
func (s scene) faces(limit time.Duration, done func() bool, of ...string) []string {
	s.t.Helper()
	var shown []string
	last := ""
	s.starts()
	s.Until(limit, "the end", func() bool {
		if now := s.World().Display.Value.Face; now != last && slices.Contains(of, now) {
			shown = append(shown, now)
		}
		last = s.World().Display.Value.Face
		return done()
	})
	return shown
}

// Rules: data/2.2.1b.
func TestAnimSequenceOfTriggersPlaysClipThatIsReady(t *testing.T) {
	s := play(t, `"behaviorClass": "AnimSequence", "animTriggers": ["Either", "surprised", "Either"], "tracksToLock": ["BODY_TRACK"], "renderInEyeHue": false`, tricks)
	shown := s.faces(5*time.Second, func() bool { return !s.Active("S") }, "happy", "sad")
	slices.Sort(shown)
	if !slices.Equal(shown, []string{"happy", "sad"}) { // the second choice avoids the clip that cools down
		t.Errorf("shown %q", shown)
	}
	s.NoRefusals()
}

// Rules: data/2.2.1b.
func TestAnimSequenceLeavesTracksAlone(t *testing.T) {
	s := play(t, `"behaviorClass": "AnimSequence", "animTriggers": ["Wiggle"], "num_loops": 2, "tracksToLock": ["BODY_TRACK", "AUDIO_TRACK"]`, tricks)
	moved, heads := false, 0
	s.starts()
	s.Until(5*time.Second, "the end", func() bool {
		for _, c := range s.Out.Commands {
			switch c := c.(type) {
			case hardware.Drive, hardware.PlaySound:
				moved = true
			case hardware.MoveHead:
				if c.AngleRad > 0.5 {
					heads++
				}
			}
		}
		return !s.Active("S")
	})
	if moved || heads != 2 {
		t.Errorf("body or speaker %v, head %d times", moved, heads)
	}
	s.NoRefusals()
}

// Each slip of the lists gives one finding.
// Rules: data/2.2.1b.
func TestAnimSequenceWantsOneOfItsLists(t *testing.T) {
	for keys, want := range map[string]string{
		``:                     `required key "animTriggers" is missing`,
		`, "animTriggers": []`: `animTriggers: names no animation`,
		`, "animNames": []`:    `animNames: names no animation`,
		`, "animNames": ["surprised"], "animTriggers": ["Wiggle"]`: `animNames: stands beside animTriggers: want one of them`,
		`, "animTriggers": ["Wigle"]`:                              `there is no animation trigger "Wigle"; did you mean "Wiggle"?`,
		`, "animNames": ["Wiggle"]`:                                `there is no clip "Wiggle"; did you mean "wiggle"?`,
		`, "animNames": ["wiggle"], "tracksToLock": ["BODYTRACK"]`: `did you mean "BODY_TRACK"?`,
	} {
		_, diags := behaviortest.Catalog(t, "-- S.json --\n"+`{"behaviorClass": "AnimSequence", "behaviorID": "S"`+keys+"}\n"+tricks, library.Registry(), catalog.Boot{Base: "S", Fallback: "S"})
		if len(diags) != 1 || !strings.Contains(diags.String(), want) {
			t.Errorf("%s: %s\nwant %s", keys, diags.String(), want)
		}
	}
}

// Rules: data/2.2.2.
func TestAnimSequenceWithFaceTurnsToTheBestFaceAndBack(t *testing.T) {
	s := play(t, `"behaviorClass": "AnimSequenceWithFace", "animTriggers": ["Either"], "requireFaceForActivation": true, "returnToOriginalPose": true,
		"setFastTurn": true, "faceSelectionPenalties": [{"penaltyFactor": "UnnamedFace", "penaltyMultiplier": 2}]`, tricks)
	s.For(time.Second)
	if s.Active("S") {
		t.Fatal("active without a face")
	}
	s.Body.People = []behaviortest.Person{{ID: 1, XMM: 500, YMM: 60}, {ID: 2, Name: "Ada", XMM: 500, YMM: -200}}
	s.state(3*time.Second, "turning to the face")
	s.state(3*time.Second, "playing")
	if h := s.Body.HeadingRad; math.Abs(h+math.Atan2(200, 500)) > 0.1 {
		t.Errorf("heading %v", h)
	}
	s.state(3*time.Second, "turning back")
	s.over(3 * time.Second)
	if h := s.Body.HeadingRad; math.Abs(h) > 0.1 {
		t.Errorf("heading %v afterwards", h)
	}
}

// Without a face, and if none is required, it plays where it stands.
// Rules: data/2.2.2.
func TestAnimSequenceWithFacePlaysWithoutFace(t *testing.T) {
	s := play(t, `"behaviorClass": "AnimSequenceWithFace", "animNames": ["one"]`, tricks)
	s.state(time.Second, "playing")
	s.over(2 * time.Second)
}

// Rules: data/2.2.2.
func TestAnimSequenceWithObjectTurnsToTheNearest(t *testing.T) {
	s := play(t, `"behaviorClass": "AnimSequenceWithObject", "animNames": ["one"], "objectType": "cube"`, tricks)
	s.For(time.Second)
	if s.Active("S") {
		t.Fatal("active without a cube")
	}
	s.Body.Cubes = []behaviortest.Cube{{ID: 1, XMM: 600, YMM: -100}, {ID: 2, XMM: 300, YMM: 120}}
	s.state(3*time.Second, "turning to the cube")
	s.state(3*time.Second, "playing")
	if h := s.Body.HeadingRad; math.Abs(h-math.Atan2(120, 300)) > 0.1 {
		t.Errorf("heading %v", h)
	}
	s.over(3 * time.Second)
}

// Rules: data/2.2.2.
func TestAnimGetInLoopRepeatsUntilItsConditionWasMet(t *testing.T) {
	for name, during := range map[string]string{"during": "true", "between": "false"} {
		t.Run(name, func(t *testing.T) {
			s := play(t, `"behaviorClass": "AnimGetInLoop", "getIn": "one", "loopAnimation": "two", "getOut": "one", "loopInterval_s": 0.6, "lockTreads": true,
				"shouldCheckEndCondDuringAnim": `+during+`, "loopEndCondition": {"conditionType": "TimerInRange", "begin_s": 2}`, tricks)
			from := s.Now()
			shown := s.faces(10*time.Second, func() bool { return !s.Active("S") }, "happy", "sad")
			if len(shown) < 4 || shown[0] != "happy" || shown[len(shown)-1] != "happy" || slices.Contains(shown[1:len(shown)-1], "happy") {
				t.Errorf("shown %q", shown)
			}
			if d := s.Now().Sub(from); d < 2*time.Second || d > 4*time.Second {
				t.Errorf("took %v", d)
			}
			s.NoRefusals()
		})
	}
}

// An interrupt during the loop plays the emergency get-out; one during the get-out does not.
// Rules: data/2.2.2.
func TestAnimGetInLoopPlaysEmergencyGetOutWhenInterrupted(t *testing.T) {
	s := play(t, `"behaviorClass": "AnimGetInLoop", "getIn": "one", "loopAnimation": "one", "getOut": "one", "emergencyGetOut": "two"`, tricks)
	s.state(3*time.Second, "looping")
	s.For(time.Second)
	s.Impl("Urgent").(*behaviortest.Probe).Wants = true
	s.Until(3*time.Second, "the get-out", func() bool { return s.Active("Urgent") && s.World().Display.Value.Face == "sad" })
	s.NoRefusals()
}

// A giver asks S with data, once, and delegates to it if it wants.
type giver struct {
	data any
	no   bool
	set  time.Duration // of the timer, set before
}

// plain is no data: the question comes without.
type plain struct{}

func (g *giver) Update(c *behaviors.Control) {
	if c.Activated() && g.data != nil && !c.IsControlDelegated() {
		data := g.data
		g.data = nil
		if g.set > 0 {
			c.Alarm().Set(g.set)
		}
		if data == (plain{}) {
			data = nil
		}
		g.no = !c.WantsWith("S", data) || !c.DelegateTo("S", nil)
	}
}

func (*giver) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// give starts a scene in which S, of the given JSON, is asked with data.
func give(t *testing.T, subject string) (scene, *giver) {
	t.Helper()
	g := &giver{}
	class := behaviors.Class{Name: "Giver", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.MayDelegateTo("S")
		return g
	}}
	classes := behaviors.NewRegistry(slices.Concat(dispatch.Classes(), library.Classes(), []behaviors.Class{class})...)
	e := behaviortest.New(t, behaviortest.Options{Classes: classes, Seed: 3, Files: "-- Base.json --\n" + `{"behaviorClass": "Giver", "behaviorID": "Base"}` +
		"\n-- S.json --\n" + `{"behaviorID": "S", ` + subject + "}\n" + tricks})
	return scene{e, t}, g
}

// Rules: data/2.2.2.
func TestTextToSpeechLoopSpeaksWithAnimationsAround(t *testing.T) {
	s, g := give(t, `"behaviorClass": "TextToSpeechLoop", "loopAnimation": "Wiggle", "getInAnimation": "one", "getOutAnimation": "two", "lockTreads": true`)
	g.data = performing.Utterance{}
	s.For(time.Second)
	if !g.no || s.Active("S") {
		t.Error("wants control without a text")
	}
	g.data = performing.Utterance{Text: "it is nine o'clock"}
	heads := 0
	shown := s.faces(20*time.Second, func() bool {
		for _, c := range s.Out.Commands {
			if h, ok := c.(hardware.MoveHead); ok && h.AngleRad > 0.5 {
				heads++
			}
		}
		return !s.Active("S")
	}, "happy", "sad")
	if !slices.Equal(shown, []string{"happy", "sad"}) || heads < 3 {
		t.Errorf("shown %q, %d repetitions", shown, heads)
	}
	if said := s.Said(); !slices.Equal(said, []string{"it is nine o'clock"}) {
		t.Errorf("said %q", said)
	}
	if s.Body.HeadingRad != 0 {
		t.Error("the body moved")
	}
	g.data, g.no = performing.Utterance{}, false
	s.For(time.Second)
	if !g.no {
		t.Error("the text is good for a second activation")
	}
	s.NoRefusals()
}

// While the speaker is busy it idles; without a speaker it bails out.
// Rules: data/2.2.2.
func TestTextToSpeechLoopIdlesUntilReadyAndBailsOutWithoutSpeaker(t *testing.T) {
	const keys = `"behaviorClass": "TextToSpeechLoop", "loopAnimation": "one", "idleAnimation": "one", "emergencyGetOutAnimation": "two"`
	s, g := give(t, keys)
	s.Body.Apply(s.Now(), hardware.PlaySound{ID: 1 << 40, Clip: "fanfare", Duration: 2 * time.Second})
	s.Step(1)
	g.data = performing.Utterance{Text: "hello"}
	s.state(time.Second, "idle")
	s.state(5*time.Second, "speaking")
	s.over(5 * time.Second)

	s, g = give(t, keys)
	s.Body.Broken = map[string]hardware.Quality{hardware.Speaker: hardware.Failed}
	s.Step(2)
	g.data = performing.Utterance{Text: "hello"}
	s.state(time.Second, "nothing can be said")
	s.over(5 * time.Second)
	if len(s.Said()) > 0 {
		t.Errorf("said %q", s.Said())
	}
}

// Rules: data/2.2.2.
func TestCountingAnimationCountsSlowFastSlow(t *testing.T) {
	s, g := give(t, `"behaviorClass": "CountingAnimation", "SlowLoopBeginSize": 2, "SlowLoopEndSize": 1`)
	g.data = performing.Count{To: 6, Announce: "I count", Conclude: "six"}
	var states []string
	s.starts()
	s.Until(20*time.Second, "the end", func() bool {
		if st := s.State("S"); len(states) == 0 || states[len(states)-1] != st {
			states = append(states, st)
		}
		return !s.Active("S")
	})
	if got := strings.Join(states, ", "); !strings.HasSuffix(got, "announcing, getting in, counting slowly, counting fast, counting slowly, getting out") {
		t.Error(got)
	}
	if said := s.Said(); !slices.Equal(said, []string{"I count", "six"}) {
		t.Errorf("said %q", said)
	}
	g.data = performing.Count{}
	s.For(time.Second)
	if !g.no || s.Active("S") {
		t.Error("wants control without a number")
	}
	s.NoRefusals()
}

// The answer to the trigger word plays what its trigger stands for, a clip that is ready.
func TestAnswerToTriggerWordPlaysClipOfItsTrigger(t *testing.T) {
	e := behaviortest.New(t, behaviortest.Options{Classes: library.Registry(), Base: "S", Seed: 3, Files: "-- S.json --\n" +
		`{"behaviorClass": "Wait", "behaviorID": "S", "pushTriggerWordResponse": {"getInTrigger": "Either"}}` + "\n" + tricks})
	s := scene{e, t}
	shown := map[string]bool{}
	for range 2 {
		s.For(3 * time.Second)
		s.WakeWord()
		s.Until(2*time.Second, "a clip", func() bool {
			face := s.World().Display.Value.Face
			return (face == "happy" || face == "sad") && !shown[face]
		})
		shown[s.World().Display.Value.Face] = true
	}
	s.NoRefusals()
}
