package library_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/voice"
)

const prompt = `"behaviorClass": "PromptUserForVoiceCommand", "streamType": "Normal", "vocalPromptKey": "Shall I?", "vocalRepromptKey": "Well?",
	"vocalResponseToIntentKey": "Fine", "vocalResponseToBadIntentKey": "What?"`

const speech = "-- DefaultTextToSpeechLoop.json --\n" +
	`{"behaviorClass": "TextToSpeechLoop", "behaviorID": "DefaultTextToSpeechLoop", "loopAnimation": "look_curious"}` + "\n"

// Rules: data/2.4.
func TestPromptAsksAndLeavesTheCommandPending(t *testing.T) {
	s := stage(t, prompt, speech)
	s.state(time.Second, "asking")
	s.state(10*time.Second, "listening")
	if stream := s.Engine.View().Services.Stream; !stream.Open || stream.What != "Normal" {
		t.Errorf("stream %+v", stream)
	}
	s.say("show_clock", nil)
	states := s.trace(s.ended)
	if want := []string{"listening", "thinking", "answering"}; !slices.Equal(states, want) {
		t.Errorf("states %q, want %q", states, want)
	}
	v := s.Engine.View()
	if p := v.Intent.Pending; p == nil || p.Tag != "show_clock" || v.Services.Stream.Open {
		t.Errorf("pending %+v, stream %+v", p, v.Services.Stream)
	}
	if want := []string{"Shall I?", "Fine"}; !slices.Equal(s.Said(), want) {
		t.Errorf("said %q", s.Said())
	}
	s.Step(5)
	if s.Engine.View().Intent.Pending != nil {
		t.Error("the timeout of the intent does not count any more")
	}
	s.NoRefusals()
}

// Rules: data/2.4.
func TestPromptAsksAgainAfterWrongAnswers(t *testing.T) {
	for tag, want := range map[string][]string{
		"silence":          {"Shall I?", "Well?"},
		"unmatched_intent": {"Shall I?", "What?", "Well?"},
		"":                 {"Shall I?", "What?", "Well?"}, // nothing at all
	} {
		s := stage(t, prompt+`, "maxNumberOfReprompts": 1`, speech)
		s.state(10*time.Second, "listening")
		from := s.Now()
		if tag != "" {
			s.say(tag, nil)
			s.Step(2)
			if s.Engine.View().Intent.Pending != nil {
				t.Errorf("%s is still pending", tag)
			}
		}
		s.state(12*time.Second, "thinking")
		if d := s.Now().Sub(from); (tag == "silence") != (d < 2*time.Second) {
			t.Errorf("%q: it listened for %v", tag, d)
		}
		s.state(10*time.Second, "listening") // again
		if !slices.Equal(s.Said(), want) {
			t.Errorf("%q: said %q, want %q", tag, s.Said(), want)
		}
		s.say("silence", nil)
		s.over(15 * time.Second)
	}
}

// Rules: data/2.4.
func TestPromptTakesTheTextOfWhoAsks(t *testing.T) {
	s := stage(t, `"behaviorClass": "PromptUserForVoiceCommand", "streamType": "Normal"`, speech)
	s.Step(2)
	if why := s.Engine.Cell("S").Why(); s.Active("S") || why != "it has nothing to ask" {
		t.Errorf("active %v, because %q", s.Active("S"), why)
	}
	s = stage(t, `"behaviorClass": "Asker", "behavior": "P"`, speech,
		"-- P.json --\n"+`{"behaviorClass": "PromptUserForVoiceCommand", "behaviorID": "P", "streamType": "Normal"}`+"\n")
	s.Until(10*time.Second, "it listens", func() bool { return s.Active("P") && s.State("P") == "listening" })
	if want := []string{"Really?"}; !slices.Equal(s.Said(), want) {
		t.Errorf("said %q", s.Said())
	}
	s.NoRefusals()
}

// asker asks a prompt with a text of its own.
type asker struct{ id string }

func (a *asker) OnActivated(c *behaviors.Control) {
	if c.WantsWith(a.id, voice.Prompt{Text: "Really?"}) {
		c.DelegateTo(a.id, nil)
	}
}

func askerClass() behaviors.Class {
	return behaviors.Class{Name: "Asker", New: func(cfg *behaviors.Config) behaviors.Behavior { return &asker{cfg.Delegate("behavior")} }}
}

// Rules: data/2.4.
func TestInterruptedPromptListensNoMore(t *testing.T) {
	s := stageAgain(t, prompt, speech)
	s.state(10*time.Second, "listening")
	s.interrupt()
	if s.Engine.View().Services.Stream.Open {
		t.Error("the stream is still open")
	}
	s.state(10*time.Second, "asking")
	s.NoRefusals()
}
