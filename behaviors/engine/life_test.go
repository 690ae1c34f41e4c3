package engine_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// Every activation counts the stat of the file and the one of all activations, whatever its delegator.
// Rules: B-11, data/1.4k.
func TestActivationCountsItsStats(t *testing.T) {
	r := newRig(t, "R+ > A B\nA | \"behaviorStatToIncrement\": \"Jumps\"\nB", nil)
	r.of("R").update = func(c *behaviors.Control) {
		if c.Tick() <= 3 {
			r.pass(c, "A", nil)
		} else {
			r.pass(c, "B", nil)
		}
	}
	r.steps(5)
	if jumps, all := r.eng.Stat("Jumps"), r.eng.Stat(catalog.StatActivated); jumps != 3 || all != 6 { // with the base
		t.Errorf("%d jumps, %d activations", jumps, all)
	}
	if got := r.eng.StatNames(); !slices.Equal(got, []string{"Jumps", "BehaviorActivated"}) || r.eng.Stat("Hops") != 0 {
		t.Errorf("names %v", got)
	}
}

// runs words the feature changes of the tick.
func (r *rig) runs() string {
	s := ""
	for _, f := range r.out.Features {
		if f.Ended {
			s += fmt.Sprintf("end %s #%d %s after %v; ", f.Feature, f.Run, f.Source, f.Duration)
		} else {
			s += fmt.Sprintf("start %s #%d %s; ", f.Feature, f.Run, f.Source)
		}
	}
	return s
}

// The feature is that of the behavior nearest the top that has one; it is looked for in ticks with a delegation or a cancellation
// only, so not at the start of the base.
// Rules: L-40, B-25, 7/31, data/1.4j, data/5.8a.
func TestTopmostFeatureIsActive(t *testing.T) {
	r := newRig(t, `R+ > A B | "associatedActiveFeature": "Exploring"
A+ > B C | "associatedActiveFeature": "NoFeature"
B+ | "associatedActiveFeature": "Chatting"
C+`, nil)
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 2:
			r.pass(c, "A", nil)
		case 5:
			c.CancelDelegates()
		}
	}
	r.of("A").update = func(c *behaviors.Control) {
		if c.Activated() {
			switch c.Tick() {
			case 3:
				r.pass(c, "B", nil)
			case 4:
				c.CancelAndDelegateIfWanted("C", nil)
			}
		}
	}
	for i, want := range []string{
		"", // the base has started
		"start Exploring #1 AI; ",
		"end Exploring #1 AI after 60ms; start Chatting #2 AI; ",
		"end Chatting #2 AI after 60ms; start Exploring #3 AI; ",
		"",
		"",
	} {
		r.step()
		if got := r.runs(); got != want {
			t.Errorf("tick %d: %q, want %q", i+1, got, want)
		}
	}
	if f := r.eng.Feature(); f.Feature != "Exploring" || f.Run != 3 || !f.Since.Equal(epoch.Add(4*period)) {
		t.Errorf("feature %+v", f)
	}
}

// Without a feature on the stack none is active, and no run starts or ends; a run of onboarding covers the features above it.
// Rules: B-25, data/5.8a.
func TestOnboardingFeatureCoversFeaturesAbove(t *testing.T) {
	r := newRig(t, `R+ > A
A+ > B | "associatedActiveFeature": "Onboarding"
B+ | "associatedActiveFeature": "Chatting"`, nil)
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 1:
			r.pass(c, "A", nil)
		case 3:
			c.CancelDelegates()
		}
	}
	r.of("A").update = func(c *behaviors.Control) {
		if c.Activated() && c.Tick() == 2 {
			r.pass(c, "B", nil)
		}
	}
	if f := r.eng.Feature(); f.Feature != behaviors.NoFeature || f.Run != 0 {
		t.Errorf("at the start %+v", f)
	}
	r.steps(2)
	if f := r.eng.Feature(); f.Feature != "Chatting" || !f.Onboarding {
		t.Errorf("feature %+v", f)
	}
	r.step()
	if got := r.runs(); got != "end Chatting #2 AI after 60ms; " || r.eng.Feature().Feature != behaviors.NoFeature {
		t.Errorf("%q, then %+v", got, r.eng.Feature())
	}
}

// The source of a feature is that of the active intent, but each activation of an intent counts for one run only.
// Rules: B-25, data/5.8b.
func TestFeatureSourceIsIntentOnce(t *testing.T) {
	r := newRig(t, `R+ > A B
A+ | "associatedActiveFeature": "Exploring", "respondToUserIntents": [{"type": "hello"}]
B+ | "associatedActiveFeature": "Chatting"`, nil)
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 1, 4:
			r.pass(c, "A", nil)
		case 2:
			c.CancelDelegates()
			r.pass(c, "B", nil)
		case 3:
			c.CancelDelegates()
		}
	}
	hello := engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: "hello", Source: "voice"}}
	for i, want := range []string{
		"start Exploring #1 voice; ",
		"end Exploring #1 voice after 60ms; start Chatting #2 AI; ",
		"end Chatting #2 AI after 60ms; ",
		"start Exploring #4 voice; ",
	} {
		if i == 0 || i == 3 {
			r.command(hello)
		}
		r.step()
		if got := r.runs(); got != want {
			t.Errorf("tick %d: %q, want %q", i+1, got, want)
		}
	}
}

// A time without a feature uses no intent up: the next feature is still due to it.
// Rules: B-25, data/5.8b.
func TestFeatureSourceOutlivesTimeWithoutFeature(t *testing.T) {
	r := newRig(t, `R+ > A B
A+ | "associatedActiveFeature": "Exploring"
B+ > C | "respondToUserIntents": [{"type": "hello"}]
C+ | "associatedActiveFeature": "Chatting"`, nil)
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 1:
			r.pass(c, "A", nil)
		case 2:
			c.CancelDelegates()
			r.pass(c, "B", nil)
		}
	}
	r.of("B").update = func(c *behaviors.Control) {
		if c.Tick() == 3 {
			r.pass(c, "C", nil)
		}
	}
	for i, want := range []string{
		"start Exploring #1 AI; ",
		"end Exploring #1 AI after 60ms; ",
		"start Chatting #3 voice; ",
	} {
		if i == 1 {
			r.command(engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: "hello", Source: "voice"}})
		}
		r.step()
		if got := r.runs(); got != want {
			t.Errorf("tick %d: %q, want %q", i+1, got, want)
		}
	}
}

// A run that an intent led to keeps its activation from counting again while the intent stays active.
// Rules: B-25, data/5.8b.
func TestFeatureSourceIsNotUsedTwiceWhileIntentIsActive(t *testing.T) {
	r := newRig(t, `R+ > A | "respondToUserIntents": [{"type": "hello"}]
A+ > B | "associatedActiveFeature": "Exploring"
B+ | "associatedActiveFeature": "Chatting"`, nil)
	r.strict = false // the base declines without an intent
	r.of("R").update = func(c *behaviors.Control) {
		if c.Tick() == 1 {
			if _, ok := c.Intents().Claim("hello"); ok {
				t.Error("claimed twice")
			}
			r.pass(c, "A", nil)
		}
	}
	r.of("A").update = func(c *behaviors.Control) {
		if c.Tick() == 2 {
			r.pass(c, "B", nil)
		}
	}
	r.command(engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: "hello", Source: "app"}})
	r.step()
	if got := r.runs(); got != "start Exploring #1 app; " {
		t.Errorf("%q", got)
	}
	r.step()
	if got := r.runs(); got != "end Exploring #1 app after 60ms; start Chatting #2 AI; " || r.eng.View().Intent.Active == nil {
		t.Errorf("%q", got)
	}
}

// A feature from code lasts for the activation, is set in OnActivated only, once, and not over that of the file.
// Rules: B-12, data/5.8c.
func TestFeatureFromCodeLastsForActivation(t *testing.T) {
	r := newRig(t, `R+ > A B
A+
B+ | "associatedActiveFeature": "Chatting"`, nil)
	r.of("R").update = func(c *behaviors.Control) {
		switch c.Tick() {
		case 1:
			r.pass(c, "A", nil)
		case 3:
			c.CancelDelegates()
			r.pass(c, "B", nil)
		case 4:
			c.CancelDelegates()
		case 5:
			r.of("A").start = nil
			r.pass(c, "A", nil)
		}
	}
	r.of("A").start = func(c *behaviors.Control) {
		if granted(c, func() { c.SetActiveFeature("Explorin") }) || !granted(c, func() { c.SetActiveFeature("Exploring") }) || granted(c, func() { c.SetActiveFeature("Chatting") }) {
			t.Error("an unknown one, the first, a second")
		}
	}
	r.of("A").update = func(c *behaviors.Control) {
		if granted(c, func() { c.SetActiveFeature("Chatting") }) {
			t.Error("after OnActivated")
		}
	}
	r.of("B").start = func(c *behaviors.Control) {
		if granted(c, func() { c.SetActiveFeature("Exploring") }) {
			t.Error("over that of the file")
		}
	}
	r.step()
	if got := r.runs(); got != "start Exploring #1 AI; " {
		t.Errorf("%q", got)
	}
	r.misused(stack.Refusal{Op: stack.OpFeature, By: "A", To: "Chatting", Reason: stack.AlreadySet})
	r.steps(2)
	if got := r.runs(); got != "end Exploring #1 AI after 120ms; start Chatting #2 AI; " {
		t.Errorf("%q", got)
	}
	r.steps(2)
	if got := r.runs(); got != "" || r.eng.Feature().Feature != behaviors.NoFeature {
		t.Errorf("the feature of the first activation came back: %q", got)
	}
}

// lit reports what the tick did to the back lights.
func (r *rig) lit() string {
	s := ""
	for _, cmd := range r.out.Commands {
		if l, ok := cmd.(hardware.SetLights); ok {
			s += map[bool]string{true: "off", false: "on"}[l == hardware.SetLights{}]
		}
	}
	return s
}

// The lights are on while the claimed intent is active, unless the file says no.
// Rules: B-26, data/1.4e, data/4.5e.
func TestIntentFeedbackShowsWhileIntentIsActive(t *testing.T) {
	for _, c := range []struct {
		keys string
		off  bool
		want string
	}{
		{"", false, "on,,,off,"},
		{`, "showActiveIntentFeedback": false`, false, ",,,,"},
		{"", true, ",,,,"},
	} {
		r := newRig(t, `R+ > A
A+ | "respondToUserIntents": [{"type": "hello"}]`+c.keys, nil)
		r.eng.View().Features[engine.FeatureFeedback] = !c.off
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", nil)
			case 4:
				c.CancelDelegates()
			}
		}
		r.intent("hello")
		got := ""
		for i := range 5 {
			r.step()
			if i > 0 {
				got += ","
			}
			got += r.lit()
		}
		if got != c.want {
			t.Errorf("%q, feature off %v: lights %q, want %q", c.keys, c.off, got, c.want)
		}
	}
}

// autoShutOffIntentFeedback: after five seconds of the robot's time the lights go off; the intent stays active. Without
// the key they stay on as long as the intent.
// Rules: B-26, data/1.4f, data/4.5e.
func TestIntentFeedbackShutsOffAfterFiveSeconds(t *testing.T) {
	for _, auto := range []bool{true, false} {
		r := newRig(t, fmt.Sprintf(`R+ > A
A+ | "respondToUserIntents": [{"type": "hello"}], "autoShutOffIntentFeedback": %v`, auto), nil)
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.intent("hello")
		tick := r.pace(time.Second)
		for i, want := range map[bool][]string{
			true: {"on", "", "", "", "", "off", "", ""}, false: {"on", "", "", "", "", "", "", ""},
		}[auto] {
			tick()
			if got := r.lit(); got != want {
				t.Errorf("auto %v, after %d s: %q, want %q", auto, i, got, want)
			}
		}
		if r.eng.View().Intent.Active == nil {
			t.Error("the intent went with the lights")
		}
		r.of("R").update = func(c *behaviors.Control) { c.CancelDelegates() }
		if tick(); r.lit() == "off" == auto {
			t.Errorf("auto %v: at the end %q", auto, r.lit())
		}
	}
}

// The lights belong to the behavior that turned them on first, also after another intent took the place of its own; they are
// released with a behavior that fails.
// Rules: B-26, data/1.4e.
func TestIntentFeedbackBelongsToFirstClaimant(t *testing.T) {
	r := newRig(t, `R+ > A
A+ > B | "respondToUserIntents": [{"type": "hello"}]
B+ | "respondToUserIntents": [{"type": "bye"}]`, nil)
	r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	r.of("A").update = func(c *behaviors.Control) {
		switch {
		case c.Activated() && c.Tick() == 2:
			r.pass(c, "B", nil)
		case c.Tick() == 3:
			c.CancelDelegates()
		case c.Tick() == 4:
			panic("boom")
		}
	}
	r.intent("hello")
	r.step()
	r.intent("bye")
	for _, want := range []string{"", "", "off"} {
		r.step()
		if got := r.lit(); got != want {
			t.Errorf("tick %d: %q, want %q", r.tick, got, want)
		}
	}
}

// A behavior that crashes takes its feature with it, in the tick of the crash.
// Rules: B-25, L-40.
func TestCrashEndsActiveFeature(t *testing.T) {
	r := newRig(t, "R+ > A\n"+`A+ | "associatedActiveFeature": "Exploring"`, func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").update = once(3, func(*behaviors.Control) { panic("broken") })
	})
	r.steps(2)
	if got := r.eng.Feature().Feature; got != "Exploring" {
		t.Fatalf("active feature %q before the crash", got)
	}
	r.step()
	if got := r.eng.Feature().Feature; got != behaviors.NoFeature {
		t.Errorf("active feature %q after the crash", got)
	}
}
