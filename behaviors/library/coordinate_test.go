package library_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const quiet = `"behaviorClass": "QuietModeCoordinator", "activeTime_s": 30, "timeToPowerSave_s": 10,
	"behaviors": [{"behavior": "Loud", "audioAllowed": true}, {"behavior": "Soft", "audioAllowed": false}]`

// Rules: data/2.3d.
func TestQuietModeRunsItsBehaviorsAndNeverPreempts(t *testing.T) {
	s := stage(t, quiet, probesOf("Loud", "Soft"))
	muted := func() bool { return strings.Contains(s.Engine.Actions().Tracks().Mask().String(), "AUDIO") }
	s.state(time.Second, "quiet")
	if !muted() {
		t.Error("it may be heard")
	}
	s.probe("Soft").Wants = true
	s.Step(2)
	s.probe("Loud").Wants = true
	s.Step(2)
	if !s.Active("Soft") || !muted() {
		t.Errorf("preempted, or loud\n%s", s.Describe())
	}
	s.probe("Soft").Wants, s.probe("Soft").End = false, true
	s.Step(2)
	if !s.Active("Loud") || muted() {
		t.Errorf("Loud may be heard\n%s", s.Describe())
	}
	s.For(10 * time.Second)
	if !s.Engine.View().Services.PowerSave {
		t.Error("it saves no power")
	}
	s.lastly(20*time.Second, "the time is over")
	v := s.Engine.View()
	if v.Services.PowerSave || muted() || v.Suggestions["Nothing"] == 0 {
		t.Errorf("left behind: %+v, muted %v, suggestions %v", v.Services, muted(), v.Suggestions)
	}
}

// Rules: data/2.3d.
func TestQuietModeEndsWhenSomebodyWantsSomething(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(s scene)
		last string // empty: it goes on
	}{
		"spoken to":  {func(s scene) { s.say("show_clock", nil) }, "spoken to"},
		"words":      {func(s scene) { s.say("unmatched_intent", nil) }, ""},
		"shaken":     {func(s scene) { s.Body.Held, s.Body.Shaken = true, true }, "shaken"},
		"only taken": {func(s scene) { s.Body.Held = true }, ""},
	} {
		s := stage(t, quiet, probesOf("Loud", "Soft"))
		s.state(time.Second, "quiet")
		c.do(s)
		s.For(2 * time.Second)
		if s.Active("S") != (c.last == "") || c.last != "" && s.State("S") != c.last {
			t.Errorf("%s: active %v, state %q", name, s.Active("S"), s.State("S"))
		}
		s.NoRefusals()
	}
}

// Rules: data/2.3d.
func TestQuietModeWaitsForTheAnswerToTheTriggerWord(t *testing.T) {
	s := stage(t, `"behaviorClass": "DispatcherStrictPriority", "interruptActiveBehavior": true, "behaviors": ["Quiet", "Wake", "Idle"]`,
		"-- Quiet.json --\n"+`{"behaviorID": "Quiet", "respondToUserIntents": [{"type": "show_clock"}], `+quiet+"}\n"+
			"-- Wake.json --\n"+`{"behaviorID": "Wake", `+wake+"}\n"+"-- Idle.json --\n"+`{"behaviorClass": "Wait", "behaviorID": "Idle"}`+"\n",
		probesOf("Loud", "Soft"), short("IntentUnmatched", "TriggerWordWithoutIntent", "NoCloud", "NoWifi"))
	s.Step(1)
	s.WakeWord()
	s.Until(4*time.Second, "it listens", func() bool { return s.Active("Wake") && s.State("Wake") == "listening" })
	s.say("show_clock", nil)
	s.Step(2)
	if why := s.Engine.Cell("Quiet").Why(); !s.Active("Wake") || why != "the trigger word is being answered" {
		t.Errorf("listening %v, because %q", s.Active("Wake"), why)
	}
	s.Until(3*time.Second, "it is quiet afterwards", func() bool { return s.Active("Quiet") })
	s.NoRefusals()
}

// reactions are all that CoordinateGlobalInterrupts may suppress.
var reactions = []string{
	"DanceToTheBeat", "DanceToTheBeatCoordinator", "ListenForBeats", "ReactToCliff", "ReactToDarkness", "ReactToObstacle", "ReactToSoundAwake",
	"ReactToTouchPetting", "ReactToUnexpectedMovement",
}

// global plays CoordinateGlobalInterrupts over the reactions, and below them one behavior that runs.
func global(t *testing.T, class, id string, files ...string) scene {
	t.Helper()
	s := stage(t, `"behaviorClass": "CoordinateGlobalInterrupts", "delegateID": "Top"`, append(files,
		"-- Top.json --\n"+`{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Top", "interruptActiveBehavior": true, "behaviors": ["`+
			strings.Join(append(slices.Clone(reactions), id), `", "`)+`"]}`+"\n",
		probesOf(reactions...), partsOf(class, id))...)
	s.probe(id).Wants = true
	s.Until(time.Second, "it runs", func() bool { return s.Active(id) })
	s.Step(1)
	return s
}

// suppressed lists the reactions that may not begin.
func (s scene) suppressed() string {
	var list []string
	for _, id := range reactions {
		if strings.HasPrefix(s.Engine.Cell(id).Why(), "suppressed") {
			list = append(list, id)
		}
	}
	return strings.Join(list, " ")
}

// Rules: DT-D09, data/2.1.7c.
func TestGlobalInterruptsSuppressReactionsThatDoNotFit(t *testing.T) {
	const obstacle, sound = "ReactToObstacle", "ReactToSoundAwake"
	const both = obstacle + " " + sound
	for class, want := range map[string]string{
		"BlackJack":           "ReactToCliff ReactToObstacle ReactToSoundAwake ReactToTouchPetting",
		"BumpObject":          "ReactToUnexpectedMovement",
		"ClearChargerArea":    "ReactToUnexpectedMovement",
		"DanceToTheBeat":      both,
		"FetchCube":           "ReactToCliff ReactToSoundAwake",
		"FindCube":            obstacle,
		"FindCubeAndThen":     sound,
		"FistBump":            both,
		"InspectCube":         both,
		"Keepaway":            both,
		"ListenForBeats":      sound,
		"PickUpCube":          both,
		"PopAWheelie":         both,
		"PossiblePerformance": "DanceToTheBeat DanceToTheBeatCoordinator ListenForBeats ReactToObstacle ReactToSoundAwake ReactToTouchPetting",
		"PounceWithProx":      both,
		"ReactToHand":         "ReactToUnexpectedMovement",
		"RollBlock":           both,
		"Probe":               "",
	} {
		if !slices.Contains(parts, class) && class != "Probe" {
			t.Errorf("%s is no probe", class)
			continue
		}
		s := global(t, class, "It")
		if got := s.suppressed(); got != want {
			t.Errorf("%s suppresses %q, want %q", class, got, want)
		}
		s.NoRefusals()
	}
	if got, want := global(t, "Probe", "MeetVictor").suppressed(), "ReactToDarkness ReactToSoundAwake ReactToTouchPetting ReactToUnexpectedMovement"; got != want {
		t.Errorf("MeetVictor suppresses %q, want %q", got, want)
	}
}

// Rules: DT-D09, data/2.1.7c.
func TestSuppressedReactionBeginsWhenTheReasonIsOver(t *testing.T) {
	s := global(t, "BlackJack", "It")
	s.probe("ReactToCliff").Wants = true
	s.Step(3)
	if s.Active("ReactToCliff") {
		t.Fatal("it is not suppressed")
	}
	s.probe("It").Wants, s.probe("It").End = false, true
	s.Step(3)
	if !s.Active("ReactToCliff") {
		t.Errorf("it is suppressed for good\n%s", s.Describe())
	}
	s.NoRefusals()
}

// Rules: data/2.1.7c, data/2.5.
func TestGlobalInterruptsTellTheTriggerWordNotToTurn(t *testing.T) {
	for tag, turns := range map[string]uint64{"show_clock": 1, "movement_forward": 0, "system_charger": 0} {
		s := stage(t, `"behaviorClass": "CoordinateGlobalInterrupts", "delegateID": "Wake"`,
			"-- Wake.json --\n"+`{"behaviorID": "Wake", "behaviorOnIntent": "Turn", `+wake+"}\n",
			short("IntentUnmatched", "TriggerWordWithoutIntent", "NoCloud", "NoWifi", "Turn"))
		s.Step(1)
		s.WakeWord()
		s.Until(4*time.Second, "it listens", func() bool { return s.Active("Wake") && s.State("Wake") == "listening" })
		s.say(tag, nil)
		s.Until(5*time.Second, "it ends", func() bool { return !s.Active("Wake") })
		if got := s.Started("Turn"); got != turns {
			t.Errorf("%s: turned %d times", tag, got)
		}
		s.NoRefusals()
	}
}

// Rules: data/2.1.7c.
func TestGlobalInterruptsKeepTheTimerFromAntics(t *testing.T) {
	const antics = `, "anticConfig": [{"recurIntervalMin_s": 5, "recurIntervalMax_s": 5}]`
	s := stage(t, `"behaviorClass": "CoordinateGlobalInterrupts", "delegateID": "Top"`,
		"-- Top.json --\n"+`{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Top", "interruptActiveBehavior": true, "behaviors": ["Timer", "It", "Idle"]}`+"\n"+
			"-- Timer.json --\n"+`{"behaviorID": "Timer", `+timerKeys+antics+"}\n"+"-- Idle.json --\n"+`{"behaviorClass": "Wait", "behaviorID": "Idle"}`+"\n"+
			"-- SingletonTimerRinging.json --\n"+`{"behaviorClass": "StandStill", "behaviorID": "SingletonTimerRinging", "duration_s": 600}`+"\n",
		short("SingletonTimerSet", "SingletonTimerAntic", "SingletonTimerAlreadySet", "SingletonICantDoThat", "SingletonCancelTimer", "SingletonTimerCheckTime"),
		partsOf("PossiblePerformance", "It"))
	s.Step(1)
	s.say("set_timer", seconds("100"))
	s.For(2 * time.Second)
	s.probe("It").Wants = true
	s.For(10 * time.Second)
	if n := s.Started("SingletonTimerAntic"); n != 0 {
		t.Fatalf("%d antics during the performance", n)
	}
	s.probe("It").Wants, s.probe("It").End = false, true
	s.Until(2*time.Second, "the antic that is due", func() bool { return s.Active("SingletonTimerAntic") })
	s.NoRefusals()
}
