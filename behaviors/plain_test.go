package behaviors_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

type (
	hookless struct{}
	initer   struct{}
	enterer  struct{}
	leaver   struct{}
	looker   struct{}
)

func (initer) Init(*behaviors.Control)            {}
func (enterer) OnEnteredScope(*behaviors.Control) {}
func (leaver) OnLeftScope(*behaviors.Control)     {}
func (looker) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Low)
}

// A hook is plain only if it runs no code of an author and makes no request. Questions and what comes with control never are.
func TestHookIsPlainOnlyWithoutCodeOfAnAuthorAndWithoutRequest(t *testing.T) {
	met := func(*condition.View) bool { return true }
	gate := func(w condition.Condition) func(*behaviors.Config) behaviors.Behavior {
		return func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.AddWantsCondition(w)
			return hookless{}
		}
	}
	as := func(b behaviors.Behavior) func(*behaviors.Config) behaviors.Behavior {
		return func(*behaviors.Config) behaviors.Behavior { return b }
	}
	for name, c := range map[string]struct {
		make                 func(*behaviors.Config) behaviors.Behavior
		begins, enters, goes bool
	}{
		"no hooks":       {as(hookless{}), true, true, true},
		"Init":           {as(initer{}), false, true, true},
		"OnEnteredScope": {as(enterer{}), true, false, true},
		"OnLeftScope":    {as(leaver{}), true, true, false},
		"eyes":           {as(looker{}), true, false, false},
		"own gate":       {gate(condition.True()), true, true, true},
		"author's gate":  {gate(condition.Func("f", met)), true, false, false},
		"gate that sees": {gate(condition.FuncSeeing("f", hardware.LookFor(hardware.SeeFaces, hardware.Low), met)), true, false, false},
	} {
		doc, _ := resources.Parse("A.json", []byte(`{"behaviorClass": "C", "behaviorID": "A"}`))
		i := behaviors.NewInstance("A", &behaviors.Class{Name: "C", New: c.make}, doc.Root())
		if i.HasModify() {
			i.Run(behaviors.NewControl(i, nil), &behaviors.Invocation{Hook: stack.HookModify})
		}
		for hook, want := range map[stack.Hook]bool{
			stack.HookInit: c.begins, stack.HookEnteredScope: c.enters, stack.HookLeftScope: c.goes, stack.HookWants: false, stack.HookActivated: false,
			stack.HookUpdate: false, stack.HookDeactivated: false, stack.HookModify: false,
		} {
			if i.Plain(hook) != want {
				t.Errorf("%s: %s is plain: %v", name, hook, !want)
			}
		}
	}
}
