package metrics

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// Outcomes of a helper.
const (
	helpSucceeded = "success"
	helpFailed    = "failure"
)

// mindSet exports the mood, the stage, the results of helper behaviors, and misuses of the facilities of the body. It
// belongs to the goroutine that calls ObserveTick.
type mindSet struct {
	emotions []prometheus.Gauge
	moods    *oneOf
	stages   *oneOf
	checked  prometheus.Gauge
	misuses  map[misuse]prometheus.Counter

	succeeded, failed  prometheus.Counter
	wellSeen, illsSeen uint64 // how many of them are in their series already
}

// A misuse is what was refused and why.
type misuse struct {
	op     stack.Op
	reason stack.Reason
}

func newMindSet(f *maker) *mindSet {
	s := &mindSet{
		moods:  newOneOf(f.gauges("robotd_simple_mood"), engine.SimpleMoodNames()),
		stages: newOneOf(f.gauges("robotd_stage"), engine.Stages()),

		checked: f.gauge("robotd_invariant_checks_active"),
	}
	emotions := f.gauges("robotd_emotion")
	for _, name := range engine.EmotionNames() {
		s.emotions = append(s.emotions, emotions.WithLabelValues(name))
	}
	misuses := f.counters("robotd_misuses_total")
	s.misuses = map[misuse]prometheus.Counter{}
	for _, facility := range stack.Facilities() {
		for _, mistake := range stack.Mistakes() {
			s.misuses[misuse{facility, mistake}] = misuses.WithLabelValues(labelOf(facility.String()), labelOf(mistake.String()))
		}
	}
	helpers := f.counters("robotd_helpers_total")
	s.succeeded, s.failed = helpers.WithLabelValues(helpSucceeded), helpers.WithLabelValues(helpFailed)
	return s
}

func (s *mindSet) observe(o *engine.Output, e *engine.Engine) {
	mood := &e.View().Mood
	for i, g := range s.emotions {
		g.Set(mood[i])
	}
	s.moods.show(mood.Simple().String())
	s.stages.show(e.Stage().String())
	on := 0.0
	if e.Checked() {
		on = 1
	}
	s.checked.Set(on)
	for i := range o.Misuses {
		if series := s.misuses[misuse{o.Misuses[i].Op, o.Misuses[i].Reason}]; series != nil {
			series.Inc()
		}
	}
	if well, ills := e.Helpers(); well != s.wellSeen || ills != s.illsSeen {
		s.succeeded.Add(float64(well - s.wellSeen))
		s.failed.Add(float64(ills - s.illsSeen))
		s.wellSeen, s.illsSeen = well, ills
	}
}

// labelOf makes a label value of words.
func labelOf(words string) string { return strings.ReplaceAll(words, " ", "_") }

// oneOf is a set of gauges of which one is 1.
type oneOf struct {
	gauges map[string]prometheus.Gauge
	shown  string
}

func newOneOf(v *prometheus.GaugeVec, names []string) *oneOf {
	o := &oneOf{gauges: map[string]prometheus.Gauge{}}
	for _, name := range names {
		o.gauges[name] = v.WithLabelValues(name)
	}
	return o
}

func (o *oneOf) show(name string) {
	if name == o.shown {
		return
	}
	if g := o.gauges[o.shown]; g != nil {
		g.Set(0)
	}
	o.gauges[name].Set(1)
	o.shown = name
}
