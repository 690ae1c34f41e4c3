package stack_test

import (
	"strconv"
	"testing"

	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
)

// refused compares the refusal of a request and finds it among the events.
func refused(t *testing.T, s *stack.Stack, got *stack.Refusal, want stack.Reason) {
	t.Helper()
	if got == nil || got.Reason != want {
		t.Fatalf("got %v, want %v", got, want)
	}
	events := s.TakeEvents(nil)
	if len(events) == 0 || events[len(events)-1].String() != got.Error() {
		t.Errorf("%v is not among the events %v", got, events)
	}
}

// Each mistake of the owner of the stack is refused with its reason, in every build, and changes nothing.
// Rules: M-1, M-4, M-10.
func TestOwnersMistakesAreRefused(t *testing.T) {
	s, r, a, _, _ := trio(t)
	push(t, s, r, a)
	before := stacktest.State(s)
	foreign := &stack.Node{ID: "A"}
	for name, c := range map[string]struct {
		do   func() *stack.Refusal
		want stack.Reason
	}{
		"M-1 Init twice":               {s.Init, stack.AlreadyInitialized},
		"M-10 configured twice":        {func() *stack.Refusal { return s.Configure(r) }, stack.AlreadyConfigured},
		"M-4 a tick twice":             {func() *stack.Refusal { return s.Begin(s.Tick()) }, stack.OutOfOrder},
		"M-4 walk between ticks":       {s.Walk, stack.OutOfOrder},
		"M-4 in-scope pass between":    {s.Scope, stack.OutOfOrder},
		"reset to nothing":             {func() *stack.Refusal { return s.ResetNow(nil) }, stack.NoTarget},
		"reset to nothing later":       {func() *stack.Refusal { return s.ResetNext(nil) }, stack.NoTarget},
		"reset to a foreign behavior":  {func() *stack.Refusal { return s.ResetNow(foreign) }, stack.NoTarget},
		"M-14 delegate to a foreigner": {func() *stack.Refusal { return s.Delegate(a, foreign) }, stack.NotADelegate},
		"ask a foreigner":              {func() *stack.Refusal { _, no := s.Ask(a, foreign); return no }, stack.NotInScope},
	} {
		t.Run(name, func(t *testing.T) {
			s.TakeEvents(nil)
			refused(t, s, c.do(), c.want)
			if now := stacktest.State(s); now != before {
				t.Errorf("it changed %q to %q", before, now)
			}
		})
	}
	tick(s)
	if bad := s.Violations(); len(bad) > 0 {
		t.Error(bad)
	}
}

// The passes of a tick run once, in their order; anything else is refused.
// Rules: M-3, M-4.
func TestPassesOutOfOrderAreRefused(t *testing.T) {
	s, _, _, _, _ := trio(t)
	refusal := func(what string, got *stack.Refusal, want stack.Reason) {
		t.Helper()
		if got == nil && want != 0 || got != nil && got.Reason != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	refusal("begin", s.Begin(s.Tick()+1), 0)
	refusal("scope before walk", s.Scope(), stack.OutOfOrder)
	refusal("walk", s.Walk(), 0)
	refusal("second walk", s.Walk(), stack.OutOfOrder)
	refusal("scope", s.Scope(), 0)
	refusal("second scope", s.Scope(), stack.OutOfOrder)
}

// A tick is refused before Init and without a base.
// Rules: M-2, M-10, M-11.
func TestTicksNeedInitAndBase(t *testing.T) {
	s := single(t)
	refused(t, s, s.Begin(1), stack.Uninitialized)
	s.Init()
	refused(t, s, s.Begin(1), stack.NotConfigured)
	refused(t, s, s.Configure(nil), stack.NoTarget)
	refused(t, s, s.Configure(&stack.Node{ID: "R"}), stack.NoTarget)
	if s.Configure(s.Find("R")) != nil || s.Begin(1) != nil || s.Top() == nil {
		t.Error("the stack does not start")
	}
	s.Shutdown()
	refused(t, s, s.Begin(2), stack.NotConfigured)
}

// The requests of the owner are refused inside a hook, because they would change the stack while the hook runs.
// Rules: L-27.
func TestOwnersRequestsInsideHookAreRefused(t *testing.T) {
	var s *stack.Stack
	r := &stack.Node{ID: "R", Updates: true}
	tried := 0
	body := func(n *stack.Node, h stack.Hook) (bool, error) {
		if h == stack.HookUpdate {
			tried++
			refused(t, s, s.ResetNow(n), stack.InsideHook)
			refused(t, s, s.Begin(s.Tick()+1), stack.InsideHook)
			refused(t, s, s.Walk(), stack.InsideHook)
			refused(t, s, s.Scope(), stack.InsideHook)
			refused(t, s, s.Repair(), stack.InsideHook)
			refused(t, s, s.Shutdown(), stack.InsideHook)
			if no := s.ResetNext(n); no != nil {
				t.Error(no)
			}
		}
		return true, nil
	}
	s, err := stack.New(&stacktest.Host{Body: body}, []*stack.Node{r})
	if err != nil {
		t.Fatal(err)
	}
	s.Init()
	s.Configure(r)
	tick(s)
	if tried != 1 || s.Top() != r {
		t.Fatalf("tried %d times", tried)
	}
	s.TakeEvents(nil)
	s.Begin(s.Tick() + 1)
	if e := s.TakeEvents(nil); len(e) == 0 || e[0].Kind != stack.EventReset {
		t.Errorf("the reset for the next tick did not come: %v", e)
	}
}

// ResetNow forgets a reset that waited; the newest reset counts.
// Rules: L-26, L-27.
func TestResetNowForgetsPendingReset(t *testing.T) {
	s, r, a, _, _ := trio(t)
	s.ResetNext(a)
	s.ResetNow(r)
	tick(s)
	if s.Base() != r {
		t.Errorf("the base is %s", s.Base().ID)
	}
}

// A set of delegates that contains nil or a behavior of another stack is refused, and so is a stack of such behaviors.
// Rules: M-22, M-23.
func TestInvalidDelegateSetsAreRefused(t *testing.T) {
	_, _, a, b, _ := trio(t)
	for _, bad := range [][]*stack.Node{{nil}, {b, {ID: "Z"}}} {
		if a.SetDelegates(bad, nil) == nil || a.SetDelegates(nil, bad) == nil {
			t.Error("accepted")
		}
		if len(a.Delegates()) != 1 {
			t.Errorf("%d delegates after a refusal", len(a.Delegates()))
		}
	}
	lists := &stack.Node{ID: "L"}
	if err := lists.SetDelegates([]*stack.Node{{ID: "Z"}}, nil); err != nil {
		t.Fatal(err)
	}
	many := make([]*stack.Node, 4097)
	for i := range many {
		many[i] = &stack.Node{ID: strconv.Itoa(i)}
	}
	for name, nodes := range map[string][]*stack.Node{
		"nothing": {nil}, "a delegate outside": {lists}, "of another stack": {a}, "too many": many, "twice the same ID": {{ID: "R"}, {ID: "R"}},
	} {
		if _, err := stack.New(&stacktest.Host{}, nodes); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
