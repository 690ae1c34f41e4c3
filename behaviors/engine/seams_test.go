package engine_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
)

// A get-out goes with the hook that asked for it and then failed, like everything else that the hook began; one of a hook that
// ended well plays on, whatever becomes of its behavior afterwards.
// Rules: B-12, B-20.
func TestGetOutOfLostHookIsCancelled(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(s *script, ask, boom func(*behaviors.Control))
		runs bool
	}{
		"same hook": {func(s *script, ask, boom func(*behaviors.Control)) {
			s.update = once(2, func(c *behaviors.Control) { ask(c); boom(c) })
		}, false},
		"nested hook": {func(s *script, ask, boom func(*behaviors.Control)) {
			s.update = once(2, func(c *behaviors.Control) { c.CancelSelf(); boom(c) })
			s.end = ask
		}, false},
		"earlier hook": {func(s *script, ask, boom func(*behaviors.Control)) {
			s.start, s.update = ask, once(2, boom)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			out := hold("out")
			r := newRig(t, "R+ > A\nA+", func(r *rig) {
				r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
				c.set(r.of("A"), func(c *behaviors.Control) {
					if !c.PlayEmergencyGetOut(out) {
						err := refusal(c)
						t.Error(err)
					}
				}, func(*behaviors.Control) { panic("boom") })
			})
			r.steps(3)
			if runs(out) != c.runs || r.eng.Cell("A").Node.Activated() {
				t.Errorf("the get-out runs: %v, want %v", runs(out), c.runs)
			}
		})
	}
}

// Actions that hang are charged to their owner in a replay as they were, which has no hang of its own; the limit is that of the
// options.
// Rules: goal/M8.
func TestHangsChargedToOwnerAreReplayed(t *testing.T) {
	rec := &tape.Tape{}
	tree := func(t *testing.T, opts engine.Options) *rig {
		return newRig(t, "R+ > A\nA+", func(r *rig) {
			r.opts = opts
			r.of("R").update = func(c *behaviors.Control) {
				if c.InControl() && c.Wants("A") {
					r.pass(c, "A", nil)
				}
			}
			r.of("A").update = func(c *behaviors.Control) {
				if c.InControl() {
					c.Act(actiontest.NewStub("hang", actions.Head), nil)
				}
			}
		})
	}
	r := tree(t, engine.Options{Hooks: &hanging{}, Recorder: tape.NewRecorder(rec.Add), MaxFailures: 1})
	for range 8 {
		r.step()
		if r.eng.Cell("A").Node.Disabled() {
			break
		}
	}
	if r.tick != 3 { // two hang; the next tick reports the second
		t.Errorf("disabled in tick %d", r.tick)
	}
	r.step()
	again := tree(t, engine.Options{})
	p, err := tape.NewReplay(rec.Entries[0], tape.ReplayOptions{Options: engine.Options{Catalog: again.eng.Catalog()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range rec.Entries[1:] {
		if _, err := p.Step(e); err != nil {
			t.Fatal(err)
		}
	}
	if !p.Engine().Cell("A").Node.Disabled() {
		t.Error("not disabled in the replay")
	}
}

// Of two get-outs in one tick the newer one is played. The older one does not come after it.
// Rules: B-20.
func TestSecondGetOutReplacesFirst(t *testing.T) {
	first, second, next := hold("first"), hold("second"), hold("next")
	r := newRig(t, "A+", func(r *rig) {
		r.of("A").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				c.PlayEmergencyGetOut(first)
				c.PlayEmergencyGetOut(second)
			case 2:
				c.Act(next, nil)
			}
		}
	})
	r.steps(2)
	second.Result = actions.Success
	r.steps(3)
	if first.Inits != 0 || !runs(next) {
		t.Errorf("the first one began %d times, the next action runs: %v", first.Inits, runs(next))
	}
}

// A Control of an earlier activation cannot drop the callback of the present one.
func TestStaleCancelKeepsCallback(t *testing.T) {
	var kept *behaviors.Control
	r := newRig(t, "R+ > A\nA+ > B\nB+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1, 3:
				r.pass(c, "A", nil)
			case 2:
				c.CancelDelegates()
			}
		}
		r.of("A").start = func(c *behaviors.Control) {
			r.pass(c, "B", r.calls("A"))
			if kept == nil {
				kept = c
			}
		}
		r.of("A").update = once(3, func(*behaviors.Control) {
			if kept.CancelDelegates() {
				t.Error("a stale request was carried out")
			}
		})
		r.of("B").update = once(3, func(c *behaviors.Control) { c.CancelSelf() })
	})
	r.steps(3)
	if r.step(); !strings.Contains(strings.Join(r.log, ", "), "back A") {
		t.Errorf("the callback is gone: %v", r.log)
	}
}

// CancelDelegates drops a callback that is due, too.
// Rules: C-7, Q-11.
func TestCancelDropsDueCallback(t *testing.T) {
	r := newRig(t, "A+ > B\nB+", func(r *rig) {
		r.of("A").hears = []string{behaviors.EventPoked}
		r.of("A").update = once(1, func(c *behaviors.Control) { r.pass(c, "B", r.calls("A")) })
		r.of("B").update = once(2, func(c *behaviors.Control) { c.CancelSelf() })
		r.of("A").always = func(c *behaviors.Control, _ behaviors.Event) {
			if c.CancelDelegates() {
				t.Error("there was nothing to take control back from")
			}
		}
	})
	r.steps(2)
	r.emit(behaviors.EventPoked, "")
	if r.step(); strings.Contains(strings.Join(r.log, ", "), "back A") {
		t.Errorf("the callback came: %v", r.log)
	}
}

// The vision modes of SetLook end with the next edge, also for a behavior without vision modes of its own.
// Rules: B-22.
func TestSetLookEndsAtNextEdge(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("R").update = once(2, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").update = once(1, func(c *behaviors.Control) { c.Vision().Look(markersHigh) })
	})
	r.step()
	r.wantWatchers("A:Markers/High")
	r.step()
	r.wantWatchers("")
}

// The base layer cleans up after an author's hook that used up its requests.
// Rules: B-12.
func TestCleanUpRunsAfterRequestBudgetIsSpent(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("A").modify = looking(hardware.Look{}, markersHigh)
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick() == 1 {
				r.pass(c, "A", nil)
			} else {
				c.CancelDelegates()
			}
		}
		r.of("A").end = func(c *behaviors.Control) {
			for range 5000 {
				c.Suggest("Sleep")
			}
		}
	})
	r.step()
	r.wantWatchers("A:Markers/High")
	r.step()
	r.wantWatchers("")
}

// A track lock of the author is independent of that of a pattern, also under the same name.
// Rules: TRK-5, TRK-8, TRK-12.
func TestTrackLockNamedLikePatternIsIndependent(t *testing.T) {
	r := newRig(t, "A+", func(r *rig) {
		r.of("A").start = func(c *behaviors.Control) {
			c.Lights().Show("backpack", green)
			if !c.Tracks().Lock("custom lights", actions.Backpack) || !granted(c, func() { c.Tracks().Unlock("custom lights") }) {
				t.Error("no lock")
			}
		}
	})
	r.step()
	if r.eng.Actions().Tracks().Mask()&actions.Backpack == 0 {
		t.Error("the pattern lost its track")
	}
}

// The feedback of an intent shows as far as no pattern is on, whichever of them begins and ends first.
// Rules: B-12, B-26.
func TestIntentFeedbackYieldsToPattern(t *testing.T) {
	blue := hardware.RGB{G: 80, B: 160}
	feedback := hardware.SetLights{Colors: [5]hardware.RGB{blue, blue, blue, blue, blue}}
	pattern, dark := hardware.SetLights{Colors: green.On}, hardware.SetLights{}
	var (
		claim   = func(c *behaviors.Control) { c.Intents().Claim("hello") }
		release = func(c *behaviors.Control) { c.Intents().Release() }
		set     = func(c *behaviors.Control) { c.Lights().Show("backpack", green) }
		remove  = func(c *behaviors.Control) { c.Lights().Remove("backpack") }
	)
	for name, steps := range map[string][]struct {
		do   func(c *behaviors.Control)
		want hardware.SetLights // shown after it
	}{
		"the feedback ends first":    {{claim, feedback}, {set, pattern}, {release, pattern}, {remove, dark}},
		"the pattern ends first":     {{claim, feedback}, {set, pattern}, {remove, feedback}, {release, dark}},
		"feedback under the pattern": {{set, pattern}, {claim, pattern}, {release, pattern}, {remove, dark}},
		"and longer than it":         {{set, pattern}, {claim, pattern}, {remove, feedback}, {release, dark}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "A+", func(r *rig) {
				r.of("A").update = func(c *behaviors.Control) { steps[c.Tick()-1].do(c) }
			})
			var shown hardware.SetLights
			for i, s := range steps {
				r.intent("hello")
				r.step()
				for _, cmd := range r.out.Commands {
					if l, ok := cmd.(hardware.SetLights); ok {
						shown = l
					}
				}
				if shown != s.want {
					t.Errorf("step %d: %v, want %v", i+1, shown, s.want)
				}
			}
		})
	}
}

// A cycle that leaves the stack empty under an operator's base goes on with the safe behavior, too.
// Rules: L-41.
func TestCycleWithEmptyStackIsBroken(t *testing.T) {
	r := newRig(t, "R+\nX+ > Y\nY+\nZ+", func(r *rig) {
		r.of("X").update = func(c *behaviors.Control) {
			switch {
			case c.IsControlDelegated():
				c.CancelSelf()
			case c.Activated():
				r.pass(c, "Y", nil)
			}
		}
	}, bootKeys(`"resetSafelyBehavior":"Z"`))
	r.step()
	r.command(engine.Command{Kind: engine.RunBehavior, ID: "X", Times: -1})
	for range 12 {
		if r.step(); strings.Contains(strings.Join(r.happened(), " "), "cycle") {
			if r.eng.Stack().Depth() != 0 {
				t.Fatalf("tick %d: the cycle was found with %s", r.tick, r.chain())
			}
			r.step()
			r.wantChain("Z")
			return
		}
	}
	t.Error("no cycle")
}

// A reset between two ticks ends the self test and the operator's runs, which would take the base away from it later.
// Rules: L-26.
func TestResetBetweenTicksEndsSelfTest(t *testing.T) {
	r := newRig(t, stageTree, nil, stageKeys)
	r.step()
	r.order(engine.Command{Kind: engine.BeginSelfTest})
	if _, err := r.eng.ResetNow("D"); err != nil {
		t.Fatal(err)
	}
	r.step()
	r.wantChain("D")
	if rep := r.order(engine.Command{Kind: engine.EndSelfTest}); rep.Err != "no self test runs" {
		t.Errorf("%+v", rep)
	}
	r.wantChain("D")
}

// A base that failed while it was popped is whole again when it starts as the next base, in the same tick.
// Rules: L-25, Q-7.
func TestBaseThatFailsInItsResetStartsAtOnce(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").end = func(*behaviors.Control) { panic("boom") }
	})
	r.step()
	r.order(engine.Command{Kind: engine.RunBehavior, ID: "R"})
	r.wantEvent("R.replaced")
	r.wantChain("R")
}

// A behavior that failed too often cannot become the base: it would only empty the stack.
// Rules: L-33, L-34.
func TestDisabledBaseIsRefused(t *testing.T) {
	r := newRig(t, "N+\nS+", func(r *rig) {
		r.of("S").start = func(*behaviors.Control) { panic("boom") }
	}, bootKeys(`"selfTestBehavior":"S"`))
	r.step()
	for range 4 {
		if rep := r.order(engine.Command{Kind: engine.BeginSelfTest}); rep.Err != "" {
			t.Fatal(rep.Err)
		}
		r.step()
		r.wantChain("N")
	}
	for _, c := range []engine.Command{{Kind: engine.BeginSelfTest}, {Kind: engine.RunBehavior, ID: "S", Times: -1}} {
		if rep := r.order(c); rep.Err != "S is disabled: it failed too often" {
			t.Errorf("%+v", rep)
		}
		r.wantChain("N")
	}
}

// Holdings names everything that a behavior holds, and nothing that it does not hold any more.
func TestHoldingsListsWhatABehaviorHolds(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ | "+`"associatedActiveFeature":"NoFeature"`+"\nB+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick() == 1 {
				r.pass(c, "A", nil)
			} else {
				c.CancelDelegates()
			}
		}
		r.of("A").start = func(c *behaviors.Control) {
			for _, f := range facilities {
				_ = f.hold(c)
			}
			c.Tracks().Lock("k", actions.Head)
			c.Suppression().Hold("s", "R")
			c.Emotions().Fix("e", condition.Trust, 1)
			c.Intents().Claim("hello")
			c.Act(hold("x"), nil)
		}
	})
	r.intent("hello")
	r.step()
	want := "action, motion profile, tracks k, lights backpack, intent hello, feedback, response, trigger-word lock, power-save request, " +
		"keep-face-alive lock, emotion Trust e, suppression s, look "
	if got := strings.Join(r.eng.Holdings(r.eng.Cell("A")), ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r.step()
	if got := r.eng.Holdings(r.eng.Cell("A")); len(got) > 0 {
		t.Errorf("still %v", got)
	}
}
