package library_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
)

// Rules: data/2.3d.
func TestSimpleVoiceResponsePlaysWhatTheCommandSays(t *testing.T) {
	s := stageAgain(t, `"behaviorClass": "SimpleVoiceResponse"`)
	s.Step(2)
	if s.Active("S") {
		t.Fatal("it answers nothing")
	}
	s.say("simple_voice_response", map[string]string{"anim_group": "surprised", "active_feature": "AttentionTransfer"})
	s.state(time.Second, "answering with surprised")
	s.Step(1)
	if f := s.Engine.Feature().Feature; f != "AttentionTransfer" {
		t.Errorf("feature %q", f)
	}
	s.over(5 * time.Second)
	if in := s.Engine.View().Intent; in.Active != nil || in.Pending != nil {
		t.Errorf("intent %+v", in)
	}
}

// Rules: data/2.8g.
func TestAskForHelpAsksAgainAndAgain(t *testing.T) {
	s := stage(t, `"behaviorClass": "AskForHelp"`)
	s.modifiers(true, true)
	cries := 0
	running := false
	for range 500 { // half a minute
		s.Step(1)
		on := slices.Contains(s.Actions(), "AskForHelp")
		if on && !running {
			cries++
		}
		running = on
	}
	if s.Started("S") != 1 || !s.Active("S") || cries < 3 || cries > 5 {
		t.Errorf("started %d times, %d cries", s.Started("S"), cries)
	}
	s.interrupt()
	s.NoRefusals()
}

// shakeTwice lifts the robot and shakes it n times.
func (s scene) shakes(n int) {
	s.Body.Held = true
	s.For(time.Second)
	for range n {
		s.Body.Shaken = true
		s.For(time.Second)
		s.Body.Shaken = false
		s.For(time.Second)
	}
	s.Body.Held = false
}

// Rules: data/2.3d.
func TestShakesChooseTheBehavior(t *testing.T) {
	for n, want := range map[int]string{1: "One", 2: "Two", 3: "Two"} {
		s := stage(t, `"behaviorClass": "DispatchAfterShake", "behaviors": ["One", "Two"]`, probesOf("One", "Two"))
		s.probe("One").Wants, s.probe("Two").Wants = true, true
		s.state(time.Second, "waiting for a shake")
		s.shakes(n)
		s.Until(5*time.Second, want, func() bool { return s.Active(want) })
		s.probe(want).End = true
		s.lastly(2*time.Second, s.State("S"))
	}
}

const toCube = `"behaviorClass": "ConnectToCube", "delegateBehaviorID": "Play"`

// Rules: data/2.3.4.
func TestConnectToCubeConnectsBeforeItDelegates(t *testing.T) {
	s := stage(t, toCube, probesOf("Play"))
	s.probe("Play").Wants = true
	s.state(time.Second, "getting in")
	s.state(5*time.Second, "connecting")
	s.For(time.Second)
	s.Body.Cube = true
	s.state(2*time.Second, "telling how it went")
	if got := s.Engine.View().Services.Cube; got != condition.CubeInteractable {
		t.Errorf("the cube is %v", got)
	}
	s.Until(4*time.Second, "it plays", func() bool { return s.Active("Play") })
	s.Body.Cube = false
	s.Until(3*time.Second, "the cube is lost", func() bool { return s.State("S") == "lost the cube" && !s.Active("Play") })
	s.lastly(5*time.Second, "lost the cube")
}

// Rules: data/2.3.4.
func TestConnectToCubeWithoutACubeDelegatesOnlyIfItMay(t *testing.T) {
	for extra, plays := range map[string]bool{"": false, `, "delegateOnFailedConnection": true`: true} {
		s := stage(t, toCube+extra, probesOf("Play"))
		s.probe("Play").Wants = true
		s.state(20*time.Second, "telling how it went")
		s.For(5 * time.Second)
		if s.Active("Play") != plays || s.Active("S") != plays {
			t.Errorf("%q: plays %v", extra, s.Active("Play"))
		}
		s.NoRefusals()
	}
}

// Rules: data/2.3.4.
func TestConnectToCubePlaysAtOnceWithAConnectedCube(t *testing.T) {
	s := stageAgain(t, toCube, probesOf("Play"))
	s.Body.Cube = true
	s.probe("Play").Wants = true
	s.Until(12*time.Second, "it plays", func() bool { return s.Active("Play") })
	s.ends("Play")
	s.probe("Play").Wants = true
	s.Until(time.Second, "it plays again at once", func() bool { return s.Active("Play") })
	s.NoRefusals()
}

// Rules: data/2.8h.
func TestWeatherIsShownByTheBehaviorOfItsCondition(t *testing.T) {
	for kind, c := range map[string]struct{ by, said string }{
		"Sunny": {"Sun", "21 degrees in Rome"}, "Snow": {"SingletonICantDoThat", ""}, "rain": {"Rain", ""},
	} {
		s := stageAgain(t, `"behaviorClass": "CoordinateWeather", "responseMap": [{"CladType": "Sunny", "BehaviorID": "Sun"}, {"CladType": "Rain", "BehaviorID": "Rain"}]`,
			"-- Sun.json --\n"+`{"behaviorClass": "DisplayWeather", "behaviorID": "Sun", "animationName": "look_curious"}`+"\n",
			short("Rain", "SingletonICantDoThat", "SingletonFindFaceInFrontWallTime"))
		s.Step(1)
		s.say("weather_response", map[string]string{
			"condition": kind, "temperature": "21", "temperatureUnit": "C", "speakableLocationString": "Rome", "isForecast": "false",
		})
		s.Until(time.Second, c.by, func() bool { return s.Active(c.by) })
		if in := s.Engine.View().Intent.Active; in == nil || in.Tag != "weather_response" {
			t.Errorf("the intent is not claimed: %+v", in)
		}
		s.over(10 * time.Second)
		if said := s.Said(); c.said != "" && !slices.Equal(said, []string{c.said}) {
			t.Errorf("%s: said %q", kind, said)
		}
	}
}

const firstPalm = `"behaviorClass": "InitialHeldInPalmReaction", "interruptingBehaviors": ["Important"],
	"anonymousBehaviors": [{"behaviorName": "InitialHeldInPalmReactionInternal", "behaviorClass": "Probe", "offTreads": true}]`

// Rules: data/2.8g.
func TestFirstReactionToAPalmGivesWay(t *testing.T) {
	const own = "S@InitialHeldInPalmReactionInternal"
	for name, c := range map[string]struct{ wants, runs string }{"nothing else": {"", own}, "a jolt": {"ReactToJoltInPalm", "ReactToJoltInPalm"}, "important": {"Important", ""}} {
		s := stage(t, firstPalm, probesOf("Important", "ReactToJoltInPalm"))
		s.Step(2)
		if why := s.Engine.Cell("S").Why(); why != "it does not lie on a palm" {
			t.Errorf("because %q", why)
		}
		s.palm(true)
		s.Until(3*time.Second, "it reacts", func() bool { return s.Active(own) })
		if c.wants != "" {
			s.probe(c.wants).Wants = true
		}
		s.Step(3)
		if s.Active("S") != (c.runs != "") || c.runs != "" && !s.Active(c.runs) {
			t.Errorf("%s: %v", name, s.Chain())
		}
		s.NoRefusals()
	}
}
