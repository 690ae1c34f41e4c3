package library_test

import (
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/hardware"
)

// whole starts the shipped tree in an ideal body.
func whole(t *testing.T) *behaviortest.Env {
	t.Helper()
	return behaviortest.New(t, behaviortest.Options{Catalog: shipped(t), Seed: 1})
}

func TestBaseAlwaysWants(t *testing.T) { // a base that declines ends the test by itself
	for name, set := range map[string]func(e *behaviortest.Env){
		"standing":     func(*behaviortest.Env) {},
		"held":         func(e *behaviortest.Env) { e.Body.Held = true },
		"on charger":   func(e *behaviortest.Env) { e.Body.Plugged = true },
		"over an edge": func(e *behaviortest.Env) { e.Body.EdgeXMM = 10 },
		"all is broken": func(e *behaviortest.Env) {
			e.Body.Broken = map[string]hardware.Quality{}
			for _, d := range hardware.Names {
				e.Body.Broken[d] = hardware.Failed
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := whole(t)
			set(e)
			e.For(2 * time.Minute)
			if c := e.Chain(); len(c) < 2 || c[0] != "ModeSelector" {
				t.Errorf("stack %v", c)
			}
			e.NoRefusals()
		})
	}
}

// answers say which behavior answers each intent.
var answers = map[string]string{
	"come_here": "VoiceComeHere", "dance": "VoiceDance", "explore": "VoiceExplore", "go_home": "VoiceGoHome",
	"look_at_me": "VoiceLookAtMe", "quiet": "VoiceStop", "sleep": "VoiceSleep", "stop": "VoiceStop", "wake_up": "VoiceWakeUp",
}

// The behavior that answers an intent starts in the tick in which the intent arrives.
// Rules: 6.9/BeQuiet, 6.9/ComeHere, 6.9/GoHome, 6.9/LookAtMe, 6.9/ShutUp, 6.9/Sleep, DT-U10, data/4.3a.
func TestEveryIntentStartsItsBehavior(t *testing.T) {
	for tag, id := range answers {
		e := whole(t)
		e.For(time.Second)
		e.Intent(tag)
		e.Step(1)
		if !e.Active(id) {
			t.Errorf("%s: stack %v", tag, e.Chain())
		}
		e.NoRefusals()
	}
}

// Each intent of the boot configuration has its row above, and each row its intent.
// Rules: 6.9/CompletedHaveTests, DT-U11.
func TestEveryIntentHasATest(t *testing.T) {
	if got, want := slices.Sorted(maps.Keys(answers)), slices.Sorted(slices.Values(shipped(t).Boot.Intents)); !slices.Equal(got, want) {
		t.Errorf("intents with a test %v, intents %v", got, want)
	}
}

// Rules: data/4.4g.
func TestNewCommandEndsPresentOne(t *testing.T) {
	e := whole(t)
	e.Body.People = people(1, 2000, 0)
	e.For(time.Second)
	e.Intent("come_here")
	e.For(2 * time.Second)
	e.Intent("dance") // further down the list
	e.Step(2)
	if !e.Active("VoiceDance") || e.Active("VoiceComeHere") {
		t.Errorf("stack %v", e.Chain())
	}
	e.For(time.Second)
	e.Intent("stop") // further up
	e.Step(2)
	if !e.Active("VoiceStop") || e.Active("VoiceDance") {
		t.Errorf("stack %v", e.Chain())
	}
	if n := e.Engine.View().Intent.Unclaimed; n != 0 {
		t.Errorf("%d intents were not claimed", n)
	}
	e.NoRefusals()
}

func TestGoHomeCommandIsAcceptedOnTheWayHome(t *testing.T) {
	e := whole(t)
	e.Body.Charger = &hardware.Pose{XMM: 500, HeadingRad: math.Pi}
	e.Body.Volts = 3.3
	e.Until(2*time.Minute, "it goes home", func() bool { return e.Active("ComeHomeWhenLow") && e.Active("GoHome") })
	e.Intent("go_home")
	e.Step(1)
	if !e.Active("VoiceGoHome") || !e.Active("GoHome") {
		t.Errorf("stack %v", e.Chain())
	}
	e.NoRefusals()
}

// Rules: data/2.3.5b.
func TestGoHomeCommandEndsWithoutACharger(t *testing.T) {
	e := whole(t)
	e.Step(5)
	e.Intent("go_home")
	e.Step(1)
	if !e.Active("VoiceGoHome") {
		t.Fatalf("stack %v", e.Chain())
	}
	e.Until(15*time.Minute, "it gives up", func() bool { return !e.Active("VoiceGoHome") })
	e.NoRefusals()
}

// A robot that is stroked in each approach to a charger whose contacts are dirty gives up all the same.
// Rules: data/2.3.5a.
func TestGoHomeCountsItsApproachesThroughInterrupts(t *testing.T) {
	e := whole(t)
	e.Body.Charger = &hardware.Pose{XMM: 500, HeadingRad: math.Pi}
	e.Edit = func(n *hardware.Snapshot) { n.Charger.Value = hardware.ChargerState{} }
	e.Step(5)
	e.Intent("go_home")
	e.Step(1)
	for n := 0; e.State("GoHome") != "giving up"; n++ {
		if n == 8 {
			t.Fatalf("it goes on after %d strokes\n%s", n, e.Describe())
		}
		e.Until(20*time.Second, "it docks or gives up", func() bool { return e.State("GoHome") == "giving up" || e.Active("GoHome") })
		e.Body.Touched = e.State("GoHome") != "giving up"
		e.For(time.Second)
		e.Body.Touched = false
	}
}

func TestWhoCalledTheRobotIsNotGreetedWhenItHasCome(t *testing.T) {
	e := whole(t)
	e.Body.People = people(1, 2600, 0)
	e.Step(5)
	e.Intent("come_here")
	from := e.Now()
	e.Step(1)
	e.Until(time.Minute, "it has come", func() bool { return !e.Active("VoiceComeHere") })
	if took := e.Now().Sub(from); took < 20*time.Second || e.Body.XMM < 2000 {
		t.Fatalf("it took %v to come to %+v", took, e.Body.Pose)
	}
	e.For(10 * time.Second)
	if n := e.Started("GreetFace"); n != 0 {
		t.Errorf("it greeted %d times", n)
	}
}

func TestWakeUpEndsSleep(t *testing.T) {
	e := whole(t)
	e.Body.Plugged = true
	e.Until(2*time.Minute, "it sleeps on the charger", func() bool { return e.State("SleepOnCharger") == "asleep" })
	e.Intent("wake_up")
	e.Step(2)
	if e.Active("SleepOnCharger") || !e.Active("VoiceWakeUp") {
		t.Errorf("stack %v", e.Chain())
	}
	e.Until(10*time.Second, "it rests awake", func() bool { return e.Active("ObservingOnCharger") })
	e.NoRefusals()
}

func TestLowBatteryGoesHomeAndComesBackCharged(t *testing.T) {
	e := whole(t)
	e.Body.Charger = &hardware.Pose{XMM: 500, YMM: 40, HeadingRad: math.Pi}
	e.For(2 * time.Second)
	e.Body.Volts = 3.3
	e.Until(2*time.Minute, "it goes home", func() bool { return e.Active("GoHome") })
	e.Until(3*time.Minute, "it is on the charger", func() bool { return e.World().Body.OnContacts && e.Active("ObservingOnCharger") })
	e.Body.Volts, e.Body.Charged = 4.1, true
	e.Until(10*time.Second, "it leaves", func() bool { return e.Active("LeaveCharger") })
	e.Body.Charged = false
	e.Until(30*time.Second, "it explores again", func() bool { return e.Active("FreePlay") })
	e.NoRefusals()
}

// Rules: data/2.5.
func TestTriggerWordIsAcknowledged(t *testing.T) {
	e := whole(t)
	e.For(time.Second)
	e.WakeWord()
	e.Step(2)
	if !e.Active("ReactToTriggerWord") {
		t.Errorf("stack %v", e.Chain())
	}
	e.Intent("dance")
	e.Step(3)
	if !e.Active("VoiceDance") {
		t.Errorf("the command waits for the end of the animation: %v", e.Chain())
	}
}
