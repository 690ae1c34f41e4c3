package engine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
)

// While a behavior disables the response, the trigger word is ignored: nothing pending, no event, no get-in. It may be disabled twice,
// and is enabled when the last holder let go.
// Rules: T-20, B-12, data/4.5b.
func TestDisabledTriggerWordIsIgnored(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").hears = []string{behaviors.EventTriggerWord}
		r.of("R").whileOn = func(*behaviors.Control, behaviors.Event) {}
		r.of("R").start = func(c *behaviors.Control) {
			c.TriggerWord().Respond(listen)
			for range 2 {
				c.TriggerWord().Ignore()
				if err := refusal(c); err != nil {
					t.Error(err)
				}
			}
		}
		r.of("A").start = func(c *behaviors.Control) { c.TriggerWord().Ignore() }
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", nil)
			case 2:
				c.TriggerWord().Heed()
				if err := refusal(c); err != nil {
					t.Error(err)
				}
				c.TriggerWord().Heed()
			case 3:
				c.CancelDelegates()
			}
		}
	})
	for i, want := range []struct {
		deaf    string
		pending bool
	}{{"A", false}, {"A", false}, {"", false}, {"", true}} {
		if i > 0 { // in the first tick the stack is still empty when it comes
			r.wake()
		}
		hooks := r.step()
		v := r.eng.View()
		if v.Services.Deaf != want.deaf || v.TriggerWord != want.pending || (len(r.getIns) > 0) != want.pending {
			t.Errorf("tick %d: deaf %q, pending %v, %d get-ins", r.tick, v.Services.Deaf, v.TriggerWord, len(r.getIns))
		}
		if heard := strings.Contains(hooks, "on R trigger_word"); heard != want.pending {
			t.Errorf("tick %d: %s", r.tick, hooks)
		}
		if i > 0 && (r.out.Replies[0].Text == "trigger word is pending") != want.pending {
			t.Errorf("tick %d: %+v", r.tick, r.out.Replies)
		}
	}
}

// The topmost response is in force; taking a lower one away shows nothing; altering copies the topmost one with another effect.
// Rules: B-11, B-12, data/1.4m, data/4.5c.
func TestTopmostTriggerWordResponseIsInForce(t *testing.T) {
	second := condition.Response{GetIn: "second", MinStreaming: time.Second, Effect: condition.StreamingEnabled}
	r := newRig(t, `R+ > A
A+ > B | "pushTriggerWordResponse": {"getInTrigger": "listening", "postAudioEvent": "beep", "minStreamingDuration_ms": 500, "streamAndLightEffect": "StreamingDisabledButWithLight"}
B+ | "alterStreamAfterWakeword": "StreamingDisabled"`, func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", nil)
			case 3:
				c.TriggerWord().Respond(second)
				wantMisuse(t, "push", refusal(c), stack.Refusal{})
			case 4:
				c.TriggerWord().Withdraw()
				wantMisuse(t, "pop", refusal(c), stack.Refusal{})
			case 5:
				c.CancelDelegates()
			case 6:
				nothing := stack.Refusal{By: "R", Op: stack.OpResponse, Reason: stack.NothingToAlter}
				c.TriggerWord().AlterStream(condition.StreamingDisabled)
				wantMisuse(t, "alter", refusal(c), nothing)
			case 7:
				c.TriggerWord().RespondSilently()
				wantMisuse(t, "push empty", refusal(c), stack.Refusal{})
			}
		}
		r.of("A").update = once(2, func(c *behaviors.Control) { r.pass(c, "B", nil) })
	})
	first := condition.Response{
		GetIn: "listening", Sound: "beep", MinStreaming: 500 * time.Millisecond, Effect: condition.StreamingDisabledButWithLight,
	}
	altered := first
	altered.Effect = condition.StreamingDisabled
	empty := condition.Response{MinStreaming: -1, Effect: condition.StreamingDisabled}
	for i, want := range []*condition.Response{&first, &altered, &second, &altered, nil, nil, &empty} {
		r.step()
		got := r.eng.View().Services.Response
		if (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("tick %d: %+v, want %+v", i+1, got, want)
		}
	}
}

// Altering while holding a response is a mistake: it is popped before the topmost one is copied.
// Rules: B-12, data/4.5c.
func TestAlteringWithOwnResponsePopsItFirst(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) { c.TriggerWord().Respond(listen) }
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").start = func(c *behaviors.Control) {
			c.TriggerWord().Respond(condition.Response{GetIn: "its own"})
			c.TriggerWord().AlterStream(condition.StreamingDisabledButWithLight)
			wantMisuse(t, "altered", refusal(c),
				stack.Refusal{By: "A", Op: stack.OpResponse, Reason: stack.AlreadySet, Applied: true})
		}
	})
	r.step()
	if got := r.eng.Responders(); !slices.Equal(got, []string{"R", "A"}) {
		t.Errorf("pushed by %v", got)
	}
	if got := r.eng.View().Services.Response; got.Effect != condition.StreamingDisabledButWithLight || got.GetIn != "listening" {
		t.Errorf("%+v", got)
	}
}

// A response that was pushed in scope goes when the behavior leaves scope.
// Rules: data/4.5c.
func TestResponsePushedInScopeEndsWithScope(t *testing.T) {
	r := newRig(t, "R+ > P\nP+ > A\nA+", func(r *rig) {
		r.of("A").enter = func(c *behaviors.Control) { c.TriggerWord().Respond(listen) }
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick() == 1 {
				r.pass(c, "P", nil)
			}
			if c.Tick() == 3 {
				c.CancelDelegates()
			}
		}
	})
	for _, want := range []bool{true, true, false} {
		r.step()
		if got := r.eng.View().Services.Response != nil; got != want {
			t.Errorf("tick %d: pushed %v", r.tick, got)
		}
	}
}

// The get-in of the topmost response plays beside whatever runs, and is expected until it has ended, for 3 s at most.
// Rules: data/4.5d.
func TestTopmostResponseAnswersTriggerWord(t *testing.T) {
	act := hold("act")
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) { c.Act(act, nil) }
		r.of("R").update = once(2, func(c *behaviors.Control) { c.TriggerWord().Respond(listen) })
	})
	expected := func() bool { return r.eng.View().Services.GetIn }
	r.wake()
	r.steps(2)
	if len(r.getIns) != 0 || expected() {
		t.Error("somebody answers without a response")
	}
	r.wake()
	r.step()
	if len(r.getIns) != 1 || r.getIns[0].Inits != 1 || !expected() || act.Stops != 0 {
		t.Fatalf("%d get-ins, expected %v, the action stopped %d times", len(r.getIns), expected(), act.Stops)
	}
	r.wake()
	r.step()
	if len(r.getIns) != 1 {
		t.Error("a second word is answered while the first one is")
	}
	r.getIns[0].Result = actions.Success
	r.step()
	if expected() {
		t.Error("expected after its end")
	}
	r.wake()
	r.step()
	began := r.eng.View().Now
	for range 100 {
		if !expected() {
			break
		}
		r.step()
	}
	if d := r.eng.View().Now.Sub(began); d < 3*time.Second || d > 3*time.Second+period {
		t.Errorf("expected for %v", d)
	}
}
