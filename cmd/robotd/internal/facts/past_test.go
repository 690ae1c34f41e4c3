package facts_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/barrier"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/metrics/record"
)

func (l *life) past() *facts.Past {
	return &facts.Past{Source: l.tape, Catalog: func(string) (*catalog.Catalog, error) { return l.run.Catalog, nil }}
}

// A span is the time of something on the stack or in a queue, as the tick told it.
type span struct {
	what     string
	from, to float64
}

// truthOfTicks follows layers, completions and battery from the ticks themselves.
type truthOfTicks struct {
	layers []span
	open   map[string]float64
	done   []string
	volts  []float64
}

func (w *truthOfTicks) see(t event.Tick, o *engine.Output, e *engine.Engine) {
	at := t.Start.Sub(epoch).Seconds()
	for _, ev := range o.Events {
		switch ev.Kind {
		case stack.EventActivated:
			w.open[ev.ID] = at
		case stack.EventDeactivated:
			if from := w.open[ev.ID]; from < at { // one that began and ended within a tick is on no stack at its end
				w.layers = append(w.layers, span{ev.ID, from, at})
			}
			delete(w.open, ev.ID)
		}
	}
	for _, d := range o.Done {
		w.done = append(w.done, d.Owner+" "+d.Name+" "+d.Result.String())
	}
	w.volts = append(w.volts, e.View().World.Battery.Value.Volts)
}

func round3(v float64) float64 { return math.Round(v*1000) / 1000 }

// The timeline of a life has the layers, actions and events that the ticks themselves had.
func TestTimelineHasWhatTheTicksHad(t *testing.T) {
	l := newLife(t, 5)
	w := &truthOfTicks{open: map[string]float64{}}
	l.watch = func(_ *life, t event.Tick, o *engine.Output, e *engine.Engine) {
		if t.N != uint64(len(w.volts)) { // not the final drain
			w.see(t, o, e)
		}
	}
	l.live(30 * time.Second)
	l.act(control.Act{Act: "touch", Seconds: 2})
	if err := l.robot.Rig.Fault(hardware.IMU, "frozen", 5*time.Second); err != nil {
		t.Fatal(err)
	}
	l.live(2 * time.Minute)
	l.end()
	p := l.past()
	h := p.History()
	got, err := p.Timeline(0, h.Last.AtS)
	if err != nil {
		t.Fatal(err)
	}
	var layers []span
	for _, s := range got.Layers {
		if s.ToS != nil {
			layers = append(layers, span{s.ID, s.FromS, *s.ToS})
		} else if from, ok := w.open[s.ID]; !ok || round3(from) != s.FromS {
			t.Errorf("%s is still on the stack since %g, really since %g (%t)", s.ID, s.FromS, from, ok)
		}
	}
	for i := range w.layers {
		w.layers[i].from, w.layers[i].to = round3(w.layers[i].from), round3(w.layers[i].to)
	}
	order := func(a, b span) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
	slices.SortFunc(layers, order)
	slices.SortFunc(w.layers, order)
	if !slices.Equal(layers, w.layers) || len(layers) < 10 {
		t.Errorf("%d layers, really %d:\n%v\n%v", len(layers), len(w.layers), layers, w.layers)
	}
	var done []string
	for _, a := range got.Actions {
		if a.Result != "" {
			done = append(done, a.Owner+" "+a.Name+" "+a.Result)
		}
		if a.ToS != nil && *a.ToS < a.FromS {
			t.Errorf("%s ends before it begins: %+v", a.Name, a)
		}
	}
	slices.Sort(done)
	slices.Sort(w.done)
	if !slices.Equal(done, w.done) || len(done) < 10 {
		t.Errorf("%d actions ended, really %d:\n%q\n%q", len(done), len(w.done), done, w.done)
	}
	kinds := map[string]int{}
	for _, e := range got.Events {
		kinds[e.Kind]++
	}
	if kinds["person"] != 1 || kinds["fault"] != 2 || kinds["failure"] == 0 || kinds["restart"] == 0 || kinds["activated"] == 0 {
		t.Errorf("events %v", kinds)
	}
	part, err := p.Timeline(40, 50)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range part.Layers {
		if s.FromS > 50.1 || s.ToS != nil && *s.ToS < 40 {
			t.Errorf("not in the window of 40 to 50 s: %+v", s)
		}
	}
	if len(part.Layers) == 0 || part.Layers[0].ID != l.run.Catalog.Boot.Base || part.Layers[0].FromS > 1 || part.Layers[0].ToS != nil {
		t.Errorf("the base does not reach into the window: %+v", part.Layers)
	}
	checkSeries(t, p, h, w)
	checkActivations(t, p, got)
	checkLog(t, p)
}

// checkSeries compares the lowest and highest voltage of equal spans.
func checkSeries(t *testing.T, p *facts.Past, h control.HistoryState, w *truthOfTicks) {
	t.Helper()
	const points = 4
	set, err := p.Series([]string{"battery", "tick"}, 0, h.Last.AtS, points)
	if err != nil {
		t.Fatal(err)
	}
	s := set.Series["battery"]
	if len(s.T) != points || s.Unit != "V" || len(set.Series["tick"].T) != points {
		t.Fatalf("%+v", set)
	}
	for i := range points {
		low, high := math.Inf(1), math.Inf(-1)
		for n, v := range w.volts {
			if at := float64(n+1) * 0.06; v > 0 && at >= s.T[i]-1e-9 && at < s.T[i]+h.Last.AtS/points {
				low, high = min(low, v), max(high, v)
			}
		}
		if math.Abs(s.Min[i]-low) > 0.011 || math.Abs(s.Max[i]-high) > 0.011 || s.Last[i] < s.Min[i] || s.Last[i] > s.Max[i] {
			t.Errorf("span %d: %g to %g V, last %g, really %g to %g", i, s.Min[i], s.Max[i], s.Last[i], low, high)
		}
	}
	if _, err := p.Series([]string{"batery"}, 0, 1, 1); err == nil || !strings.Contains(err.Error(), `did you mean "battery"?`) {
		t.Errorf("an unknown series: %v", err)
	}
}

func checkActivations(t *testing.T, p *facts.Past, timeline *control.Timeline) {
	t.Helper()
	got, err := p.Activations("ObservingOnCharger")
	if err != nil {
		t.Fatal(err)
	}
	var want []control.LayerSpan
	for _, s := range timeline.Layers {
		if s.ID == "ObservingOnCharger" {
			want = append(want, s)
		}
	}
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d activations, the timeline has %d", len(got), len(want))
	}
	for i, a := range got {
		if a.FromS != want[i].FromS || (a.ToS == nil) != (want[i].ToS == nil) || a.ToS != nil && *a.ToS != *want[i].ToS || a.By != "ChargerRest" {
			t.Errorf("%+v, in the timeline %+v", a, want[i])
		}
	}
	if _, err := p.Activations("Explor"); err == nil || !strings.Contains(err.Error(), `did you mean "Explore"?`) {
		t.Errorf("an unknown behavior: %v", err)
	}
}

func checkLog(t *testing.T, p *facts.Past) {
	t.Helper()
	lines, err := p.Log(control.LogQuery{FromS: 30, ToS: 60, Level: "warn", Text: "FROZEN"})
	if err != nil || len(lines) == 0 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	for _, l := range lines {
		if l.Level != "warn" && l.Level != "error" || !strings.Contains(l.Text, "frozen") || l.TimeS < 30 || l.TimeS > 60 {
			t.Errorf("%+v", l)
		}
	}
}

func TestTickThatIsNotRecordedIsRefusedWithTheSpan(t *testing.T) {
	l := newLife(t, 1)
	l.live(10 * time.Second)
	l.end()
	p := l.past()
	if tick, err := p.Tick(5.02); err != nil || tick != 83 {
		t.Errorf("5.02 s is tick %d, %v", tick, err)
	}
	if tick, err := p.Tick(4.98); err != nil || tick != 83 { // as the state view of tick 83 says
		t.Errorf("4.98 s is tick %d, %v", tick, err)
	}
	for _, at := range []float64{-1, 12} {
		if _, err := p.Tick(at); err == nil || !strings.Contains(err.Error(), "is not recorded: 0.1 to 10.0 s are") {
			t.Errorf("%g s: %v", at, err)
		}
	}
	if _, err := p.State(1000); err == nil || !strings.Contains(err.Error(), "ticks 1 to 166 are") {
		t.Errorf("tick 1000: %v", err)
	}
	l.tape.gaps = []record.Gap{{From: record.Instant{Tick: 50, At: 3 * time.Second}, To: record.Instant{Tick: 60, At: 3600 * time.Millisecond}, Reason: "disk full"}}
	if _, err := p.State(55); err == nil || !strings.Contains(err.Error(), "disk full from 3.0 to 3.6 s") {
		t.Errorf("a tick in a gap: %v", err)
	}
	if g := p.History().Gaps; len(g) != 1 || g[0] != (control.GapState{FromS: 3, ToS: 3.6, Reason: "disk full"}) {
		t.Errorf("gaps %+v", g)
	}
	if line, err := p.Timeline(5, 6); err != nil || len(line.Gaps) != 0 {
		t.Errorf("a gap outside of the window: %+v, %v", line.Gaps, err)
	}
}

func TestTreeListsDelegatesInPriorityOrder(t *testing.T) {
	p := &facts.Past{Source: &tape{}, Live: true, Catalog: func(string) (*catalog.Catalog, error) { return setuptest.Options(t, 1).Catalog, nil }}
	tree, err := p.Tree(0)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(tree.Nodes, func(n control.TreeNode) bool { return n.ID == "ModeSelector" })
	if i < 0 || tree.Base != "ModeSelector" {
		t.Fatalf("base %q", tree.Base)
	}
	n := tree.Nodes[i]
	var params struct {
		Behaviors []string `json:"behaviors"`
	}
	if err := json.Unmarshal(n.Params, &params); err != nil || !slices.Equal(n.Delegates, params.Behaviors) || len(n.Delegates) < 3 || slices.IsSorted(n.Delegates) {
		t.Errorf("delegates %q, the file has %q, %v", n.Delegates, params.Behaviors, err)
	}
	if n.File != "behaviors/base/ModeSelector.json" || n.Line == 0 || n.Class == "" || n.Doc == "" {
		t.Errorf("%+v", n)
	}
}

// Equal lives give equal streams, whatever the machine does meanwhile.
func TestEqualLivesGiveEqualStreams(t *testing.T) {
	var streams [2]string
	for i := range streams {
		l := newLife(t, 2)
		l.live(20 * time.Second)
		l.end()
		var b strings.Builder
		for _, m := range l.tape.all {
			fmt.Fprintf(&b, "%d %v %s %s %s\n", m.Tick, m.At, m.Topic, m.Key, m.Data)
		}
		streams[i] = b.String()
	}
	if streams[0] != streams[1] {
		a, b := strings.Split(streams[0], "\n"), strings.Split(streams[1], "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("they part:\n%s\n%s", a[i], b[i])
			}
		}
		t.Fatalf("%d and %d messages", len(a), len(b))
	}
}

// Every message of a life has a topic that is described, and JSON that fits its schema's properties.
func TestMessagesHaveDescribedTopicsAndFields(t *testing.T) {
	l := newLife(t, 1)
	l.live(30 * time.Second)
	if err := l.robot.Rig.Fault(hardware.IMU, "frozen", time.Second); err != nil {
		t.Fatal(err)
	}
	l.live(40 * time.Second)
	l.end()
	topics := map[string]facts.Topic{}
	fields := map[string]map[string]bool{}
	for _, topic := range facts.Topics() {
		topics[topic.Name] = topic
		var s struct {
			Properties map[string]any `json:"properties"`
			AnyOf      []struct {
				Properties map[string]any `json:"properties"`
			} `json:"anyOf"`
		}
		if err := json.Unmarshal(topic.JSONSchema(), &s); err != nil || topic.Doc == "" {
			t.Fatalf("%s: %v", topic.Name, err)
		}
		known := map[string]bool{}
		for k := range s.Properties {
			known[k] = true
		}
		for _, one := range s.AnyOf {
			for k := range one.Properties {
				known[k] = true
			}
		}
		fields[topic.Name] = known
	}
	seen := map[string]bool{}
	for _, m := range l.tape.all {
		topic, ok := topics[m.Topic]
		if !ok || topic.Instant != m.Instant || (topic.Key == "") != (m.Key == "") {
			t.Fatalf("%s %q, instant %t: described as %+v", m.Topic, m.Key, m.Instant, topic)
		}
		seen[m.Topic] = true
		if m.Data == nil {
			continue
		}
		var v map[string]any
		if err := json.Unmarshal(m.Data, &v); err != nil {
			t.Fatalf("%s %s: %v", m.Topic, m.Data, err)
		}
		for k := range v {
			if !fields[m.Topic][k] {
				t.Fatalf("%s has a field %q that its schema does not describe", m.Topic, k)
			}
		}
	}
	for name := range topics {
		if !seen[name] {
			t.Errorf("a life of 40 s has no message of %s", name)
		}
	}
}

func TestBudgetTellsWhoIsDear(t *testing.T) {
	asked := 0
	p := &facts.Past{Live: true, Costs: facts.CostsOf(func() ([]barrier.HookTime, bool) {
		asked++
		return []barrier.HookTime{
			{ID: "A", Calls: 3, Sum: 300 * time.Microsecond, P99: 200 * time.Microsecond, Worst: 210 * time.Microsecond},
			{ID: "B", Calls: 1, Sum: 100 * time.Microsecond, P99: 100 * time.Microsecond, Worst: 100 * time.Microsecond},
		}, asked > 1
	})}
	for _, want := range []int{2, 3} { // the first reader waits for something to be measured
		got, err := p.Budget()
		if err != nil || len(got) != 2 || got[0] != (control.BudgetEntry{ID: "A", MeanUS: 100, P99US: 200, WorstUS: 210, Calls: 3, Share: 0.75}) || got[1].Share != 0.25 {
			t.Errorf("%+v, %v", got, err)
		}
		if asked != want {
			t.Errorf("asked %d times, want %d", asked, want)
		}
	}
	if _, err := (&facts.Past{}).Budget(); !errors.Is(err, control.ErrRefused) {
		t.Errorf("of a recording: %v", err)
	}
}
