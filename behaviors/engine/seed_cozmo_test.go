package engine_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// The tests of this file take the statements of the seed document so-you-want-to-write-a-behavior about running behaviors, one
// group at a time, in their order. What it says of data is shown in package behaviors, of activities, choosers and the systems around
// them in package examples.

// "Are you sure it's a behavior": it can be interrupted at any point in time, in any of its hooks' consequences, and leaves nothing
// behind.
// Rules: BEH-6.
func TestSeedCozmoInterruptedAtAnyPoint(t *testing.T) {
	for at := uint64(2); at <= 6; at++ {
		r := newRig(t, "R+ > A\nA > B\nB", func(r *rig) {
			r.of("A").start = func(c *behaviors.Control) {
				c.Tracks().Lock("k", actions.Lift)
				c.Act(done("one"), func(c *behaviors.Control, _ behaviors.Outcome) { r.pass(c, "B", nil) })
			}
			r.of("B").start = func(c *behaviors.Control) { c.Act(hold("two"), nil) }
			r.of("R").update = func(c *behaviors.Control) {
				switch c.Tick() {
				case 1:
					r.pass(c, "A", nil)
				case at:
					c.CancelDelegates()
				}
			}
		})
		r.steps(int(at) + 1)
		r.wantChain("R")
		if n := len(r.eng.Actions().Running()); n > 0 || r.eng.Actions().Tracks().AnyLocked(actions.All) {
			t.Errorf("interrupted in tick %d: %d actions left, locked %v", at, n, r.eng.Actions().Tracks().AnyLocked(actions.All))
		}
	}
}

// "IsRunnableInternal": may be asked every tick; a class that does not support the kind of question is an error of its own; a yes
// leads to the activation in the same tick, with what was passed in.
func TestSeedCozmoQuestionCarriesData(t *testing.T) {
	asked, got := 0, ""
	r := newRig(t, "R+ > A B\nA+\nB^+", func(r *rig) {
		var mine string // what the question brought, for the activation
		r.of("A").wants = func(c *behaviors.Control) bool {
			asked++
			return c.Tick() == 5
		}
		r.of("B").wantsWith = func(_ *behaviors.Control, data any) bool {
			mine, _ = data.(string)
			return mine != ""
		}
		r.of("B").start = func(*behaviors.Control) { got = mine }
		r.of("R").update = func(c *behaviors.Control) {
			if c.IsControlDelegated() {
				if c.Tick() == 7 {
					c.CancelDelegates()
					if !c.WantsWith("B", "the red cube") || !c.DelegateTo("B", nil) {
						t.Errorf("B: %v", c.Refusal())
					}
				}
				return
			}
			if c.WantsWith("A", "the red cube") || reasonOf(refusal(c)) != stack.Unsupported {
				t.Errorf("A takes data: %v", c.Refusal())
			}
			if c.Wants("A") {
				r.wantReason(refusal(c, c.DelegateTo("A", nil)), 0)
			}
		}
	})
	r.steps(4)
	r.wantChain("R")
	r.want("U R, A A, U A, u B")
	if asked != 5 {
		t.Errorf("asked %d times in 5 ticks", asked)
	}
	r.steps(2)
	if got != "the red cube" {
		t.Errorf("B works on %q", got)
	}
}

// "InitInternal": the first action starts here, and not in the first Update, where it would be too late to be running.
// Rules: 5/InitInternal.
func TestSeedCozmoFirstActionInInit(t *testing.T) {
	var early, late *actiontest.Stub
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		early, late = hold("early"), hold("late")
		r.of("A").start = func(c *behaviors.Control) { c.Act(early, nil) }
		r.of("A").update = once(1, func(c *behaviors.Control) {
			if !c.IsControlDelegated() {
				t.Error("not acting in the first Update")
			}
			r.wantReason(refusal(c, c.Act(late, nil)), stack.NotInControl)
		})
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	})
	r.step()
	if got := r.eng.Actions().Running(); len(got) != 1 || got[0].Name != "early" {
		t.Errorf("%+v", got)
	}
}

// "ResumeInternal": after a short interruption that left the world as it was; by default the same as the beginning. See also
// TestResumableInterruptLeadsToResume.
func TestSeedCozmoResume(t *testing.T) {
	for class, want := range map[string]string{"W^+": "U R, D I, R W, U W, u I", "W+": "U R, D I, A W, U W, u I"} {
		r := newRig(t, "R+ > W I\n"+class+"\nI+ "+short, func(r *rig) { interrupting(r, "I") })
		r.steps(3)
		r.want(want)
		r.wantEvent("W.activated (resumed)")
	}
}

// "StartActing": respects requests from elsewhere, such as ending after the next action; the callback learns the result.
// Rules: 5/StartActing.
func TestSeedCozmoStartActingRespectsRequests(t *testing.T) {
	act := hold("one")
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("A").start = func(c *behaviors.Control) {
			c.Act(act, func(c *behaviors.Control, o behaviors.Outcome) {
				r.note("one " + ending(o))
				r.wantReason(refusal(c, c.Act(hold("two"), nil)), stack.Stopping)
			})
		}
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", r.calls("R"))
			case 2:
				if !c.StopAfterCurrentDelegate("A") {
					t.Error("A cannot be asked to stop")
				}
			}
		}
	})
	r.steps(5)
	r.wantChain("R A") // not before the action is complete
	act.Result = actions.Abort
	r.want("U R, U A")
	r.want("U R, one ABORT, U A, D A")
	r.want("back R behavior, U R, u A")
}

// "UpdateInternal": acting means running; what queues no new action is complete.
// Rules: 5/UpdateInternal, BEH-3, TICK-3.
func TestSeedCozmoActingIsRunning(t *testing.T) {
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		r.of("A").start = func(c *behaviors.Control) {
			c.Act(done("one"), func(c *behaviors.Control, _ behaviors.Outcome) { c.Act(done("two"), nil) })
		}
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	})
	var chains []string
	for range 4 {
		r.step()
		chains = append(chains, r.chain())
	}
	if got := strings.Join(chains, ", "); got != "R A, R A, R, R" {
		t.Error(got)
	}
}

// "An Introduction to BehaviorHelpers": many actions, and in the end success or failure without details; the behavior watches and
// may take control back.
// Rules: HLP-2, HLP-4.
func TestSeedCozmoHelpers(t *testing.T) {
	for name, c := range map[string]struct {
		results []actions.Result // of the helper's actions, one after the other
		takeAt  uint64           // tick in which R loses patience; 0 for never
		want    string
	}{
		"all steps succeed": {[]actions.Result{actions.Success, actions.Success, actions.Success}, 0, "success"},
		"one step fails":    {[]actions.Result{actions.Success, actions.Abort, actions.Success}, 0, "failure"},
		"taken back":        {[]actions.Result{actions.Success, actions.Success, actions.Success}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			tell := func(what string) behaviors.Callback {
				return func(_ *behaviors.Control, o behaviors.Outcome) {
					if got += what; o.Completion.Tag != 0 {
						t.Error("the helper tells details of its actions")
					}
				}
			}
			r := newRig(t, "R+ > H\nH^", func(r *rig) {
				var next func(k int) behaviors.Callback // after k actions
				next = func(k int) behaviors.Callback {
					return func(h *behaviors.Control, o behaviors.Outcome) {
						switch {
						case k > 0 && !o.Succeeded():
							_ = h.CancelSelf()
						case k == len(c.results):
							_ = h.Succeed()
						default:
							act := done("step")
							act.Result = c.results[k]
							_ = h.Act(act, next(k+1))
						}
					}
				}
				r.of("H").start = func(h *behaviors.Control) { next(0)(h, behaviors.Outcome{}) }
				r.of("R").update = func(b *behaviors.Control) {
					switch b.Tick() {
					case 1:
						if !b.Wants("H") || !b.DelegateToHelper("H", tell("success"), tell("failure")) {
							t.Error("H does not help")
						}
					case c.takeAt:
						b.CancelDelegates()
					}
				}
			})
			r.steps(8)
			r.wantChain("R")
			if got != c.want {
				t.Errorf("told %q, want %q", got, c.want)
			}
		})
	}
}

// "Miscellaneous": the state that a behavior is in has a name that tools show.
// Rules: 5/DEBUG-SET-STATE.
func TestSeedCozmoDebugState(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) { c.SetState([]string{"", "looking", "chasing"}[c.Tick()]) }
	})
	for _, want := range []string{"looking", "chasing"} {
		r.step()
		if got := r.eng.Cell("R").State(); got != want {
			t.Errorf("state %q, want %q", got, want)
		}
	}
}
