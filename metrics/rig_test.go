package metrics

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// epoch is the instant of tick 0 in every test.
var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const period = 60 * time.Millisecond

// A rig is a Metrics over a real engine with scripted behaviors. There are no actors: hooks run directly.
type rig struct {
	t       testing.TB
	m       *Metrics
	e       *engine.Engine
	n       uint64
	updates map[string]func(c *behaviors.Control) // by behavior ID, run in each Update
	last    *engine.Output
}

// scripted is a behavior whose Update is looked up by ID.
type scripted struct {
	id  string
	rig *rig
}

// Modify keeps it activated without a delegate.
func (s *scripted) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

func (s *scripted) Update(c *behaviors.Control) {
	if f := s.rig.updates[s.id]; f != nil {
		f(c)
	}
}

// newRig builds an engine. The tree names the delegates of each behavior; Base is the base.
func newRig(t testing.TB, tree map[string][]string, o Options) *rig {
	t.Helper()
	return newRigAfter(t, nil, tree, o)
}

// newRigAfter is newRig for an engine that remembers an earlier life.
func newRigAfter(t testing.TB, m *engine.Memory, tree map[string][]string, o Options) *rig {
	t.Helper()
	r := &rig{t: t, updates: map[string]func(*behaviors.Control){}}
	class := behaviors.Class{Name: "Scripted", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.MayDelegateTo(cfg.StringsOr("delegates", nil)...)
		return &scripted{id: cfg.ID(), rig: r}
	}}
	helper := behaviors.Class{Name: "Helper", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.MayDelegateTo(cfg.StringsOr("delegates", nil)...)
		return &helping{scripted{id: cfg.ID(), rig: r}}
	}}
	var docs []*resources.Document
	for id, delegates := range tree {
		docs = append(docs, r.parse(id+".json", map[string]any{
			"behaviorClass": classOf(id), "behaviorID": id, "delegates": append([]string{}, delegates...),
			"behaviorStatToIncrement": "Jumps", "associatedActiveFeature": featureOf(id),
		}))
		o.Behaviors = append(o.Behaviors, id)
	}
	boot := r.parse("behavior_config.json", map[string]any{
		"normalBaseBehavior": "Base", "fallbackBehavior": "Base", "userIntents": []string{"hello"},
		"features": []string{"Exploring", "Chatting"}, "behaviorStats": []string{"Jumps"},
	})
	cat, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot}, behaviors.NewRegistry(class, helper))
	if cat == nil {
		t.Fatal(diags)
	}
	e, err := engine.New(engine.Options{Catalog: cat, Memory: m})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Start(epoch); err != nil {
		t.Fatal(err)
	}
	o.Period = period
	if o.Now == nil {
		o.Now = func() time.Time { return r.now() }
	}
	r.e, r.m = e, newIn(o, prometheus.NewPedanticRegistry())
	return r
}

func (r *rig) parse(name string, value any) *resources.Document {
	r.t.Helper()
	src, err := json.Marshal(value)
	if err != nil {
		r.t.Fatal(err)
	}
	doc, diags := resources.Parse(name, src)
	if doc == nil {
		r.t.Fatal(diags)
	}
	return doc
}

func (r *rig) now() time.Time { return epoch.Add(time.Duration(r.n) * period) }

// step runs one tick with the given commands and reports it.
func (r *rig) step(commands ...engine.Command) *engine.Output {
	r.t.Helper()
	return r.stepWith(hardware.Snapshot{}, commands...)
}

func (r *rig) stepWith(w hardware.Snapshot, commands ...engine.Command) *engine.Output {
	r.t.Helper()
	r.n++
	w.Now = r.now()
	r.last = r.e.Step(engine.Input{Tick: r.n, Now: r.now(), World: w, Commands: commands})
	t := event.Tick{N: r.n, Start: r.now()}
	r.m.Observe(&t)
	r.m.ObserveTick(t, r.last, r.e)
	return r.last
}

// value reads one series; labels alternate names and values. A series that is missing fails the test.
func (r *rig) value(name string, labels ...string) float64 {
	r.t.Helper()
	return valueOf(r.t, r.m, name, labels...)
}

func valueOf(t testing.TB, m *Metrics, name string, labels ...string) float64 {
	t.Helper()
	s := find(t, m, name, labels...)
	if s == nil {
		t.Fatalf("there is no series %s%v", name, labels)
	}
	switch {
	case s.Counter != nil:
		return s.Counter.GetValue()
	case s.Gauge != nil:
		return s.Gauge.GetValue()
	default:
		return float64(s.Histogram.GetSampleCount())
	}
}

func find(t testing.TB, m *Metrics, name string, labels ...string) *dto.Metric {
	t.Helper()
	for _, f := range gather(t, m) {
		if f.GetName() != name {
			continue
		}
		for _, s := range f.GetMetric() {
			if matches(s, labels) {
				return s
			}
		}
	}
	return nil
}

func gather(t testing.TB, m *Metrics) []*dto.MetricFamily {
	t.Helper()
	families, err := m.Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	return families
}

func matches(s *dto.Metric, labels []string) bool {
	have := map[string]string{}
	for _, l := range s.GetLabel() {
		have[l.GetName()] = l.GetValue()
	}
	for i := 0; i < len(labels); i += 2 {
		if have[labels[i]] != labels[i+1] {
			return false
		}
	}
	return len(have) == len(labels)/2
}

// want fails the test if a series has another value.
func (r *rig) want(value float64, name string, labels ...string) {
	r.t.Helper()
	if got := r.value(name, labels...); got != value {
		r.t.Errorf("%s%v = %v, want %v", name, labels, got, value)
	}
}

// chain is a tree in which each behavior may delegate to the next.
func chain(ids ...string) map[string][]string {
	tree := map[string][]string{}
	for i, id := range ids {
		tree[id] = ids[i+1 : min(i+2, len(ids))]
	}
	return tree
}

// delegateTo is an Update that delegates whenever it can.
func delegateTo(id string) func(*behaviors.Control) {
	return func(c *behaviors.Control) {
		if c.InControl() {
			c.CancelAndDelegateIfWanted(id, nil)
		}
	}
}

// wide is a Base with n delegates.
func wide(n int) map[string][]string {
	tree := map[string][]string{}
	for i := range n {
		id := fmt.Sprintf("Behavior%04d", i)
		tree["Base"] = append(tree["Base"], id)
		tree[id] = nil
	}
	return tree
}

// shipped are the options of a robot with every device.
func shipped() Options {
	return Options{
		Version: "1.2.3", Robot: "buddy", Profile: "sim", Devices: hardware.Names,
		Actions: []actions.Type{actions.TypeDriveStraight, actions.TypeTurnInPlace, actions.TypePlayAnimation, actions.TypeSayText},
	}
}

// A helping is a scripted behavior that does a whole task.
type helping struct{ scripted }

// HelpsWithTask implements behaviors.Helper.
func (*helping) HelpsWithTask() {}

// classOf is the class of a behavior: those whose names begin with Help are helpers.
func classOf(id string) string {
	if strings.HasPrefix(id, "Help") {
		return "Helper"
	}
	return "Scripted"
}

// featureOf is the feature that a behavior of a rig declares.
func featureOf(id string) string {
	if id == "Base" {
		return "NoFeature"
	}
	return "Exploring"
}
