package metrics

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
)

// tickSet exports the timing of the ticks. Its collectors are safe for concurrent use.
type tickSet struct {
	duration, lateness     prometheus.Histogram
	ticks, missed, skipped prometheus.Counter
	last                   prometheus.Gauge
	phases                 [engine.Phases]prometheus.Observer
	start                  time.Time
	ended                  atomic.Int64 // the last tick, in nanoseconds since start
}

func newTickSet(f *maker, period time.Duration, now func() time.Time) *tickSet {
	f.gauge("robotd_tick_interval_seconds").Set(period.Seconds())
	s := &tickSet{
		duration: f.histogram("robotd_tick_duration_seconds"),
		lateness: f.histogram("robotd_tick_lateness_seconds"),
		ticks:    f.counter("robotd_ticks_total"),
		missed:   f.counter("robotd_tick_deadline_missed_total"),
		skipped:  f.counter("robotd_ticks_skipped_total"),
		last:     f.gauge("robotd_last_tick_timestamp_seconds"),
		start:    now(),
	}
	f.gaugeOf("robotd_tick_age_seconds", func() float64 { return (now().Sub(s.start) - time.Duration(s.ended.Load())).Seconds() })
	phases := f.histograms("robotd_tick_phase_duration_seconds")
	for i := range s.phases {
		s.phases[i] = phases.WithLabelValues(engine.Phase(i).String())
	}
	return s
}

// observe counts one tick that ended at now. An exemplar costs ten allocations, so only a tick that
// missed its deadline or skipped others gets one, for looking it up in the recording.
func (s *tickSet) observe(t event.Tick, now time.Time) {
	s.ticks.Inc()
	s.last.Set(float64(now.UnixNano()) / 1e9)
	s.ended.Store(int64(now.Sub(s.start)))
	s.lateness.Observe(max(t.Lateness, 0).Seconds())
	for i, p := range t.Phases {
		s.phases[i].Observe(p.Duration.Seconds())
	}
	if t.Skipped > 0 {
		s.skipped.Add(float64(t.Skipped))
	}
	if t.Missed {
		s.missed.Inc()
	}
	if e, ok := s.duration.(prometheus.ExemplarObserver); ok && (t.Missed || t.Skipped > 0) {
		e.ObserveWithExemplar(t.Duration.Seconds(), prometheus.Labels{"tick": strconv.FormatUint(t.N, 10)})
		return
	}
	s.duration.Observe(t.Duration.Seconds())
}
