package facts

import (
	"errors"
	"time"

	"github.com/robotd/robotd/actors/barrier"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// Budget implements control.Past.
func (p *Past) Budget() ([]control.BudgetEntry, error) {
	if p.Costs == nil {
		return nil, control.Refuse(errors.New("this is a recording: the time of hooks is measured on a running robot only"))
	}
	return p.Costs()
}

// firstCosts is how long the first reader of the costs waits, because nothing was measured before: a few ticks.
const firstCosts = 400 * time.Millisecond

// CostsOf returns the costs of hooks by behavior, which are measured only while somebody asks for them.
func CostsOf(times func() (times []barrier.HookTime, measured bool)) func() ([]control.BudgetEntry, error) {
	return func() ([]control.BudgetEntry, error) {
		all, measured := times()
		if !measured {
			<-time.After(firstCosts)
			all, _ = times()
		}
		return budgetOf(all), nil
	}
}

// budgetOf words the times of hooks.
func budgetOf(times []barrier.HookTime) []control.BudgetEntry {
	var total time.Duration
	for i := range times {
		total += times[i].Sum
	}
	all := make([]control.BudgetEntry, 0, len(times))
	for i := range times {
		h := &times[i]
		all = append(all, control.BudgetEntry{
			ID: h.ID, MeanUS: round(float64(h.Sum)/float64(h.Calls)/1e3, 100), P99US: round(float64(h.P99)/1e3, 100), WorstUS: round(float64(h.Worst)/1e3, 100),
			Calls: h.Calls, Share: round(float64(h.Sum)/float64(max(total, 1)), 1e4),
		})
	}
	return all
}
