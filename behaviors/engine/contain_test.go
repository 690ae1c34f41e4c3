package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// Modify is a hook like any other: a behavior that panics in it is named, replaced in the first tick, and has its modifiers then.
// Questions meanwhile get the defaults.
// Rules: L-1, B-5.
func TestPanicInModifyReplacesIncarnation(t *testing.T) {
	broken := true
	r := newRig(t, "R+ > A B\nA\nB", func(r *rig) {
		r.of("R").modify = func(m *behaviors.Modifiers, of func(string) behaviors.Modifiers) {
			m.WhenOffTreads, m.WhenCarryingObject = of("A").WhenOffTreads, of("B").WhenOffTreads
		}
		r.of("A").modify = func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
			m.WhenOffTreads = true
			if broken {
				broken = false
				panic("boom")
			}
		}
		r.of("B").modify = func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) { m.WhenOffTreads = true }
	})
	r.step()
	if r.faults() != "A.Modify" {
		t.Errorf("faults %q", r.faults())
	}
	r.wantEvent("A.replaced")
	if m := r.eng.Cell("A").Inc.Inst.Modifiers(); !m.WhenOffTreads {
		t.Errorf("the fresh one has %+v", m)
	}
	if m := r.eng.Cell("R").Inc.Inst.Modifiers(); m.WhenOffTreads || !m.WhenCarryingObject {
		t.Errorf("who asked the broken one and a whole one has %+v", m)
	}
	r.wantChain("R")
}

// A fresh incarnation computes its modifiers anew; the modifiers of others are known and cost them no hook.
// Rules: L-1, P-3.
func TestFreshIncarnationComputesItsModifiers(t *testing.T) {
	asked := 0
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("A").modify = func(m *behaviors.Modifiers, of func(string) behaviors.Modifiers) {
			m.WhenOffTreads = of("B").WhenOffTreads
		}
		r.of("B").modify = func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
			asked++
			m.WhenOffTreads = true
		}
		r.of("A").update = once(2, func(*behaviors.Control) { panic("boom") })
	})
	r.step()
	before := asked
	r.step()
	r.wantEvent("A.replaced")
	if m := r.eng.Cell("A").Inc.Inst.Modifiers(); !m.WhenOffTreads {
		t.Errorf("the fresh one has %+v", m)
	}
	if asked != before {
		t.Errorf("B computed its modifiers %d times more", asked-before)
	}
}

// A cycle of questions ends: a behavior reached from itself has no modifiers of its own (P-3).
func TestCycleOfModifierQuestionsEnds(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("A").modify = func(m *behaviors.Modifiers, of func(string) behaviors.Modifiers) {
			m.WhenOffTreads = of("B").WhenOffTreads
		}
		r.of("B").modify = func(m *behaviors.Modifiers, of func(string) behaviors.Modifiers) {
			m.WhenOffTreads = of("A").WhenOffTreads
		}
	})
	r.step()
	if r.faults() != "" || r.eng.Cell("A").Inc.Inst.Modifiers().WhenOffTreads {
		t.Errorf("faults %q", r.faults())
	}
}

// A Control that was kept beyond its activation is refused, whatever hook it is used in, and nothing is applied.
func TestControlOfEarlierActivationIsRefusedAsStale(t *testing.T) {
	var kept *behaviors.Control
	var late error
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick()%2 == 1 {
				r.pass(c, "A", nil)
			} else {
				c.CancelDelegates()
			}
		}
		r.of("A").start = func(c *behaviors.Control) {
			if kept == nil {
				kept = c
			}
		}
		r.of("A").update = once(3, func(c *behaviors.Control) {
			late = refusal(kept, kept.CancelSelf())
			if !c.Activated() {
				t.Error("the stale request ended the new activation")
			}
			kept.Suggest("charging")
		})
	})
	r.steps(3)
	r.wantReason(late, stack.Stale)
	r.wantChain("R A")
	if n := len(r.eng.View().Suggestions); n != 0 {
		t.Errorf("%d suggestions of a stale request", n)
	}
}

// The same for a nested hook that uses the Control of the hook that waits for it.
func TestControlOfWaitingHookIsRefusedAsStale(t *testing.T) {
	var outer *behaviors.Control
	var late error
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").update = once(2, func(c *behaviors.Control) {
			outer = c
			c.CancelSelf()
		})
		r.of("A").end = func(*behaviors.Control) { late = refusal(outer, outer.CancelSelf()) }
	})
	r.steps(2)
	r.wantReason(late, stack.Stale)
	r.wantChain("R")
}

// hanging is a hook runner on which the actions called "hang" do not return from their Init.
type hanging struct{ engine.Direct }

func (h *hanging) Call(r *actions.Runner, op actions.Op, env *actions.Env) (actions.Result, error) {
	if r.Name() == "hang" && op == actions.OpInit {
		return actions.Abort, fmt.Errorf("hang: %w", actions.ErrHung)
	}
	return h.Direct.Call(r, op, env)
}

// An action that hangs is charged to its owner: the fourth in a minute disables it, with real events.
func TestHungActionsAreChargedToTheirOwner(t *testing.T) {
	for _, c := range []struct {
		name string
		blow bool
		want string
	}{{"hang", false, "A.Update"}, {"panic", true, ""}} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, "R+ > A\nA+", func(r *rig) {
				r.opts.Hooks = &hanging{}
				r.of("R").update = func(c *behaviors.Control) {
					if c.InControl() && c.Wants("A") {
						r.pass(c, "A", nil)
					}
				}
				r.of("A").update = func(ctl *behaviors.Control) {
					if !ctl.InControl() {
						return
					}
					a := actiontest.NewStub(c.name, actions.Head)
					if c.blow {
						a.Blow = "Init"
					}
					if !ctl.Act(a, nil) {
						t.Error(ctl.Refusal())
					}
				}
			})
			faults, ticks := "", 0
			for ; faults == "" && ticks < 12; ticks++ {
				r.step()
				faults = r.faults()
			}
			if faults != c.want {
				t.Fatalf("faults %q after %d ticks, want %q", faults, ticks, c.want)
			}
			if c.want == "" {
				return
			}
			if ticks != 5 { // four hang, in as many ticks; the next one reports the fourth
				t.Errorf("disabled after %d ticks", ticks)
			}
			for _, e := range []string{"A.deactivated", "A.pop", "A.disabled"} {
				r.wantEvent(e)
			}
			r.wantChain("R")
			if m := r.eng.Actions().Tracks().Mask(); m != 0 {
				t.Errorf("%v still locked", m)
			}
		})
	}
}

// A hung action is distinguished from one that panicked by its completion alone, not by the host's text.
func TestCompletionTellsHangFromPanic(t *testing.T) {
	host := &hanging{}
	l := actions.NewList(host, epoch)
	for _, s := range []*actiontest.Stub{hold("hang"), {Label: "panic", Kind: actions.TypeWait, Blow: "Init"}} {
		if _, err := l.Queue(s, actions.QueueOptions{Position: actions.PositionInParallel}); err != nil {
			t.Fatal(err)
		}
	}
	done := l.Update(&actions.Env{Now: epoch})
	if len(done) != 2 || !done[0].Hung || done[1].Hung {
		t.Errorf("%+v", done)
	}
}

// The oldest events beyond the limit are dropped, whatever the name of their source.
func TestOldestEventsAreDroppedRegardlessOfSource(t *testing.T) {
	var heard []string
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").hears = []string{behaviors.EventPoked}
		r.of("R").whileOn = func(_ *behaviors.Control, e behaviors.Event) { heard = append(heard, e.Source) }
	})
	r.step()
	add := func(source string, n int, at time.Duration) {
		for i := range n {
			r.events = append(r.events, behaviors.Event{Source: source, Seq: uint64(i), Payload: behaviors.Poked{}, At: epoch.Add(at)})
		}
	}
	add("bumper", 24, 3*time.Second) // newest, and first in order
	add("flood", 1020, time.Second)
	add("touch", 10, 2*time.Second)
	r.step()
	count := func(source string) (n int) {
		for _, s := range heard {
			if s == source {
				n++
			}
		}
		return n
	}
	if r.out.Dropped != 30 || count("bumper") != 24 || count("touch") != 10 || count("flood") != 990 {
		t.Errorf("dropped %d; heard bumper %d, flood %d, touch %d", r.out.Dropped, count("bumper"), count("flood"), count("touch"))
	}
	if !slices.IsSorted(heard) || !strings.HasPrefix(heard[0], "bumper") {
		t.Error("the order by source was lost")
	}
}

// What other hooks ask through the Control of a hook that waits is refused and changes nothing of what that one waits for: neither who wants,
// nor whether control was taken back.
// Rules: Q-8, C-11.
func TestLateRequestLeavesTheWaitingOneAsItIs(t *testing.T) {
	var outer *behaviors.Control
	var late []error
	list, got, took, again := behaviors.NewCandidates("A", "B"), -1, false, false
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			outer = c
			switch c.Tick() {
			case 1:
				got = c.FirstWanting(list)
				again = c.Refusal() == nil
				r.pass(c, "A", nil)
			case 2:
				took = c.CancelDelegates() && c.Refusal() == nil
			}
		}
		nested := func() {
			outer.SetState("x")
			late = append(late, refusal(outer, outer.Refusal() == nil))
		}
		r.of("A").wants = func(*behaviors.Control) bool { nested(); return true }
		r.of("A").end = func(*behaviors.Control) { nested() }
	})
	r.eng.TakeAnswers(nil)
	r.steps(2)
	if got != 0 || !again || !took {
		t.Errorf("first wanting %d, without a refusal %t; taken back %t", got, again, took)
	}
	if len(late) < 2 {
		t.Fatalf("%d late requests", len(late))
	}
	for _, err := range late {
		r.wantReason(err, stack.Stale)
	}
	r.wantChain("R")
}

// A list of candidates that its author made by hand, or lengthened, is answered as far as it has room.
func TestListWithoutRoomForAnswersIsAsked(t *testing.T) {
	yes := false
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick() == 1 {
				r.pass(c, "A", nil)
				return
			}
			yes = c.AnyActivated(&behaviors.Candidates{IDs: []string{"B", "A"}})
		}
	})
	r.steps(2)
	if !yes || len(r.out.Violations) > 0 {
		t.Errorf("%t, %q", yes, r.out.Violations)
	}
	if f := r.faults(); f != "" {
		t.Errorf("faults %s", f)
	}
}
