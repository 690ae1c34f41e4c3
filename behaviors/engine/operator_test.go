package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// order gives a command in a tick of its own and returns the reply.
func (r *rig) order(c engine.Command) engine.Reply {
	r.t.Helper()
	c.Number = 40 + r.tick
	r.command(c)
	r.step()
	if len(r.out.Replies) != 1 || r.out.Replies[0].Number != c.Number {
		r.t.Fatalf("replies %+v", r.out.Replies)
	}
	return r.out.Replies[0]
}

// A behavior that an operator runs is the base until it ends or is cancelled; then the boot behavior is back.
// Rules: L-34.
func TestOperatorRunsBehavior(t *testing.T) {
	r := newRig(t, "R+ > A\nA+ > B\nB+", nil)
	r.step()
	if rep := r.order(engine.Command{Kind: engine.RunBehavior, ID: "B"}); rep.Err != "" || rep.Text != "running B" {
		t.Errorf("%+v", rep)
	}
	r.wantChain("B")
	if rep := r.order(engine.Command{Kind: engine.Cancel}); rep.Err != "" || rep.Text != "back to R" {
		t.Errorf("%+v", rep)
	}
	r.wantChain("R")
	r.order(engine.Command{Kind: engine.RunBehavior, ID: "B"})
	r.of("B").update = once(r.tick+1, func(c *behaviors.Control) { c.CancelSelf() })
	r.step()
	if all := r.happened(); slices.Contains(all, "B.empty") {
		t.Errorf("the end of the run is a fault: %q", all)
	}
	r.step()
	r.wantChain("R")
}

// An unknown name is answered with the nearest one, and changes nothing.
// Rules: 6.8/CreateComponent, 6.8/UserIntentsValid, DT-U01, data/4.1, goal/M15.
func TestUnknownNameIsRefusedWithNearest(t *testing.T) {
	r := newRig(t, "Root+ > Greeter\nGreeter+", nil)
	r.step()
	for _, c := range []struct {
		cmd  engine.Command
		want string
	}{
		{engine.Command{Kind: engine.RunBehavior, ID: "Greter"}, `there is no behavior "Greter"; did you mean "Greeter"?`},
		{engine.Command{Kind: engine.RunBehavior, ID: "zzz"}, `there is no behavior "zzz"; valid: Greeter Root`},
		{engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: "helo"}}, `there is no intent "helo"; did you mean "hello"?`},
		{engine.Command{Kind: engine.PostIntent}, `there is no intent ""; valid: bye come_here hello`},
		{engine.Command{Kind: 99}, "unknown command 99"},
	} {
		if rep := r.order(c.cmd); rep.Err != c.want {
			t.Errorf("%+v: %q, want %q", c.cmd, rep.Err, c.want)
		}
		r.wantChain("Root")
		if r.eng.View().Intent.Pending != nil {
			t.Error("an unknown intent is pending")
		}
	}
}

// The emergency stop ends every action, stops the wheels, and refuses actions and commands until the operator resumes.
func TestEmergencyStopEndsActionsAndLastsUntilResume(t *testing.T) {
	act, again := hold("act"), hold("again")
	var refused stack.Reason
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				c.Act(act, r.calls("R"))
			case 3:
				refused = reasonOf(refusal(c, c.Act(hold("no"), nil)))
				c.Send(hardware.ShowFace{Face: "sad"})
			case 5:
				c.Send(hardware.ShowFace{Face: "glad"})
				if !c.Act(again, nil) {
					t.Error(c.Refusal())
				}
			}
		}
	})
	r.step()
	r.order(engine.Command{Kind: engine.EStop})
	r.wantNotes("back R CANCELLED_WHILE_RUNNING, U R") // at once: not a tick later (T-3, RUN-11)
	if !r.eng.Halted() || act.Stops != 1 || !slices.Contains(r.out.Commands, hardware.Command(hardware.StopWheels{})) {
		t.Errorf("halted %v, stops %d, commands %v", r.eng.Halted(), act.Stops, r.out.Commands)
	}
	r.want("U R")
	if refused != stack.Stopping || len(r.out.Commands) != 0 {
		t.Errorf("refused %v, commands %v", refused, r.out.Commands)
	}
	r.order(engine.Command{Kind: engine.Resume})
	r.step()
	if r.eng.Halted() || again.Inits != 1 || !slices.Contains(r.out.Commands, hardware.Command(hardware.ShowFace{Face: "glad"})) {
		t.Errorf("halted %v, inits %d, commands %v", r.eng.Halted(), again.Inits, r.out.Commands)
	}
}

// During an emergency stop one behavior holds the stack, whatever the others want, and commands that would change that are refused; the
// boot behavior follows.
// Rules: L-42.
func TestEmergencyStopHoldsStackForOneBehavior(t *testing.T) {
	r := newRig(t, "R+ > A\nA\nStopped+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if !c.IsControlDelegated() {
				r.pass(c, "A", nil)
			}
		}
		r.of("A").start = func(c *behaviors.Control) { c.Act(hold("act"), nil) }
		r.of("Stopped").start = func(c *behaviors.Control) { c.SetState("waiting") } // which says less than why it waits
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
	if got := r.eng.Cell("Stopped").State(); got != "waiting" {
		t.Errorf("state %q", got)
	}
}

// A behavior that crashes during an emergency stop is replaced and holds the stack again.
// Rules: L-42.
func TestCrashedEmergencyStopBehaviorIsReplaced(t *testing.T) {
	r := newRig(t, "R+\nStopped+", func(r *rig) {
		r.of("Stopped").update = once(4, func(*behaviors.Control) { panic("broken") })
	}, bootKeys(`"emergencyStopBehavior": "Stopped"`))
	r.steps(2)
	r.order(engine.Command{Kind: engine.EStop})
	r.steps(2)
	r.wantChain("Stopped")
}

// An operator may end every action; their owners are told like after any other end.
func TestOperatorCancelsActions(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { c.Act(hold("act"), r.calls("R")) })
	})
	r.step()
	r.order(engine.Command{Kind: engine.CancelActions})
	r.wantNotes("back R CANCELLED_WHILE_RUNNING, U R")
	if len(r.out.Done) != 1 || r.out.Done[0].Result != actions.CancelledWhileRunning {
		t.Errorf("done %+v", r.out.Done)
	}
}

// An action that an operator cancels before the walk frees its owner in the same tick: it may delegate again at once.
// Rules: B-21, RUN-11, T-3.
func TestOwnerOfCancelledActionMayActInSameTick(t *testing.T) {
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

// latched makes the motors report that the cliff reflex stopped the wheels, in the given ticks.
func (r *rig) latched(ticks ...uint64) {
	r.edit = func(s *hardware.Snapshot) {
		s.Put(&hardware.Sample{
			Device: hardware.Motors, Seq: r.tick, At: s.Now, Quality: hardware.OK,
			Value: hardware.MotorState{CliffLatched: slices.Contains(ticks, r.tick)},
		})
	}
}

// After the cliff reflex every action is cancelled, then the wheels are enabled again, then the behaviors are told.
// Rules: CLF-6, OA-7.
func TestCliffReflexCancelsThenAcknowledgesThenRaisesEvent(t *testing.T) {
	act := hold("act")
	r := newRig(t, "R+", func(r *rig) {
		act.OnStop = func() {
			r.note("stop")
			if r.tick == 2 && len(r.out.Commands) != 0 {
				t.Error("the acknowledgement came before the end of the action")
			}
		}
		r.of("R").hears = []string{behaviors.EventRobotStopped}
		r.of("R").whileOn = func(*behaviors.Control, behaviors.Event) {}
		r.of("R").update = once(1, func(c *behaviors.Control) { c.Act(act, r.calls("R")) })
	})
	r.latched(2, 3, 5)
	r.step()
	r.want("stop, on R robot_stopped cliff, back R CANCELLED_WHILE_RUNNING, U R")
	acks := func() int {
		n := 0
		for _, c := range r.out.Commands {
			if _, ok := c.(hardware.AckCliff); ok {
				n++
			}
		}
		return n
	}
	if acks() != 1 {
		t.Errorf("commands %v", r.out.Commands)
	}
	r.want("U R")
	if acks() != 1 {
		t.Errorf("still latched, but not acknowledged again: %v", r.out.Commands)
	}
	r.want("U R")
	if acks() != 0 {
		t.Errorf("not latched, but %v", r.out.Commands)
	}
	r.want("on R robot_stopped cliff, U R")
}

// A fall ends every action.
// Rules: TRD-2.
func TestFallCancelsActions(t *testing.T) {
	act := hold("act")
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").update = once(5, func(c *behaviors.Control) { c.Act(act, nil) })
	})
	fall := false
	r.embody()
	body := r.edit
	r.edit = func(s *hardware.Snapshot) {
		body(s)
		if fall {
			s.IMU.Value.AccelMMPS2 = [3]float64{}
			s.IMU.Value.PeakAccelMMPS2 = 0
			s.Cliff.Value.Detected = [4]bool{true, true, true, true}
		}
	}
	r.steps(8)
	if act.Stops != 0 {
		t.Fatal("ended before the fall")
	}
	fall = true
	for n := 0; r.eng.View().World.Body.Treads != hardware.Falling; n++ {
		if act.Stops != 0 || n > 20 {
			t.Fatalf("stopped %d times before the fall, %v", act.Stops, r.eng.View().World.Body.Treads)
		}
		r.step()
	}
	if act.Stops != 1 {
		t.Errorf("stopped %d times", act.Stops)
	}
}

// A device that fails or comes back is an event; the first reading is none.
func TestChangeOfDeviceQualityRaisesEvent(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").hears = []string{behaviors.EventDevice}
		r.of("R").whileOn = func(*behaviors.Control, behaviors.Event) {}
	})
	b := r.embody()
	r.want("E R, A R, U R")
	b.Broken = map[string]hardware.Quality{hardware.Range: hardware.Failed}
	r.want("on R device range failed, U R")
	r.want("U R")
	b.Broken = nil
	r.want("on R device range ok, U R")
}

// The daemon's stop order: the stack from the top, then actions, then the wheels.
func TestShutdownPopsFromTop(t *testing.T) {
	act := hold("act")
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
		r.of("A").start = func(c *behaviors.Control) { c.Act(act, nil) }
	})
	r.steps(2)
	r.log = nil
	out := r.eng.Shutdown()
	want := []string{"D A", "L A", "D R", "L R"}
	if !slices.Equal(r.log, want) || act.Stops != 1 {
		t.Errorf("hooks %q, stops %d", r.log, act.Stops)
	}
	if n := len(out.Commands); n == 0 || out.Commands[n-1] != hardware.Command(hardware.StopWheels{}) || len(out.Events) == 0 {
		t.Errorf("commands %v, events %v", out.Commands, out.Events)
	}
}

// The checks after each tick can be switched off and on under way; what does not hold is reported in every tick in which they are on.
func TestOperatorSwitchesChecks(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", nil)
	for _, unchecked := range []bool{false, true} {
		eng, err := engine.New(engine.Options{
			Catalog: r.eng.Catalog(), Unchecked: unchecked, Check: func(*stack.Stack) []string { return []string{"wrong"} },
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := eng.Start(epoch); err != nil {
			t.Fatal(err)
		}
		step := func(tick uint64, cmds ...engine.Command) bool {
			now := epoch.Add(time.Duration(tick) * period)
			return len(eng.Step(engine.Input{Tick: tick, Now: now, Commands: cmds}).Violations) > 0
		}
		if step(1) == unchecked {
			t.Errorf("unchecked %v: wrong at the start", unchecked)
		}
		for k, on := range []bool{true, false, true} {
			tick := uint64(2 * (k + 1))
			if step(tick, engine.Command{Kind: engine.SetChecks, On: on}) != on || step(tick+1) != on {
				t.Errorf("switched to %v", on)
			}
		}
	}
}

// An operator may run the behavior that brings the robot to rest as often as any other.
// Rules: L-34.
func TestOperatorRunsSafeBehaviorSeveralTimes(t *testing.T) {
	r := newRig(t, "R+\nSafe+", func(r *rig) {
		r.of("Safe").update = func(c *behaviors.Control) { c.CancelSelf() }
	}, bootKeys(`"resetSafelyBehavior": "Safe"`))
	r.step()
	r.order(engine.Command{Kind: engine.RunBehavior, ID: "Safe", Times: 3})
	r.steps(6)
	if n := r.eng.Cell("Safe").Started(); n != 3 {
		t.Errorf("%d runs", n)
	}
	r.wantChain("R")
}

// The self test may be the behavior that brings the robot to rest: what it interrupted comes back.
// Rules: L-33.
func TestSafeBehaviorAsSelfTestGivesBackBase(t *testing.T) {
	r := newRig(t, "R+\nB+\nSafe+", func(r *rig) {
		r.of("Safe").update = func(c *behaviors.Control) { c.CancelSelf() }
	}, bootKeys(`"resetSafelyBehavior": "Safe", "selfTestBehavior": "Safe"`))
	r.step()
	r.order(engine.Command{Kind: engine.RunBehavior, ID: "B"})
	r.wantChain("B")
	r.order(engine.Command{Kind: engine.BeginSelfTest})
	r.steps(2)
	r.wantChain("B")
}
