package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
)

// recorded runs a rig for some ticks and returns its tape, written to bytes and read back.
func recorded(t *testing.T, tree string, set func(r *rig), ticks int) (*rig, *tape.Tape) {
	t.Helper()
	rec := &tape.Tape{}
	r := newRig(t, tree, func(r *rig) {
		r.opts.Recorder = tape.NewRecorder(rec.Add)
		set(r)
	})
	r.steps(ticks)
	messages, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := tape.Decode(messages)
	if err != nil {
		t.Fatal(err)
	}
	return r, back
}

// replay decides a tape again with the behaviors of a rig, and returns the first difference.
func replay(r *rig, rec *tape.Tape, o tape.ReplayOptions) (*tape.Replay, error) {
	o.Catalog = r.opts.Catalog
	p, err := tape.NewReplay(rec.Entries[0], o)
	for _, e := range rec.Entries[1:] {
		if err == nil {
			_, err = p.Step(e)
		}
	}
	return p, err
}

// The recorder keeps the input as it was, whatever the caller does with its slices afterwards.
// Rules: goal/M8.
func TestRecordingCopiesInput(t *testing.T) {
	rec := &tape.Tape{}
	r := newRig(t, "R+", func(r *rig) { r.opts.Recorder = tape.NewRecorder(rec.Add) })
	commands := []engine.Command{{Number: 1, Kind: engine.WakeWord}}
	events := []behaviors.Event{{Source: "test", Payload: behaviors.Poked{}}}
	r.eng.Step(engine.Input{Tick: 1, Now: epoch, Commands: commands, Events: events})
	commands[0], events[0] = engine.Command{Number: 2, Kind: engine.EStop}, behaviors.Event{Source: "test", Payload: behaviors.CubeLost{}}
	r.eng.Step(engine.Input{Tick: 2, Now: epoch.Add(period), Commands: commands, Events: events})
	var got []string
	for _, e := range rec.Entries[1:] {
		got = append(got, fmt.Sprint(e.Input.Commands[0].Number, e.Input.Events[0].Name()))
	}
	if want := []string{"1poked", "2cube_lost"}; !slices.Equal(got, want) {
		t.Errorf("recorded %q, want %q", got, want)
	}
}

// What a hook does before it is lost is done again, and the hook itself is not: a hook that hung would hang again. Here each would
// fail in another way.
// Rules: goal/M8.
func TestReplayDoesNotRerunLostHooks(t *testing.T) {
	again := false
	lost := func(what string) {
		if again {
			panic("the replay ran " + what)
		}
		panic("boom")
	}
	for name, set := range map[string]func(r *rig){
		"in an activation, after requests of every kind": func(r *rig) {
			r.of("A").start = func(c *behaviors.Control) {
				c.Tracks().Lock("k", actions.Head)
				c.Suppression().Hold("s", "C")
				c.Intents().Claim("hello")
				c.ResetTimer("nap")
				c.Suggest("nod")
				c.Suppression().ThisTick("D", "nobody")
				c.Send(hardware.ShowFace{Face: "happy"})
				r.pass(c, "B", nil)
				c.CancelDelegates()
				c.Act(hold("act"), nil)
				lost("A")
			}
		},
		"after an action that was refused": func(r *rig) {
			r.of("A").start = func(c *behaviors.Control) {
				if c.Act(&nameless{}, nil) {
					t.Error("an action without a name was queued")
				}
				c.Act(hold("another"), nil)
				lost("A")
			}
		},
		"in an Update, after cancelling itself": func(r *rig) {
			held := 0
			r.of("A").update = once(3, func(c *behaviors.Control) {
				held = 1
				c.CancelSelf()
				lost("A")
			})
			r.of("A").end = func(c *behaviors.Control) { // its memory is gone with the hook that it is part of
				if held == 1 {
					c.Suggest("nod")
					c.Wants("C")
				}
				held = 0
			}
		},
		"in a question": func(r *rig) {
			r.of("A").wants = func(c *behaviors.Control) bool {
				if c.Tick() == 2 {
					c.Wants("C")
					lost("A")
				}
				return true
			}
		},
		"in scope": func(r *rig) {
			r.of("C").update = once(2, func(c *behaviors.Control) {
				c.Wants("D")
				lost("C")
			})
		},
		"in scope, after being asked back": func(r *rig) {
			r.of("C").update = once(1, func(c *behaviors.Control) {
				c.Wants("D")
				lost("C")
			})
			r.of("C").wants = func(c *behaviors.Control) bool { return !again || c.Tick() != 1 }
			answers := 0
			r.of("D").wants = func(c *behaviors.Control) bool {
				answers = 0
				if c.Wants("C") {
					answers++
				}
				return true
			}
			r.of("D").update = func(c *behaviors.Control) { c.Suggest(strings.Repeat("x", answers)) }
		},
		"in a constructor": func(r *rig) {
			r.of("A").update = once(2, func(*behaviors.Control) { lost("A") })
			r.of("A").hears = []string{behaviors.EventPoked}
		},
		"in an action, after effects": func(r *rig) {
			r.edit = func(s *hardware.Snapshot) { s.Servos.Quality = hardware.OK }
			r.of("A").start = func(c *behaviors.Control) {
				act := actiontest.NewStub("act", actions.Head)
				act.OnCheck = func(env *actions.Env) {
					env.Send(hardware.MoveHead{ID: env.NextID(), AngleRad: env.Rand.Float64()})
					if _, ok := env.Tracks.Lock("part", actions.Lift); !ok {
						t.Error("the lift is not free")
					}
					if tag, err := env.Tags.Take(); err != nil || tag == 0 {
						t.Error(err)
					}
					env.Ended(actions.Completion{Tag: 77, Name: "part", Result: actions.Timeout})
					lost("act")
				}
				c.Act(act, r.calls("A"))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			again = false
			r, rec := recorded(t, "R+ > A C D\nA+ > B C\nB+\nC+\nD+", func(r *rig) {
				r.of("R").update = func(c *behaviors.Control) {
					if c.InControl() && c.Tick() > 1 && c.Wants("A") {
						c.DelegateTo("A", r.calls("R"))
						if c.Wants("D") {
							c.Suggest("play with D")
						}
					}
				}
				r.of("A").update = func(c *behaviors.Control) {
					if c.Tick() > 3 && c.InControl() {
						c.Act(done("next"), nil) // its tag tells which tags were in use
					}
				}
				set(r)
			}, 6)
			verdicts := 0
			for _, e := range rec.Entries {
				verdicts += len(e.Verdicts)
			}
			if verdicts == 0 {
				t.Fatal("nothing was lost")
			}
			again = true
			p, err := replay(r, rec, tape.ReplayOptions{})
			if err != nil {
				t.Fatal(err)
			}
			a, b := r.eng, p.Engine()
			if x, y := stateOf(a), stateOf(b); x != y {
				t.Errorf("after the recording\n%s\nafter the replay\n%s", x, y)
			}
		})
	}
}

// A behavior that asks itself in a hook that is lost gets the same answer in the replay, and as much of its code is called: its gates and
// conditions depend on what that hook did to it, and the replay does not run the hook.
// Rules: goal/M8.
func TestReplayRepeatsForesightInLostHook(t *testing.T) {
	for name, c := range map[string]struct {
		keys   string // of A
		modify func(m *behaviors.Modifiers)
		scoped bool // A is not activated
		want   string
	}{
		"yes, after cancelling itself": {want: "A D, A W, yes"},
		"no by a condition that the deactivation restarted": {
			keys: `| "wantsToBeActivatedCondition": {"conditionType": "TimerInRange", "begin_s": 0.01}`, want: "A D, no",
		},
		"no by a gate that is a misuse": {
			modify: func(m *behaviors.Modifiers) { m.Cube = behaviors.CubeRequiredManaged }, scoped: true, want: "no",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			r, rec := recorded(t, "R+ > A\nA+"+c.keys, func(r *rig) {
				r.embody().Cube = true
				r.of("R").update = func(ctl *behaviors.Control) {
					if !c.scoped && ctl.InControl() && ctl.Tick() == 2 {
						r.pass(ctl, "A", nil)
					}
				}
				r.of("A").modify = func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
					if c.modify != nil {
						c.modify(m)
					}
				}
				r.of("A").update = once(3, func(ctl *behaviors.Control) {
					ctl.CancelSelf()
					if ctl.Wants("A") {
						asked = append(asked, "yes")
					} else {
						asked = append(asked, "no")
					}
					panic("boom")
				})
				called := func(what string, ctl *behaviors.Control) {
					if ctl.Tick() == 3 {
						asked = append(asked, what)
					}
				}
				r.of("A").end = func(ctl *behaviors.Control) { called("A D", ctl) }
				r.of("A").wants = func(ctl *behaviors.Control) bool {
					called("A W", ctl)
					return true
				}
			}, 3)
			if got := strings.Join(asked, ", "); got != c.want {
				t.Fatalf("in the recording %q, want %q", got, c.want)
			}
			asked = nil
			p, err := tape.NewReplay(rec.Entries[0], tape.ReplayOptions{Options: engine.Options{Catalog: r.opts.Catalog}})
			if err != nil {
				t.Fatal(err)
			}
			var out *engine.Output
			for _, e := range rec.Entries[1:] {
				if out, err = p.Step(e); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(out.Misuses, r.out.Misuses) {
				t.Errorf("misuses %v, in the recording %v", out.Misuses, r.out.Misuses)
			}
			if x, y := stateOf(r.eng), stateOf(p.Engine()); x != y || len(asked) > 0 {
				t.Errorf("after the recording\n%s\nafter the replay, which called %q\n%s", x, asked, y)
			}
		})
	}
}

// A behavior that is lost when the engine ends gives no reason: its code may still run, and a replay has not its memory.
func TestBehaviorLostAtShutdownGivesNoReason(t *testing.T) {
	lost := false
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) { c.Wants("A") }
		r.of("A").wants = func(*behaviors.Control) bool { return false }
		r.of("A").leave = func(*behaviors.Control) {
			if why := r.eng.Cell("A").Why(); why == "" {
				t.Error("no reason before the loss")
			}
			lost = true
			panic("boom")
		}
	})
	r.step()
	r.eng.Shutdown()
	if why := r.eng.Cell("A").Why(); why != "" || !lost {
		t.Errorf("%q after the loss", why)
	}
}

// nameless is an action whose getter panics: the list refuses it.
type nameless struct{ actiontest.Stub }

func (*nameless) Name() string { panic("no name") }

// stateOf is the state of an engine between two ticks as text.
func stateOf(e *engine.Engine) string {
	var b strings.Builder
	for _, c := range e.Cells() {
		b.WriteString(c.Node.ID + " " + c.Node.State().String() + " " + c.Since().String() + "\n")
	}
	fmt.Fprintln(&b, e.Actions().Tracks().Holders(), e.View().Suggestions, e.View().Timers, e.View().Intent)
	return b.String()
}

// A replay with changed behaviors says where its decisions part from the recorded ones, and can go on.
func TestReplayNamesFirstDifference(t *testing.T) {
	fixed := false
	r, rec := recorded(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick() == 3 && !fixed {
				r.pass(c, "A", nil)
			} else if c.Tick() == 3 {
				r.pass(c, "B", nil)
			}
		}
		r.of("A").update = once(5, func(*behaviors.Control) { panic("boom") })
	}, 6)
	if _, err := replay(r, rec, tape.ReplayOptions{}); err != nil {
		t.Fatal(err)
	}
	fixed = true
	p, err := tape.NewReplay(rec.Entries[0], tape.ReplayOptions{Options: engine.Options{Catalog: r.opts.Catalog}})
	if err != nil {
		t.Fatal(err)
	}
	var parted []string
	for _, e := range rec.Entries[1:] {
		out, err := p.Step(e)
		if out == nil || out.Tick != e.Input.Tick {
			t.Fatalf("output %+v, %v", out, err)
		}
		var pe *tape.DiffError
		if errors.As(err, &pe) {
			parted = append(parted, err.Error())
		}
	}
	if len(parted) == 0 || !strings.Contains(parted[0], "part in tick 3, line 1:") || !strings.Contains(parted[0], "a 3 A.push\n  b 3 B.push") {
		t.Errorf("parted %q", parted)
	}
	if p.Engine().Stack().Top().ID != "B" {
		t.Error("the replay did not go on")
	}
}

// A verdict that finds no hook to fit is named: the behaviors are not those of the recording.
func TestReplayReportsVerdictWithoutHook(t *testing.T) {
	r, rec := recorded(t, "R+ > A\nA+", func(r *rig) {
		r.of("A").update = once(2, func(*behaviors.Control) { panic("boom") })
	}, 3)
	other := newRig(t, "R+", nil)
	_, err := replay(other, rec, tape.ReplayOptions{})
	var pe *tape.DiffError
	if !errors.As(err, &pe) || pe.Difference == nil || pe.Difference.Tick != 1 {
		t.Errorf("%v", err)
	}
	rec.Entries[3].Verdicts = append(rec.Entries[3].Verdicts, rec.Entries[2].Verdicts...)
	rec.Entries[3].Verdicts[0].Crossing = 100
	_, err = replay(r, rec, tape.ReplayOptions{})
	if want := "in which A.Update was lost, did not come"; !errors.As(err, &pe) || pe.Verdict == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %q", err, want)
	}
}

// A replay that does not begin with a start is refused.
func TestReplayWithoutStartIsRefused(t *testing.T) {
	r, rec := recorded(t, "R+", func(*rig) {}, 1)
	for _, e := range []*tape.Entry{nil, rec.Entries[1]} {
		if _, err := tape.NewReplay(e, tape.ReplayOptions{Options: engine.Options{Catalog: r.opts.Catalog}}); err == nil {
			t.Errorf("began with %+v", e)
		}
	}
	p, err := replay(r, rec, tape.ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []*tape.Entry{{Kind: engine.CallStart}, {Kind: engine.CallReset, Base: "S"}} {
		if _, err := p.Step(e); err == nil || strings.Contains(err.Error(), "part in") {
			t.Errorf("%+v: %v", e, err)
		}
	}
}

// Base and patience come from the recording; the end of a life is recorded too.
func TestReplayTakesOptionsFromTape(t *testing.T) {
	r, rec := recorded(t, "R+ > A\nA+", func(r *rig) {
		r.opts.Base, r.opts.MaxFailures = "A", 1
		r.of("A").update = func(*behaviors.Control) { panic("boom") }
	}, 2)
	p, err := replay(r, rec, tape.ReplayOptions{})
	if err != nil || !p.Engine().Cell("A").Node.Disabled() {
		t.Errorf("%v", err)
	}
	rec = &tape.Tape{}
	r.opts.Recorder = tape.NewRecorder(rec.Add)
	eng, err := engine.New(r.opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Start(epoch); err != nil {
		t.Fatal(err)
	}
	events := []behaviors.Event{{Payload: behaviors.IntentPosted{Tag: "bye"}}}
	eng.Step(engine.Input{Tick: 1, Now: epoch, Events: events})
	events[0].Payload = nil // used again by its owner
	if got := rec.Entries[1].Input.Events[0].String(); got != "user_intent bye" {
		t.Errorf("recorded an event %q", got)
	}
	if _, err := eng.ResetNow("B"); err == nil {
		t.Error("B does not exist")
	}
	if _, err := eng.ResetNow("R"); err != nil {
		t.Error(err)
	}
	eng.Shutdown()
	if n := len(rec.Entries); n != 4 || rec.Entries[2].Kind != engine.CallReset || rec.Entries[3].Kind != engine.CallShutdown {
		t.Errorf("%d entries", n)
	}
}

// A recorded request that no engine of this kind makes, because its kind does not exist or its arguments are of another type, does not take
// the engine of a replay down.
func TestReplaySurvivesImpossibleRequests(t *testing.T) {
	for k := range behaviors.RequestKind(255) {
		for _, args := range []any{nil, behaviors.Poked{}} {
			r, rec := recorded(t, "R+", func(r *rig) {
				r.of("R").update = once(2, func(*behaviors.Control) { panic("broken") })
			}, 3)
			for _, e := range rec.Entries {
				for i := range e.Verdicts {
					e.Verdicts[i].Requests = []tape.Request{{Kind: k, Key: "backpack", Args: args, On: true}}
				}
			}
			func() {
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("request %d with %T: %v", k, args, p)
					}
				}()
				_, _ = replay(r, rec, tape.ReplayOptions{})
			}()
		}
	}
}

// An effect without what it is about does not take the engine of a replay down either.
func TestReplaySurvivesEmptyEffects(t *testing.T) {
	r, rec := recorded(t, "R+", func(r *rig) {
		broken := hold("act")
		broken.OnCheck = func(*actions.Env) { panic("broken") }
		r.of("R").update = once(2, func(c *behaviors.Control) { c.Act(broken, nil) })
	}, 3)
	lost := 0
	for _, e := range rec.Entries {
		for i := range e.Verdicts {
			lost++
			for k := range tape.EffectKind(9) {
				e.Verdicts[i].Effects = append(e.Verdicts[i].Effects, tape.Effect{Kind: k})
			}
		}
	}
	if lost == 0 {
		t.Fatal("nothing was lost")
	}
	_, _ = replay(r, rec, tape.ReplayOptions{})
}

// A replay begins in the stage of life in which the robot was.
func TestReplayBeginsInRecordedStage(t *testing.T) {
	r, rec := recorded(t, "R+", func(r *rig) { r.opts.Stage = engine.StageDev }, 1)
	p, err := replay(r, rec, tape.ReplayOptions{})
	if err != nil || p.Engine().Stage() != engine.StageDev {
		t.Errorf("%v, %v", p.Engine().Stage(), err)
	}
}
