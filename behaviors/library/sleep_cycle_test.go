package library_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

const cycle = `"behaviorClass": "SleepCycle", "delegateID": "Day", "goToChargerBehavior": "Home",
	"emergencyCondition": {"conditionType": "HighTemperature"},
	"wakeReasonConditions": [{"reason": "Petted", "condition": {"conditionType": "RobotTouched", "minTouchTime": 0.5}},
		{"reason": "Lifted", "condition": {"conditionType": "RobotPickedUp"}}],
	"alwaysWakeReasons": ["Petted", "TimerShouldRing", "VoiceCommand"],
	"wakeFromStates": [{"fromState": "LightSleep", "reasons": ["Lifted", "Sound"]}, {"fromState": "HeldInPalmSleep", "reasons": ["Jolted", "PickedUpFromPalm"]}]`

// night plays SleepCycle over probes; those of waking up and falling asleep want control and end by themselves.
func night(t *testing.T) scene {
	t.Helper()
	s := stageAgain(t, cycle, probesOf("Day", "Home", "Asleep", "ReactToSoundAsleep", "SleepingTriggerWord", "WiggleBackOntoChargerFromPlatform",
		"EmergencyModeAnimDispatcher", "SleepingPersonCheck", "ReactToJoltInPalm", "ReactToPickupFromPalm"), short("GoToSleep", "SleepingWakeUp"))
	for _, id := range []string{"Day", "Asleep", "EmergencyModeAnimDispatcher"} {
		s.probe(id).Wants = true
	}
	s.Until(time.Second, "it is awake", func() bool { return s.Active("Day") })
	return s
}

// is waits for a state of the cycle in which a behavior runs.
func (s scene) is(limit time.Duration, state, id string) {
	s.t.Helper()
	s.Until(limit, state+" with "+id, func() bool { return strings.HasPrefix(s.State("S"), state) && s.Active(id) })
}

// ends lets a probe that wants no more end.
func (s scene) ends(id string) {
	s.t.Helper()
	s.probe(id).Wants, s.probe(id).End = false, true
	s.Step(2)
}

// Rules: data/2.7.
func TestSleepOnCommandIsDeepAfterAWhile(t *testing.T) {
	s := night(t)
	s.say("system_sleep", nil)
	s.is(time.Second, "PreSleepAnimation", "GoToSleep")
	s.is(3*time.Second, "Comatose", "Asleep")
	if a := s.Engine.View().Intent.Active; a == nil || a.Tag != "system_sleep" {
		t.Errorf("the intent is not claimed: %+v", a)
	}
	s.Body.Held = true // no reason in this sleep
	s.For(time.Second)
	s.Body.Held = false
	s.is(40*time.Second, "DeepSleep", "Asleep")
	s.Body.Touched = true
	s.is(3*time.Second, "Awake: Petted", "SleepingWakeUp")
	if s.Engine.View().Intent.Active != nil {
		t.Error("the intent is still active")
	}
	s.is(3*time.Second, "Awake", "Day")
	s.NoRefusals()
}

// Rules: data/2.7, data/5.9a.
func TestSuggestionsPutToSleepOnceItIsAwakeForLong(t *testing.T) {
	s := night(t)
	s.probe("Day").Suggest = "Sleep"
	s.ends("Day")
	s.is(5*time.Second, "LightSleep", "Asleep")
	s.Body.Held = true // a reason in light sleep
	s.Until(3*time.Second, "it wakes", func() bool { return s.State("S") == "Awake: Lifted" })
	s.Body.Held = false
	s.probe("Day").Wants = true
	s.is(4*time.Second, "Awake", "Day")
	s.probe("Day").Suggest = "Sleep"
	s.ends("Day") // too early after it was woken
	s.For(3 * time.Second)
	if got := s.State("S"); !strings.HasPrefix(got, "Awake") {
		t.Errorf("state %q", got)
	}
	s.NoRefusals()
}

// Rules: data/2.7.
func TestGoodNightLeadsToTheChargerFirst(t *testing.T) {
	s := night(t)
	s.probe("Home").Wants = true
	s.say("greeting_goodnight", nil)
	s.Until(time.Second, "it yawns", func() bool { return s.State("S") == "PreSleepAnimation" })
	s.is(5*time.Second, "GoingToCharger", "Home")
	s.ends("Home")
	s.is(5*time.Second, "LightSleep", "Asleep")
	s.NoRefusals()
}

// Rules: data/2.7.
func TestEmergencyIsSleptThrough(t *testing.T) {
	s := night(t)
	hot := true
	s.Edit = func(n *hardware.Snapshot) {
		if hot {
			n.Battery.Value.TempC = 60
		}
	}
	s.is(5*time.Second, "EmergencySleep", "EmergencyModeAnimDispatcher")
	s.WakeWord()
	s.Step(1)
	if r := s.Engine.View().Services.Response; r == nil || r.Effect.String() != "StreamingDisabledButWithLight" || s.Engine.View().Services.Stream.Open {
		t.Errorf("response %+v", r)
	}
	hot = false
	s.is(time.Minute, "LightSleep", "Asleep")
	s.NoRefusals()
}

// Rules: data/2.7.
func TestSleeperListensAndWakesForACommand(t *testing.T) {
	s := night(t)
	s.say("system_sleep", nil)
	s.is(5*time.Second, "Comatose", "Asleep")
	s.probe("SleepingTriggerWord").Wants = true
	s.WakeWord()
	s.is(time.Second, "Comatose", "SleepingTriggerWord")
	s.say("show_clock", nil)
	s.Step(1)
	s.ends("SleepingTriggerWord")
	if got := s.State("S"); got != "Awake: VoiceCommand" {
		t.Errorf("state %q", got)
	}
	s.NoRefusals()
}

// Rules: data/2.7, data/2.8f.
func TestTimerWakesTheSleeper(t *testing.T) {
	s := stageAgain(t, cycle, probesOf("Home", "Asleep", "ReactToSoundAsleep", "SleepingTriggerWord", "WiggleBackOntoChargerFromPlatform",
		"EmergencyModeAnimDispatcher", "SleepingPersonCheck", "ReactToJoltInPalm", "ReactToPickupFromPalm"), short("GoToSleep", "SleepingWakeUp",
		"SingletonTimerSet", "SingletonTimerAntic", "SingletonTimerAlreadySet", "SingletonICantDoThat", "SingletonCancelTimer", "SingletonTimerCheckTime",
		"SingletonTimerRinging"), "-- Day.json --\n"+`{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Day", "interruptActiveBehavior": true,
		"behaviors": ["Timer", "Idle"]}`+"\n-- Timer.json --\n"+`{"behaviorID": "Timer", `+timerKeys+"}\n-- Idle.json --\n"+
		`{"behaviorClass": "Wait", "behaviorID": "Idle"}`+"\n")
	s.probe("Asleep").Wants = true
	s.is(time.Second, "Awake", "Idle")
	s.say("set_timer", seconds("20"))
	s.is(time.Second, "Awake", "SingletonTimerSet")
	s.For(2 * time.Second)
	s.say("system_sleep", nil)
	s.is(5*time.Second, "Comatose", "Asleep")
	s.is(20*time.Second, "Awake: TimerShouldRing", "SleepingWakeUp")
	s.is(3*time.Second, "Awake", "SingletonTimerRinging")
	s.NoRefusals()
}

// Rules: data/2.7.
func TestSoundIsReactedToAndWakesFromLightSleepOnly(t *testing.T) {
	s := night(t)
	s.probe("Day").Suggest = "Sleep"
	s.ends("Day")
	s.is(5*time.Second, "LightSleep", "Asleep")
	s.probe("ReactToSoundAsleep").Wants = true
	s.is(time.Second, "LightSleep", "ReactToSoundAsleep")
	s.ends("ReactToSoundAsleep")
	s.is(time.Second, "Awake: Sound", "SleepingWakeUp")
	s.NoRefusals()
}

// Rules: data/2.7.
func TestPalmSleepEndsWhenThePalmIsGone(t *testing.T) {
	s := night(t)
	s.palm(true)
	s.probe("Day").Suggest = "SleepOnPalm"
	s.Until(2*time.Second, "it lies on a palm", func() bool { return s.World().Body.InPalm })
	s.ends("Day")
	s.is(5*time.Second, "HeldInPalmSleep", "Asleep")
	s.For(5 * time.Second)
	s.Edit = nil // in the air
	s.Until(3*time.Second, "it wakes", func() bool { return s.State("S") == "Awake: PickedUpFromPalm" })
	if s.Started("SleepingWakeUp") != 0 {
		t.Error("it shows what shows by itself")
	}
	s.NoRefusals()
}

// Rules: data/2.7.
func TestLightSleeperChecksForPeopleEachHour(t *testing.T) {
	s := night(t)
	s.probe("SleepingPersonCheck").Wants = true
	s.probe("Day").Suggest = "Sleep"
	s.ends("Day")
	s.is(5*time.Second, "LightSleep", "Asleep")
	s.probe("Day").Wants = true
	s.is(61*time.Minute, "CheckingForPerson", "SleepingPersonCheck")
	s.ends("SleepingPersonCheck")
	s.is(time.Second, "Awake: NotSleepy", "SleepingWakeUp")
	s.NoRefusals()
}

// Rules: data/2.7.
func TestSleepCycleWaitsIfNothingWantsControl(t *testing.T) {
	s := night(t)
	s.ends("Day")
	s.For(5 * time.Second)
	if !s.Active("S") || s.Started("S") != 1 {
		t.Errorf("started %d times", s.Started("S"))
	}
	s.probe("Day").Wants = true
	s.is(2*time.Second, "Awake", "Day")
}

// Rules: data/2.7.
func TestSleepReasonsNeedConditions(t *testing.T) {
	got := mistakes(t, strings.Replace(cycle, `"Lifted", "Sound"`, `"Liftd", "SawPerson"`, 1), probesOf("Day", "Home", "Asleep", "ReactToSoundAsleep",
		"SleepingTriggerWord", "WiggleBackOntoChargerFromPlatform", "EmergencyModeAnimDispatcher", "SleepingPersonCheck", "ReactToJoltInPalm",
		"ReactToPickupFromPalm"), short("GoToSleep", "SleepingWakeUp"))
	if !strings.Contains(got, `no condition for the reason "Liftd"`) || !strings.Contains(got, `did you mean "Lifted"`) || strings.Contains(got, "SawPerson") {
		t.Errorf("findings:\n%s", got)
	}
}
