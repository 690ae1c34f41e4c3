package engine_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// helped makes a base R that delegates to the helper H in tick 1.
func helped(t *testing.T, set func(r *rig)) *rig {
	return newRig(t, "R+ > H\nH^ > P\nP+", func(r *rig) {
		r.of("H").start = func(c *behaviors.Control) { r.pass(c, "P", nil) }
		r.of("R").update = once(1, func(c *behaviors.Control) {
			if !c.Wants("H") {
				t.Error("H does not want")
			}
			if !c.DelegateToHelper("H", r.calls("good"), r.calls("bad")) {
				err := refusal(c)
				t.Error(err)
			}
		})
		set(r)
	})
}

// Success or failure and nothing else, exactly one callback, in the delegator's next Update; whatever ends without declaring
// success has failed.
// Rules: Q-13, 5/BehaviorHelper, HLP-2, HLP-4.
func TestHelperReportsSuccessOrFailure(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(r *rig)
		want string
	}{
		"declares success": {func(r *rig) {
			r.of("H").update = once(2, func(c *behaviors.Control) {
				if !c.Succeed() {
					err := refusal(c)
					t.Error(err)
				}
			})
		}, "back good success, U R"},
		"cancels itself": {func(r *rig) {
			r.of("H").update = once(2, func(c *behaviors.Control) { c.CancelSelf() })
		}, "back bad failure, U R"},
		"runs out of delegates": {func(r *rig) {
			r.of("H").update = once(2, func(c *behaviors.Control) { c.CancelDelegates() })
		}, "back bad failure, U R"},
		"panics": {func(r *rig) {
			r.of("H").update = once(2, func(*behaviors.Control) { panic("lost") })
		}, "back bad unknown, U R"},
		"panics after its success": {func(r *rig) {
			r.of("H").update = once(2, func(c *behaviors.Control) { c.Succeed() })
			r.of("H").end = func(*behaviors.Control) { panic("lost") }
		}, "back bad unknown, U R"},
		"is taken back": {func(r *rig) {
			with := r.of("R").update
			r.of("R").update = func(c *behaviors.Control) {
				with(c)
				once(2, func(c *behaviors.Control) { c.CancelDelegates() })(c)
			}
		}, "U R"},
		"is taken back with its callback": {func(r *rig) {
			with := r.of("R").update
			r.of("R").update = func(c *behaviors.Control) {
				with(c)
				once(2, func(c *behaviors.Control) { c.CancelDelegatesWithCallback() })(c)
			}
		}, "U R"},
	} {
		t.Run(name, func(t *testing.T) {
			r := helped(t, c.set)
			r.steps(2)
			if got := r.step(); got != c.want+", u H" {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := r.step(); got != "U R, u H" {
				t.Errorf("a callback too many: %q", got)
			}
			succeeded, failed := r.eng.Helpers()
			if succeeds := name == "declares success"; succeeded+failed != 1 || (succeeded == 1) != succeeds {
				t.Errorf("%d helpers succeeded, %d failed", succeeded, failed)
			}
		})
	}
}

// Success counts from its declaration in the same activation only, and also when the helper ends inside its own activation: the
// callback is due in the delegator's next Update, or in the same one if the delegator's Update has not come that far (C-7).
// Rules: C-7.
func TestHelperSucceedsInItsActivation(t *testing.T) {
	tries := 0
	r := newRig(t, "R+ > H\nH^", func(r *rig) {
		r.of("H").start = func(c *behaviors.Control) {
			if tries++; tries == 1 {
				c.Succeed()
			}
		}
		ask := func(c *behaviors.Control) {
			if c.Wants("H") {
				if !c.DelegateToHelper("H", r.calls("good"), r.calls("bad")) {
					err := refusal(c)
					t.Error(err)
				}
			}
		}
		r.of("R").hears = []string{behaviors.EventPoked}
		r.of("R").always = func(c *behaviors.Control, _ behaviors.Event) { ask(c) }
		r.of("R").update = once(2, ask)
	})
	r.emit(behaviors.EventPoked, "")
	r.want("E R, E H, A R, always R poked, A H, D H, back good success, U R, u H")
	r.want("U R, A H, U H, D H")
	r.want("back bad failure, U R, u H")
}

// A refused delegation changes nothing, neither whom a helper helps nor how the delegate before it ended.
// Rules: B-16, Q-2.
func TestRefusedDelegationLeavesHelperRunning(t *testing.T) {
	t.Run("by another behavior", func(t *testing.T) {
		r := newRig(t, "R+ > H X\nH^+\nX+ > H", func(r *rig) {
			r.of("R").update = once(1, func(c *behaviors.Control) {
				c.Wants("H")
				if !c.DelegateToHelper("H", r.calls("good"), r.calls("bad")) {
					err := refusal(c)
					t.Error(err)
				}
			})
			r.of("X").update = once(2, func(c *behaviors.Control) { r.wantReason(refusal(c, c.DelegateTo("H", nil)), stack.NotActivated) })
			r.of("H").update = once(3, func(c *behaviors.Control) { c.Succeed() })
		})
		r.steps(3)
		r.want("back good success, U R, u H, u X")
	})
	t.Run("by its delegator", func(t *testing.T) {
		r := newRig(t, "R+ > A H\nA+\nH^", func(r *rig) {
			r.of("H").start = func(c *behaviors.Control) { c.Succeed() }
			r.of("R").update = once(1, func(c *behaviors.Control) {
				c.Wants("H")
				if !c.DelegateToHelper("H", r.calls("good"), r.calls("bad")) {
					err := refusal(c)
					t.Error(err)
				}
				r.wantReason(refusal(c, c.DelegateTo("A", nil)), stack.NotAsked)
			})
		})
		r.step()
		r.want("back good success, U R, u A, u H")
	})
}

// A behavior that is no helper is refused as one, and may not declare success.
// Rules: B-16.
func TestBehaviorThatIsNoHelperIsRefusedAsOne(t *testing.T) {
	r := newRig(t, "R+ > A H\nA+\nH^+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) {
			c.Wants("A")
			r.wantReason(refusal(c, c.DelegateToHelper("A", neverCalled(t), neverCalled(t))), stack.Unsupported)
			r.wantReason(refusal(c, c.DelegateToHelper("nobody", neverCalled(t), neverCalled(t))), stack.NoTarget)
			r.wantReason(refusal(c, c.Succeed()), stack.Unsupported)
			r.pass(c, "H", r.calls("H"))
		})
		r.of("H").update = func(c *behaviors.Control) {
			if !c.Activated() {
				r.wantReason(refusal(c, c.Succeed()), stack.NotOnStack)
			} else if c.Tick() == 2 {
				c.Succeed()
			}
		}
	})
	r.steps(2)
	r.want("back H success, U R, u A, u H")
}

// Section 5 "IsRunnableInternal with typed pre-requirements": the question carries data, and a class that does not take it is not
// asked at all.
// Rules: Q-13.
func TestQuestionWithDataNeedsClassThatTakesIt(t *testing.T) {
	type cube struct{ id int }
	var got []any
	r := newRig(t, "R+ > A B\nA+\nB^+", func(r *rig) {
		r.of("B").wantsWith = func(_ *behaviors.Control, data any) bool {
			got = append(got, data)
			return data.(cube).id == 7
		}
		r.of("R").update = once(1, func(c *behaviors.Control) {
			if ok, err := asked(c, c.WantsWith("B", cube{6})); ok || err != nil {
				t.Errorf("B takes cube 6: %v", err)
			}
			r.wantReason(refusal(c, c.DelegateTo("B", nil)), stack.Declined)
			_, err := asked(c, c.WantsWith("A", cube{7}))
			r.wantReason(err, stack.Unsupported)
			r.wantReason(refusal(c, c.DelegateTo("A", nil)), stack.NotAsked)
			if ok, err := asked(c, c.WantsWith("B", cube{7})); !ok || err != nil {
				t.Errorf("B does not take cube 7: %v", err)
			}
			if !c.DelegateTo("B", nil) {
				err := refusal(c)
				t.Error(err)
			}
			_, err = asked(c, c.WantsWith("B", cube{8}))
			r.wantReason(err, stack.AlreadyActivated)
			_, err = asked(c, c.WantsWith("nobody", cube{8}))
			r.wantReason(err, stack.NoTarget)
		})
	})
	r.step()
	r.wantChain("R B")
	if len(got) != 2 {
		t.Errorf("B was asked %d times", len(got))
	}
}

// MayDelegateTo has the layer's snapshot, not what the behavior would list now.
// Rules: L-10.
func TestDelegatesAreThoseOfTheLayersSnapshot(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+\nC+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if got := c.MayDelegateTo(); len(got) != 2 || got[0] != "A" || got[1] != "B" {
				t.Errorf("R may delegate to %q", got)
			}
		}
		r.of("A").update = func(c *behaviors.Control) {
			if got := c.MayDelegateTo(); got != nil {
				t.Errorf("A is not activated, and may delegate to %q", got)
			}
		}
	})
	r.step()
	r.eng.Cell("R").Node.SetDelegates([]*stack.Node{r.eng.Cell("C").Node}, nil)
	r.step()
}

// A helper and the action that it runs end at once when its delegator takes control back or ends; no callback comes.
// Rules: HLP-4, HLP-5.
func TestHelperAndItsActionStopWithDelegator(t *testing.T) {
	for _, whose := range []string{"delegator", "layer below"} {
		t.Run(whose, func(t *testing.T) {
			act := hold("act")
			r := newRig(t, "R+ > B\nB+ > H\nH^", func(r *rig) {
				r.of("R").update = func(c *behaviors.Control) {
					switch {
					case c.Tick() == 1:
						r.pass(c, "B", nil)
					case c.Tick() == 2 && whose == "layer below":
						c.CancelDelegates()
					}
				}
				r.of("B").update = func(c *behaviors.Control) {
					switch c.Tick() {
					case 1:
						c.Wants("H")
						if !c.DelegateToHelper("H", neverCalled(t), neverCalled(t)) {
							t.Error(c.Refusal())
						}
					case 2:
						if whose == "delegator" {
							c.CancelDelegates()
						}
					}
				}
				r.of("H").start = func(c *behaviors.Control) { c.Act(act, neverCalled(t)) }
			})
			r.step()
			r.wantChain("R B H")
			r.steps(3)
			if act.Inits != 1 || act.Stops != 1 || len(r.eng.Actions().Running()) != 0 {
				t.Errorf("the helper's action began %d times and was stopped %d times", act.Inits, act.Stops)
			}
			if succeeded, failed := r.eng.Helpers(); succeeded != 0 || failed != 1 {
				t.Errorf("%d helpers succeeded, %d failed", succeeded, failed)
			}
		})
	}
}

// A helper delegates to another helper; the failure of that one lets it try another way, of which its own delegator learns nothing.
// Rules: HLP-6.
func TestHelperRetriesAfterNestedHelperFails(t *testing.T) {
	r := newRig(t, "R+ > H\nH^ > I J\nI^\nJ^+", func(r *rig) {
		help := func(c *behaviors.Control, id string, good, bad behaviors.Callback) {
			if !c.Wants(id) {
				t.Errorf("%s does not want", id)
			}
			if !c.DelegateToHelper(id, good, bad) {
				err := c.Refusal()
				t.Error(err)
			}
		}
		r.of("R").update = once(1, func(c *behaviors.Control) { help(c, "H", r.calls("good"), r.calls("bad")) })
		r.of("H").start = func(c *behaviors.Control) {
			help(c, "I", neverCalled(t), func(c *behaviors.Control, _ behaviors.Outcome) {
				r.note("I failed")
				help(c, "J", func(c *behaviors.Control, _ behaviors.Outcome) { c.Succeed() }, neverCalled(t))
			})
		}
		r.of("J").update = once(3, func(c *behaviors.Control) { c.Succeed() })
	})
	told := ""
	for range 6 {
		r.step()
		told += strings.Join(r.log, ", ") + "\n"
	}
	if strings.Count(told, "I failed") != 1 || strings.Count(told, "back good success") != 1 || strings.Contains(told, "back bad") {
		t.Errorf("told:\n%s", told)
	}
}
