package engine_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// Every Init by ID, and only then the modifiers, which may read those of others.
// Rules: L-1, data/1.2f, data/1.2g.
func TestModifiersAreComputedAfterAllInits(t *testing.T) {
	var r *rig
	r = newRig(t, "R+ > B A\nA\nB", func(rr *rig) {
		r = rr
		r.of("A").modify = func(m *behaviors.Modifiers, of func(string) behaviors.Modifiers) {
			r.note("M A")
			m.WhenOffTreads = of("B").WhenOffTreads
		}
		r.of("B").modify = func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) { m.WhenOffTreads = true }
	})
	if got := r.log[:3]; got[0] != "I A" || got[1] != "I B" || got[2] != "I R" {
		t.Errorf("inits in order %q", got)
	}
	if r.log[3] != "M A" {
		t.Errorf("then %q", r.log[3])
	}
	if !r.eng.Cell("A").Inc.Inst.Modifiers().WhenOffTreads {
		t.Error("A did not see what the code of B says")
	}
}

// The base is started by the first tick and updated in it, its delegates after it, by ID.
// Rules: L-25, T-3, T-9.
func TestBaseStartsAndUpdatesInFirstTick(t *testing.T) {
	r := newRig(t, "R+ > B A\nA\nB", nil)
	r.want("E R, E A, E B, A R, U R, u A, u B")
	r.want("U R, u A, u B")
}

// Operator commands and the reset that they ask for come before the start of the base, and both before events.
// Rules: T-3.
func TestResetRunsFirstInTick(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("A").hears = []string{behaviors.EventPoked}
		r.of("A").whileOn = func(*behaviors.Control, behaviors.Event) {}
	})
	r.step()
	r.command(engine.Command{Kind: engine.RunBehavior, ID: "A"})
	r.emit(behaviors.EventPoked, "")
	r.want("L A, D R, L R, E A, A A, on A poked, U A")
}

// T-3.3, C-8: an action that ends in tick N frees its owner in N+1, before anything is updated.
// Rules: T-3, C-8, BEH-3, TICK-3.
func TestCompletionFreesOwnerBeforeStackUpdate(t *testing.T) {
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick() == 1 {
				if !c.Act(done("act"), r.calls("R")) {
					err := refusal(c)
					t.Error(err)
				}
				if !c.IsControlDelegated() || c.InControl() {
					t.Error("an action does not count as a delegate")
				}
			}
		}
		r.of("A").update = func(c *behaviors.Control) {
			if c.IsControlDelegated() {
				t.Errorf("tick %d: somebody else's action counts as a delegate of A (Q-4)", c.Tick())
			}
		}
	})
	r.step()
	if len(r.out.Done) != 1 || r.out.Done[0].Owner != "R" || r.out.Done[0].Result != actions.Success {
		t.Fatalf("done %+v", r.out.Done)
	}
	r.want("back R SUCCESS, U R, u A")
}

// The record belongs to the owner, wherever it stands: a lower behavior that ends the owner in the same tick takes the callback
// with it, and no successor sees the record.
// Rules: T-5, T-7, Q-5, BEH-3.
func TestCompletionReachesOwnerOnly(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", nil)
			case 2:
				if err := refusal(c, c.CancelAndDelegateTo("B", nil)); reasonOf(err) != stack.NotAsked {
					t.Errorf("not asked, but %v", err)
				}
				r.pass(c, "B", nil)
			}
		}
		r.of("A").start = func(c *behaviors.Control) { c.Act(done("act"), r.calls("A")) }
		r.of("B").update = func(c *behaviors.Control) {
			if c.Activated() && c.IsControlDelegated() {
				t.Error("B waits for the action of A")
			}
		}
	})
	r.want("E R, E A, E B, A R, U R, A A, U A, u B")
	r.want("U R, D A, A B, U B, u A")
	r.want("U R, U B, u A")
}

// An action that its owner cancels inside its own Update ends with an explicit "cancelled", never with nothing.
// Rules: T-8, Q-5.
func TestCancelInsideOwnUpdateIsDelivered(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) { c.Act(hold("act"), r.calls("R")) }
		r.of("R").update = once(2, func(c *behaviors.Control) {
			if !c.CancelDelegatesWithCallback() {
				t.Error("nothing was cancelled")
			}
			if c.IsControlDelegated() || !c.InControl() {
				t.Error("the slot is not free at once (C-12)")
			}
		})
	})
	r.step()
	r.want("U R")
	if len(r.out.Done) != 1 || r.out.Done[0].Result != actions.CancelledWhileRunning {
		t.Errorf("done %+v", r.out.Done)
	}
	r.want("back R cancelled, U R")
	r.want("U R")
}

// At its turn a behavior has its own events first, then the end of its own delegate, then its Update; the next layer's turn follows.
// No behavior gets an event without a subscription.
// Rules: T-4, T-5.
func TestTurnIsEventsThenCallbackThenUpdate(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").start = func(c *behaviors.Control) { c.Act(done("act"), r.calls("A")) }
		for id, hears := range map[string][]string{"R": {behaviors.EventCubeLost, behaviors.EventPoked}, "A": {behaviors.EventTriggerWord, behaviors.EventPoked}} {
			s := r.of(id)
			s.hears, s.whileOn = hears, func(*behaviors.Control, behaviors.Event) {}
		}
	})
	r.step()
	for _, name := range []string{behaviors.EventTriggerWord, behaviors.EventCubeLost, behaviors.EventPoked, behaviors.EventIntent} {
		r.emit(name, "")
	}
	r.want("on R cube_lost, on R poked, U R, on A trigger_word, on A poked, back A SUCCESS, U A")
}

// AlwaysHandle comes first; which second handler follows is decided after it.
// Rules: T-5, T-12.
func TestSecondHandlerIsChosenAfterFirst(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		a := r.of("A")
		a.hears = []string{behaviors.EventIntent, behaviors.EventPoked}
		a.always = func(c *behaviors.Control, e behaviors.Event) {
			if e.Name() == behaviors.EventPoked {
				if !c.CancelSelf() {
					err := refusal(c)
					t.Error(err)
				}
			}
		}
		a.whileOn = func(*behaviors.Control, behaviors.Event) {}
		a.whileIn = a.whileOn
	})
	r.step()
	r.emit(behaviors.EventIntent, "1")
	r.emit(behaviors.EventPoked, "")
	r.emit(behaviors.EventIntent, "2")
	r.emit(behaviors.EventTriggerWord, "")
	r.want("U R, always A user_intent 1, on A user_intent 1, always A poked, D A, in A poked, always A user_intent 2, in A user_intent 2, u A")
}

// A behavior gets its own events only, and none twice; a behavior out of scope loses them for good.
// Rules: T-12.
func TestEventsOutOfScopeAreDropped(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ > B\nB+", func(r *rig) {
		r.of("R").update = once(2, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("B").hears = []string{behaviors.EventIntent}
		r.of("B").whileIn = func(*behaviors.Control, behaviors.Event) {}
	})
	r.emit(behaviors.EventIntent, "1")
	r.want("E R, E A, A R, U R, u A")
	r.emit(behaviors.EventIntent, "2")
	r.want("U R, E B, A A, U A, in B user_intent 2, u B")
	r.want("U R, U A, u B")
}

// A behavior that enters scope in a tick gets this tick's events, although it has no Update of its own.
// Rules: T-6, T-10.
func TestEventsReachBehaviorThatEntersScopeInSameTick(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ > Q\nQ~", func(r *rig) {
		r.of("R").update = once(2, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	})
	r.step()
	r.emit(behaviors.EventPoked, "")
	r.want("U R, A A, U A, in Q poked")
	r.want("U R, U A")
}

// A behavior that is activated by an event gets that event too.
// Rules: T-6.
func TestEventReachesBehaviorThatItActivates(t *testing.T) {
	r := newRig(t, "R+ > Q\nQ~", func(r *rig) {
		r.of("R").hears = []string{behaviors.EventIntent}
		r.of("R").whileOn = func(c *behaviors.Control, _ behaviors.Event) { r.pass(c, "Q", nil) }
	})
	r.step()
	r.emit(behaviors.EventIntent, "!")
	r.want("on R user_intent !, U R, on Q user_intent !")
}

// Handlers, callback, Update, and only then the decision to end; all of them run in this order in one tick.
// Rules: T-13.
func TestUpdateRunsInOneFixedOrder(t *testing.T) {
	r := newRig(t, `R+ > A B
A > B | "wantsToCancelSelfCondition": {"conditionType": "UnitTestCondition", "value": false}
B+`, func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", r.calls("R")) })
		a := r.of("A")
		a.hears = []string{behaviors.EventPoked}
		a.whileOn = func(*behaviors.Control, behaviors.Event) {}
		a.start = func(c *behaviors.Control) { c.Act(done("act"), r.calls("A")) }
	})
	r.step()
	r.emit(behaviors.EventPoked, "")
	r.want("U R, on A poked, back A SUCCESS, U A, D A, u B")
	r.want("back R behavior, U R, u A, u B")
}

// T-13 (c): the update hook runs although an earlier step of the same Update ended the behavior; (d) does not.
// Rules: T-13.
func TestUpdateHookRunsAfterSelfCancelInSameUpdate(t *testing.T) {
	for _, where := range []string{"handler", "callback"} {
		t.Run(where, func(t *testing.T) {
			quit := func(c *behaviors.Control) {
				if !c.CancelSelf() {
					err := refusal(c)
					t.Error(err)
				}
			}
			r := newRig(t, "R+ > A\nA", func(r *rig) {
				r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
				a := r.of("A")
				a.hears = []string{behaviors.EventPoked}
				a.start = func(c *behaviors.Control) {
					c.Act(done("act"), func(c *behaviors.Control, _ behaviors.Outcome) {
						if where == "callback" {
							quit(c)
						}
					})
				}
				a.whileOn = func(c *behaviors.Control, _ behaviors.Event) {
					if where == "handler" {
						quit(c)
					}
				}
			})
			r.step()
			r.emit(behaviors.EventPoked, "")
			r.want("U R, on A poked, D A, u A")
			r.wantNoRefusal()
		})
	}
}

// An UpdateWhileActivated is not called in scope, where its behavior does not count either.
// Rules: T-13, goal/M3.
func TestUpdateWhileActivatedIsNotCalledInScope(t *testing.T) {
	r := newRig(t, "R+ > A\nA=+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 2:
				r.pass(c, "A", nil)
			case 4:
				c.CancelDelegates()
			}
		}
	})
	r.want("E R, A R, U R")
	if r.out.Updated != 0 {
		t.Errorf("%d updated in scope", r.out.Updated)
	}
	r.want("U R, W A")
	r.want("U R, W A")
	r.want("U R")
}

// It comes after the Update of the same behavior, unless that ended it.
// Rules: T-13.
func TestUpdateWhileActivatedFollowsUpdate(t *testing.T) {
	r := newRig(t, "R+ > A\nA&+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").update = once(2, func(c *behaviors.Control) { c.CancelSelf() })
	})
	r.want("E R, E A, A R, U R, A A, U A, W A")
	r.want("U R, U A, D A")
	r.want("U R, u A")
}

// T-13 (d): every cancel condition is evaluated in every Update of an activated behavior, also when the end is decided.
// Rules: T-13, data/1.4d.
func TestCancelConditionEndsBehavior(t *testing.T) {
	r := newRig(t, `R+ > A
A+ | "wantsToCancelSelfCondition": {"conditionType": "TimerInRange", "begin_s": 0.1}`, func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", r.calls("R")) })
	})
	r.want("E R, E A, A R, U R, A A, U A")
	r.want("U R, U A")
	r.want("U R, U A, D A")
	r.want("back R behavior, U R, u A")
}

// Delegating in the first Update, or in the callback, keeps a behavior alive.
// Rules: T-14, data/1.9g.
func TestDelegatingInUpdateKeepsBehaviorActivated(t *testing.T) {
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").update = func(c *behaviors.Control) {
			if c.Activated() && c.InControl() {
				c.Act(done("act"), nil)
			}
		}
	})
	for range 5 {
		r.step()
		r.wantChain("R A")
	}
}

// The in-scope pass goes by ID whatever the order of the list, and tells every behavior once.
// Rules: T-9, Q-10.
func TestInScopePassIsOrderedByID(t *testing.T) {
	r := newRig(t, "R+ > D B C\nA\nB\nC > A\nD", func(r *rig) {
		r.of("R").update = once(2, func(c *behaviors.Control) {
			if c.Wants("A") {
				t.Error("A is out of scope")
			}
		})
	})
	r.want("E R, E B, E C, E D, A R, U R, u B, u C, u D")
	r.want("U R, u B, u C, u D")
	r.wantEvent("stack: R cannot ask A: not_in_scope")
}

// Limits: the oldest events beyond the limit are dropped and counted.
func TestEventsBeyondLimitDropTheOldest(t *testing.T) {
	var first string
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").hears = []string{behaviors.EventIntent}
	})
	r.of("R").update = func(c *behaviors.Control) {
		if len(c.Events()) > 0 {
			first = c.Events()[0].Payload.(behaviors.IntentPosted).Tag
		}
	}
	r.step()
	for i := range 1030 {
		r.emit(behaviors.EventIntent, string(rune('A'+i%26)))
	}
	r.step()
	if r.out.Dropped != 6 || first != "G" {
		t.Errorf("dropped %d, first %q", r.out.Dropped, first)
	}
}
