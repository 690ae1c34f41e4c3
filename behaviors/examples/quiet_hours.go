package examples

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/param"
)

// A QuietHours is the watcher of a coordinator. While a condition is met, it keeps some of the behaviors above it from being activated.
// The coordinator is low on the stack, so its Update comes before theirs. A suppression lasts for one tick, so QuietHours repeats it in
// each. It cannot delegate, because a dispatch.WatcherControl does not offer that.
type QuietHours struct{ params quietParams }

type quietParams struct {
	During   condition.Condition `key:"during" doc:"condition of the quiet time"`
	Suppress []string            `key:"suppress" ref:"behavior" doc:"behaviors above it that are kept quiet"`
}

// QuietHoursClass is the class QuietHours.
func QuietHoursClass() behaviors.Class {
	return behaviors.Class{
		Name: "QuietHours",
		Doc:  "Keeps behaviors above it quiet while a condition is met.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			q := &QuietHours{}
			param.ReadConfig(cfg, &q.params)
			return dispatch.NewCoordinator(cfg, q)
		},
	}
}

// OnActivated makes the condition active, because only an active condition may be evaluated.
func (q *QuietHours) OnActivated(c dispatch.WatcherControl) {
	c.Vision().SetConditionActive("during", q.params.During, true)
	q.Update(c)
}

// Update suppresses the behaviors if the condition is met.
func (q *QuietHours) Update(c dispatch.WatcherControl) {
	if q.params.During.Met(c.View()) {
		c.Suppression().ThisTick(q.params.Suppress...)
	}
}

// OnDeactivated makes the condition inactive.
func (q *QuietHours) OnDeactivated(c dispatch.WatcherControl) {
	c.Vision().SetConditionActive("during", q.params.During, false)
}
