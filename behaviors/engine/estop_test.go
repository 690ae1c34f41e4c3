package engine_test

import (
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// The boot behavior may itself be the one that holds the stack during an emergency stop: it takes the stack from an operator's behavior,
// whose run is over.
// Rules: L-42.
func TestEmergencyStopEndsOperatorsRunForBootBehavior(t *testing.T) {
	r := newRig(t, "R+\nA+", nil, bootKeys(`"emergencyStopBehavior": "R"`))
	r.step()
	r.order(engine.Command{Kind: engine.RunBehavior, ID: "A", Times: 3})
	r.wantChain("A")
	r.order(engine.Command{Kind: engine.EStop})
	r.wantChain("R")
	r.step()
	r.wantChain("R")
	r.order(engine.Command{Kind: engine.Resume})
	r.wantChain("R")
	if id, _ := r.eng.Executing(); id != "" {
		t.Errorf("%s still has to run", id)
	}
}

// An emergency stop in the tick in which onboarding is to begin anew takes the stack from the old base.
// Rules: L-42.
func TestEmergencyStopTakesStackThoughBootSwitchWaits(t *testing.T) {
	r := newRig(t, "R+\nO+\nW!+", nil, bootKeys(`"onboardingBehavior": "O"`))
	r.step()
	r.command(engine.Command{Kind: engine.SetStage, Stage: engine.StageOnboarding})
	r.command(engine.Command{Kind: engine.EStop})
	r.step()
	r.steps(3)
	r.wantChain("W")
	r.order(engine.Command{Kind: engine.Resume})
	r.wantChain("W")
	r.steps(25)
	r.wantChain("O")
}

// A cycle of what holds the stack during an emergency stop is reported, and does not give the stack to another behavior.
// Rules: L-41, L-42.
func TestCycleDuringEmergencyStopDoesNotEndIt(t *testing.T) {
	r := newRig(t, "R+\nStopped+ > X\nX\nSafe+", func(r *rig) {
		r.of("Stopped").update = func(c *behaviors.Control) { r.pass(c, "X", nil) }
	}, bootKeys(`"emergencyStopBehavior": "Stopped", "resetSafelyBehavior": "Safe"`))
	r.steps(2)
	r.order(engine.Command{Kind: engine.EStop})
	cycles := 0
	for range 40 {
		r.step()
		r.wantChain("Stopped")
		if slices.ContainsFunc(r.out.Events, func(e stack.Event) bool { return e.Kind == stack.EventCycle }) {
			cycles++
		}
	}
	if cycles == 0 {
		t.Error("no cycle")
	}
	r.order(engine.Command{Kind: engine.Resume})
	r.wantChain("R")
}

// What an emergency stop says of the behavior that holds the stack is told to observers, and the behavior's own state is back afterwards.
// Rules: 5/DEBUG-SET-STATE.
func TestStateOfEmergencyStopIsTold(t *testing.T) {
	r := newRig(t, "R+\nStopped+", func(r *rig) {
		r.of("Stopped").update = func(c *behaviors.Control) { c.SetState("still") }
	}, bootKeys(`"emergencyStopBehavior": "Stopped"`))
	r.step()
	r.order(engine.Command{Kind: engine.RunBehavior, ID: "Stopped"})
	r.order(engine.Command{Kind: engine.Cancel})
	r.order(engine.Command{Kind: engine.EStop})
	if want := (engine.StateChange{ID: "Stopped", State: "emergency stop, until resume"}); !slices.Contains(r.out.States, want) {
		t.Errorf("states %v", r.out.States)
	}
	r.order(engine.Command{Kind: engine.Resume})
	if want := (engine.StateChange{ID: "Stopped", State: "still"}); !slices.Contains(r.out.States, want) {
		t.Errorf("states %v", r.out.States)
	}
	if got := r.eng.Cell("Stopped").State(); got != "still" {
		t.Errorf("state %q", got)
	}
}

// A reset between two ticks does not take the stack from a stopped robot.
// Rules: L-42.
func TestResetOfStoppedRobotIsRefused(t *testing.T) {
	r := newRig(t, "R+\nStopped+", nil, bootKeys(`"emergencyStopBehavior": "Stopped"`))
	r.step()
	r.order(engine.Command{Kind: engine.EStop})
	if _, err := r.eng.ResetNow("R"); err == nil {
		t.Error("reset")
	}
	r.step()
	r.wantChain("Stopped")
}

// A resume ends the stop that it names and those before it, not a later one; a stop that was resumed before it arrived stops nobody.
// Rules: L-43.
func TestResumeEndsNoLaterEmergencyStop(t *testing.T) {
	r := newRig(t, "R+\nStopped+", nil, bootKeys(`"emergencyStopBehavior": "Stopped"`))
	r.step()
	for _, c := range []struct {
		kind   engine.CommandKind
		number uint64
		answer string
		halted bool
	}{
		{engine.Resume, 0, "the robot was not stopped", false},
		{engine.EStop, 1, "stopped", true},
		{engine.EStop, 2, "stopped", true},
		{engine.Resume, 0, "the robot was stopped again: a resume of stop 0 does not end stop 2", true},
		{engine.Resume, 1, "the robot was stopped again: a resume of stop 1 does not end stop 2", true},
		{engine.EStop, 1, "stopped", true}, // late, while the later one lasts
		{engine.Resume, 1, "the robot was stopped again: a resume of stop 1 does not end stop 2", true},
		{engine.Resume, 2, "resumed", false},
		{engine.EStop, 2, "stop 2 has ended already", false},
		{engine.Resume, 2, "the robot was not stopped", false},
		{engine.Resume, 1, "the robot was not stopped", false},
		{engine.Resume, 4, "the robot was not stopped", false}, // the stops 3 and 4 are on their way
		{engine.EStop, 4, "stop 4 has ended already", false},
		{engine.EStop, 3, "stop 3 has ended already", false},
		{engine.EStop, 5, "stopped", true},
	} {
		got := r.order(engine.Command{Kind: c.kind, Stop: c.number})
		if got.Text+got.Err != c.answer || r.eng.Halted() != c.halted {
			t.Errorf("command %d of stop %d: %+v, halted %t; want %q, %t", c.kind, c.number, got, r.eng.Halted(), c.answer, c.halted)
		}
		if c.halted {
			r.wantChain("Stopped")
		} else {
			r.wantChain("R")
		}
	}
}
