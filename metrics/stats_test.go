package metrics

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
)

// Stats, the active feature, its runs and what came to nothing are series that follow the engine.
// Rules: B-11, B-25.
func TestStatsFeaturesAndWarningsFollowTheEngine(t *testing.T) {
	r := newRig(t, map[string][]string{"Base": {"A"}, "A": nil}, Options{})
	r.updates["Base"] = func(c *behaviors.Control) {
		switch c.Tick() {
		case 2, 4:
			c.CancelAndDelegateIfWanted("A", nil)
		case 3:
			c.CancelDelegates()
		case 5:
			c.Power().Spend()
		}
	}
	hello := engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: "hello"}}
	for _, want := range []struct{ jumps, all, none, exploring, runs float64 }{
		{1, 1, 1, 0, 0}, {2, 2, 0, 1, 1}, {2, 2, 1, 0, 1}, {3, 3, 0, 1, 2}, {3, 3, 0, 1, 2},
	} {
		r.step(hello)
		r.want(want.jumps, "robotd_behavior_stats_total", "stat", "Jumps")
		r.want(want.all, "robotd_behavior_stats_total", "stat", "BehaviorActivated")
		r.want(want.none, "robotd_active_feature", "feature", "NoFeature")
		r.want(want.exploring, "robotd_active_feature", "feature", "Exploring")
		r.want(0, "robotd_active_feature", "feature", "Chatting")
		r.want(want.runs, "robotd_feature_runs_total", "feature", "Exploring")
	}
	r.want(4, "robotd_behavior_warnings_total", "warning", "intent_overwritten")
	r.want(1, "robotd_misuses_total", "facility", "power-save_request", "mistake", "not_set")
}

// What earlier lives counted is no increase of this one, and what the first tick counts is.
func TestStatsOfEarlierLivesAreNoIncrease(t *testing.T) {
	m := &engine.Memory{Stats: []engine.Count{{Name: "Jumps", N: 5000}, {Name: "BehaviorActivated", N: 90000}}}
	r := newRigAfter(t, m, map[string][]string{"Base": {"A"}, "A": nil}, Options{})
	r.updates["Base"] = func(c *behaviors.Control) {
		if c.Tick() == 2 {
			c.CancelAndDelegateIfWanted("A", nil)
		}
	}
	for _, want := range []float64{1, 2} {
		r.step()
		r.want(want, "robotd_behavior_stats_total", "stat", "Jumps")
		r.want(want, "robotd_behavior_stats_total", "stat", "BehaviorActivated")
	}
	if got := r.e.Stat("Jumps"); got != 5002 {
		t.Errorf("the robot itself knows %d, want all its lives", got)
	}
}
