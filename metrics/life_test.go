package metrics

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

func TestStackShapeFollowsTheEngine(t *testing.T) {
	r := newRig(t, chain("Base", "Greet", "Look"), shipped())
	r.updates["Base"] = delegateTo("Greet")
	r.updates["Greet"] = delegateTo("Look")
	r.step()
	r.want(3, "robotd_stack_depth")
	r.want(float64(r.e.Stack().ScopeSize()), "robotd_scope_size")
	for _, id := range []string{"Base", "Greet", "Look"} {
		r.want(1, "robotd_behavior_active", "behavior", id)
		r.want(1, "robotd_behavior_transitions_total", "behavior", id, "to", "activated")
	}
	r.want(2, "robotd_delegations_total", "kind", "behavior", "outcome", "accepted")
}

func TestActiveSecondsCountFromTheTickAfterActivation(t *testing.T) {
	r := newRig(t, chain("Base", "Greet"), shipped())
	r.step() // Base only
	r.updates["Base"] = delegateTo("Greet")
	r.step()
	for range 5 {
		r.step()
	}
	near(t, r.value("robotd_behavior_active_seconds_total", "behavior", "Base"), 6*period.Seconds())
	near(t, r.value("robotd_behavior_active_seconds_total", "behavior", "Greet"), 5*period.Seconds())
}

func near(t *testing.T, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("got %v s, want %v s", got, want)
	}
}

func TestCancelSelfPopsByRequest(t *testing.T) {
	r := newRig(t, chain("Base", "Greet"), shipped())
	r.updates["Base"] = delegateTo("Greet")
	r.step()
	r.updates["Base"] = nil
	r.updates["Greet"] = func(c *behaviors.Control) {
		if c.Activated() {
			c.CancelSelf()
		}
	}
	r.step()
	r.want(1, "robotd_cancellations_total", "reason", "request")
	r.want(0, "robotd_cancellations_total", "reason", "fault")
	r.want(0, "robotd_behavior_active", "behavior", "Greet")
	r.want(1, "robotd_behavior_transitions_total", "behavior", "Greet", "to", "deactivated")
	r.want(1, "robotd_stack_depth")
}

func TestPanicPopsByFaultAndRestarts(t *testing.T) {
	r := newRig(t, chain("Base", "Greet", "Look"), shipped())
	r.updates["Base"] = delegateTo("Greet")
	r.updates["Greet"] = delegateTo("Look")
	r.step()
	r.updates["Base"] = nil
	r.updates["Greet"] = func(*behaviors.Control) { panic("boom") }
	r.m.Observe(event.Failure{Actor: "behavior/Greet", Group: "behavior", Reason: "hang", Where: "Update"})
	r.step()
	r.want(2, "robotd_cancellations_total", "reason", "fault") // Look above it, and itself
	r.want(0, "robotd_cancellations_total", "reason", "request")
	r.want(1, "robotd_hook_failures_total", "group", "behavior", "reason", "hang")
	r.want(1, "robotd_actor_restarts_total", "actor", "behaviors", "reason", "hang") // the reason that the actor reported
}

func TestReasonCountsForOneRestartOnly(t *testing.T) {
	r := newRig(t, chain("Base"), shipped())
	r.step()
	replaced := &engine.Output{Events: []stack.Event{{Kind: stack.EventReplaced, ID: "Base"}}}
	r.m.Observe(event.Failure{Actor: "behavior/Base", Group: "behavior", Reason: "hang"})
	r.m.ObserveTick(event.Tick{}, replaced, r.e)
	r.m.ObserveTick(event.Tick{}, replaced, r.e) // without a reported reason
	r.want(1, "robotd_actor_restarts_total", "actor", "behaviors", "reason", "hang")
	r.want(1, "robotd_actor_restarts_total", "actor", "behaviors", "reason", "panic")
}

func TestPanicInOnActivatedIsARefusedDelegation(t *testing.T) {
	r := newRig(t, chain("Base", "Greet"), shipped())
	o := &engine.Output{Events: []stack.Event{
		{Kind: stack.EventPush, ID: "Greet"},
		{Kind: stack.EventActivated, ID: "Greet"},
		{Kind: stack.EventFault, ID: "Greet", Hook: stack.HookActivated},
		{Kind: stack.EventDeactivated, ID: "Greet"},
		{Kind: stack.EventPop, ID: "Greet"},
		{Kind: stack.EventRefused, ID: "Base", To: "Greet", Op: stack.OpDelegate, Reason: stack.Faulted},
	}}
	r.step()
	r.m.ObserveTick(event.Tick{}, o, r.e)
	r.want(0, "robotd_delegations_total", "kind", "behavior", "outcome", "accepted")
	r.want(1, "robotd_delegations_total", "kind", "behavior", "outcome", "refused")
	r.want(1, "robotd_delegations_refused_total", "reason", "faulted")
	r.want(1, "robotd_cancellations_total", "reason", "fault")
}

func TestFaultOffTheStackPopsNothing(t *testing.T) {
	r := newRig(t, chain("Base", "Greet"), shipped())
	r.updates["Base"] = delegateTo("Greet")
	r.step()
	r.updates["Base"] = nil
	r.m.ObserveTick(event.Tick{}, &engine.Output{Events: []stack.Event{
		{Kind: stack.EventFault, ID: "Stranger", Hook: stack.HookUpdate},
		{Kind: stack.EventDeactivated, ID: "Greet"},
	}}, r.e)
	r.want(0, "robotd_cancellations_total", "reason", "fault")
	r.want(1, "robotd_cancellations_total", "reason", "request")
}

func TestRefusalsCountByReasonAndRequest(t *testing.T) {
	r := newRig(t, chain("Base", "Greet"), shipped())
	r.updates["Base"] = func(c *behaviors.Control) {
		c.DelegateTo("Greet", nil) // not asked
		c.DelegateTo("Base", nil)  // no delegate of its own (M-14)
	}
	r.step()
	r.want(1, "robotd_delegations_refused_total", "reason", "not_asked")
	r.want(1, "robotd_delegations_refused_total", "reason", "not_a_delegate")
	r.want(2, "robotd_delegations_total", "kind", "behavior", "outcome", "refused")
	r.want(2, "robotd_requests_refused_total", "op", "delegate")
	r.want(0, "robotd_delegations_total", "kind", "behavior", "outcome", "accepted")
}

func TestCommandResetsTheStack(t *testing.T) {
	r := newRig(t, map[string][]string{"Base": nil, "Other": nil}, shipped())
	r.step()
	r.step(engine.Command{Kind: engine.RunBehavior, ID: "Other"})
	r.want(1, "robotd_stack_resets_total", "reason", "command")
	r.want(0, "robotd_stack_resets_total", "reason", "recovery")
	r.want(1, "robotd_cancellations_total", "reason", "reset")
	r.want(0, "robotd_delegations_total", "kind", "behavior", "outcome", "accepted") // the base is not delegated to
	r.want(1, "robotd_behavior_active", "behavior", "Other")
}

func TestEmptyStackIsRecovered(t *testing.T) {
	r := newRig(t, map[string][]string{"Base": nil, "Other": nil}, shipped())
	r.step(engine.Command{Kind: engine.RunBehavior, ID: "Other"})
	r.step()
	commanded := r.value("robotd_stack_resets_total", "reason", "command")
	before := r.value("robotd_stack_resets_total", "reason", "recovery")
	r.updates["Other"] = func(c *behaviors.Control) { c.CancelSelf() }
	r.step() // Other ends, the stack is empty
	r.step() // back to Base
	r.want(before+1, "robotd_stack_resets_total", "reason", "recovery")
	r.want(commanded, "robotd_stack_resets_total", "reason", "command")
	r.want(1, "robotd_behavior_active", "behavior", "Base")
}

func TestShutdownDrainIsNotCountedAsATick(t *testing.T) {
	r := newRig(t, chain("Base", "Greet"), shipped())
	r.updates["Base"] = delegateTo("Greet")
	r.step()
	o := r.e.Shutdown()
	r.m.ObserveTick(event.Tick{N: o.Tick, Start: r.now()}, o, r.e)
	r.want(1, "robotd_ticks_total")
	r.want(0, "robotd_stack_depth")
	r.want(2, "robotd_cancellations_total", "reason", "stop")
	r.want(0, "robotd_behavior_active", "behavior", "Base")
}

func TestActionsCountByTypeAndCategory(t *testing.T) {
	r := newRig(t, chain("Base"), shipped())
	r.step()
	r.m.ObserveTick(event.Tick{}, &engine.Output{Done: []actions.Completion{
		{Tag: 1, Owner: "Base", Type: actions.TypeDriveStraight, Result: actions.Success},
		{Tag: 2, Owner: "Base", Type: actions.TypeDriveStraight, Result: actions.Timeout},
		{Tag: 3, Type: actions.TypeMountCharger, Result: actions.StillOnCharger}, // without an owner, and not announced
	}}, r.e)
	r.want(1, "robotd_action_results_total", "action", "drive_straight", "result", "success")
	r.want(1, "robotd_action_results_total", "action", "drive_straight", "result", "abort")
	r.want(0, "robotd_action_results_total", "action", "drive_straight", "result", "retry")
	r.want(1, "robotd_action_results_total", "action", "mount_charger", "result", "retry")
	r.want(0, "robotd_action_results_total", "action", "mount_charger", "result", "success")
	r.want(2, "robotd_delegations_total", "kind", "action", "outcome", "accepted")
}

func TestViolationsCountByInvariant(t *testing.T) {
	r := newRig(t, chain("Base"), shipped())
	r.step()
	rule := stack.Invariants()[0].Name
	r.m.ObserveTick(event.Tick{}, &engine.Output{Violations: []string{rule + ": somebody: is wrong", "unheard-of: x"}, Dropped: 7}, r.e)
	r.want(1, "robotd_lifecycle_violations_total", "reason", rule)
	r.want(1, "robotd_lifecycle_violations_total", "reason", "other")
	r.want(7, "robotd_events_dropped_total")
}

func TestDisabledBehaviorIsCounted(t *testing.T) {
	r := newRig(t, chain("Base", "Greet"), shipped())
	r.updates["Greet"] = func(*behaviors.Control) { panic("always") }
	for range 10 {
		r.step()
	}
	r.want(1, "robotd_behaviors_disabled_total")
}

func TestBodyGaugesFollowTheReadings(t *testing.T) {
	r := newRig(t, chain("Base"), shipped())
	r.step()
	if v := r.value("robotd_battery_volts"); !math.IsNaN(v) {
		t.Errorf("before the first reading the battery shows %v V, want no number", v)
	}
	if v := r.value("robotd_battery_low_volts"); !math.IsNaN(v) {
		t.Errorf("before the first reading the battery counts as low at %v V, want no number", v)
	}
	battery := hardware.Sample{Device: hardware.Battery, At: r.now(), Seq: 1, Quality: hardware.OK, Value: hardware.BatteryState{Volts: 7.8, Cells: 2, LowVolts: 7.1}}
	var w hardware.Snapshot
	w.Put(&battery)
	r.stepWith(w, engine.Command{Kind: engine.EStop})
	r.want(7.8, "robotd_battery_volts")
	r.want(7.1, "robotd_battery_low_volts")
	r.want(1, "robotd_estop_active")
	w.Degrade(hardware.Battery, hardware.Failed)
	r.stepWith(w, engine.Command{Kind: engine.Resume})
	r.want(7.8, "robotd_battery_volts")
	r.want(0, "robotd_estop_active")
}

func TestBehaviorLabelsAreCapped(t *testing.T) {
	r := newRig(t, wide(maxBehaviors+50), shipped())
	ids := map[string]bool{}
	last := fmt.Sprintf("Behavior%04d", maxBehaviors+49)
	r.updates["Base"] = delegateTo(last)
	r.step()
	r.step()
	for _, f := range gather(t, r.m) {
		for _, s := range f.GetMetric() {
			for _, l := range s.GetLabel() {
				if l.GetName() == "behavior" {
					ids[l.GetValue()] = true
				}
			}
		}
	}
	if len(ids) != maxBehaviors+1 || !ids[other] {
		t.Errorf("%d behavior labels, want %d and %q", len(ids), maxBehaviors, other)
	}
	r.want(1, "robotd_behavior_active", "behavior", other)
	near(t, r.value("robotd_behavior_active_seconds_total", "behavior", other), period.Seconds())
}

func TestClockSetBackAddsNoActiveTime(t *testing.T) {
	r := newRig(t, chain("Base"), shipped())
	r.step()
	r.m.ObserveTick(event.Tick{Start: epoch.Add(-time.Hour)}, &engine.Output{}, r.e)
	r.want(0, "robotd_behavior_active_seconds_total", "behavior", "Base")
}
