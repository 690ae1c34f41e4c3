package stack_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
)

// faultTree and faultTicks lead through every hook in every position: activation nested three deep, self-cancel in an
// activation and in an Update, pops of several layers, questions within questions, in-scope Updates that ask, a shared
// delegate, links, and an empty stack.
const faultTree = "R -> A X; A -> B X; B -> C; A ~> L"

var faultTicks = [][]string{
	{"R.Update: ask A; delegate A", "A.WantsToBeActivated: ask X; yes", "A.OnActivated: ask B; delegate B", "B.OnActivated: ask C; delegate C", "X.Update: ask L"},
	{"R.Update: cancel-delegates; ask X; delegate X", "X.OnActivated: cancel-self", "A.Update: ask L; ask X"},
	{"R.Update: ask A; delegate A", "A.Update: ask X; delegate X", "X.Update: cancel-self"},
	{"A.Update: cancel-self"},
	{"R.Update: cancel-self"},
	{"R.Update: ask X; delegate X"},
}

// withFault runs faultTicks with the failAt-th hook failing, before or after what it does, and reports what broke a rule.
func withFault(t *testing.T, failAt int, late bool) (c *checked, faults, replaced int, bad []string) {
	t.Helper()
	tree := stacktest.TreeOf(faultTree)
	c = &checked{failAt: failAt, late: late}
	build(t, tree, c)
	for _, lines := range append(slices.Clone(faultTicks), nil, nil) {
		s := stacktest.Scripts{}
		for _, line := range lines {
			if err := stacktest.ParseScript(line, s); err != nil {
				t.Fatal(err)
			}
		}
		c.tick(s)
		bad = append(bad, c.violations()...)
		bad = append(bad, stillOn(c)...)
	}
	calls := c.calls
	c.failAt = 0
	c.tick(nil) // recovers from what failed last
	c.calls = calls
	bad = append(bad, c.violations()...)
	for _, e := range c.all {
		switch e.Kind {
		case stack.EventFault:
			faults++
		case stack.EventReplaced:
			replaced++
		}
	}
	return c, faults, replaced, bad
}

// stillOn names lost behaviors whose layer was not popped.
func stillOn(c *checked) (bad []string) {
	for _, l := range c.Layers() {
		if l.Node().Broken() {
			bad = append(bad, l.Node().ID+" is broken and still on the stack")
		}
	}
	return bad
}

// TestFaultOfAnyHookIsRepaired loses an incarnation in each hook of faultTicks in turn. It is noted once, replaced once, no rule is
// broken in this tick or later, and the stack is in order again with the base at work.
func TestFaultOfAnyHookIsRepaired(t *testing.T) {
	whole, _, _, _ := withFault(t, 0, false)
	hooks := map[string]int{}
	for _, late := range []bool{false, true} {
		for at := 1; at <= whole.calls; at++ {
			c, faults, replaced, bad := withFault(t, at, late)
			what := fmt.Sprintf("hook %d, %v, after its script: %v", at, c.failed, late)
			hooks[c.failed.Hook]++
			if len(bad) > 0 {
				t.Fatalf("%s:\n%s", what, strings.Join(bad, "\n"))
			}
			if faults != 1 || replaced != 1 {
				t.Errorf("%s: %d faults, %d replacements", what, faults, replaced)
			}
			if c.Depth() == 0 || c.Layers()[0].Node().ID != "R" {
				t.Errorf("%s: the base is not at work: %s", what, c.State())
			}
		}
	}
	for h := stack.HookInit; h <= stack.HookLeftScope; h++ {
		if hooks[h.String()] < 2 {
			t.Errorf("%v failed %d times only: faultTicks does not reach it", h, hooks[h.String()])
		}
	}
	t.Logf("%d hooks, each failed twice: %v", whole.calls, hooks)
}

// A behavior whose Init fails every time does not keep Repair, or the tick, forever.
func TestRepairIsBounded(t *testing.T) {
	a, r := &stack.Node{ID: "A"}, &stack.Node{ID: "R"}
	r.SetDelegates([]*stack.Node{a}, nil)
	h := &stacktest.Host{Body: func(n *stack.Node, h stack.Hook) (bool, error) {
		if n == a && h == stack.HookInit {
			return false, stacktest.ErrScripted
		}
		return true, nil
	}}
	s := start(t, h, r, a)
	if !a.Broken() || s.Top() != r {
		t.Fatalf("A broken: %v, %s", a.Broken(), stacktest.State(s))
	}
	h.MaxFailures = 1 // the host's budget of failures ends it
	tick(s)
	if !a.Disabled() || a.Broken() {
		t.Fatalf("A disabled: %v, broken: %v", a.Disabled(), a.Broken())
	}
}
