package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
)

// An event is one of the Trace Event Format. Times are microseconds since the life began.
type event struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Phase string         `json:"ph"`
	TS    float64        `json:"ts"`
	Dur   *float64       `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	ID    string         `json:"id,omitempty"`
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// The rows of the trace.
const (
	rowStack = iota + 1
	rowFace
	rowEvents
	rowGaps
)

var rows = []string{rowStack: "stack", rowFace: "face", rowEvents: "events", rowGaps: "not recorded"}

// slices tell these already.
var told = []string{"activated", "deactivated", "action"}

// TraceSeries are the counters of a trace unless others are chosen.
var TraceSeries = []string{"battery", "charge", "mood.Confident", "mood.Happy", "mood.Social", "mood.Stimulated", "tick", "wheel_left", "wheel_right"}

// A tracer writes events and remembers the first error.
type tracer struct {
	w    *bufio.Writer
	next string // before the next event
	from float64
	to   float64
	err  error
}

func (t *tracer) put(e event) {
	if t.err != nil {
		return
	}
	e.PID = 1
	var text []byte
	if text, t.err = json.Marshal(e); t.err == nil {
		_, t.err = fmt.Fprintf(t.w, "%s%s", t.next, text)
		t.next = ",\n"
	}
}

func micros(s float64) float64 { return math.Round(s * 1e6) }

// slice is a span on a row, as far as it lies in the window.
func (t *tracer) slice(row int, name string, from float64, to *float64, args map[string]any) {
	begin, end := t.window(from, to)
	dur := micros(end) - micros(begin)
	t.put(event{Name: name, Phase: "X", TS: micros(begin), Dur: &dur, TID: row, Args: args})
}

// window cuts a span.
func (t *tracer) window(from float64, to *float64) (begin, end float64) {
	begin, end = max(from, t.from), t.to
	if to != nil {
		end = min(*to, t.to)
	}
	return begin, max(begin, end)
}

// async is a span that may overlap others.
func (t *tracer) async(cat, name, id string, from float64, to *float64, args map[string]any) {
	begin, end := t.window(from, to)
	t.put(event{Name: name, Cat: cat, Phase: "b", TS: micros(begin), ID: id, Args: args})
	t.put(event{Name: name, Cat: cat, Phase: "e", TS: micros(end), ID: id})
}

// Trace writes a part of a recording in the Trace Event Format, which Perfetto and Chrome open: the stack as nested slices, actions and
// intents as spans of their own, numbers as counters, what happened as instants.
func Trace(w io.Writer, p *facts.Past, series []string, from, to float64) error {
	t := &tracer{w: bufio.NewWriter(w), from: from, to: to}
	life, err := json.Marshal(p.Source.Life())
	if err != nil {
		return err
	}
	_, t.err = fmt.Fprintf(t.w, `{"displayTimeUnit":"ms","otherData":{"life":%s},"traceEvents":[`+"\n", life)
	t.put(event{Name: "process_name", Phase: "M", Args: map[string]any{"name": "robot " + p.Source.Life().Robot}})
	for row := rowStack; row < len(rows); row++ {
		t.put(event{Name: "thread_name", Phase: "M", TID: row, Args: map[string]any{"name": rows[row]}})
		t.put(event{Name: "thread_sort_index", Phase: "M", TID: row, Args: map[string]any{"sort_index": row}})
	}
	if err := t.spans(p); err != nil {
		return err
	}
	if err := t.instants(p); err != nil {
		return err
	}
	if err := t.counters(p, series); err != nil {
		return err
	}
	if t.err == nil {
		_, t.err = t.w.WriteString("\n]}\n")
	}
	if t.err == nil {
		t.err = t.w.Flush()
	}
	return t.err
}

func (t *tracer) spans(p *facts.Past) error {
	line, err := p.Timeline(t.from, t.to)
	if err != nil {
		return err
	}
	slices.SortStableFunc(line.Layers, func(a, b control.LayerSpan) int { // a slice comes before those in it
		if a.FromS != b.FromS {
			return int(math.Copysign(1, a.FromS-b.FromS))
		}
		return a.Depth - b.Depth
	})
	for _, l := range line.Layers {
		t.slice(rowStack, l.ID, l.FromS, l.ToS, map[string]any{"class": l.Class, "depth": l.Depth})
	}
	for _, f := range line.Face {
		t.slice(rowFace, f.Value, f.FromS, f.ToS, nil)
	}
	for _, g := range line.Gaps {
		t.slice(rowGaps, g.Reason, g.FromS, &g.ToS, nil)
	}
	for _, a := range line.Actions {
		t.async("action", a.Name, fmt.Sprint("action ", a.Tag, " ", a.FromS), a.FromS, a.ToS, map[string]any{"owner": a.Owner, "slot": a.Slot, "result": a.Result})
	}
	for i, n := range line.Intents {
		t.async("intent", n.Value+" ("+n.State+")", fmt.Sprint("intent ", i), n.FromS, n.ToS, nil)
	}
	return nil
}

func (t *tracer) instants(p *facts.Past) error {
	return p.Events(t.from, t.to, func(at float64, kind, who, text string) {
		if !slices.Contains(told, kind) {
			t.put(event{Name: kind + " " + who, Cat: kind, Phase: "i", TS: micros(at), TID: rowEvents, Scope: "t", Args: map[string]any{"text": text}})
		}
	})
}

func (t *tracer) counters(p *facts.Past, series []string) error {
	units := map[string]string{}
	for _, n := range p.SeriesNames() {
		units[n.Name] = n.Unit
	}
	return p.Numbers(series, t.from, t.to, func(i int, at, v float64) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return
		}
		name := series[i]
		if u := units[name]; u != "" {
			name += " " + u
		}
		t.put(event{Name: name, Phase: "C", TS: micros(at), Args: map[string]any{"value": v}})
	})
}
