package examples

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/dispatch"
)

// A QuietHours keeps some of the behaviors above it from being activated while a condition is met: a coordinator. It sits low on the
// stack, so its Update comes before theirs; what it suppresses counts for this tick, and has to be said again in the next. It
// never delegates but to its one delegate: what it is handed cannot.
type QuietHours struct {
	during   condition.Condition
	suppress []string // IDs
}

// QuietHoursClass is the class QuietHours.
func QuietHoursClass() behaviors.Class {
	return behaviors.Class{
		Name: "QuietHours",
		Doc:  "Keeps behaviors above it quiet while a condition is met.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			return dispatch.NewCoordinator(cfg, &QuietHours{
				during:   cfg.Condition("during"),
				suppress: cfg.Refs("suppress", behaviors.RefBehavior),
			})
		},
	}
}

// OnActivated begins to look: a condition is evaluated only while it is active.
func (q *QuietHours) OnActivated(c dispatch.WatcherControl) {
	c.Vision().SetConditionActive("during", q.during, true)
	q.Update(c)
}

// Update suppresses, or does not.
func (q *QuietHours) Update(c dispatch.WatcherControl) {
	if q.during.Met(c.View()) {
		c.Suppression().ThisTick(q.suppress...)
	}
}

// OnDeactivated stops looking.
func (q *QuietHours) OnDeactivated(c dispatch.WatcherControl) {
	c.Vision().SetConditionActive("during", q.during, false)
}
