package stack_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
)

// refusals reaches each reason. The owner of the stack decides on Stale, Stopping and Unsupported, and no sequence of requests reaches
// NotTop; these four are recorded through Refuse.
var refusals = map[stack.Reason]func(t *testing.T) (*stack.Stack, *stack.Refusal){
	stack.NotInControl: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, r, a, b, _ := trio(t)
		push(t, s, r, a)
		return s, s.Delegate(r, b)
	},
	stack.NotActivated: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, _, a, _, c := trio(t)
		return s, s.Delegate(a, c)
	},
	stack.NoTarget: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, r, _, _, _ := trio(t)
		return s, s.Delegate(r, nil)
	},
	stack.NotADelegate: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, r, _, _, c := trio(t)
		return s, s.Delegate(r, c)
	},
	stack.NotAsked: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, r, a, _, _ := trio(t)
		return s, s.Delegate(r, a)
	},
	stack.Declined: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, r, a := pair(t, func(n *stack.Node, h stack.Hook) (bool, error) { return n.ID == "R", nil })
		s.Ask(r, a)
		return s, s.Delegate(r, a)
	},
	stack.AlreadyActivated: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, r, a, _, _ := trio(t)
		push(t, s, r, a)
		_, refusal := s.Ask(r, a)
		return s, refusal
	},
	stack.NotInScope: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, r, _, _, c := trio(t)
		_, refusal := s.Ask(r, c)
		return s, refusal
	},
	stack.Hidden: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		var s *stack.Stack
		var refusal *stack.Refusal
		s, r, a := pair(t, func(n *stack.Node, h stack.Hook) (bool, error) {
			if n.ID == "A" && h == stack.HookWants {
				refusal = s.CancelSelf(s.Top())
			}
			return true, nil
		})
		s.Ask(r, a)
		return s, refusal
	},
	stack.Cycle: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, r, a, _, _ := trio(t)
		a.SetDelegates([]*stack.Node{r}, nil)
		s.Ask(r, a)
		return s, s.Delegate(r, a)
	},
	stack.TooDeep: func(t *testing.T) (*stack.Stack, *stack.Refusal) { // the limit is 64
		nodes := chain(65)
		s := start(t, &stacktest.Host{}, nodes...)
		for i := 1; i < 64; i++ {
			push(t, s, nodes[i-1], nodes[i])
		}
		s.Ask(nodes[63], nodes[64])
		return s, s.Delegate(nodes[63], nodes[64])
	},
	stack.Faulted: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, r, a := pair(t, failing("A", stack.HookActivated))
		s.Ask(r, a)
		return s, s.Delegate(r, a)
	},
	stack.Broken: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, r, a := pair(t, failing("A", stack.HookWants))
		s.Ask(r, a)
		return s, s.Delegate(r, a)
	},
	stack.Disabled: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, r, a := pair(t, failing("A", stack.HookInit)) // its second Init fails too
		_, refusal := s.Ask(r, a)
		return s, refusal
	},
	stack.NotOnStack: func(t *testing.T) (*stack.Stack, *stack.Refusal) { // M-40
		s, _, _, _, _ := trio(t)
		cancelled, refusal := s.CancelDelegates(nil)
		if cancelled || s.Depth() != 1 {
			t.Error("a cancel without a requester changed the stack")
		}
		return s, refusal
	},
	stack.NotTop:      recorded(stack.OpCancelSelf, stack.NotTop),
	stack.Stale:       recorded(stack.OpDelegate, stack.Stale),
	stack.Stopping:    recorded(stack.OpAct, stack.Stopping),
	stack.Unsupported: recorded(stack.OpAsk, stack.Unsupported),
	stack.AlreadyInitialized: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, _, _, _, _ := trio(t)
		return s, s.Init()
	},
	stack.Uninitialized: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s := single(t)
		return s, s.Begin(1)
	},
	stack.AlreadyConfigured: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, r, _, _, _ := trio(t)
		return s, s.Configure(r)
	},
	stack.NotConfigured: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s := single(t)
		s.Init()
		return s, s.Begin(1)
	},
	stack.OutOfOrder: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, _, _, _, _ := trio(t)
		return s, s.Walk()
	},
	stack.InsideHook: func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		var s *stack.Stack
		var refusal *stack.Refusal
		s, r, a := pair(t, func(n *stack.Node, h stack.Hook) (bool, error) {
			if n.ID == "A" && h == stack.HookWants {
				refusal = s.Walk()
			}
			return true, nil
		})
		s.Ask(r, a)
		return s, refusal
	},
}

// single is a stack of one behavior, before its Init.
func single(t *testing.T) *stack.Stack {
	t.Helper()
	s, err := stack.New(&stacktest.Host{Body: func(*stack.Node, stack.Hook) (bool, error) { return true, nil }}, []*stack.Node{{ID: "R"}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func recorded(op stack.Op, why stack.Reason) func(t *testing.T) (*stack.Stack, *stack.Refusal) {
	return func(t *testing.T) (*stack.Stack, *stack.Refusal) {
		s, r, a, _, _ := trio(t)
		return s, s.Refuse(op, r, a, why)
	}
}

// pair is R -> A with hooks.
func pair(t *testing.T, body func(*stack.Node, stack.Hook) (bool, error)) (s *stack.Stack, r, a *stack.Node) {
	r, a = &stack.Node{ID: "R"}, &stack.Node{ID: "A"}
	r.SetDelegates([]*stack.Node{a}, nil)
	return start(t, &stacktest.Host{Body: body, MaxFailures: 1}, r, a), r, a
}

func failing(id string, hook stack.Hook) func(*stack.Node, stack.Hook) (bool, error) {
	return func(n *stack.Node, h stack.Hook) (bool, error) {
		if n.ID == id && h == hook {
			return false, stacktest.ErrScripted
		}
		return true, nil
	}
}

// TestEveryReasonIsReached reaches each reason of a refusal, and finds it in the returned error and in the newest event.
// Rules: M-18, M-40.
func TestEveryReasonIsReached(t *testing.T) {
	for _, why := range stack.Reasons() {
		reach := refusals[why]
		if reach == nil {
			t.Errorf("%v is reached by no test", why)
			continue
		}
		t.Run(why.String(), func(t *testing.T) {
			s, refusal := reach(t)
			if refusal == nil || refusal.Reason != why {
				t.Fatalf("got %v", refusal)
			}
			events := s.TakeEvents(nil)
			last := events[len(events)-1]
			if last.Kind != stack.EventRefused || last.String() != refusal.Error() {
				t.Errorf("refusal %q, last event %q", refusal, last)
			}
		})
	}
}

func TestRefusalNamesRequesterTargetAndReason(t *testing.T) {
	for want, r := range map[string]stack.Refusal{
		"stack: R cannot delegate to A: declined":       {Op: stack.OpDelegate, By: "R", To: "A", Reason: stack.Declined},
		"stack: root cannot ask R: broken":              {Op: stack.OpAsk, To: "R", Reason: stack.Broken},
		"stack: A cannot cancel itself: not_on_stack":   {Op: stack.OpCancelSelf, By: "A", To: "A", Reason: stack.NotOnStack},
		"stack: A cannot cancel delegates of A: hidden": {Op: stack.OpCancelDelegates, By: "A", To: "A", Reason: stack.Hidden},
	} {
		if got := r.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
