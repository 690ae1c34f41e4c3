package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/hardware"
)

// embody gives the rig the senses of an ideal body.
func (r *rig) embody() *behaviortest.Body {
	b := behaviortest.NewBody()
	r.edit = func(s *hardware.Snapshot) {
		b.Move(period)
		*s = b.Snapshot(s.Now)
	}
	return b
}

const gated = `R+ > A
A+ | "wantsToBeActivatedCondition": {"conditionType": "TriggerWordPending"}, "respondToUserIntents": [{"type": "hello"}]`

// Every gate in its order. The gates are opened from the last to the first, so that at each step the first closed one must be
// named; Cell.Why is the answer to "why not".
// Rules: B-8, data/1.4c, data/1.6d, data/1.9d, data/3.5d.
func TestGatesDecideInOrder(t *testing.T) {
	asked := 0
	open := false
	r := newRig(t, gated, func(r *rig) {
		r.of("A").modify = func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) { m.WhenOnCharger = false }
		r.of("A").wants = func(*behaviors.Control) bool {
			asked++
			return open
		}
	})
	b := r.embody()
	senses, touches := r.edit, false // it may be held so that its contacts touch those of the charger
	r.edit = func(s *hardware.Snapshot) {
		senses(s)
		s.Charger.Value.OnContacts = s.Charger.Value.OnContacts || touches
	}
	r.steps(3)
	// ask asks A in one tick under the given facts.
	ask := func(suppress, held, plugged, word, intent bool) string {
		b.Held, b.Plugged = held, plugged && !held
		if held {
			r.steps(30) // until the body is sure
		}
		touches = plugged
		defer func() { touches = false }()
		var got bool
		r.of("R").update = func(c *behaviors.Control) {
			if suppress {
				c.Suppression().ThisTick("A")
			}
			got = c.Wants("A")
		}
		if word {
			r.wake()
		}
		if intent {
			r.intent("hello")
		}
		r.step()
		r.of("R").update = nil
		why := r.eng.Cell("A").Why()
		if got != (why == "") {
			t.Errorf("answer %v, reason %q", got, why)
		}
		b.Held, b.Plugged = false, false
		r.steps(60) // until everything is forgotten
		return why
	}
	for _, step := range []struct {
		suppress, held, plugged, word, intent, open bool
		want                                        string
	}{
		{true, true, false, true, true, true, "suppressed by R"},
		{false, true, true, true, true, true, "off treads: InAir"},
		{false, false, true, true, true, true, "on the charger"},
		{false, false, false, false, false, true, "TriggerWordPending=false"},
		{false, false, false, false, true, true, "TriggerWordPending=false"},
		{false, false, false, true, false, true, "UserIntentPending"},
		{false, false, false, true, true, false, "Script.WantsToBeActivated returned false"},
		{false, false, false, true, true, true, ""},
	} {
		open, asked = step.open, 0
		why := ask(step.suppress, step.held, step.plugged, step.word, step.intent)
		if !strings.HasPrefix(why, step.want) || (step.want == "") != (why == "") {
			t.Errorf("%+v: %q", step, why)
		}
		last := step.want == "" || step.want == "Script.WantsToBeActivated returned false"
		if (asked > 0) != last {
			t.Errorf("%+v: the class was asked %d times", step, asked)
		}
	}
}

// The modifiers open the gates of body and charger.
// Rules: B-8, data/1.6a, data/1.6d.
func TestModifiersOpenGates(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+ | \"behaviorModifiers\": {\"wantsToBeActivatedWhenOffTreads\": true}\nB+", nil)
	b := r.embody()
	b.Held = true
	r.steps(30)
	r.of("R").update = func(c *behaviors.Control) {
		if !c.Wants("A") || c.Wants("B") {
			t.Errorf("off treads: A %q, B %q", r.eng.Cell("A").Why(), r.eng.Cell("B").Why())
		}
	}
	r.step()
	b.Held, b.Plugged = false, true
	r.of("R").update = nil
	r.steps(60)
	r.of("R").update = func(c *behaviors.Control) {
		if !c.World().Body.OnContacts || !c.Wants("B") {
			t.Errorf("on the charger: %q", r.eng.Cell("B").Why())
		}
	}
	r.step()
}

// JSON changes the defaults, code wins over JSON in what it assigns, and leaves the rest.
// Rules: B-5, 7/26, data/1.6a, data/1.6b.
func TestCodeWinsOverJSONModifiers(t *testing.T) {
	r := newRig(t, `R+ > A
A+ | "behaviorModifiers": {"wantsToBeActivatedWhenOffTreads": true, "wantsToBeActivatedWhenCarryingObject": true, "wantsToBeActivatedWhenOnCharger": false}`,
		func(r *rig) {
			r.of("A").modify = func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) { m.WhenOffTreads = false }
		})
	want := behaviors.Modifiers{WhenCarryingObject: true}
	if got := r.eng.Cell("A").Inc.Inst.Modifiers(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if d := behaviors.DefaultModifiers(); d != (behaviors.Modifiers{WhenOnCharger: true, AlwaysDelegates: true}) {
		t.Errorf("defaults %+v", d)
	}
}

// Suppression holds for questions asked later in the same tick only, and stops no activated behavior.
// Rules: B-10, data/1.9h.
func TestSuppressionLastsForTheTick(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				if !c.Wants("A") {
					t.Error("asked before the suppression")
				}
				c.Suppression().ThisTick("A")
				if c.Wants("A") {
					t.Error("asked after the suppression")
				}
			case 2:
				r.pass(c, "A", nil)
				c.Suppression().ThisTick("A", "nobody")
			}
		}
	})
	r.steps(3)
	r.wantChain("R A")
}

// A suppression lock holds until it is released, by key or by the end of its holder; several holders all count.
// Rules: Q-13.
func TestSmartSuppressionIsCounted(t *testing.T) {
	var answers []bool
	r := newRig(t, "R+ > A X\nA+ > B\nB+\nX+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick() == 1 {
				r.pass(c, "A", nil)
			}
			if c.Tick() == 5 {
				c.CancelDelegates()
			}
			if c.Tick() > 1 {
				answers = append(answers, c.Wants("X"))
			}
		}
		r.of("A").start = func(c *behaviors.Control) {
			if !c.Suppression().Hold("k", "X") || c.Suppression().Hold("k", "B") {
				t.Error("the same key twice")
			}
			r.pass(c, "B", nil)
		}
		r.of("B").start = func(c *behaviors.Control) { c.Suppression().Hold("k", "X") }
		r.of("B").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 3:
				if !granted(c, func() { c.Suppression().Release("k") }) || granted(c, func() { c.Suppression().Release("k") }) {
					t.Error("release of a key")
				}
			}
		}
	})
	r.steps(6)
	if want := []bool{false, false, false, true, true}; !slices.Equal(answers, want) {
		t.Errorf("answers %v, want %v", answers, want)
	}
}

// Wants conditions are active exactly while in scope and not activated, cancel conditions exactly while activated. A timer tells:
// every SetActive restarts it.
// Rules: T-16, T-18, data/3.1h.
func TestConditionsAreActiveOnlyWhileNeeded(t *testing.T) {
	r := newRig(t, `R+ > A
A+ | "wantsToBeActivatedCondition": {"conditionType": "TimerInRange", "begin_s": 0.17}, "wantsToCancelSelfCondition": {"conditionType": "TimerInRange", "begin_s": 0.1}`,
		func(r *rig) {
			r.of("R").update = func(c *behaviors.Control) {
				if c.InControl() && c.Wants("A") {
					if !c.DelegateTo("A", nil) {
						err := refusal(c)
						t.Error(err)
					}
				}
			}
		})
	var started []uint64
	for range 14 {
		before := r.eng.Cell("A").Started()
		r.step()
		if r.eng.Cell("A").Started() != before {
			started = append(started, r.tick)
		}
	}
	// In scope from tick 1: 0.18 s later is tick 4. Activated until 0.12 s later, tick 6; in scope again from then.
	if want := []uint64{4, 9, 14}; !slices.Equal(started, want) {
		t.Errorf("activated in ticks %v, want %v", started, want)
	}
}

// B-11 (2), (6), (8), (12): the intent is claimed before its condition forgets the match, and both, and the timers, are set
// when the author's hook runs.
// Rules: B-11, DT-U12, data/1.4h, data/1.4l, data/1.7f, data/1.9e, data/5.6a.
func TestActivationStepsRunInOrder(t *testing.T) {
	r := newRig(t, `R+ > A
A+ | "respondToUserIntents": [{"type": "hello"}], "resetTimers": ["nap"], "tracksToLockWhileActivated": ["HEAD_TRACK"]`, nil)
	r.of("R").update = func(c *behaviors.Control) {
		if c.InControl() && c.Wants("A") {
			if !c.DelegateTo("A", nil) {
				err := refusal(c)
				t.Error(err)
			}
		}
	}
	r.of("A").start = func(c *behaviors.Control) {
		v := c.View()
		if v.Intent.Pending != nil || v.Intent.Active == nil || v.Intent.Active.Tag != "hello" {
			t.Errorf("intents %+v", v.Intent)
		}
		if at, ok := v.Timers["nap"]; !ok || !at.Equal(c.Now()) {
			t.Errorf("timers %v", v.Timers)
		}
		if !r.eng.Actions().Tracks().Holds("A/tracksToLockWhileActivated") {
			t.Error("the tracks are not locked")
		}
		if c.ActivatedFor() != 0 || !c.Activated() {
			t.Error("not activated now")
		}
	}
	r.steps(2)
	r.wantChain("R")
	r.intent("hello")
	r.step()
	r.wantChain("R A")
}

// The author's hook runs while the action runs and everything is still held; afterwards that is gone, and the suggestion is made.
// Rules: B-12, DT-U12, data/1.4i, data/1.7f, data/1.9f, data/5.9a.
func TestDeactivationStepsRunInOrder(t *testing.T) {
	act := hold("act")
	r := newRig(t, `R+ > A
A+ | "postBehaviorSuggestion": "Sleep", "respondToUserIntents": [{"type": "hello"}]`, func(r *rig) {
		a := r.of("A")
		a.start = func(c *behaviors.Control) {
			c.Tracks().Lock("k", 1)
			c.Suppression().Hold("s", "R")
			if !c.Act(act, nil) {
				err := refusal(c)
				t.Error(err)
			}
		}
		a.end = func(c *behaviors.Control) {
			v := c.View()
			if act.Stops != 0 || !r.eng.Actions().Tracks().Holds("A/k") || v.Intent.Active == nil || v.Suggestions["Sleep"] != 0 {
				t.Errorf("stops %d, %+v, %v", act.Stops, v.Intent, v.Suggestions)
			}
		}
	})
	r.of("R").update = func(c *behaviors.Control) {
		if c.Tick() == 1 {
			r.pass(c, "A", nil)
		}
		if c.Tick() == 3 {
			c.CancelDelegates()
			v := c.View()
			if act.Stops != 1 || r.eng.Actions().Tracks().Holds("A/k") || v.Intent.Active != nil || v.Suggestions["Sleep"] != 3 {
				t.Errorf("after: stops %d, %+v, %v", act.Stops, v.Intent, v.Suggestions)
			}
		}
	}
	r.intent("hello")
	r.steps(3)
	r.wantChain("R")
}

// Each activation is counted and stamped.
// Rules: B-13, M-32.
func TestActivationsAreCountedAndStamped(t *testing.T) {
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick()%2 == 0 {
				r.pass(c, "A", nil)
			}
		}
	})
	r.steps(6)
	if c := r.eng.Cell("A"); c.Started() != 3 || !c.Since().Equal(epoch.Add(6*period)) {
		t.Errorf("started %d, since %v", c.Started(), c.Since())
	}
}

// wake says the trigger word in the next tick.
func (r *rig) wake() { r.command(wakeWord) }
