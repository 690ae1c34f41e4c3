package behaviors_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// refuser says no, and may say why.
type refuser func(c *behaviors.Control)

func (r refuser) WantsToBeActivated(c *behaviors.Control) bool {
	r(c)
	return false
}

// asking makes an instance of a class that says no, and a function that runs one of its hooks.
func asking(t *testing.T, because func(c *behaviors.Control)) (i *behaviors.Instance, run func(stack.Hook)) {
	t.Helper()
	classes := behaviors.NewRegistry(behaviors.Class{Name: "Refuser", New: func(*behaviors.Config) behaviors.Behavior { return refuser(because) }})
	cat, diags := behaviortest.Catalog(t, "-- Base.json --\n{\"behaviorClass\": \"Refuser\", \"behaviorID\": \"Base\"}\n",
		classes, catalog.Boot{Base: "Base", Fallback: "Base"})
	if cat == nil {
		t.Fatal(diags)
	}
	i = cat.Find("Base").New()
	c := behaviors.NewControl(i, nil)
	inv := &behaviors.Invocation{View: &condition.View{World: &hardware.World{}, Now: time.Unix(1000, 0)}}
	return i, func(h stack.Hook) {
		inv.Hook = h
		i.Run(c, inv)
	}
}

// Whatever a class may pass is put into words; a time is its distance from the question, before or after it.
// Rules: Q-15.
func TestReasonOfClassIsTold(t *testing.T) {
	for _, c := range []struct {
		want    string
		because func(c *behaviors.Control)
	}{
		{"Refuser.WantsToBeActivated returned false", func(*behaviors.Control) {}},
		{"tired", func(c *behaviors.Control) { c.Because("tired") }},
		{"the newest", func(c *behaviors.Control) { c.Because("the first"); c.Because("the newest") }},
		{"Ada 40 s ago, again in 80 s", func(c *behaviors.Control) {
			c.Because("%v %v ago, again in %v", "Ada", c.Now().Add(-40*time.Second), c.Now().Add(80*time.Second))
		}},
		{"3 of -4, 2.50, true", func(c *behaviors.Control) { c.Because("%d of %d, %.2f, %v", 3, int64(-4), 2.5, true) }},
		{"for 2.5 s", func(c *behaviors.Control) { c.Because("for %v", 2512*time.Millisecond) }},
		{"7 8", func(c *behaviors.Control) { c.Because("%v %v", int32(7), uint64(8)) }},
		{"is (a value of another type)", func(c *behaviors.Control) { c.Because("is %v", hardware.BatteryLow) }},
		{"1 2 3 4", func(c *behaviors.Control) { c.Because("%v %v %v %v", 1, 2, 3, 4, 5) }},
	} {
		i, run := asking(t, c.because)
		run(stack.HookWants)
		if got := i.Why(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A reason belongs to one answer: an answer without one has none of an earlier answer, and other hooks give none.
// Rules: Q-15.
func TestReasonBelongsToItsAnswer(t *testing.T) {
	var reason string
	i, run := asking(t, func(c *behaviors.Control) {
		if reason != "" {
			c.Because("%v", reason)
		}
	})
	const silent = "Refuser.WantsToBeActivated returned false"
	for _, step := range []struct{ reason, want string }{{"one", "one"}, {"", silent}, {"two", "two"}} {
		reason = step.reason
		run(stack.HookWants)
		if got := i.Why(); got != step.want {
			t.Errorf("reason %q: got %q, want %q", step.reason, got, step.want)
		}
	}
}

// A reason outside of an answer is dropped.
// Rules: Q-15.
func TestReasonOutsideOfAnswerIsDropped(t *testing.T) {
	var say func()
	i, run := asking(t, func(c *behaviors.Control) { say = func() { c.Because("too late") } })
	run(stack.HookWants)
	run(stack.HookEnteredScope) // the Control is in another hook now
	say()
	if got, want := i.Why(), "Refuser.WantsToBeActivated returned false"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Rules: Q-15.
func TestReasonAllocatesNothing(t *testing.T) {
	name, n := "Ada", 1000
	_, run := asking(t, func(c *behaviors.Control) {
		n++
		c.Because("%v was greeted %v ago, again in %v, %v times", name[:n%3], c.Now().Add(-time.Duration(n)), time.Duration(n), n)
	})
	run(stack.HookWants)
	if got := testing.AllocsPerRun(100, func() { run(stack.HookWants) }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}
