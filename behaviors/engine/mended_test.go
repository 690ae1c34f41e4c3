package engine_test

import (
	"slices"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// An action that an operator cancels before the walk frees its owner in the same tick: it may delegate again at once.
// Rules: B-21, RUN-11, T-3.
func TestOwnerOfCancelledActionMayActInTheSameTick(t *testing.T) {
	next := hold("next")
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				c.Act(hold("act"), nil)
			case 3:
				if c.IsControlDelegated() || !c.Act(next, nil) {
					t.Errorf("delegated %t, %v", c.IsControlDelegated(), c.Refusal())
				}
			}
		}
	})
	r.steps(2)
	r.order(engine.Command{Kind: engine.CancelActions})
	if next.Inits != 1 {
		t.Error("the next action did not start in the tick of the cancellation")
	}
}

// A behavior that crashes takes its feature with it, in the tick of the crash.
// Rules: B-25, L-40.
func TestCrashEndsTheFeatureOfTheBehavior(t *testing.T) {
	r := newRig(t, "R+ > A\n"+`A+ | "associatedActiveFeature": "Exploring"`, func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").update = once(3, func(*behaviors.Control) { panic("broken") })
	})
	r.steps(2)
	if got := r.eng.Feature().Feature; got != "Exploring" {
		t.Fatalf("active feature %q before the crash", got)
	}
	r.step()
	if got := r.eng.Feature().Feature; got != behaviors.NoFeature {
		t.Errorf("active feature %q after the crash", got)
	}
}

// In OnDeactivated the behavior's own action still runs: control reads as delegated, and CancelDelegates stops the action, with or without
// a callback.
// Rules: B-12, L-12.
func TestControlIsDelegatedToTheOwnActionInOnDeactivated(t *testing.T) {
	for name, then := range map[string]behaviors.Callback{"with a callback": neverCalled(t), "without": nil} {
		t.Run(name, func(t *testing.T) {
			act := hold("act")
			ended := false
			r := newRig(t, "R+ > A\nA+", func(r *rig) {
				r.of("R").update = func(c *behaviors.Control) {
					if c.Tick() == 1 {
						r.pass(c, "A", nil)
					} else {
						c.CancelDelegates()
					}
				}
				r.of("A").start = func(c *behaviors.Control) { c.Act(act, then) }
				r.of("A").end = func(c *behaviors.Control) {
					ended = true
					if top := r.eng.Stack().Top(); top == nil || top.ID != "A" {
						t.Errorf("the top is %v while the hook of A runs", top)
					}
					if !c.IsControlDelegated() || c.Activated() || c.InControl() {
						t.Errorf("delegated %t, activated %t, in control %t", c.IsControlDelegated(), c.Activated(), c.InControl())
					}
					if !c.CancelDelegates() || act.Stops != 1 || c.IsControlDelegated() {
						t.Errorf("stops %d, delegated %t", act.Stops, c.IsControlDelegated())
					}
				}
			})
			r.steps(2)
			if !ended {
				t.Error("A was not deactivated")
			}
		})
	}
}

// A pop by a base that cancels itself leaves the stack empty for the rest of its tick; the next one begins with the base.
// Rules: L-29.
func TestStackIsEmptyBetweenTheEndOfABaseAndTheNextTick(t *testing.T) {
	r := newRig(t, "R+", nil)
	r.of("R").update = once(1, func(c *behaviors.Control) { c.CancelSelf() })
	r.step()
	if d := r.eng.Stack().Depth(); d != 0 {
		t.Errorf("%d layers after the base ended", d)
	}
	r.step()
	r.wantChain("R")
}

// Commands outside an action: only the behavior in control may give one, none may move the body, and none may use a locked track.
// Rules: TRK-4.
func TestCommandsOutsideActionsAreLimited(t *testing.T) {
	drive := hardware.Drive{Kind: hardware.Wheels, LeftMMPS: 100, RightMMPS: 100}
	lights := hardware.SetLights{}
	var reasons []stack.Reason
	send := func(c *behaviors.Control, cmd hardware.Command) {
		c.Send(cmd)
		reasons = append(reasons, reasonOf(refusal(c)))
	}
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick() == 1 {
				send(c, drive)
				send(c, hardware.MoveHead{})
				send(c, hardware.MoveLift{})
				send(c, hardware.StopWheels{})
				r.pass(c, "A", nil)
			}
			send(c, lights)
			send(c, hardware.StopWheels{})
		}
		r.of("A").start = func(c *behaviors.Control) {
			c.Tracks().Lock("mine", actions.Backpack)
			send(c, lights)
		}
		r.of("A").update = once(2, func(c *behaviors.Control) {
			r.eng.Actions().Tracks().Lock("an animation", actions.Backpack)
			send(c, lights)
			send(c, nil)
		})
	})
	r.step()
	moves, not := stack.MotionOutsideAction, stack.NotInControl
	if want := []stack.Reason{moves, moves, moves, 0, 0, not, not}; !slices.Equal(reasons, want) {
		t.Errorf("tick 1: %v, want %v", reasons, want)
	}
	if want := []hardware.Command{hardware.StopWheels{}, lights}; !slices.Equal(r.out.Commands, want) {
		t.Errorf("tick 1: %v, want %v", r.out.Commands, want)
	}
	if len(r.out.Misuses) != 5 || r.out.Misuses[0].Error() != "behaviors: R: device command Drive: motion_outside_action" {
		t.Errorf("recorded %v", r.out.Misuses)
	}
	reasons = nil
	r.step()
	if want := []stack.Reason{not, not, stack.TrackLocked, stack.NoTarget}; !slices.Equal(reasons, want) {
		t.Errorf("tick 2: %v, want %v", reasons, want)
	}
}

// During an emergency stop one behavior holds the stack, whatever the others want, and commands that would change that are refused; the
// boot behavior follows.
// Rules: L-41.
func TestEmergencyStopGivesTheStackToOneBehavior(t *testing.T) {
	r := newRig(t, "R+ > A\nA\nStopped+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if !c.IsControlDelegated() {
				r.pass(c, "A", nil)
			}
		}
		r.of("A").start = func(c *behaviors.Control) { c.Act(hold("act"), nil) }
	}, bootKeys(`"emergencyStopBehavior": "Stopped"`))
	r.steps(2)
	r.wantChain("R A")
	r.order(engine.Command{Kind: engine.EStop})
	for range 100 {
		r.wantChain("Stopped")
		if n := len(r.out.Misuses); n > 0 || len(r.out.Events) > 0 && r.tick > 3 {
			t.Fatalf("tick %d: %v %v", r.tick, r.out.Events, r.out.Misuses)
		}
		r.step()
	}
	if got := r.eng.Cell("Stopped").State(); got != "emergency stop, until resume" {
		t.Errorf("state %q", got)
	}
	for _, c := range []engine.Command{{Kind: engine.RunBehavior, ID: "A"}, {Kind: engine.Cancel}, {Kind: engine.SetBoot, ID: "A", Now: true}} {
		if got := r.order(c); got.Err != "the robot is stopped; resume it first" {
			t.Errorf("%+v", got)
		}
	}
	r.order(engine.Command{Kind: engine.Resume})
	r.wantChain("R A")
	if got := r.eng.Cell("Stopped").State(); got != "" {
		t.Errorf("state %q", got)
	}
}

// A behavior that holds the stack and crashes is replaced, and holds it again.
// Rules: L-41.
func TestEmergencyStopOutlivesACrashOfItsBehavior(t *testing.T) {
	r := newRig(t, "R+\nStopped+", func(r *rig) {
		r.of("Stopped").update = once(4, func(*behaviors.Control) { panic("broken") })
	}, bootKeys(`"emergencyStopBehavior": "Stopped"`))
	r.steps(2)
	r.order(engine.Command{Kind: engine.EStop})
	r.steps(2)
	r.wantChain("Stopped")
}
