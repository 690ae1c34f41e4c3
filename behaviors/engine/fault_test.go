package engine_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// faults lists the failures of the tick as "ID.Hook".
func (r *rig) faults() string {
	var all []string
	for _, e := range r.out.Events {
		if e.Kind == stack.EventFault {
			all = append(all, e.ID+"."+e.Hook.String())
		}
	}
	return strings.Join(all, " ")
}

// A panic in any hook of an activated behavior pops it with the layers above, releases everything that it held, names it, and
// brings a fresh incarnation in the same tick.
// Rules: B-12, C-14.
func TestPanicReleasesAllHoldings(t *testing.T) {
	boom := func(*behaviors.Control) { panic("boom") }
	for _, c := range []struct {
		name, fault string
		set         func(s *script)
	}{
		{"activation", "A.OnActivated", func(s *script) {
			hold := s.start
			s.start = func(c *behaviors.Control) {
				hold(c)
				panic("boom")
			}
		}},
		{"update", "A.Update", func(s *script) { s.update = once(3, boom) }},
		{"handler", "A.Update", func(s *script) {
			s.whileOn = func(*behaviors.Control, behaviors.Event) { panic("boom") }
		}},
		{"deactivation", "A.OnDeactivated", func(s *script) {
			s.update = once(3, func(c *behaviors.Control) {
				c.CancelSelf()
				panic("not reached: the frame is unwound")
			})
			s.end = boom
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			act := hold("act")
			r := newRig(t, "R+ > A\nA+ > B\nB+", func(r *rig) {
				a := r.of("A")
				a.hears = []string{behaviors.EventPoked}
				a.start = func(c *behaviors.Control) {
					if _, ok := c.Intents().Claim("hello"); !ok || !c.Tracks().Lock("k", actions.Head) || !c.Suppression().Hold("s", "B") {
						t.Error("not held")
					}
					if !c.Act(act, neverCalled(t)) {
						err := refusal(c)
						t.Error(err)
					}
				}
				c.set(a)
				r.of("R").update = once(2, func(c *behaviors.Control) {
					c.Wants("A")
					err := refusal(c, c.DelegateTo("A", r.calls("R")))
					r.note("passed")
					if (err == nil) != r.eng.Cell("A").Node.Activated() {
						t.Errorf("%v", err)
					}
				})
			})
			r.step()
			r.intent("hello")
			r.step()
			if c.name != "activation" {
				r.emit(behaviors.EventPoked, "")
				r.step()
			}
			if got := r.eng.Cell("A").Inc.Inst.Modifiers(); got.AlwaysDelegates {
				t.Errorf("modifiers of the fresh one %+v", got)
			}
			if got := r.faults(); got != c.fault {
				t.Errorf("faults %q, want %q", got, c.fault)
			}
			r.wantEvent("A.replaced")
			r.wantChain("R")
			if r.of("A").made != 2 {
				t.Errorf("%d incarnations", r.of("A").made)
			}
			v := r.eng.View()
			if act.Stops != 0 && act.Inits == 0 || r.eng.Actions().Tracks().Holds("A/k") || v.Intent.Active != nil || len(r.eng.Actions().Running()) != 0 {
				t.Errorf("held after the end: %+v, %v", v.Intent, r.eng.Actions().Running())
			}
			*r.of("A") = script{hears: []string{behaviors.EventPoked}}
			var wants bool
			r.of("R").update = func(c *behaviors.Control) { wants = c.Wants("A") }
			hooks := r.step()
			if !wants || r.faults() != "" {
				t.Errorf("the fresh one does not answer: %q", r.eng.Cell("A").Why())
			}
			if told := strings.Contains(hooks, "back R"); told != (c.name != "activation") {
				t.Errorf("R was told: %v (B-16: nothing is armed by a refusal)", told)
			}
		})
	}
}

// The layers above a behavior that panics are deactivated in order, and are not blamed.
func TestPanicDeactivatesLayersAboveInOrder(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ > B\nB+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").start = func(c *behaviors.Control) { r.pass(c, "B", nil) }
		r.of("A").update = once(2, func(*behaviors.Control) { panic("boom") })
	})
	r.step()
	r.want("U R, U A, D B, L B, I A, E A")
	if r.faults() != "A.Update" {
		t.Errorf("faults %q", r.faults())
	}
	r.want("U R, u A")
	if r.of("B").made != 1 {
		t.Errorf("B was replaced: %d", r.of("B").made)
	}
}

// A delegate that fails in its activation was no delegate: a typed refusal, and its delegator goes on.
// Rules: Q-2.
func TestPanicInActivationRefusesDelegation(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) {
			c.Wants("A")
			r.wantReason(refusal(c, c.DelegateTo("A", neverCalled(t))), stack.Faulted)
			if c.Wants("A") {
				t.Error("a broken one answers")
			}
			r.pass(c, "B", nil)
		})
		r.of("A").start = func(*behaviors.Control) { panic("boom") }
	})
	r.step()
	r.wantChain("R B")
	r.want("U R, U B, u A")
}

// A base that ends leaves an empty stack for the rest of the tick; it starts anew, with its scope, in the next.
// Rules: L-29, Q-7.
func TestEmptyStackRecoversInNextTick(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = once(2, func(c *behaviors.Control) { c.CancelSelf() })
	})
	r.step()
	r.want("U R, L A, D R, L R")
	r.wantEvent("R.empty")
	r.want("E R, E A, A R, U R, u A")
	if n := r.eng.Cell("R").Node.Count(); n != 1 {
		t.Errorf("scope count %d", n)
	}
}

// A pop by a base that cancels itself leaves the stack empty for the rest of its tick; the next one begins with the base.
// Rules: L-29.
func TestStackIsEmptyUntilNextTickAfterBaseCancelsItself(t *testing.T) {
	r := newRig(t, "R+", nil)
	r.of("R").update = once(1, func(c *behaviors.Control) { c.CancelSelf() })
	r.step()
	if d := r.eng.Stack().Depth(); d != 0 {
		t.Errorf("%d layers after the base ended", d)
	}
	r.step()
	r.wantChain("R")
}

// A base that failed too often is disabled, and the fallback takes its place.
func TestFallbackReplacesBaseThatFailsTooOften(t *testing.T) {
	r := newRig(t, "R+\nF!+", func(r *rig) {
		r.of("R").update = func(*behaviors.Control) { panic("boom") }
	})
	for range 3 {
		r.step()
		r.wantEvent("R.replaced")
	}
	r.step()
	r.wantEvent("R.disabled")
	r.step()
	r.wantChain("F")
	r.want("U F")
	if !r.eng.Cell("R").Node.Disabled() {
		t.Error("R is in use")
	}
}

// Failures older than a minute do not count.
func TestFailuresExpireAfterOneMinute(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", nil)
	fail := func() {
		r.of("A").update = func(*behaviors.Control) { panic("boom") }
		r.step()
		r.of("A").update = nil
	}
	for range 3 {
		for range 3 {
			fail()
			r.wantEvent("A.replaced")
		}
		r.steps(1001)
	}
	for range 3 {
		fail()
	}
	fail()
	r.wantEvent("A.disabled")
	r.want("U R")
	r.of("R").update = func(c *behaviors.Control) {
		if c.Wants("A") {
			t.Error("a disabled one answers")
		}
	}
	r.step()
	r.wantEvent("stack: R cannot ask A: disabled")
}

// A failure counts for less than a minute: one that is a minute old to the nanosecond is forgiven.
func TestFailureIsForgivenOnTheMinute(t *testing.T) {
	for pause, event := range map[int]string{997: "A.replaced", 996: "A.disabled"} { // ticks of 60 ms between the third failure and the fourth
		r := newRig(t, "R+ > A\nA+", nil)
		fail := func() {
			r.of("A").update = func(*behaviors.Control) { panic("boom") }
			r.step()
			r.of("A").update = nil
		}
		for range 3 {
			fail()
		}
		r.steps(pause)
		fail()
		r.wantEvent(event)
	}
}

// A failing Init or scope hook is replaced like any other.
func TestPanicOutsideTheStackIsContained(t *testing.T) {
	for _, hook := range []string{"init", "enter", "wants", "update"} {
		t.Run(hook, func(t *testing.T) {
			struck := false
			strike := func(*behaviors.Control) {
				if !struck {
					struck = true
					panic("boom")
				}
			}
			r := newRig(t, "R+ > A\nA+", func(r *rig) {
				a := r.of("A")
				switch hook {
				case "init":
					a.init = strike
				case "enter":
					a.enter = strike
				case "wants":
					a.wants = func(c *behaviors.Control) bool { strike(c); return true }
				case "update":
					a.update = strike
				}
				r.of("R").update = func(c *behaviors.Control) {
					if c.InControl() && c.Tick() > 1 || hook == "wants" && c.Tick() == 1 {
						if c.Wants("A") != (c.Tick() > 1) {
							t.Errorf("tick %d: the wrong answer", c.Tick())
						}
					}
				}
			})
			r.step()
			if strings.Count(r.faults(), "A.") != 1 || !struck {
				t.Errorf("faults %q", r.faults())
			}
			r.wantEvent("A.replaced")
			r.want("U R, u A")
			if r.faults() != "" {
				t.Errorf("faults %q", r.faults())
			}
		})
	}
}

// A hook that makes requests without end is refused from the limit on, and the tick ends.
func TestRequestsOfAHookAreLimited(t *testing.T) {
	const limit = 4096
	yes := 0
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			yes = 0
			for range limit + 10 {
				if c.Wants("A") {
					yes++
				}
			}
			r.wantReason(refusal(c, c.DelegateTo("A", nil)), stack.TooDeep)
		}
		r.of("A").update = func(c *behaviors.Control) {
			for range limit/2 - 10 {
				if !granted(c, func() { c.Tracks().Unlock("k") }) && c.Wants("A") {
					continue
				}
				t.Fatal("refused before the limit")
			}
		}
	})
	for range 2 { // each hook has its own budget
		r.step()
		if yes != limit {
			t.Errorf("%d requests were served, want %d", yes, limit)
		}
	}
}

// Whatever a behavior asks too much, it can be ended: by the base layer when it must always delegate, and by its own word. The first request
// beyond the limit is told.
// Rules: T-14, Q-8.
func TestBehaviorBeyondItsRequestsCanBeEnded(t *testing.T) {
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").update = func(c *behaviors.Control) {
			for range 5000 {
				c.Wants("A")
			}
		}
	})
	r.steps(2)
	r.wantChain("R")
	told := 0
	for _, m := range r.out.Misuses {
		if m.Reason == stack.TooDeep && m.By == "A" {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times: %v", told, r.out.Misuses)
	}
}

// A behavior in scope that is not asked has a new budget of requests in each pass, and in each Update when it is activated later.
// Rules: T-9.
func TestRequestBudgetIsRenewedInEachInScopePass(t *testing.T) {
	refused := 0
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("A").update = func(c *behaviors.Control) {
			for range 3000 {
				if c.ClearSuggestions(); c.Refusal() != nil {
					refused++
				}
			}
		}
	})
	r.steps(3)
	r.of("R").update = once(4, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	r.steps(4)
	r.wantChain("R A")
	if refused > 0 {
		t.Errorf("%d requests were refused", refused)
	}
}

// A base that failed too often, with a fallback that did so too, is tried again a minute after its last failure, and not before.
// Rules: L-29.
func TestDisabledBaseRestartsAfterOneMinute(t *testing.T) {
	broken := true
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").update = func(*behaviors.Control) {
			if broken {
				panic("boom")
			}
		}
	})
	r.steps(4)
	r.wantEvent("R.disabled")
	if made := r.of("R").made; made != 4 {
		t.Fatalf("%d incarnations", made)
	}
	broken = false
	for range 999 { // of 60 ms
		if r.step(); r.eng.Stack().Depth() > 0 || r.of("R").made != 4 {
			t.Fatalf("tick %d: %q, %d incarnations", r.tick, r.chain(), r.of("R").made)
		}
	}
	r.steps(3)
	r.wantChain("R")
}

// A request outside the hooks of its behavior is refused as stale.
func TestStaleRequestsAreRefused(t *testing.T) {
	var kept *behaviors.Control
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("A").update = func(c *behaviors.Control) { kept = c }
		r.of("B").update = func(*behaviors.Control) {
			if kept.Tracks().Lock("k", actions.Head) {
				t.Error("B speaks for A")
			}
		}
	})
	r.step()
	for want, err := range map[stack.Op]error{
		stack.OpAct: refusal(kept, kept.Act(hold("act"), nil)), stack.OpDelegate: refusal(kept, kept.DelegateTo("B", nil)),
		stack.OpCancelSelf: refusal(kept, kept.CancelSelf()),
	} {
		r.wantReason(err, stack.Stale)
		if got := err.(*stack.Refusal).Op; got != want {
			t.Errorf("%v is reported as %v", want, got)
		}
	}
	if kept.Wants("B") || kept.Activated() {
		t.Error("served between two ticks")
	}
}
