package engine_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// Nothing is started inside an answer, whatever it asks for; reading, asking on and naming one's state are free.
// Rules: L-5.
func TestRequestsThatStartSomethingAreRefusedInAnAnswer(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ > B\nB+", func(r *rig) {
		r.of("A").wants = func(c *behaviors.Control) bool {
			c.ResetTimer("nap")
			c.Suggest("Sleep")
			c.Suppression().ThisTick("B")
			c.Forget()
			c.Send(hardware.StopWheels{})
			if c.Tracks().Lock("k", actions.Head) || c.Suppression().Hold("k", "B") || c.StopAfterCurrentDelegate("R") {
				t.Error("something was granted")
			}
			if _, ok := c.Intents().Claim("hello"); ok {
				t.Error("an intent was claimed")
			}
			c.SetState("thinking")
			return true
		}
		r.of("R").update = once(2, func(c *behaviors.Control) {
			c.Wants("A")
			r.wantReason(refusal(c, c.DelegateTo("A", nil)), 0)
		})
	})
	r.step()
	r.intent("hello")
	r.step()
	v := r.eng.View()
	if len(v.Timers) > 0 || len(v.Suggestions) > 0 || v.Intent.Pending == nil || r.eng.Actions().Tracks().Mask() != 0 {
		t.Errorf("something was started: %+v", v)
	}
	refused := 0
	for _, e := range r.out.Events {
		if e.Kind == stack.EventRefused && e.ID == "A" && e.Reason == stack.Hidden {
			refused++
		}
	}
	if refused != 9 || r.eng.Cell("A").State() != "thinking" {
		t.Errorf("%d refused, state %q: %q", refused, r.eng.Cell("A").State(), r.happened())
	}
}
