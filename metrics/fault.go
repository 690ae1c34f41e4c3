package metrics

import (
	"slices"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
)

// Groups of actors as records name them, and the labels that stand for all behaviors and all actions.
const (
	groupBehavior = "behavior"
	groupAction   = "action"
	groupDevice   = "device"

	allBehaviors = "behaviors"
	allActions   = "actions"
)

// other is the label value for everything outside of a fixed set or beyond a limit.
const other = "other"

// Reasons of lost behaviors and actions: the last is a hook that ended its goroutine.
const (
	reasonPanic  = "panic"
	reasonHang   = "hang"
	reasonGoexit = "goexit"
)

// hookReasons lists them.
func hookReasons() []string { return []string{reasonPanic, reasonHang, reasonGoexit} }

// maxCauses bounds the failed behaviors that wait for their replacement, as many as there may be behaviors.
const maxCauses = 4096

// deviceCauses lists why a device actor may end. A refused command is no such cause.
func deviceCauses() []string {
	return []string{
		string(hardware.CauseNack), string(hardware.CauseTimeout), string(hardware.CauseGone), string(hardware.CauseWrongID),
		string(hardware.CauseConfig), string(hardware.CauseFrozen), string(hardware.CauseRange), string(hardware.CauseActuator),
		string(hardware.CauseMalformed), string(hardware.CausePanic), string(hardware.CauseGoexit), reasonHang, string(hardware.CauseOther),
	}
}

// reasonOf keeps a reason that is in the set, and makes the rest "other".
func reasonOf(reason string, set []string) string {
	if slices.Contains(set, reason) {
		return reason
	}
	return other
}

// nameOf is the name of a device actor: "device/motors" is motors.
func nameOf(actor string) string {
	if _, name, ok := strings.Cut(actor, "/"); ok {
		return name
	}
	return actor
}

// faultSet exports failures and restarts. It is safe for concurrent use.
type faultSet struct {
	hooks    *prometheus.CounterVec
	restarts *prometheus.CounterVec
	letters  prometheus.Counter
	zombies  prometheus.Gauge
	stale    prometheus.Counter
	dropped  prometheus.Counter // shared with the ticks, which drop events too
	slow     *prometheus.CounterVec
	hangs    *prometheus.CounterVec // of drivers
	lapses   *prometheus.CounterVec
	overdue  *prometheus.CounterVec
	reloads  *prometheus.CounterVec
	devices  []string

	mu     sync.Mutex
	causes map[string]string // behavior ID → reason of its newest failure, until it is replaced
}

func newFaultSet(f *maker, devices []string) *faultSet {
	s := &faultSet{
		hooks:    f.counters("robotd_hook_failures_total"),
		restarts: f.counters("robotd_actor_restarts_total"),
		letters:  f.counter("robotd_dead_letters_total"),
		zombies:  f.gauge("robotd_zombies"),
		stale:    f.counter("robotd_stale_requests_total"),
		dropped:  f.counter("robotd_events_dropped_total"),
		slow:     f.counters("robotd_slow_hooks_total"),
		hangs:    f.counters("robotd_driver_hangs_total"),
		lapses:   f.counters("robotd_control_lapses_total"),
		overdue:  f.counters("robotd_stops_overdue_total"),
		reloads:  f.counters("robotd_reloads_total"),
		causes:   map[string]string{},
		devices:  limited(devices, maxDevices),
	}
	for _, reason := range hookReasons() {
		s.hooks.WithLabelValues(groupBehavior, reason)
		s.hooks.WithLabelValues(groupAction, reason)
		s.restarts.WithLabelValues(allBehaviors, reason)
	}
	for _, group := range []string{groupBehavior, groupAction} {
		s.slow.WithLabelValues(group)
	}
	for _, stage := range stopStages() {
		s.overdue.WithLabelValues(stage)
	}
	for _, result := range reloadResults() {
		s.reloads.WithLabelValues(result)
	}
	for _, d := range s.devices {
		s.hangs.WithLabelValues(d)
		s.lapses.WithLabelValues(d)
		for _, reason := range deviceCauses() {
			s.restarts.WithLabelValues(d, reason)
		}
	}
	return s
}

// stopStages lists the stages of a stop that have a deadline.
func stopStages() []string { return []string{"drain", "halt", "end"} }

// reloadResults lists what may come of a change of the definitions.
func reloadResults() []string {
	return []string{"applied", "unchanged", "invalid", "refused", "failed"}
}

// observe counts the records of faults and ignores others.
func (s *faultSet) observe(r event.Record) {
	switch r := r.(type) {
	case event.DeadLetter:
		s.letters.Inc()
	case event.Zombies:
		s.zombies.Set(float64(r.N))
	case event.Stale:
		s.stale.Add(float64(r.N))
	case event.Dropped:
		s.dropped.Add(float64(r.N))
	case event.Slow:
		group, _, _ := strings.Cut(r.Actor, "/")
		s.slow.WithLabelValues(reasonOf(group, []string{groupBehavior, groupAction})).Inc()
	case event.Lapse:
		s.lapses.WithLabelValues(reasonOf(r.Device, s.devices)).Inc()
	case event.Reload:
		s.reloads.WithLabelValues(reasonOf(r.Result, reloadResults())).Inc()
	case event.Overdue:
		s.overdue.WithLabelValues(reasonOf(r.Stage, stopStages())).Inc()
	}
}

// failure counts the lost incarnation of a behavior or an action. A device counts when it is back, in restart; a hung
// driver counts at once, because it may never be back.
func (s *faultSet) failure(f event.Failure) {
	if f.Group == groupDevice && f.Reason == reasonHang {
		s.hangs.WithLabelValues(reasonOf(nameOf(f.Actor), s.devices)).Inc()
	}
	if f.Group != groupBehavior && f.Group != groupAction {
		return
	}
	reason := reasonOf(f.Reason, hookReasons())
	s.hooks.WithLabelValues(f.Group, reason).Inc()
	if f.Group == groupBehavior {
		s.mu.Lock()
		if len(s.causes) < maxCauses {
			s.causes[nameOf(f.Actor)] = reason
		}
		s.mu.Unlock()
	}
}

// restart counts a device or an action that works again. Behaviors are counted by replaced, from the stack's own event,
// which comes in every run.
func (s *faultSet) restart(r event.Restart) {
	if r.Group == groupAction {
		s.restarts.WithLabelValues(allActions, reasonOf(r.Reason, hookReasons())).Inc()
	}
}

// replaced counts the fresh incarnation of a behavior, under the reason of the previous one's failure.
func (s *faultSet) replaced(id string) {
	s.restarts.WithLabelValues(allBehaviors, s.cause(id)).Inc()
}

// cause removes and returns the reason of a behavior's newest failure. Without actors there is no report; only panics are recovered
// there.
func (s *faultSet) cause(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	reason, ok := s.causes[id]
	if !ok {
		return reasonPanic
	}
	delete(s.causes, id)
	return reason
}
