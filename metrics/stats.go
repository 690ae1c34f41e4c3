package metrics

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/robotd/robotd/behaviors/engine"
)

// statSet exports the behavior stats, the active feature and the warnings. The catalog bounds its label values, so its series are
// made in the first tick. It belongs to the goroutine that calls ObserveTick.
type statSet struct {
	stats    *prometheus.CounterVec
	active   *prometheus.GaugeVec
	runs     *prometheus.CounterVec
	warnings []prometheus.Counter // by engine.WarningKind

	counted []counted
	shown   map[string]prometheus.Gauge   // by feature
	started map[string]prometheus.Counter // by feature
	feature string                        // the one shown as active
	warned  [engine.Warnings]uint64
}

// counted is one stat and the part of it that needs no counting: what its series holds already, and what earlier lives counted. A series
// that began with that would look like an increase, for it begins at zero.
type counted struct {
	name   string
	series prometheus.Counter
	seen   uint64
}

func newStatSet(f *maker) *statSet {
	s := &statSet{stats: f.counters("robotd_behavior_stats_total"), active: f.gauges("robotd_active_feature"), runs: f.counters("robotd_feature_runs_total")}
	v := f.counters("robotd_behavior_warnings_total")
	for _, name := range engine.WarningNames() {
		s.warnings = append(s.warnings, v.WithLabelValues(name))
	}
	return s
}

// begin makes the series of all label values, anew if the definitions changed.
func (s *statSet) begin(e *engine.Engine) {
	names, seen := e.StatNames(), map[string]uint64{}
	old := s.counted
	s.counted = nil
	for _, c := range old {
		if seen[c.name] = c.seen; !slices.Contains(names, c.name) {
			s.counted = append(s.counted, c) // it may come back
		}
	}
	for _, name := range names {
		n, known := seen[name]
		if !known {
			n = e.RememberedStat(name)
		}
		s.counted = append(s.counted, counted{name, s.stats.WithLabelValues(name), n})
	}
	if s.shown == nil {
		s.shown, s.started = map[string]prometheus.Gauge{}, map[string]prometheus.Counter{}
	}
	for _, name := range e.FeatureNames() {
		s.shown[name] = s.active.WithLabelValues(name)
		if name != engine.NoFeature {
			s.started[name] = s.runs.WithLabelValues(name)
		}
	}
	s.show(engine.NoFeature)
}

func (s *statSet) observe(o *engine.Output, e *engine.Engine) {
	if s.shown == nil || o.Swapped != nil {
		s.begin(e)
	}
	s.count(e)
	for _, f := range o.Features {
		if started := s.started[f.Feature]; started != nil && !f.Ended {
			started.Inc()
		}
	}
	s.show(e.Feature().Feature)
	for k, series := range s.warnings {
		if n := e.Warned(engine.WarningKind(k)); n != s.warned[k] {
			series.Add(float64(n - s.warned[k]))
			s.warned[k] = n
		}
	}
}

// count copies the stats to their series. The last one grows with every activation: if it did not, no other did.
func (s *statSet) count(e *engine.Engine) {
	if all := s.counted[len(s.counted)-1]; e.Stat(all.name) == all.seen {
		return
	}
	for i := range s.counted {
		c := &s.counted[i]
		n := e.Stat(c.name)
		c.series.Add(float64(n - c.seen))
		c.seen = n
	}
}

// show makes one feature the active one.
func (s *statSet) show(feature string) {
	if feature == s.feature {
		return
	}
	if g := s.shown[s.feature]; g != nil {
		g.Set(0)
	}
	if g := s.shown[feature]; g != nil {
		g.Set(1)
	}
	s.feature = feature
}
