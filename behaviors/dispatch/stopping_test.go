package dispatch_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/dispatch"
)

// stopper is a base. Once stop is set, it tells its only delegate D to end together with D's own delegate.
type stopper struct{ stop bool }

func (b *stopper) Update(c *behaviors.Control) {
	switch {
	case b.stop:
		b.stop = !c.StopAfterCurrentDelegate("D")
	case !c.IsControlDelegated() && c.Wants("D"):
		c.DelegateTo("D", nil)
	}
}

func (*stopper) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// A dispatcher that was told to end with its delegate lets it finish, although a more important one wants control. A refused choice
// starts no cooldown.
// Rules: Q-13.
func TestStoppingDispatcherLetsItsDelegateFinish(t *testing.T) {
	b := &stopper{}
	reg := behaviors.NewRegistry(append(dispatch.Classes(), behaviortest.ProbeClass(), behaviors.Class{
		Name: "Stopper", New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.MayDelegateTo("D")
			return b
		},
	})...)
	s := scenario{behaviortest.New(t, behaviortest.Options{Classes: reg, Files: "-- Base.json --\n" +
		`{"behaviorClass": "Stopper", "behaviorID": "Base"}` + "\n-- D.json --\n" +
		`{"behaviorClass": "DispatcherStrictPriorityWithCooldown", "behaviorID": "D", "interruptActiveBehavior": true,
			"behaviors": [{"behavior": "A", "cooldown_s": 60}, {"behavior": "B", "cooldown_s": 0}]}` + "\n" +
		probes(`A:, "wants": false`, "B")}), t}
	s.runs("D B")
	b.stop = true
	s.probe("A").Wants = true
	s.runs("D B")
	s.probe("B").End = true
	s.Step(1)
	s.Step(1) // D notices the end, may not choose, and ends
	if s.Active("D") || s.probe("A").Activated != 0 {
		t.Fatalf("stack %v", s.Chain())
	}
	s.runs("D A")
}

// circular lists the base, so that every delegation to it is refused (L-36).
type circular struct{ wants bool }

func (b *circular) WantsToBeActivated(*behaviors.Control) bool { return b.wants }

// A choice that the stack refuses is no run: neither the chosen nor the displaced behavior pauses (P-5).
// Rules: P-5, data/2.1.3c.
func TestRefusedChoiceStartsNoCooldown(t *testing.T) {
	b := &circular{}
	reg := behaviors.NewRegistry(append(dispatch.Classes(), behaviortest.ProbeClass(), behaviors.Class{
		Name: "Circular", New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.MayDelegateTo("Base")
			return b
		},
	})...)
	s := scenario{behaviortest.New(t, behaviortest.Options{Classes: reg, Files: "-- Base.json --\n" +
		strict + `true, "behaviors": ["D", "Z"]}` + "\n-- D.json --\n" +
		`{"behaviorClass": "DispatcherStrictPriorityWithCooldown", "behaviorID": "D", "interruptActiveBehavior": true,
			"behaviors": [{"behavior": "A", "cooldown_s": 60}, {"behavior": "B", "cooldown_s": 60}]}` +
		"\n-- A.json --\n" + `{"behaviorClass": "Circular", "behaviorID": "A"}` + "\n" + probes("B", "Z")}), t}
	s.runs("D B")
	b.wants = true
	s.Step(1)
	if len(s.Refused) == 0 || s.Active("D") { // nothing is left to it, so it ends
		t.Fatalf("not refused: %v", s.Chain())
	}
	b.wants = false
	s.runs("D B")
}
