package library_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const wake = `"behaviorClass": "ReactToVoiceCommand", "notifyOnWifiErrors": {"numberOfTimes": 2, "amountOfSeconds": 60},
	"notifyOnCloudErrors": {"numberOfTimes": 2, "amountOfSeconds": 60}`

// listening plays the scene of a trigger word, up to listening.
func listening(t *testing.T, keys string, files ...string) scene {
	t.Helper()
	s := stageAgain(t, wake+keys, append(files, short("IntentUnmatched", "TriggerWordWithoutIntent", "NoCloud", "NoWifi", "Turn"))...)
	s.Step(2)
	if s.Active("S") {
		t.Fatal("it reacts to nothing")
	}
	s.WakeWord()
	s.state(4*time.Second, "listening")
	return s
}

// Rules: data/2.5, data/4.5a, data/4.5c.
func TestTriggerWordListensAndLeavesTheCommandPending(t *testing.T) {
	s := listening(t, `, "behaviorOnIntent": "Turn"`)
	if stream := s.Engine.View().Services.Stream; !stream.Open {
		t.Error("no stream is open")
	}
	s.say("show_clock", nil)
	states := s.trace(s.ended)
	if want := []string{"listening", "getting out", "turning to the voice", "heard show_clock"}; !sequence(states, want) {
		t.Errorf("states %q, want %q", states, want)
	}
	v := s.Engine.View()
	if p := v.Intent.Pending; p == nil || p.Tag != "show_clock" || v.Services.Stream.Open {
		t.Errorf("pending %+v, stream %+v", p, v.Services.Stream)
	}
	if s.Started("Turn") != 1 {
		t.Errorf("turned %d times", s.Started("Turn"))
	}
	s.Step(5)
	if s.Engine.View().Intent.Pending != nil {
		t.Error("the timeout of the intent does not count any more")
	}
	s.NoRefusals()
}

// sequence reports whether all of want are in got, in their order; the last may be left out, because the end of a behavior is not seen.
func sequence(got, want []string) bool {
	i := 0
	for _, g := range got {
		if i < len(want) && g == want[i] {
			i++
		}
	}
	return i >= len(want)-1
}

// Rules: data/2.5.
func TestTriggerWordWithoutCommandIsAnswered(t *testing.T) {
	for tag, id := range map[string]string{"unmatched_intent": "IntentUnmatched", "silence": "TriggerWordWithoutIntent"} {
		s := listening(t, "")
		s.say(tag, nil)
		s.Until(10*time.Second, id, func() bool { return s.Active(id) })
		if in := s.Engine.View().Intent; in.Pending != nil || in.Active == nil || in.Active.Tag != tag {
			t.Errorf("%s: not claimed: %+v", tag, in)
		}
		s.over(5 * time.Second)
	}
}

// Rules: data/2.5.
func TestTriggerWordThatLeadsToNothingTwiceTellsOfTheCloud(t *testing.T) {
	s := listening(t, "")
	began := s.Now()
	s.Until(20*time.Second, "it gives up", s.ended)
	if waited := s.Now().Sub(began); waited < 5*time.Second || waited > 12*time.Second {
		t.Errorf("it listened for %v", waited)
	}
	if s.Started("NoCloud") != 0 {
		t.Error("once is told")
	}
	s.WakeWord()
	s.Until(20*time.Second, "it tells", func() bool { return s.Active("NoCloud") })
	s.over(5 * time.Second)
}

// Rules: data/2.5.
func TestWhiteListDropsOtherCommands(t *testing.T) {
	s := listening(t, `, "whiteListedIntents": [{"type": "show_clock"}]`)
	s.say("system_sleep", nil)
	s.Until(10*time.Second, "it does not understand", func() bool { return s.Active("IntentUnmatched") })
	if in := s.Engine.View().Intent; in.Pending != nil || in.Active != nil {
		t.Errorf("not dropped: %+v", in)
	}
	s.over(5 * time.Second)
}

// Rules: data/2.5.
func TestExitAfterGetInDoesNotListen(t *testing.T) {
	s := stageAgain(t, wake+`, "exitAfterGetIn": true`, short("IntentUnmatched", "TriggerWordWithoutIntent", "NoCloud", "NoWifi"))
	s.Step(2)
	s.WakeWord()
	states := s.trace(func() bool { return s.Started("S") == 1 && s.ended() })
	if slices.Contains(states, "listening") {
		t.Errorf("states %q", states)
	}
	s.NoRefusals()
}

// Rules: data/2.5.
func TestWithoutStreamItMayEndQuietly(t *testing.T) {
	s := stageAgain(t, wake+`, "pushResponse": false, "exitAfterListeningIfNotStreaming": true`,
		short("IntentUnmatched", "TriggerWordWithoutIntent", "NoCloud", "NoWifi"))
	for range 2 {
		s.Step(2)
		s.WakeWord()
		s.state(4*time.Second, "listening")
		began := s.Now()
		s.Until(20*time.Second, "it ends", s.ended)
		if waited := s.Now().Sub(began); waited > 6*time.Second {
			t.Errorf("it listened for %v", waited)
		}
	}
	if s.Started("NoCloud") != 0 {
		t.Error("that is no error of the cloud")
	}
}

// Rules: data/2.5.
func TestInterruptedListeningLeavesNothingBehind(t *testing.T) {
	s := listening(t, "")
	s.interrupt()
	s.Step(2)
	s.WakeWord() // the response was pushed again
	s.Step(1)
	if s.Engine.View().Services.Response == nil {
		t.Error("the trigger word has no response any more")
	}
	s.state(4*time.Second, "listening")
	s.NoRefusals()
}

func TestWakeWordWarnsWithoutRulesForErrors(t *testing.T) {
	got := mistakes(t, `"behaviorClass": "ReactToVoiceCommand"`, short("IntentUnmatched", "TriggerWordWithoutIntent", "NoCloud", "NoWifi"))
	if strings.Count(got, "warning") != 2 || strings.Contains(got, "error:") {
		t.Errorf("findings:\n%s", got)
	}
}

const transfer = `"behaviorClass": "AttentionTransferIfNeeded", "attentionTransferReason": "NoWifi",
	"recentOccurrence": {"numberOfTimes": 2, "amountOfSeconds": 60}, "animsIfNotRecent": ["surprised"]`

// once lets the subject run once more by an operator's command, and returns the state that it comes to.
func (s scene) once(n uint64) string {
	s.t.Helper()
	s.probe("Urgent").Wants, s.probe("Urgent").End = false, true
	s.Until(5*time.Second, "it runs", func() bool { return s.Started("S") == n })
	state := s.State("S")
	s.probe("Urgent").Wants = true // it waits then
	s.Step(1)
	return state
}

// Rules: DT-X04, data/2.3d.
func TestAttentionIsTransferredIfItIsNeededOften(t *testing.T) {
	const fallback, transferred = "not too often: playing the fallback", "drawing attention to the device: NoWifi"
	for name, c := range map[string]struct {
		pause  time.Duration
		second string
	}{"twice within the time": {30 * time.Second, transferred}, "twice in more": {61 * time.Second, fallback}} {
		s := stageAgain(t, transfer)
		s.probe("Urgent").Wants = true
		s.Step(1)
		if got := s.once(1); got != fallback {
			t.Errorf("%s: first %q", name, got)
		}
		s.For(c.pause)
		if got := s.once(2); got != c.second {
			t.Errorf("%s: second %q, want %q", name, got, c.second)
		}
		s.NoRefusals()
	}
}

// Rules: data/2.3d.
func TestAttentionTransferNeedsFeatureOrFallback(t *testing.T) {
	subject := strings.Replace(transfer, `, "animsIfNotRecent": ["surprised"]`, "", 1)
	s := stageAgain(t, subject)
	s.Step(2)
	if !s.Active("S") && s.Started("S") == 0 {
		t.Error("the feature is on, and it does not want control")
	}
}
