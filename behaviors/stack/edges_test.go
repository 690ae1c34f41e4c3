package stack_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
)

// A stack takes 4096 behaviors and no more.
// Rules: M-23.
func TestStackTakesAsManyBehaviorsAsItSays(t *testing.T) {
	for n, fits := range map[int]bool{4096: true, 4097: false} {
		nodes := make([]*stack.Node, n)
		for i := range nodes {
			nodes[i] = &stack.Node{ID: fmt.Sprintf("N%04d", i)}
		}
		if _, err := stack.New(&stacktest.Host{}, nodes); (err == nil) != fits {
			t.Errorf("%d behaviors: %v", n, err)
		}
	}
}

// Questions nest 64 deep; the next one is refused, and Asking says while they are answered that they are.
// Rules: L-6, M-23.
func TestQuestionsNestToTheLimit(t *testing.T) {
	r := &stack.Node{ID: "R"}
	nodes := []*stack.Node{r}
	for i := range 70 {
		nodes = append(nodes, &stack.Node{ID: fmt.Sprintf("N%02d", i)})
	}
	r.SetDelegates(nodes[1:], nil)
	h := &stacktest.Host{}
	deepest := 0
	var last *stack.Refusal
	h.Body = func(n *stack.Node, hook stack.Hook) (bool, error) {
		if i := slices.Index(nodes, n); hook == stack.HookWants && i > 0 {
			deepest = i
			if !h.Stack.Asking() {
				t.Errorf("%s is asked, and nobody is", n.ID)
			}
			if _, refusal := h.Stack.Ask(n, nodes[i+1]); refusal != nil {
				last = refusal
			}
		}
		return true, nil
	}
	s := start(t, h, nodes...)
	s.Ask(r, nodes[1])
	if deepest != 64 || last == nil || last.Reason != stack.TooDeep || last.To != nodes[65].ID {
		t.Errorf("%d deep, %v", deepest, last)
	}
	if s.Asking() {
		t.Error("all have answered, and somebody is asked")
	}
}

// Every push and every pop moves the stack on.
func TestMovesCountsPushesAndPops(t *testing.T) {
	s, r, a, _, c := trio(t)
	want := func(n uint64) {
		t.Helper()
		if got := s.Moves(); got != n {
			t.Errorf("%d moves, want %d", got, n)
		}
	}
	want(1)
	push(t, s, r, a)
	push(t, s, a, c)
	want(3)
	s.CancelDelegates(r)
	want(5)
}

// What is not on the stack has no place on it.
// Rules: L-39.
func TestIndexOfWhatIsNotOnTheStack(t *testing.T) {
	s, r, a, b, c := trio(t)
	push(t, s, r, a)
	for n, want := range map[*stack.Node]int{r: 0, a: 1, b: -1, c: -1, nil: -1} {
		if got := s.Index(n); got != want {
			t.Errorf("%v stands at %d, want %d", n, got, want)
		}
	}
}

// Several behaviors own others, and what a behavior owns is initialized right before it.
// Rules: B-6.
func TestOwnedBehaviorsAreInitializedBeforeEachOwner(t *testing.T) {
	a, a1, b, b1 := &stack.Node{ID: "A"}, &stack.Node{ID: "X"}, &stack.Node{ID: "B"}, &stack.Node{ID: "W"}
	var order []string
	h := &stacktest.Host{Body: func(n *stack.Node, _ stack.Hook) (bool, error) {
		order = append(order, n.ID)
		return true, nil
	}}
	s, err := stack.New(h, []*stack.Node{a, a1, b, b1})
	if err != nil {
		t.Fatal(err)
	}
	s.SetOwned(a, []*stack.Node{a1})
	s.SetOwned(b, []*stack.Node{b1})
	s.Init()
	if want := []string{"X", "A", "W", "B"}; !slices.Equal(order, want) {
		t.Errorf("initialized %q, want %q", order, want)
	}
}

// A pass runs once, after Begin or the pass before it, and in no hook.
// Rules: T-3, M-11.
func TestPassesAreRefusedOutOfTurn(t *testing.T) {
	r, a := &stack.Node{ID: "R"}, &stack.Node{ID: "A", Updates: true}
	r.SetDelegates([]*stack.Node{a}, nil)
	h := &stacktest.Host{}
	inside := map[string]stack.Reason{}
	h.Body = func(n *stack.Node, hook stack.Hook) (bool, error) {
		for name, pass := range map[string]func() *stack.Refusal{"walk": h.Stack.Walk, "scope": h.Stack.Scope, "repair": h.Stack.Repair, "shutdown": h.Stack.Shutdown} {
			refusal := pass()
			if refusal == nil {
				t.Fatalf("%s ran in %s of %s", name, hook, n.ID)
			}
			inside[name] = refusal.Reason
		}
		return true, nil
	}
	s, err := stack.New(h, []*stack.Node{r, a})
	if err != nil {
		t.Fatal(err)
	}
	h.Stack = s
	s.Init()
	s.Configure(r)
	for name, pass := range map[string]func() *stack.Refusal{"walk": s.Walk, "scope": s.Scope} {
		if refusal := pass(); refusal == nil || refusal.Reason != stack.OutOfOrder {
			t.Errorf("%s before Begin: %v", name, refusal)
		}
	}
	tick(s)
	for name, why := range inside {
		if why != stack.InsideHook {
			t.Errorf("%s in a hook: %s", name, why)
		}
	}
	if len(inside) != 4 || s.Depth() != 1 {
		t.Errorf("%d passes, %d layers", len(inside), s.Depth())
	}
}

// A resumed activation is told from an ordinary one.
// Rules: Q-13.
func TestResumedActivationSaysSo(t *testing.T) {
	for text, want := range map[string]string{"": "A.activated", stack.Resumed: "A.activated (resumed)"} {
		if got := (stack.Event{Kind: stack.EventActivated, ID: "A", Text: text}).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The lists for metrics have each of their members once, from the first to the last, and the words of a refusal tell whose request it
// was.
// Rules: M-12.
func TestListsOfRequestsAndReasonsAreComplete(t *testing.T) {
	all := stack.Facilities()
	if first, last := all[0], all[len(all)-1]; first != stack.OpProfile || int(last) != stack.Ops-1 || len(all) != stack.Ops-int(stack.OpProfile) {
		t.Errorf("facilities %v", all)
	}
	for list, ends := range map[string][2]stack.Reason{
		fmt.Sprint(stack.Reasons()):      {stack.NotInControl, stack.InsideHook},
		fmt.Sprint(stack.Mistakes()[4:]): {stack.AlreadySet, stack.EmptyName},
	} {
		var want []stack.Reason
		for r := ends[0]; r < ends[1]; r++ {
			want = append(want, r)
		}
		if want = append(want, ends[1]); list != fmt.Sprint(want) {
			t.Errorf("%s, want %v", list, want)
		}
	}
	for op, want := range map[stack.Op]string{
		stack.OpAct: "stack: A cannot act with B: not_asked", stack.OpInit: "stack: cannot initialize B: not_asked",
		stack.OpShutdown: "stack: cannot shut down B: not_asked", stack.OpProfile: "behaviors: A: motion profile B: not_asked",
	} {
		if got := (&stack.Refusal{Op: op, By: "A", To: "B", Reason: stack.NotAsked}).Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
