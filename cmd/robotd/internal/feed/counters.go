package feed

import (
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// count fills the counters.
func (p *Publisher) count(c *control.CounterState) {
	stats := p.robot.Rig.Stats()
	*c = control.CounterState{
		Panics: p.counters.Panics.Load(), Hangs: p.counters.Hangs.Load(), Refusals: p.counters.Refusals.Load(),
		Misuses: p.counters.Misuses.Load(), Warnings: p.counters.Warnings.Load(), Cycles: p.counters.Cycles.Load(), Resumed: p.counters.Resumed.Load(),
		Restarts: p.counters.Restarts.Load(), Violations: p.counters.Violations.Load(),
		Falls: stats.Falls, Dockings: stats.Dockings, DistanceM: stats.DistanceM,
	}
}

func StatsOf(e *engine.Engine) []control.StatState {
	names := e.StatNames()
	stats := make([]control.StatState, len(names))
	for i, name := range names {
		stats[i] = control.StatState{Name: name, Count: e.Stat(name)}
	}
	return stats
}
