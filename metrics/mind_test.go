package metrics

import (
	"testing"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

func TestMisusesCountByFacilityAndMistake(t *testing.T) {
	r := newRig(t, chain("Base"), Options{})
	r.updates["Base"] = func(c *behaviors.Control) { c.Power().Spend() }
	r.step()
	r.step()
	r.want(2, "robotd_misuses_total", "facility", "power-save_request", "mistake", "not_set")
	r.want(0, "robotd_misuses_total", "facility", "vision_modes", "mistake", "no_active_ancestor_keeps_the_cube_connected") // the last of all
}

// Every facility and every mistake has its series, so that a new one cannot stop the tick.
func TestEveryMisuseHasItsSeries(t *testing.T) {
	r := newRig(t, chain("Base"), Options{})
	var o engine.Output
	for _, f := range stack.Facilities() {
		for _, m := range stack.Mistakes() {
			o.Misuses = append(o.Misuses, stack.Refusal{By: "Base", Op: f, Reason: m})
		}
	}
	r.step()
	r.m.ObserveTick(event.Tick{}, &o, r.e)
	for i := range o.Misuses {
		m := &o.Misuses[i]
		r.want(1, "robotd_misuses_total", "facility", labelOf(m.Op.String()), "mistake", labelOf(m.Reason.String()))
	}
}

func TestMoodAndStageFollowTheEngine(t *testing.T) {
	r := newRig(t, chain("Base"), Options{})
	r.step()
	r.want(0, "robotd_emotion", "emotion", "Happy")
	r.want(1, "robotd_simple_mood", "mood", "LowStim")
	r.want(1, "robotd_stage", "stage", "complete")
	r.want(1, "robotd_invariant_checks_active")
	r.e.View().Mood = [5]float64{0.25, -0.5, 0.75, 0.9, 1} // as if an event had changed it
	r.m.ObserveTick(event.Tick{}, &engine.Output{}, r.e)
	for i, name := range engine.EmotionNames() {
		r.want(r.e.View().Mood[i], "robotd_emotion", "emotion", name)
	}
	want := r.e.View().Mood.Simple().String()
	for _, name := range engine.SimpleMoodNames() {
		shown := 0.0
		if name == want {
			shown = 1
		}
		r.want(shown, "robotd_simple_mood", "mood", name)
	}
	if want == "LowStim" {
		t.Error("the mood did not move")
	}
	r.step(engine.Command{Kind: engine.SetChecks})
	r.want(0, "robotd_invariant_checks_active")
}

// A helper counts once, when it ends, with its declared outcome.
// Rules: Q-13.
func TestHelpersCountByOutcome(t *testing.T) {
	r := newRig(t, map[string][]string{"Base": {"HelpHim"}, "HelpHim": nil}, Options{})
	r.updates["Base"] = func(c *behaviors.Control) {
		if c.InControl() && c.Wants("HelpHim") {
			c.DelegateToHelper("HelpHim", nil, nil)
		}
	}
	r.updates["HelpHim"] = func(c *behaviors.Control) {
		switch {
		case !c.Activated():
		case c.Tick() == 2:
			c.Succeed()
		case c.Tick() > 2:
			c.CancelSelf()
		}
	}
	for _, want := range []struct{ success, failure float64 }{{0, 0}, {1, 0}, {1, 1}, {1, 2}} {
		r.step()
		r.want(want.success, "robotd_helpers_total", "outcome", "success")
		r.want(want.failure, "robotd_helpers_total", "outcome", "failure")
	}
}

// A cycle is counted, and the reset that breaks it has its own reason; so has what an interrupt did not end.
// Rules: L-41, L-42.
func TestCyclesAndReturnsAreCounted(t *testing.T) {
	r := newRig(t, chain("Base", "A"), Options{})
	r.step()
	commanded := r.value("robotd_stack_resets_total", "reason", "command")
	r.m.ObserveTick(event.Tick{}, &engine.Output{Events: []stack.Event{
		{Kind: stack.EventCycle, ID: "Base", To: "A"},
		{Kind: stack.EventReset, ID: "Base"},
		{Kind: stack.EventPush, ID: "Base"},
		{Kind: stack.EventActivated, ID: "Base"},
		{Kind: stack.EventActivated, ID: "A", Text: stack.Resumed},
		{Kind: stack.EventReset, ID: "Base"},
		{Kind: stack.EventBaseDeclined, ID: "Base"},
	}}, r.e)
	r.want(1, "robotd_stack_cycles_total")
	r.want(1, "robotd_stack_resets_total", "reason", "cycle")
	r.want(commanded+1, "robotd_stack_resets_total", "reason", "command")
	r.want(1, "robotd_activations_resumed_total")
	r.want(1, "robotd_base_declined_total")
}
