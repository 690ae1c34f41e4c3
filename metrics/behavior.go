package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/robotd/robotd/behaviors/stack"
)

// maxBehaviors bounds the behavior labels. Each has six series; what lies beyond the limit shares
// "other".
const maxBehaviors = 200

// Transitions of a behavior, as indices and, in toNames, as label values.
const (
	toInScope = iota
	toActivated
	toDeactivated
	toOutOfScope
	transitions
)

func toNames() [transitions]string {
	return [...]string{toInScope: "in_scope", toActivated: "activated", toDeactivated: "deactivated", toOutOfScope: "out_of_scope"}
}

// behaviorSet exports counts and states of each behavior. It belongs to the goroutine that calls ObserveTick.
type behaviorSet struct {
	active  *prometheus.GaugeVec
	seconds *prometheus.CounterVec
	to      *prometheus.CounterVec
	byID    map[string]*behavior
	rest    *behavior // everything beyond the limit

	nodes []*stack.Node // on the stack after the last tick, base first
	held  []*behavior   // theirs
	since time.Time     // of the last tick
}

// behavior holds the series of one label value.
type behavior struct {
	active  prometheus.Gauge
	seconds prometheus.Counter
	to      [transitions]prometheus.Counter
	layers  int // of it on the stack; more than one for "other" only
}

func newBehaviorSet(f *maker, ids []string) *behaviorSet {
	s := &behaviorSet{
		active:  f.gauges("robotd_behavior_active"),
		seconds: f.counters("robotd_behavior_active_seconds_total"),
		to:      f.counters("robotd_behavior_transitions_total"),
		byID:    map[string]*behavior{},
	}
	for _, id := range limited(ids, maxBehaviors) {
		s.byID[id] = s.add(id)
	}
	s.rest = s.add(other)
	return s
}

func (s *behaviorSet) add(id string) *behavior {
	b := &behavior{active: s.active.WithLabelValues(id), seconds: s.seconds.WithLabelValues(id)}
	for i, to := range toNames() {
		b.to[i] = s.to.WithLabelValues(id, to)
	}
	return b
}

// find returns the series of a behavior. One that was not announced gets its own while the limit allows.
func (s *behaviorSet) find(id string) *behavior {
	if b := s.byID[id]; b != nil {
		return b
	}
	if len(s.byID) >= maxBehaviors {
		return s.rest
	}
	b := s.add(id)
	s.byID[id] = b
	return b
}

// follow adds the time since the last tick to the behaviors that were on the stack after it, copies the present stack, and reports
// whether it changed. It adds nothing if the clock was set back.
func (s *behaviorSet) follow(now time.Time, layers []stack.Layer) (changed bool) {
	if dt := now.Sub(s.since).Seconds(); dt > 0 && !s.since.IsZero() {
		for _, b := range s.held {
			b.seconds.Add(dt)
		}
	}
	s.since = now
	if s.same(layers) {
		return false
	}
	left := s.held
	s.held, s.nodes = make([]*behavior, 0, len(layers)), s.nodes[:0]
	for _, b := range left {
		b.layers--
	}
	for i := range layers {
		n := layers[i].Node()
		b := s.find(n.ID)
		b.layers++
		s.nodes, s.held = append(s.nodes, n), append(s.held, b)
	}
	show(left)
	show(s.held)
	return true
}

func (s *behaviorSet) same(layers []stack.Layer) bool {
	if len(layers) != len(s.nodes) {
		return false
	}
	for i := range layers {
		if layers[i].Node() != s.nodes[i] {
			return false
		}
	}
	return true
}

// show sets the gauges once all counts are final, so that a scrape never sees an active behavior as inactive.
func show(bs []*behavior) {
	for _, b := range bs {
		b.active.Set(float64(min(b.layers, 1)))
	}
}
