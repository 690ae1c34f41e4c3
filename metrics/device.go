package metrics

import (
	"math"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/robotd/robotd/actors/event"
)

// maxDevices bounds the device labels. The reference robot has 12; what lies beyond the limit shares "other".
const maxDevices = 32

// limited returns the first n of names in alphabetical order, without duplicates.
func limited(names []string, n int) []string {
	sorted := slices.Compact(slices.Sorted(slices.Values(names)))
	return sorted[:min(n, len(sorted))]
}

// deviceSet exports what the device actors report. It is safe for concurrent use; each executor reports its own device, so the lock
// is hardly ever contended.
type deviceSet struct {
	age, up                                           *prometheus.GaugeVec
	reads, errors, retries, reinits, rejected, frozen *prometheus.CounterVec
	commands, attempts, restarts                      *prometheus.CounterVec
	now                                               func() time.Time
	mu                                                sync.Mutex
	byName                                            map[string]*device
	seen                                              map[string]time.Time // by label: the newest good sample
}

// device holds the series of one device and the totals of its present incarnation as far as they are counted.
type device struct {
	up                                                prometheus.Gauge
	reads, errors, retries, reinits, rejected, frozen prometheus.Counter
	commands, attempts                                prometheus.Counter
	name                                              string
	base                                              event.Sample
}

func newDeviceSet(f *maker, names []string, faults *faultSet, now func() time.Time) *deviceSet {
	s := &deviceSet{
		up:       f.gauges("robotd_actor_up"),
		reads:    f.counters("robotd_hardware_reads_total"),
		errors:   f.counters("robotd_hardware_read_errors_total"),
		retries:  f.counters("robotd_hardware_retries_total"),
		reinits:  f.counters("robotd_hardware_reinits_total"),
		rejected: f.counters("robotd_hardware_samples_rejected_total"),
		frozen:   f.counters("robotd_hardware_freezes_total"),
		commands: f.counters("robotd_hardware_commands_refused_total"),
		attempts: f.counters("robotd_actor_restart_attempts_total"),
		restarts: faults.restarts,
		now:      now,
		byName:   map[string]*device{},
		seen:     map[string]time.Time{},
	}
	s.age = f.gaugesOf("robotd_hardware_sample_age_seconds", s.showAges)
	for _, name := range limited(names, maxDevices) {
		s.byName[name] = s.add(name)
	}
	return s
}

// showAges works the ages out for a scrape.
func (s *deviceSet) showAges() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	for label, at := range s.seen {
		s.age.WithLabelValues(label).Set(now.Sub(at).Seconds())
	}
}

// add makes the series of a label value. No age is shown before the first sample: zero would look fresh.
func (s *deviceSet) add(name string) *device {
	s.age.WithLabelValues(name).Set(math.NaN())
	return &device{
		name:  name,
		up:    s.up.WithLabelValues(name),
		reads: s.reads.WithLabelValues(name), errors: s.errors.WithLabelValues(name),
		retries: s.retries.WithLabelValues(name), reinits: s.reinits.WithLabelValues(name),
		rejected: s.rejected.WithLabelValues(name), frozen: s.frozen.WithLabelValues(name),
		commands: s.commands.WithLabelValues(name), attempts: s.attempts.WithLabelValues(name),
	}
}

// find returns the device of a name. Names come from the robot's profile, one for each actor, so there are few; each has
// its own totals, also beyond the limit of labels. The caller holds the lock.
func (s *deviceSet) find(name string) *device {
	d := s.byName[name]
	if d == nil {
		label := name
		if len(s.byName) >= maxDevices {
			label = other
		}
		d = s.add(label)
		s.byName[name] = d
	}
	return d
}

// sample counts what the driver did since the last sample. Totals belong to one incarnation: its failure and the restart reset them, but for
// a hang, from which a driver may return. A poll that failed for good carries no totals at all, which is not the same as totals of zero.
func (s *deviceSet) sample(r event.Sample) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.find(r.Device)
	if r.Good {
		d.up.Set(1)
		s.seen[d.name] = r.At
	}
	if blank(r) {
		return
	}
	if shrunk(r, d.base) { // an unreported fresh incarnation
		d.base = event.Sample{}
	}
	grow(d.reads, d.base.Reads, r.Reads)
	grow(d.errors, d.base.Errors, r.Errors)
	grow(d.retries, d.base.Retries, r.Retries)
	grow(d.reinits, d.base.Reinits, r.Reinits)
	grow(d.rejected, d.base.Rejected, r.Rejected)
	grow(d.frozen, d.base.Frozen, r.Frozen)
	d.base = r
}

func grow(c prometheus.Counter, from, to uint64) {
	if to > from {
		c.Add(float64(to - from))
	}
}

func blank(r event.Sample) bool {
	return r.Reads|r.Errors|r.Retries|r.Reinits|r.Rejected|r.Frozen == 0
}

func shrunk(r, base event.Sample) bool {
	return r.Reads < base.Reads || r.Errors < base.Errors || r.Retries < base.Retries || r.Reinits < base.Reinits ||
		r.Rejected < base.Rejected || r.Frozen < base.Frozen
}

// failure marks a device as down and ends its totals, if the incarnation has ended.
func (s *deviceSet) failure(f event.Failure) {
	if f.Group != groupDevice {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.find(nameOf(f.Actor))
	d.up.Set(0)
	if f.Reason != reasonHang {
		d.base = event.Sample{}
	}
}

// restart marks a device as up and counts it under the reason for which it was down.
func (s *deviceSet) restart(r event.Restart) {
	if r.Group != groupDevice {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.find(nameOf(r.Actor))
	d.up.Set(1)
	d.base = event.Sample{}
	s.restarts.WithLabelValues(d.name, reasonOf(r.Reason, deviceCauses())).Inc()
}

func (s *deviceSet) retry(r event.Retry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.find(nameOf(r.Actor)).attempts.Inc()
}

func (s *deviceSet) refused(c event.Command) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.find(c.Device).commands.Inc()
}
