package stack_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
)

// start makes a stack whose first node is the base, and runs its first tick.
func start(t testing.TB, h *stacktest.Host, nodes ...*stack.Node) *stack.Stack {
	t.Helper()
	if h.Body == nil {
		h.Body = func(*stack.Node, stack.Hook) (bool, error) { return true, nil }
	}
	s, err := stack.New(h, nodes)
	if err != nil {
		t.Fatal(err)
	}
	h.Stack = s
	s.Init()
	s.Configure(nodes[0])
	tick(s)
	return s
}

func tick(s *stack.Stack) {
	s.Begin(s.Tick() + 1)
	s.Walk()
	s.Scope()
	s.Repair()
}

// trio is R -> A B; A -> C.
func trio(t testing.TB) (s *stack.Stack, r, a, b, c *stack.Node) {
	r, a, b, c = &stack.Node{ID: "R"}, &stack.Node{ID: "A"}, &stack.Node{ID: "B"}, &stack.Node{ID: "C"}
	r.SetDelegates([]*stack.Node{a, b}, nil)
	a.SetDelegates([]*stack.Node{c}, nil)
	return start(t, &stacktest.Host{}, r, a, b, c), r, a, b, c
}

func push(t testing.TB, s *stack.Stack, by, to *stack.Node) {
	t.Helper()
	if wants, refusal := s.Ask(by, to); !wants || refusal != nil {
		t.Fatalf("%s does not want: %v", to.ID, refusal)
	}
	if refusal := s.Delegate(by, to); refusal != nil {
		t.Fatal(refusal)
	}
}

// Rules: L-10, 7/5.
func TestSnapshotOutlivesNewDelegates(t *testing.T) {
	s, r, a, b, c := trio(t)
	push(t, s, r, a)
	a.SetDelegates([]*stack.Node{b}, nil)
	tick(s)
	if wants, refusal := s.Ask(a, c); !wants || refusal != nil {
		t.Fatalf("C left scope: %v", refusal)
	}
	s.CancelDelegates(r)
	if c.Count() != 0 || b.Count() != 1 {
		t.Errorf("after the pop C counts %d, B %d", c.Count(), b.Count())
	}
	push(t, s, r, a)
	if c.Count() != 0 || b.Count() != 2 {
		t.Errorf("after the next push C counts %d, B %d", c.Count(), b.Count())
	}
}

// The layer that is pushed decides who may be delegated to, and who left with a link leaves by it, whatever the lists say now.
// Rules: L-10.
func TestLayerDecidesAfterTheListsChange(t *testing.T) {
	s, r, a, b, c := trio(t)
	push(t, s, r, a)
	r.SetDelegates([]*stack.Node{a}, nil)
	a.SetDelegates([]*stack.Node{b}, []*stack.Node{b})
	if wants, refusal := s.Ask(a, b); !wants || refusal != nil {
		t.Fatal(refusal)
	}
	if refusal := s.Delegate(a, b); refusal == nil || refusal.Reason != stack.NotADelegate {
		t.Errorf("B is no delegate of the layer of A, but %v", refusal)
	}
	push(t, s, a, c)
	s.CancelDelegates(a)
	if s.CancelSelf(a); b.Count() != 1 || c.Count() != 0 || !s.InControl(r) {
		t.Errorf("B counts %d, C %d", b.Count(), c.Count())
	}
	push(t, s, r, b) // R lists it no more, and its layer does
	tick(s)
	if bad := s.Violations(); len(bad) > 0 {
		t.Error(bad)
	}
}

// While OnDeactivated runs the behavior is still the top, at its depth, and is gone when the next hook runs.
// Rules: L-11, L-12, L-13.
func TestDeactivatedBehaviorIsStillTheTop(t *testing.T) {
	r, a, b := &stack.Node{ID: "R"}, &stack.Node{ID: "A"}, &stack.Node{ID: "B"}
	r.SetDelegates([]*stack.Node{a}, nil)
	a.SetDelegates([]*stack.Node{b}, nil)
	h, ended := &stacktest.Host{}, []string{}
	h.Body = func(n *stack.Node, hook stack.Hook) (bool, error) {
		if hook == stack.HookDeactivated {
			top := h.Stack.Top()
			ended = append(ended, fmt.Sprint(n.ID, " ends, top ", top.ID, ", ", h.Stack.Depth(), " layers"))
		}
		return true, nil
	}
	s := start(t, h, r, a, b)
	push(t, s, r, a)
	push(t, s, a, b)
	s.CancelDelegates(r)
	if want := []string{"B ends, top B, 3 layers", "A ends, top A, 2 layers"}; !slices.Equal(ended, want) {
		t.Errorf("%q, want %q", ended, want)
	}
}

// In scope is what a layer lists or links to, the root's included, once, by ID, and without what is on the stack.
// Rules: L-19.
func TestScopeLeavesOutWhatIsOnTheStack(t *testing.T) {
	r, a, b, l, x := &stack.Node{ID: "R"}, &stack.Node{ID: "A"}, &stack.Node{ID: "B"}, &stack.Node{ID: "L"}, &stack.Node{ID: "X"}
	r.SetDelegates([]*stack.Node{b, a}, nil)
	a.SetDelegates([]*stack.Node{b}, []*stack.Node{l})
	s := start(t, &stacktest.Host{}, r, a, b, l, x)
	want := func(ids ...string) {
		t.Helper()
		var got []string
		s.EachInScope(func(n *stack.Node) { got = append(got, n.ID) })
		if !slices.Equal(got, ids) || s.ScopeSize() != len(ids) {
			t.Errorf("in scope %q, %d of them, want %q", got, s.ScopeSize(), ids)
		}
	}
	want("A", "B", "L")
	push(t, s, r, a)
	want("B", "L")
	push(t, s, a, b)
	want("L")
	s.CancelDelegates(r)
	want("A", "B", "L")
	s.CancelSelf(r)
	want("R") // the root's layer is open until Repair
}

// Rules: L-39, B-19, Q-4.
func TestOutstandingActionTakesControlAway(t *testing.T) {
	s, r, a, b, _ := trio(t)
	push(t, s, r, a)
	a.SetBusy(true)
	if s.InControl(a) || !s.IsControlDelegated(a) || !s.IsControlDelegated(r) || s.IsControlDelegated(b) {
		t.Error("only A and R have delegated control")
	}
	if s.DelegatedTo(a) != nil {
		t.Error("an action is no behavior delegated to")
	}
	s.Ask(a, s.Find("C"))
	if refusal := s.Delegate(a, s.Find("C")); refusal == nil || refusal.Reason != stack.NotInControl {
		t.Errorf("A delegated twice: %v", refusal)
	}
	if cancelled, _ := s.CancelDelegates(r); !cancelled || a.Busy() {
		t.Error("the pop of A did not end its claim")
	}
}

// Rules: L-38, L-39.
func TestNeighborsAndOrderOnStack(t *testing.T) {
	s, r, a, b, c := trio(t)
	push(t, s, r, a)
	push(t, s, a, c)
	if s.DelegatedTo(r) != a || s.DelegatedTo(a) != c || s.DelegatedTo(c) != nil || s.DelegatedTo(b) != nil {
		t.Error("delegated to: next entry or none")
	}
	if s.DelegatedFrom(c) != a || s.DelegatedFrom(r) != nil || s.DelegatedFrom(b) != nil {
		t.Error("delegated from: previous entry or none")
	}
	for _, fromTop := range []bool{false, true} {
		var got []string
		s.Each(fromTop, nil, func(n *stack.Node) bool {
			got = append(got, n.ID)
			return n != a
		})
		if want := map[bool][]string{false: {"R", "A"}, true: {"C", "A"}}[fromTop]; !slices.Equal(got, want) {
			t.Errorf("from the top %v: %v, want %v", fromTop, got, want)
		}
		for from, want := range map[*stack.Node][]string{
			a: map[bool][]string{false: {"A", "C"}, true: {"A", "R"}}[fromTop], b: nil,
		} {
			got = nil
			s.Each(fromTop, from, func(n *stack.Node) bool {
				got = append(got, n.ID)
				return true
			})
			if !slices.Equal(got, want) {
				t.Errorf("from the top %v, beginning at %s: %v, want %v", fromTop, from.ID, got, want)
			}
		}
	}
}

// Rules: L-40, 7/31.
func TestChangedIgnoresStartAndReset(t *testing.T) {
	s, r, a, _, _ := trio(t)
	if s.Changed() != 0 {
		t.Error("the start counts as a change")
	}
	tick(s)
	push(t, s, r, a)
	if s.Changed() != 2 {
		t.Errorf("delegation in tick 2, changed in %d", s.Changed())
	}
	tick(s)
	s.CancelDelegates(a)
	if s.Changed() != 2 {
		t.Error("a cancel that popped nothing counts")
	}
	s.CancelDelegates(r)
	if s.Changed() != 3 {
		t.Error("a cancel does not count")
	}
	tick(s)
	push(t, s, r, a)
	for _, reset := range []func() *stack.Refusal{
		func() *stack.Refusal { return s.ResetNow(r) },
		func() *stack.Refusal { return s.ResetNext(r) },
	} {
		stamped := s.Changed()
		if s.Tick() != stamped {
			t.Errorf("tick %d, changed in %d", s.Tick(), stamped)
		}
		tick(s) // in the tick of a change a reset that counts would not show
		if refusal := reset(); refusal != nil || s.Changed() != stamped {
			t.Errorf("%v: a reset in tick %d counts as a change", refusal, s.Tick())
		}
		tick(s)
		if s.Changed() != stamped {
			t.Errorf("the start in tick %d counts as a change", s.Tick())
		}
		push(t, s, r, a)
	}
	if refusal := s.CancelSelf(r); refusal != nil || s.Changed() != s.Tick() {
		t.Errorf("cancel-self: %v, changed in %d", refusal, s.Changed())
	}
}

// The root may delegate on an empty stack only.
// Rules: L-30, 6.2/TestDelegationVariants.
func TestRootDelegatesOnTheEmptyStackOnly(t *testing.T) {
	s, r, a, _, _ := trio(t)
	if refusal := s.Delegate(nil, r); refusal == nil || refusal.Reason != stack.NotInControl {
		t.Errorf("root on a full stack: %v", refusal)
	}
	s.CancelSelf(r)
	if s.Depth() != 0 {
		t.Fatal("not empty")
	}
	push(t, s, nil, r)
	push(t, s, r, a)
	if got := stacktest.State(s); got != "stack: R A; scope: B C" {
		t.Error(got)
	}
}

// Of fifty behaviors in a chain, all but the last have delegated control.
// Rules: 6.2/TestDelegationVariants, DT-B09.
func TestOnlyLastOfFiftyIsInControl(t *testing.T) {
	nodes := chain(51)
	s := start(t, &stacktest.Host{}, nodes...)
	for i := 1; i < len(nodes); i++ {
		push(t, s, nodes[i-1], nodes[i])
		for j := range i + 1 {
			if s.IsControlDelegated(nodes[j]) != (j < i) {
				t.Fatalf("%d on the stack: %s delegated: %v", i, nodes[j].ID, j == i)
			}
		}
	}
	if refusal := s.CancelSelf(nodes[0]); refusal != nil || s.Depth() != 0 {
		t.Errorf("depth %d, %v", s.Depth(), refusal)
	}
}

// Rules: T-10, goal/M3.
func TestNudgeWakesAnIdleBehaviorOnce(t *testing.T) {
	calls := 0
	host := &stacktest.Host{Body: func(*stack.Node, stack.Hook) (bool, error) { calls++; return true, nil }}
	r, a := &stack.Node{ID: "R"}, &stack.Node{ID: "A"}
	r.SetDelegates([]*stack.Node{a}, nil)
	s := start(t, host, r, a)
	calls = 0
	tick(s)
	if calls != 1 {
		t.Errorf("%d calls, want the one of R", calls)
	}
	a.Nudge()
	tick(s)
	tick(s)
	if calls != 4 {
		t.Errorf("%d calls, want R, R and A, R", calls)
	}
}

// Rules: L-6.
func TestDelegationIsHiddenWhileQuestionIsAnswered(t *testing.T) {
	var s *stack.Stack
	asked := 0
	r, a, c := &stack.Node{ID: "R"}, &stack.Node{ID: "A"}, &stack.Node{ID: "C"}
	r.SetDelegates([]*stack.Node{a}, nil)
	a.SetDelegates([]*stack.Node{c}, nil)
	s = start(t, &stacktest.Host{Body: func(n *stack.Node, h stack.Hook) (bool, error) {
		if n == c && h == stack.HookWants {
			asked++
			if s.IsControlDelegated(r) || s.InControl(a) || !s.Asking() {
				t.Error("delegation is not hidden from R and A while C is asked")
			}
		}
		return true, nil
	}}, r, a, c)
	push(t, s, r, a)
	s.Ask(a, c)
	if asked != 1 || !s.IsControlDelegated(r) || !s.InControl(a) {
		t.Errorf("asked %d times; after the answer delegation is still hidden", asked)
	}
}

// chain makes n behaviors of which each may delegate to the next.
func chain(n int) []*stack.Node {
	nodes := make([]*stack.Node, n)
	for i := range nodes {
		nodes[i] = &stack.Node{ID: string(rune('a'+i/26)) + string(rune('a'+i%26))}
	}
	for i := 1; i < n; i++ {
		_ = nodes[i-1].SetDelegates([]*stack.Node{nodes[i]}, nil)
	}
	return nodes
}
