package library_test

import (
	"testing"
	"time"
)

const timerKeys = `"behaviorClass": "TimerUtilityCoordinator", "minValidTimer_s": 10, "maxValidTimer_s": 3600, "touchTimeToCancelTimer_ms": 300`

// timer plays the scene of the timer. Ringing goes on until somebody ends it.
func timer(t *testing.T, keys string) scene {
	t.Helper()
	return stageAgain(t, timerKeys+keys, short("SingletonTimerSet", "SingletonTimerAntic", "SingletonTimerAlreadySet", "SingletonICantDoThat",
		"SingletonCancelTimer", "SingletonTimerCheckTime"), "-- SingletonTimerRinging.json --\n"+`{"behaviorClass": "StandStill", "behaviorID": "SingletonTimerRinging", "duration_s": 600}`)
}

// answered posts an intent and waits for the behavior that answers it.
func (s scene) answered(tag string, data map[string]string, id string) {
	s.t.Helper()
	s.say(tag, data)
	s.Until(time.Second, id+" answers "+tag, func() bool { return s.Active(id) })
	if p := s.Engine.View().Intent.Pending; p != nil {
		s.t.Errorf("%s is still pending", p.Tag)
	}
	s.over(5 * time.Second)
}

var aboutTimer = map[string]string{"what_to_stop": "timer"}

func seconds(n string) map[string]string { return map[string]string{"time_s": n} }

// Rules: DT-U10, data/2.8f.
func TestTimerIsSetToldAndCanceled(t *testing.T) {
	s := timer(t, "")
	s.Step(2)
	if why := s.Engine.Cell("S").Why(); why != "no timer is set" {
		t.Errorf("because %q", why)
	}
	s.answered("check_timer", nil, "SingletonICantDoThat")
	s.answered("set_timer", seconds("5"), "SingletonICantDoThat")    // too short
	s.answered("set_timer", seconds("3601"), "SingletonICantDoThat") // too long
	s.answered("set_timer", seconds("soon"), "SingletonICantDoThat")
	s.answered("set_timer", seconds("20"), "SingletonTimerSet")
	if a := s.Engine.View().Services.Alarm; a.RingsAt.Sub(a.SetAt) != 20*time.Second {
		t.Errorf("alarm %+v", a)
	}
	s.answered("set_timer", seconds("20"), "SingletonTimerAlreadySet")
	s.answered("check_timer", nil, "SingletonTimerCheckTime")
	s.answered("global_stop", aboutTimer, "SingletonCancelTimer")
	if s.Engine.View().Services.Alarm.Set() {
		t.Error("the alarm is still set")
	}
	s.answered("global_delete", aboutTimer, "SingletonICantDoThat")
	s.say("global_stop", map[string]string{"what_to_stop": "music"})
	s.Step(3)
	if s.Active("S") {
		t.Error("it stops what is not its own")
	}
}

// rings sets a timer and waits for it.
func (s scene) rings() {
	s.t.Helper()
	s.answered("set_timer", seconds("10"), "SingletonTimerSet")
	s.Until(11*time.Second, "it rings", func() bool { return s.Active("SingletonTimerRinging") })
}

// Rules: data/2.8f.
func TestTimerRingsUntilItIsSilenced(t *testing.T) {
	for name, silence := range map[string]func(s scene){
		"touched":   func(s scene) { s.Body.Touched = true },
		"spoken to": func(s scene) { s.WakeWord() },
		"stopped":   func(s scene) { s.say("global_stop", aboutTimer) },
	} {
		s := timer(t, "")
		s.rings()
		s.For(20 * time.Second)
		if !s.Active("SingletonTimerRinging") {
			t.Fatalf("%s: it rings no more\n%s", name, s.Describe())
		}
		silence(s)
		s.Until(2*time.Second, "silence", func() bool { return !s.Active("SingletonTimerRinging") })
		s.over(5 * time.Second)
		if s.Engine.View().Services.Alarm.Set() {
			t.Errorf("%s: the alarm is still set", name)
		}
	}
}

// Rules: data/2.8f.
func TestTimerThatRingsComesBackAfterAnInterruption(t *testing.T) {
	s := timer(t, "")
	s.rings()
	s.interrupt()
	s.Until(time.Second, "it rings again", func() bool { return s.Active("SingletonTimerRinging") })
	s.NoRefusals()
}

// Rules: data/2.8f.
func TestTimerHasAntics(t *testing.T) {
	s := timer(t, `, "anticConfig": [{"recurIntervalMin_s": 30, "recurIntervalMax_s": 30, "ruleMin_s": 45}]`)
	s.answered("set_timer", seconds("100"), "SingletonTimerSet")
	s.For(90 * time.Second)
	if n := s.Started("SingletonTimerAntic"); n != 2 { // after 30 s and 60 s; then less than 45 s are left
		t.Errorf("%d antics", n)
	}
	s.NoRefusals()
}

// Rules: data/2.8f.
func TestTimerIsSetWhileItHasAnAntic(t *testing.T) {
	s := timer(t, `, "anticConfig": [{"recurIntervalMin_s": 5, "recurIntervalMax_s": 5}]`)
	s.answered("set_timer", seconds("100"), "SingletonTimerSet")
	s.Until(6*time.Second, "an antic", func() bool { return s.Active("SingletonTimerAntic") })
	s.answered("check_timer", nil, "SingletonTimerCheckTime")
}
