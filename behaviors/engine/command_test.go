package engine_test

import (
	"slices"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// An action that sends a nil command breaks neither the recording nor its replay nor the hash.
func TestNilCommandIsRecordedReplayedAndHashed(t *testing.T) {
	hash := tape.NewHasher()
	none := hash.Sum()
	r, rec := recorded(t, "R+", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) {
			act := actiontest.NewStub("act", actions.Head)
			act.OnCheck = func(env *actions.Env) { env.Send(nil) }
			c.Act(act, nil)
		}
	}, 3)
	if _, err := replay(r, rec, tape.ReplayOptions{}); err != nil {
		t.Error(err)
	}
	out := &engine.Output{Tick: 1, Commands: []hardware.Command{nil, (*hardware.Drive)(nil)}}
	if hash.Add(out); hash.Sum() == none {
		t.Error("they are not part of the hash")
	}
	log := tape.LogOf(out)
	if want := []string{">  <nil>", ">  (*hardware.Drive)(nil)"}; len(log.Lines) != 2 || log.Lines[0] != want[0] || log.Lines[1] != want[1] {
		t.Errorf("%q, want %q", log.Lines, want)
	}
}

// Commands outside an action: only the behavior in control may give one, none may move the body, and none may use a locked track.
// Rules: TRK-4.
func TestCommandsOutsideActionsNeedControlAndFreeTracks(t *testing.T) {
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
