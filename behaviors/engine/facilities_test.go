package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// A facility is one thing that a behavior may hold, as its tests see it.
type facility struct {
	name string
	hold func(c *behaviors.Control) error
	// drop is the early release; nil if there is none.
	drop func(c *behaviors.Control) error
	held func(e *engine.Engine) bool
	// again is what a second hold says, missing what a drop without a hold says; zero for nothing wrong.
	again, missing stack.Refusal
	inScope        bool // may be held in scope already
}

var (
	slow   = actions.Profile{DriveMMPS: 30}
	green  = behaviors.LightPattern{On: [5]hardware.RGB{{G: 9}}}
	listen = condition.Response{GetIn: "listening"}
	faces  = hardware.LookFor(hardware.SeeFaces, hardware.High)
)

// facilities are all that the engine releases (B-12.5 and B-12.8…17).
var facilities = []facility{
	{
		name: "vision modes", inScope: true,
		hold: func(c *behaviors.Control) error { c.Vision().Look(faces); return refusal(c) },
		drop: func(c *behaviors.Control) error { c.Vision().Look(hardware.Look{}); return refusal(c) },
		held: func(e *engine.Engine) bool { return e.Look() == faces },
	},
	{
		name: "motion profile",
		hold: func(c *behaviors.Control) error { c.Motion().SetProfile(slow); return refusal(c) },
		drop: func(c *behaviors.Control) error { c.Motion().ClearProfile(); return refusal(c) },
		held: func(e *engine.Engine) bool { return e.Actions().Profile() == slow },
		again: stack.Refusal{
			By: "A", Op: stack.OpProfile, Reason: stack.AlreadySet, Applied: true,
		},
		missing: stack.Refusal{By: "A", Op: stack.OpProfile, Reason: stack.NotSet},
	},
	{
		name: "custom lights",
		hold: func(c *behaviors.Control) error { c.Lights().Show("backpack", green); return refusal(c) },
		drop: func(c *behaviors.Control) error { c.Lights().Remove("backpack"); return refusal(c) },
		held: func(e *engine.Engine) bool {
			on := len(e.CustomLights()) == 1
			if on != (e.Actions().Tracks().Mask()&actions.Backpack != 0) {
				panic("the pattern and its track disagree")
			}
			return on
		},
		again: stack.Refusal{
			By: "A", Op: stack.OpLights, Reason: stack.AlreadySet, To: "backpack",
		},
		missing: stack.Refusal{By: "A", Op: stack.OpLights, Reason: stack.NotSet, To: "backpack"},
	},
	{
		name: "response to the trigger word", inScope: true,
		hold: func(c *behaviors.Control) error { c.TriggerWord().Respond(listen); return refusal(c) },
		drop: func(c *behaviors.Control) error { c.TriggerWord().Withdraw(); return refusal(c) },
		held: func(e *engine.Engine) bool {
			top := e.View().Services.Response
			return top != nil && *top == listen && slices.Equal(e.Responders(), []string{"A"})
		},
		again: stack.Refusal{
			By: "A", Op: stack.OpResponse, Reason: stack.AlreadySet, Applied: true,
		},
		missing: stack.Refusal{By: "A", Op: stack.OpResponse, Reason: stack.NotSet},
	},
	{
		name: "trigger-word lock",
		hold: func(c *behaviors.Control) error { c.TriggerWord().Ignore(); return refusal(c) },
		drop: func(c *behaviors.Control) error { c.TriggerWord().Heed(); return refusal(c) },
		held: func(e *engine.Engine) bool { return e.View().Services.Deaf == "A" },
	},
	{
		name: "power save",
		hold: func(c *behaviors.Control) error { c.Power().Save(); return refusal(c) },
		drop: func(c *behaviors.Control) error { c.Power().Spend(); return refusal(c) },
		held: func(e *engine.Engine) bool { return e.View().Services.PowerSave },
		again: stack.Refusal{
			By: "A", Op: stack.OpPower, Reason: stack.AlreadySet, Applied: true,
		},
		missing: stack.Refusal{By: "A", Op: stack.OpPower, Reason: stack.NotSet},
	},
	{
		name:    "keep face alive",
		hold:    func(c *behaviors.Control) error { c.Face().KeepStill(); return refusal(c) },
		drop:    func(c *behaviors.Control) error { c.Face().KeepAlive(); return refusal(c) },
		held:    func(e *engine.Engine) bool { return e.View().Services.FaceLocked },
		again:   stack.Refusal{By: "A", Op: stack.OpFace, Reason: stack.AlreadySet},
		missing: stack.Refusal{By: "A", Op: stack.OpFace, Reason: stack.NotSet},
	},
	{
		name: "cube",
		hold: func(*behaviors.Control) error { return nil }, // its activation does
		held: func(e *engine.Engine) bool { return slices.Equal(e.CubeUsers(), []string{"A"}) },
	},
}

// holding builds R, which delegates to A in tick 1, and A, which holds the facility from its activation on.
func (f *facility) holding(t *testing.T) *rig {
	return newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").start = func(c *behaviors.Control) {
			if err := f.hold(c); err != nil {
				t.Error(err)
			}
		}
		if f.name == "cube" {
			r.of("A").modify = func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
				m.Cube = behaviors.CubeOptionalActive
			}
		}
	})
}

// wantMisuse compares what was wrong with a request; the zero Misuse is nothing.
func wantMisuse(t *testing.T, what string, err error, want stack.Refusal) {
	t.Helper()
	var got stack.Refusal
	if m := (*stack.Refusal)(nil); errors.As(err, &m) {
		got = *m
	} else if err != nil {
		t.Errorf("%s: %v is no Misuse", what, err)
	}
	if got != want {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}

// B-12 (5), (8)…(17): whatever a behavior holds is in force until its OnDeactivated has run, and gone right after it; a panic
// in any hook releases it in the same way. A mistake is recorded exactly, counted, and has the documented effect.
// Rules: B-12, BEH-6.
func TestFacilitiesAreReleasedAtDeactivation(t *testing.T) {
	for _, f := range facilities {
		t.Run(f.name, func(t *testing.T) {
			t.Run("deactivated", func(t *testing.T) {
				r := f.holding(t)
				r.of("A").end = func(*behaviors.Control) {
					if !f.held(r.eng) {
						t.Error("gone before the author's hook has run")
					}
				}
				r.step()
				if !f.held(r.eng) {
					t.Fatal("not held")
				}
				r.of("R").update = once(2, func(c *behaviors.Control) {
					c.CancelDelegates()
					if f.held(r.eng) {
						t.Error("still held after the deactivation")
					}
				})
				r.step()
			})
			for hook, set := range map[string]func(s *script, boom func(*behaviors.Control)){
				"update":       func(s *script, boom func(*behaviors.Control)) { s.update = once(2, boom) },
				"deactivation": func(s *script, boom func(*behaviors.Control)) { s.end = boom },
			} {
				t.Run("panic in "+hook, func(t *testing.T) {
					r := f.holding(t)
					r.step()
					set(r.of("A"), func(*behaviors.Control) { panic("boom") })
					r.of("R").update = func(c *behaviors.Control) {
						if hook == "deactivation" {
							c.CancelDelegates()
						}
					}
					r.step()
					if f.held(r.eng) || r.faults() == "" {
						t.Errorf("held %v, faults %q", f.held(r.eng), r.faults())
					}
				})
			}
			t.Run("panic while holding", func(t *testing.T) {
				r := f.holding(t)
				hold := r.of("A").start
				r.of("A").start = func(c *behaviors.Control) {
					hold(c)
					panic("boom")
				}
				r.of("R").update = once(1, func(c *behaviors.Control) {
					c.Wants("A")
					c.DelegateTo("A", nil)
				})
				r.step()
				if f.held(r.eng) {
					t.Error("held by nobody")
				}
			})
			t.Run("misuse", f.misused)
		})
	}
}

// misused holds twice, drops, drops again, and holds without control.
func (f *facility) misused(t *testing.T) {
	if f.drop == nil {
		t.Log("the author has no request of its own")
	}
	var wrong []stack.Refusal
	r := f.holding(t)
	r.of("A").update = func(c *behaviors.Control) {
		if c.Tick() != 1 || f.drop == nil {
			return
		}
		wantMisuse(t, "a second hold", f.hold(c), f.again)
		if !f.held(r.eng) {
			t.Error("a second hold let go")
		}
		wantMisuse(t, "the release", f.drop(c), stack.Refusal{})
		if f.held(r.eng) {
			t.Error("not released")
		}
		wantMisuse(t, "a second release", f.drop(c), f.missing)
		wantMisuse(t, "a new hold", f.hold(c), stack.Refusal{})
		for _, m := range []stack.Refusal{f.again, f.missing} {
			if m != (stack.Refusal{}) {
				wrong = append(wrong, m)
			}
		}
	}
	r.step()
	if !slices.Equal(r.out.Misuses, wrong) {
		t.Errorf("counted %+v, want %+v", r.out.Misuses, wrong)
	}
	if f.drop == nil {
		return
	}
	// Out of control it is refused, but for what is allowed in scope.
	r = newRig(t, "R+ > A\nA+", nil)
	r.of("A").update = func(c *behaviors.Control) {
		err := f.hold(c)
		if (err == nil) != f.inScope || f.held(r.eng) != f.inScope {
			t.Errorf("in scope: %v, held %v", err, f.held(r.eng))
		}
		m := (*stack.Refusal)(nil)
		if !f.inScope && (!errors.As(err, &m) || m.Reason != stack.NotActivated || m.Applied) {
			t.Errorf("in scope: %+v", m)
		}
	}
	r.step()
}

// B-12 (8)…(17): the releases run in this order, and each undoes its own and nothing else.
// Rules: B-12, 5/Stop.
func TestReleasesRunInOrder(t *testing.T) {
	r := newRig(t, `R+ > A
A+ | "tracksToLockWhileActivated": ["HEAD_TRACK"], "respondToUserIntents": [{"type": "hello"}]`, func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").modify = func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
			m.Cube = behaviors.CubeOptionalActive
		}
		r.of("A").start = func(c *behaviors.Control) {
			for _, f := range facilities[1:] {
				if err := f.hold(c); err != nil {
					t.Error(f.name, err)
				}
			}
		}
	})
	r.intent("hello")
	r.step()
	byRule := map[string]func() bool{
		"9 track locks": func() bool { return r.eng.Actions().Tracks().Holds("A/tracksToLockWhileActivated") },
		"12 intent":     func() bool { return r.eng.View().Intent.Active != nil },
	}
	for rule, name := range map[string]string{
		"8 motion profile": "motion profile", "10 custom lights": "custom lights", "13 trigger-word response": "response to the trigger word",
		"14 trigger-word lock": "trigger-word lock", "15 power save": "power save", "16 cube": "cube", "17 face": "keep face alive",
	} {
		i := slices.IndexFunc(facilities, func(f facility) bool { return f.name == name })
		byRule[rule] = func() bool { return facilities[i].held(r.eng) }
	}
	want := strings.Split("8 motion profile,9 track locks,10 custom lights,11 suggestion,12 intent,13 trigger-word response,"+
		"14 trigger-word lock,15 power save,16 cube,17 face", ",")
	var ran []string
	r.eng.Releases(r.eng.Cell("A"), func(rule string) {
		ran = append(ran, rule)
		for other, held := range byRule {
			if held() == slices.Contains(ran, other) {
				t.Errorf("after %q: %q is held: %v", rule, other, held())
			}
		}
	})
	// Rules that others add come where B-12 says; these keep their order.
	ran = slices.DeleteFunc(ran, func(rule string) bool { return !slices.Contains(want, rule) })
	if !slices.Equal(ran, want) {
		t.Errorf("ran %q", ran)
	}
}

// The suggestion is offered with the track locks gone and the intent still claimed, and not at all by a behavior that failed.
// Rules: B-12.
func TestFailureDropsSuggestions(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ | \"postBehaviorSuggestion\": \"Sleep\"", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").update = once(2, func(*behaviors.Control) { panic("boom") })
	})
	r.steps(2)
	if s := r.eng.View().Suggestions["Sleep"]; s != 0 {
		t.Errorf("suggested in tick %d", s)
	}
}
