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
	raise := func(source, tag string) {
		in.Raise(behaviors.Event{Source: source, Payload: behaviors.IntentPosted{Tag: tag}})
	}
	take := func() func() string {
		var tick engine.Input
		in.take(&tick)
		return func() (all string) {
			for _, e := range tick.Events {
				all += e.Source + "." + e.Payload.(behaviors.IntentPosted).Tag + " "
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
