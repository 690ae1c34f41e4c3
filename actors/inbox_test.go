package actors

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
)

// A tick takes what came before it, by source and in order of arrival from each. What comes while it runs waits for the next one,
// and changes nothing of what was taken.
// Rules: T-2, T-12.
func TestEventsDuringTickWaitForNextTick(t *testing.T) {
	in := newInbox()
	raise := func(source, tag string) { in.Raise(behaviors.Event{Source: source, Tag: tag}) }
	take := func() func() string {
		var tick engine.Input
		in.take(&tick)
		return func() (all string) {
			for _, e := range tick.Events {
				all += e.Source + "." + e.Tag + " "
			}
			return all
		}
	}
	raise("touch", "a")
	raise("cliff", "b")
	raise("touch", "c")
	raise("cliff", "d")
	first := take()
	const want = "cliff.b cliff.d touch.a touch.c "
	if got := first(); got != want {
		t.Errorf("taken %q, want %q", got, want)
	}
	for _, tag := range []string{"e", "f", "g", "h"} {
		raise("touch", tag)
	}
	if got := first(); got != want {
		t.Errorf("during the tick it has become %q", got)
	}
	if second := take(); second() != "touch.e touch.f touch.g touch.h " {
		t.Errorf("the next tick takes %q", second())
	}
}

// What a tick took stays as it is when the next commands arrive.
// Rules: T-2.
func TestCommandsDuringTickWaitForNextTick(t *testing.T) {
	in := newInbox()
	post := func(k engine.CommandKind) {
		if _, err := in.Post(engine.Command{Kind: k}); err != nil {
			t.Fatal(err)
		}
	}
	post(engine.WakeWord)
	var first, second engine.Input
	in.take(&first)
	post(engine.EStop)
	in.take(&second)
	if len(first.Commands) != 1 || first.Commands[0].Kind != engine.WakeWord {
		t.Errorf("the first tick has %+v", first.Commands)
	}
	if len(second.Commands) != 1 || second.Commands[0].Kind != engine.EStop {
		t.Errorf("the second tick has %+v", second.Commands)
	}
}

// A command is answered once, and nothing of it is kept: a second answer with its number goes nowhere.
func TestAnsweredCommandIsForgotten(t *testing.T) {
	in := newInbox()
	answer, err := in.Post(engine.Command{Kind: engine.WakeWord})
	if err != nil {
		t.Fatal(err)
	}
	var tick engine.Input
	in.take(&tick)
	n := tick.Commands[0].Number
	in.reply([]engine.Reply{{Number: n, Text: "first"}})
	if r := <-answer; r.Text != "first" || len(in.waiting) != 0 {
		t.Errorf("%+v, %d wait", r, len(in.waiting))
	}
	in.reply([]engine.Reply{{Number: n, Text: "second"}})
	select {
	case r := <-answer:
		t.Errorf("answered again: %+v", r)
	default:
	}
}
