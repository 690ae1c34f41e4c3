package behaviors_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// waiting makes an instance whose class does code while it is made, and answers the question under a pending intent.
func waiting(t *testing.T, keys string, code func(cfg *behaviors.Config)) (ask func(*condition.Intent) string, diags string) {
	t.Helper()
	classes := behaviors.NewRegistry(behaviors.Class{
		Name: "Waiter", Predicates: map[string]func(*condition.Intent) bool{"polite": func(i *condition.Intent) bool { return i.Data["please"] != "" }},
		New: func(cfg *behaviors.Config) behaviors.Behavior { code(cfg); return struct{}{} },
	})
	cat, found := behaviortest.Catalog(t, "-- Base.json --\n{\"behaviorClass\": \"Waiter\", \"behaviorID\": \"Base\""+keys+"}\n",
		classes, catalog.Boot{Base: "Base", Fallback: "Base", Intents: []string{"bye", "hello"}})
	if cat == nil {
		return nil, found.String()
	}
	i := cat.Find("Base").New()
	c := behaviors.NewControl(i, nil)
	view := func(in *condition.Intent) *condition.View {
		return &condition.View{World: &hardware.World{}, Now: time.Unix(1, 0), Intent: condition.Intents{Pending: in}}
	}
	i.Run(c, &behaviors.Invocation{Hook: stack.HookEnteredScope, View: view(nil)})
	return func(in *condition.Intent) string {
		i.Run(c, &behaviors.Invocation{Hook: stack.HookWants, View: view(in)})
		return i.Why()
	}, found.String()
}

func say(tag string, data ...string) *condition.Intent {
	in := &condition.Intent{Tag: tag, Data: map[string]string{}}
	for k := 0; k < len(data); k += 2 {
		in.Data[data[k]] = data[k+1]
	}
	return in
}

// Intents that code waits for, by tag, with a predicate, and in full, beside those of JSON: any of them is enough.
// Rules: B-2, B-7, data/1.7a, data/1.7c, data/1.7e, data/1.7g.
func TestAnyIntentThatCodeWaitsForIsEnough(t *testing.T) {
	never := func(*condition.Intent) bool { return false }
	for _, c := range []struct {
		name, keys string
		code       func(cfg *behaviors.Config)
		yes, no    []*condition.Intent
	}{
		{
			"tag", "", func(cfg *behaviors.Config) { cfg.WaitForIntent("hello") },
			[]*condition.Intent{say("hello"), say("hello", "a", "b")},
			[]*condition.Intent{nil, say("bye")},
		},
		{
			"predicate", "", func(cfg *behaviors.Config) {
				cfg.WaitForIntentIf("hello", func(i *condition.Intent) bool { return i.Data["who"] == "Ada" })
			},
			[]*condition.Intent{say("hello", "who", "Ada")},
			[]*condition.Intent{say("hello"), say("bye", "who", "Ada")},
		},
		{
			"in full", "", func(cfg *behaviors.Config) { cfg.WaitForWholeIntent("hello", map[string]string{"who": "Ada"}) },
			[]*condition.Intent{say("hello", "who", "Ada")},
			[]*condition.Intent{say("hello"), say("hello", "who", "Ada", "how", "loud"), say("hello", "who", "Bob")},
		},
		{
			"in full without data", "", func(cfg *behaviors.Config) { cfg.WaitForWholeIntent("hello", nil) },
			[]*condition.Intent{say("hello")},
			[]*condition.Intent{say("hello", "who", "Ada")},
		},
		{
			"beside JSON", `, "respondToUserIntents": [{"type": "bye"}]`, func(cfg *behaviors.Config) { cfg.WaitForIntent("hello") },
			[]*condition.Intent{say("hello"), say("bye")},
			[]*condition.Intent{nil},
		},
		{
			"cleared", `, "respondToUserIntents": [{"type": "bye"}]`, func(cfg *behaviors.Config) {
				cfg.WaitForIntent("hello")
				cfg.ClearIntentWaits()
			},
			[]*condition.Intent{say("bye")},
			[]*condition.Intent{say("hello")},
		},
		{
			"lambda of JSON", `, "respondToUserIntents": [{"type": "bye", "_lambda": "polite"}]`, func(*behaviors.Config) {},
			[]*condition.Intent{say("bye", "please", "1")},
			[]*condition.Intent{say("bye")},
		},
		{
			"lambda in a condition", `, "wantsToBeActivatedCondition": {"conditionType": "UserIntentPending", "list": [{"type": "bye", "_lambda": "polite"}]}`,
			func(*behaviors.Config) {},
			[]*condition.Intent{say("bye", "please", "1")},
			[]*condition.Intent{say("bye")},
		},
		{
			"a condition of code comes last (B-2)", `, "respondToUserIntents": [{"type": "bye"}]`, func(cfg *behaviors.Config) {
				cfg.AddWantsCondition(condition.Not(condition.Func("never", func(*condition.View) bool { return never(nil) })))
			},
			[]*condition.Intent{say("bye")},
			[]*condition.Intent{say("hello")},
		},
	} {
		ask, diags := waiting(t, c.keys, c.code)
		if diags != "" {
			t.Fatalf("%s: %s", c.name, diags)
		}
		for _, in := range c.yes {
			if why := ask(in); why != "" {
				t.Errorf("%s: %+v: %s", c.name, in, why)
			}
		}
		for _, in := range c.no {
			if why := ask(in); why == "" {
				t.Errorf("%s: %+v: wants", c.name, in)
			}
		}
	}
}

// The condition of JSON is asked first, then its intents, then what code added: the first that fails is the reason.
// Rules: B-2, data/1.4c, data/1.7e, data/1.9d, data/3.5d.
func TestFirstClosedGateIsTheReason(t *testing.T) {
	for _, c := range []struct {
		unit, want string
		in         *condition.Intent
	}{
		{"false", "UnitTestCondition=false", nil},
		{"true", "UserIntentPending(bye)=false", nil},
		{"true", "coded=false", say("bye")},
	} {
		ask, diags := waiting(t, `, "respondToUserIntents": [{"type": "bye"}], "wantsToBeActivatedCondition": {"conditionType": "UnitTestCondition", "value": `+c.unit+`}`,
			func(cfg *behaviors.Config) {
				cfg.AddWantsCondition(condition.Func("coded", func(*condition.View) bool { return false }))
			})
		if diags != "" {
			t.Fatal(diags)
		}
		if why := ask(c.in); !strings.HasPrefix(why, c.want) {
			t.Errorf("%s, %v: %q, want %q", c.unit, c.in, why, c.want)
		}
	}
}

// What comes too late, or is nothing, is ignored.
// Rules: B-7, data/1.7g.
func TestLateAndEmptyWaitsAreIgnored(t *testing.T) {
	var late *behaviors.Config
	ask, diags := waiting(t, "", func(cfg *behaviors.Config) {
		late = cfg
		if cfg.AddWantsCondition(nil) {
			t.Error("nil was added")
		}
	})
	if diags != "" {
		t.Fatal(diags)
	}
	if late.WaitForIntent("hello") || late.WaitForIntentIf("hello", func(*condition.Intent) bool { return true }) ||
		late.WaitForWholeIntent("hello", nil) || late.AddWantsCondition(condition.True()) {
		t.Error("added after the instance was made")
	}
	if why := ask(nil); why != "" {
		t.Error(why)
	}
}

// alwaysStreamline: the class is told, and its hooks.
// Rules: data/1.4b.
func TestAlwaysStreamlineReachesTheClass(t *testing.T) {
	for keys, want := range map[string]bool{"": false, `, "alwaysStreamline": true`: true} {
		var got bool
		if _, diags := waiting(t, keys, func(cfg *behaviors.Config) { got = cfg.AlwaysStreamline() }); diags != "" || got != want {
			t.Errorf("%s: %v %s", keys, got, diags)
		}
	}
}

// grants is a port that agrees to everything.
type grants struct{}

func (grants) Do(r *behaviors.Request) { r.OK = true }

// A wants condition is active exactly while its behavior is in scope and not activated.
// Rules: T-18, B-11, B-12, data/3.1h.
func TestWantsConditionsAreActiveInScopeOnly(t *testing.T) {
	var gate *condition.UnitTest
	classes := behaviors.NewRegistry(behaviors.Class{Name: "Plain", New: func(cfg *behaviors.Config) behaviors.Behavior {
		gate = condition.NewUnitTest(true)
		cfg.AddWantsCondition(gate)
		return struct{}{}
	}})
	cat, diags := behaviortest.Catalog(t, "-- Base.json --\n{\"behaviorClass\": \"Plain\", \"behaviorID\": \"Base\"}\n", classes, catalog.Boot{Base: "Base", Fallback: "Base"})
	if cat == nil {
		t.Fatal(diags)
	}
	i := cat.Find("Base").New()
	c := behaviors.NewControl(i, grants{})
	view := &condition.View{World: &hardware.World{}, Now: time.Unix(1, 0)}
	for _, step := range []struct {
		hook   stack.Hook
		active bool
	}{
		{stack.HookInit, false},
		{stack.HookEnteredScope, true},
		{stack.HookActivated, false},
		{stack.HookDeactivated, true},
		{stack.HookActivated, false},
		{stack.HookDeactivated, true},
		{stack.HookLeftScope, false},
	} {
		i.Run(c, &behaviors.Invocation{Hook: step.hook, View: view})
		if active := condition.Found(gate).Active; active != step.active {
			t.Errorf("after %s: active %v", step.hook, active)
		}
	}
}

// A condition is evaluated when its behavior is asked, and at no other time: not in an Update, in scope or activated.
// Rules: T-16, data/3.1g.
func TestConditionsAreEvaluatedWhenAskedOnly(t *testing.T) {
	var gate *condition.UnitTest
	classes := behaviors.NewRegistry(behaviors.Class{Name: "Plain", New: func(cfg *behaviors.Config) behaviors.Behavior {
		gate = condition.NewUnitTest(true)
		cfg.AddWantsCondition(gate)
		return struct{}{}
	}})
	cat, diags := behaviortest.Catalog(t, "-- Base.json --\n{\"behaviorClass\": \"Plain\", \"behaviorID\": \"Base\"}\n", classes, catalog.Boot{Base: "Base", Fallback: "Base"})
	if cat == nil {
		t.Fatal(diags)
	}
	i := cat.Find("Base").New()
	c := behaviors.NewControl(i, grants{})
	view := &condition.View{World: &hardware.World{}, Now: time.Unix(1, 0)}
	for n, step := range []struct {
		hook stack.Hook
		want int // evaluations so far
	}{
		{stack.HookEnteredScope, 0},
		{stack.HookUpdate, 0},
		{stack.HookWants, 1},
		{stack.HookUpdate, 1},
		{stack.HookWants, 2},
		{stack.HookActivated, 2},
		{stack.HookUpdate, 2},
		{stack.HookDeactivated, 2},
		{stack.HookUpdate, 2},
		{stack.HookLeftScope, 2},
	} {
		i.Run(c, &behaviors.Invocation{Hook: step.hook, View: view})
		if gate.Evaluations != step.want {
			t.Errorf("step %d, after %s: %d evaluations, want %d", n, step.hook, gate.Evaluations, step.want)
		}
	}
}

// The reason of a no is that of its question: also when the view was used again, and when the behavior has left scope. A condition of
// another package is told by the name that it gives itself.
// Rules: data/3.5c, data/3.5d, data/3.5f.
func TestReasonOfANoStaysAsItWas(t *testing.T) {
	classes := behaviors.NewRegistry(behaviors.Class{Name: "Plain", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.AddWantsCondition(evening{})
		return struct{}{}
	}})
	cat, diags := behaviortest.Catalog(t, `-- Base.json --
{"behaviorClass": "Plain", "behaviorID": "Base", "wantsToBeActivatedCondition": {"conditionType": "BatteryLevel", "targetBatteryLevel": "Full"}}
`, classes, catalog.Boot{Base: "Base", Fallback: "Base"})
	if cat == nil {
		t.Fatal(diags)
	}
	i := cat.Find("Base").New()
	c := behaviors.NewControl(i, grants{})
	view := &condition.View{World: &hardware.World{}, Now: time.Unix(1, 0)}
	run := func(hook stack.Hook) { i.Run(c, &behaviors.Invocation{Hook: hook, View: view}) }
	for _, step := range []struct {
		level hardware.BatteryLevel
		want  string
	}{
		{hardware.BatteryLow, "BatteryLevel(Full)=false: level is Low"},
		{hardware.BatteryFull, "Evening=false: no explanation"},
		{hardware.BatteryNominal, "BatteryLevel(Full)=false: level is Nominal"},
	} {
		view.World.Body.Battery = step.level
		run(stack.HookEnteredScope)
		run(stack.HookWants)
		run(stack.HookLeftScope)
		*view.World, view.Tick = hardware.World{}, view.Tick+1
		if got := i.Why(); got != step.want {
			t.Errorf("got %q, want %q", got, step.want)
		}
	}
}

// evening is a condition of an author.
type evening struct{}

func (evening) SetActive(*condition.View, bool) {}
func (evening) Met(*condition.View) bool        { return false }
func (evening) String() string                  { return "Evening" }
