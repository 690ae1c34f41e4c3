package dispatch_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// dayKeys are what a HighLevelAI needs besides its states.
const dayKeys = `"behaviorClass": "HighLevelAI", "behaviorID": "M", "socializeKnownFaceCooldown_s": 20, "playWithCubeCooldown_s": 20,
	"playWithCubeOnChargerCooldown_s": 5, "maxFaceDistanceToSocialize_mm": 700, "postBehaviorSuggestionResumeOverrides": {}, `

// day is a HighLevelAI that goes from state One, with behavior A, to state Two when a condition is met, and back by intent.
func day(t *testing.T, from, cond, timer string) scenario {
	t.Helper()
	body := dayKeys + `"states": [{"name": "` + from + `", "behavior": "A"}, {"name": "Two", "behavior": "B", "resetBehaviorTimer": "` + timer + `"}],
		"initialState": "` + from + `", "transitionDefinitions": [{"from": "` + from + `", "interruptingTransitions": [` + on("Two", cond) + `]},
		{"from": "Two", "interruptingTransitions": [{"to": "` + from + `", "condition": {"conditionType": "UserIntentPending", "list": [{"type": "bye"}]}}]}]`
	return dayOf(t, body)
}

func dayOf(t *testing.T, body string) scenario {
	t.Helper()
	files := "-- Base.json --\n" + strict + `true, "behaviors": ["Up", "M", "Z"]}` + "\n-- M.json --\n{" + body + "}\n" +
		probes(`Up:, "wants": false, "carrying": true`, `Z:, "carrying": true`, "A", "B", `PutDownBlock:, "carrying": true, "wants": false`)
	return scenario{behaviortest.New(t, behaviortest.Options{
		Classes: behaviors.NewRegistry(classList()...), Files: files, Timers: []string{"Socializing", "PlayingWithCube"}, Intents: []string{"bye", "hello"},
	}), t}
}

// Rules: data/2.6q.
func TestCloseFaceLeadsToSocializingOnceInAWhile(t *testing.T) {
	s := day(t, "One", "CloseFaceForSocializing", "Socializing")
	s.Body.People = []behaviortest.Person{{ID: 1, XMM: 800}}
	s.For(2 * time.Second)
	s.runs("M A") // too far away
	s.Body.People[0].XMM = 600
	s.Until(2*time.Second, "it goes to the face", func() bool { return s.Active("B") })
	entered := s.Now()
	s.Intent("bye")
	s.Step(1)
	s.runs("M A")
	s.Until(30*time.Second, "it goes there again", func() bool { return s.Active("B") })
	if d := s.Now().Sub(entered); d <= 20*time.Second || d > 22*time.Second {
		t.Errorf("again after %v", d)
	}
	s.NoRefusals()
}

// Rules: data/2.6q.
func TestCloseCubeLeadsToPlayOnceInAWhile(t *testing.T) {
	s := day(t, "One", "CloseCubeForPlaying", "PlayingWithCube")
	s.For(2 * time.Second)
	s.runs("M A")
	s.Body.Cubes = []behaviortest.Cube{{ID: 5, XMM: 300}}
	s.Until(2*time.Second, "it goes to the cube", func() bool { return s.Active("B") })
	entered := s.Now()
	s.Intent("bye")
	s.Step(1)
	s.Until(30*time.Second, "it goes there again", func() bool { return s.Active("B") })
	if d := s.Now().Sub(entered); d <= 20*time.Second || d > 22*time.Second {
		t.Errorf("again after %v", d)
	}
}

// Rules: data/2.6q.
func TestLocatedChargerIsACondition(t *testing.T) {
	s := day(t, "One", "ChargerLocated", "Socializing")
	s.For(time.Second)
	s.runs("M A")
	s.Body.Charger = &hardware.Pose{XMM: 400}
	s.Until(2*time.Second, "it sees the charger", func() bool { return s.Active("B") })
}

// Rules: data/2.6q.
func TestLeavingTheChargerForPlayNeedsAnEarlierPlay(t *testing.T) {
	// Leaving → Rest by "hello"; Rest → Play when it wants to leave for play.
	s := dayOf(t, dayKeys+`"ignoreMissingTransitions": true, "states": [{"name": "ObservingDriveOffCharger", "behavior": "A", "resetBehaviorTimer": "PlayingWithCube"},
		{"name": "Rest", "behavior": "A"}, {"name": "Play", "behavior": "B"}], "initialState": "Rest", "transitionDefinitions": [
		{"from": ["ObservingDriveOffCharger", "Play"], "interruptingTransitions": [{"to": "Rest", "condition": {"conditionType": "UserIntentPending", "list": [{"type": "bye"}]}}]},
		{"from": "Rest", "interruptingTransitions": [`+on("Play", "WantsToLeaveChargerForPlay")+`,
			{"to": "ObservingDriveOffCharger", "condition": {"conditionType": "UserIntentPending", "list": [{"type": "hello"}]}}]}]`)
	s.For(time.Minute)
	s.runs("M A") // it never left, and never played
	s.Intent("hello")
	s.Step(2)
	stamped := s.Now()
	s.Intent("bye")
	s.Step(1)
	left := s.Now()
	s.Until(30*time.Second, "it leaves for play", func() bool { return s.Active("B") })
	if d := s.Now().Sub(stamped); d <= 20*time.Second-2*behaviortest.Period || s.Now().Sub(left) < 5*time.Second {
		t.Errorf("after %v, left %v ago", d, s.Now().Sub(left))
	}
}

// Rules: data/2.6q.
func TestExploringBeginsAgainAfterItsCooldown(t *testing.T) {
	s := day(t, "One", "ExploringCooldownMet", "Socializing")
	began := s.Now()
	s.Until(3*time.Minute, "it explores", func() bool { return s.Active("B") })
	if d := s.Now().Sub(began); d <= 2*time.Minute || d > 2*time.Minute+time.Second {
		t.Errorf("after %v", d)
	}
	s.Intent("bye")
	s.Step(1)
	back := s.Now()
	s.Until(time.Minute, "it explores again, because the state was no exploring", func() bool { return s.Active("B") })
	if d := s.Now().Sub(back); d < 10*time.Second || d > 11*time.Second {
		t.Errorf("again after %v", d)
	}
}

// Rules: data/2.6g, data/2.6q.
func TestHighLevelAIPutsDownByTheFixedBehavior(t *testing.T) {
	s := day(t, "One", "ChargerLocated", "Socializing")
	s.runs("M A")
	s.probe("PutDownBlock").Wants = true
	s.Body.Charger = &hardware.Pose{XMM: 400}
	s.Until(2*time.Second, "it puts down first", func() bool { return s.Active("PutDownBlock") })
	s.probe("PutDownBlock").Wants, s.probe("PutDownBlock").End = false, true
	s.Step(2)
	s.runs("M B")
	s.NoRefusals()
}

// Rules: data/2.6r.
func TestStateRaisesTheStimulationOnEntering(t *testing.T) {
	s := dayOf(t, dayKeys+`"states": [{"name": "One", "behavior": "A"}, {"name": "Two", "behavior": "B", "ensureMinStimValue": 0.5}],
		"initialState": "One", "transitionDefinitions": [{"from": "*", "interruptingTransitions": [
		{"to": "Two", "condition": {"conditionType": "UserIntentPending", "list": [{"type": "hello"}]}}]}]`)
	stim := func() float64 { return s.Engine.View().Mood[condition.Stimulated] }
	s.Step(2)
	if stim() != 0 {
		t.Errorf("stimulated %v at the start", stim())
	}
	s.Intent("hello")
	s.Step(1)
	if got := stim(); got < 0.49 || got > 0.5 {
		t.Errorf("stimulated %v after entering", got)
	}
	s.NoRefusals()
}

// Rules: data/2.6q.
func TestHighLevelAINeedsItsNumbers(t *testing.T) {
	_, diags := behaviortest.Catalog(t, "-- Base.json --\n"+`{"behaviorClass": "HighLevelAI", "behaviorID": "Base", `+twoStates+
		definitions(from(`"*"`, "exitTransitions", on("One", "ChargerLocated")))+"}\n"+probes("A", "B", "PutDownBlock"),
		behaviors.NewRegistry(classList()...), catalog.Boot{Base: "Base", Fallback: "Base"})
	for _, key := range []string{
		"socializeKnownFaceCooldown_s", "playWithCubeCooldown_s", "playWithCubeOnChargerCooldown_s", "maxFaceDistanceToSocialize_mm",
		"postBehaviorSuggestionResumeOverrides",
	} {
		if !strings.Contains(diags.String(), `required key "`+key+`" is missing`) {
			t.Errorf("nothing is said of %s:\n%s", key, diags.String())
		}
	}
}
