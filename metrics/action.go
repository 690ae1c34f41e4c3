package metrics

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/robotd/robotd/actions"
)

// ends are the categories of a finished action. RUNNING is not among them.
func ends() []actions.Category {
	return []actions.Category{
		actions.CategorySuccess, actions.CategoryCancelled, actions.CategoryAbort, actions.CategoryRetry,
	}
}

// An actionSet counts how actions end. It belongs to the goroutine that calls ObserveTick. The labels are bounded:
// a type is one byte, and there are fewer categories.
type actionSet struct {
	results *prometheus.CounterVec
	byType  map[actions.Type]map[actions.Category]prometheus.Counter
}

func newActionSet(f *maker, types []actions.Type) *actionSet {
	s := &actionSet{
		results: f.counters("robotd_action_results_total"),
		byType:  map[actions.Type]map[actions.Category]prometheus.Counter{},
	}
	for _, t := range types {
		s.add(t)
	}
	return s
}

// add makes all series of a type.
func (s *actionSet) add(t actions.Type) map[actions.Category]prometheus.Counter {
	m := map[actions.Category]prometheus.Counter{}
	for _, c := range ends() {
		m[c] = s.series(t, c)
	}
	s.byType[t] = m
	return m
}

func (s *actionSet) series(t actions.Type, c actions.Category) prometheus.Counter {
	return s.results.WithLabelValues(strings.ToLower(t.String()), strings.ToLower(c.String()))
}

// done counts one finished action. An unexpected category is counted too, so that the fault is visible.
func (s *actionSet) done(c actions.Completion) {
	m := s.byType[c.Type]
	if m == nil {
		m = s.add(c.Type)
	}
	n := m[c.Result.Category()]
	if n == nil {
		n = s.series(c.Type, c.Result.Category())
		m[c.Result.Category()] = n
	}
	n.Inc()
}
