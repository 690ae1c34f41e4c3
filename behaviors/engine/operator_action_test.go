package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
)

const operatorTag = actions.FirstAppAutoTag

// doWait asks for a Wait of a second.
func doWait(at actions.Position) engine.Command {
	return engine.Command{Kind: engine.DoAction, ID: "Wait", Params: map[string]string{"seconds": "1"}, At: at}
}

// doHead asks for a move of the head, which fails on a robot that tells nothing of its servos.
func doHead(interrupt bool) engine.Command {
	return engine.Command{Kind: engine.DoAction, ID: "MoveHead", Params: map[string]string{"angle_deg": "10"}, At: actions.PositionInParallel, Interrupt: interrupt}
}

// holder makes R hold the head by an action.
func holder(then behaviors.Callback) func(r *rig) {
	return func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) { c.Act(actiontest.NewStub("look", actions.Head), then) }
	}
}

// wantReply checks the one answer of the newest tick.
func (r *rig) wantReply(text, err string) {
	r.t.Helper()
	if len(r.out.Replies) != 1 || r.out.Replies[0].Text != text || r.out.Replies[0].Err != err {
		r.t.Errorf("replies %+v; want %q, %q", r.out.Replies, text, err)
	}
}

// owners lists who owns what runs or waits.
func (r *rig) owners() string {
	var all []string
	for _, i := range r.eng.Actions().Running() {
		all = append(all, fmt.Sprintf("%d %s %s", i.Slot, i.Name, i.Owner))
	}
	return strings.Join(all, ", ")
}

// An operator's action runs beside those of behaviors, under a tag of its own range, and ends by that.
func TestOperatorsActionRunsBesideThatOfBehavior(t *testing.T) {
	r := newRig(t, "R+", holder(nil))
	r.step()
	r.order(doWait(actions.PositionInParallel))
	r.wantReply(fmt.Sprintf("Wait has tag %d", operatorTag), "")
	if got := r.owners(); got != "0 look R, 1 Wait (operator)" {
		t.Errorf("running: %s", got)
	}
	r.order(engine.Command{Kind: engine.CancelAction, Tag: operatorTag + 1})
	r.wantReply("", fmt.Sprintf(`there is no action with the tag "%d"; did you mean "%d"?`, operatorTag+1, operatorTag))
	r.order(engine.Command{Kind: engine.CancelAction, Tag: operatorTag})
	r.wantReply(fmt.Sprintf("action %d ended", operatorTag), "")
	if got := r.owners(); got != "0 look R" {
		t.Errorf("running: %s", got)
	}
}

// What a behavior's action holds is not taken away unless the operator says so; then its owner hears of the cancellation.
func TestOperatorsActionIsRefusedOrInterrupts(t *testing.T) {
	var ended []actions.Result
	r := newRig(t, "R+", holder(func(_ *behaviors.Control, o behaviors.Outcome) { ended = append(ended, o.Completion.Result) }))
	r.step()
	r.order(doHead(false))
	if reply := r.out.Replies[0]; !strings.HasPrefix(reply.Err, "MoveHead needs HEAD: HEAD held by look#") {
		t.Errorf("reply %+v", reply)
	}
	r.order(doHead(true))
	r.wantReply(fmt.Sprintf("MoveHead has tag %d", operatorTag), "")
	r.step()
	if len(ended) != 1 || ended[0] != actions.CancelledWhileRunning {
		t.Errorf("the behavior heard %v", ended)
	}
}

// A lock that a behavior itself holds is never taken away.
func TestLockOfBehaviorWithstandsInterruptingOperator(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) { c.Tracks().Lock("mine", actions.Head) }
	})
	r.step()
	r.order(doHead(true))
	if reply := r.out.Replies[0]; !strings.HasPrefix(reply.Err, "MoveHead needs HEAD: HEAD held by R") {
		t.Errorf("reply %+v", reply)
	}
}

// In slot 0 the action displaces that of a behavior, and the next one of that displaces it.
func TestOperatorsActionAtNowIsDisplacedByBehavior(t *testing.T) {
	r := newRig(t, "R+", holder(nil))
	r.step()
	r.order(doWait(actions.PositionNow))
	if got := r.owners(); got != "0 Wait (operator)" {
		t.Errorf("running: %s", got)
	}
	r.of("R").update = once(3, func(c *behaviors.Control) { c.Act(actiontest.NewStub("more", actions.Head), nil) })
	r.step()
	if got := r.owners(); got != "0 more R" {
		t.Errorf("running: %s", got)
	}
}

// An emergency stop ends the operator's actions and takes none until the robot resumes.
func TestEmergencyStopEndsOperatorsActions(t *testing.T) {
	r := newRig(t, "R+", nil)
	r.step()
	r.order(doWait(actions.PositionInParallel))
	r.order(engine.Command{Kind: engine.EStop})
	if got := r.owners(); got != "" {
		t.Errorf("running: %s", got)
	}
	r.order(doWait(actions.PositionInParallel))
	r.wantReply("", "the robot is stopped; resume it first")
	r.order(engine.Command{Kind: engine.Resume})
	r.order(doWait(actions.PositionInParallel))
	r.wantReply(fmt.Sprintf("Wait has tag %d", operatorTag+1), "")
}

// A replay makes the operator's actions again from what was asked.
// Rules: goal/M8.
func TestReplayRepeatsOperatorsActions(t *testing.T) {
	rec := &tape.Tape{}
	set := func(r *rig) { holder(nil)(r) }
	r := newRig(t, "R+", func(r *rig) {
		r.opts.Recorder = tape.NewRecorder(rec.Add)
		set(r)
	})
	r.step()
	r.order(doHead(true))
	r.order(doWait(actions.PositionInParallel))
	r.order(engine.Command{Kind: engine.DoAction, ID: "DriveStrait"})
	r.wantReply("", `there is no action "DriveStrait"; did you mean "DriveStraight"?`)
	r.steps(30)
	messages, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := tape.Decode(messages)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := replay(newRig(t, "R+", set), back, tape.ReplayOptions{}); err != nil {
		t.Errorf("%v (%v)", err, p)
	}
}

// The owner of an action that an operator interrupts often begins the next one in the same tick. That one finds the tracks locked.
func TestInterruptingOperatorIsFasterThanTheOwnersNextAction(t *testing.T) {
	var next actions.Result
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) {
			c.Act(actiontest.NewStub("look", actions.Body), func(c *behaviors.Control, _ behaviors.Outcome) {
				c.Act(actiontest.NewStub("more", actions.Body), func(_ *behaviors.Control, o behaviors.Outcome) { next = o.Completion.Result })
			})
		}
	})
	r.latched() // never, so the motors work
	r.step()
	r.order(engine.Command{
		Kind: engine.DoAction, ID: "TurnInPlace", Params: map[string]string{"angle_deg": "90"}, At: actions.PositionInParallel, Interrupt: true,
	})
	r.step()
	if next != actions.TracksLocked {
		t.Errorf("the next action of the owner: %v; running: %s", next, r.owners())
	}
}
