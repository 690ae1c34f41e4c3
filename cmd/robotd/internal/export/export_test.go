package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/export"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/metrics/record"
)

// lived records a minute of the shipped robot, with a fault.
func lived(t *testing.T) *facts.Past {
	t.Helper()
	o := setuptest.Options(t, 2)
	o.Recording = setup.Recording{Dir: t.TempDir(), Limit: 1 << 30}
	fault, err := headless.ParseFault("25s motors brownout", o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := headless.Run(t.Context(), o, headless.Options{For: time.Minute, Script: []headless.Line{fault}}); err != nil {
		t.Fatal(err)
	}
	return opened(t, o.Recording.Dir)
}

func opened(t *testing.T, path string) *facts.Past {
	t.Helper()
	h, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return &facts.Past{Source: h}
}

// traceEvent is what a reader of the format sees.
type traceEvent struct {
	Name, Cat, Ph, ID string
	TS                *float64
	Dur               float64
	TID               int
	Args              map[string]any
}

func traceOf(t *testing.T, p *facts.Past, from, to float64) []traceEvent {
	t.Helper()
	var b bytes.Buffer
	if err := export.Trace(&b, p, export.TraceSeries, from, to); err != nil {
		t.Fatal(err)
	}
	var trace struct {
		TraceEvents []traceEvent
		OtherData   struct{ Life record.Life }
	}
	if err := json.Unmarshal(b.Bytes(), &trace); err != nil {
		t.Fatal(err)
	}
	if trace.OtherData.Life != p.Source.Life() {
		t.Errorf("life %+v", trace.OtherData.Life)
	}
	return trace.TraceEvents
}

// nested reports the first slice of a row that overlaps another without lying in it, or whose depth is not that of its nesting.
func nested(events []traceEvent, row int) string {
	var open []traceEvent
	for _, e := range events {
		if e.Ph != "X" || e.TID != row {
			continue
		}
		for len(open) > 0 && open[len(open)-1].end() <= *e.TS {
			open = open[:len(open)-1]
		}
		if n := len(open); n > 0 && (e.end() > open[n-1].end() || *e.TS < *open[n-1].TS) {
			return e.Name + " overlaps " + open[n-1].Name + " at " + strconv.FormatFloat(*e.TS, 'f', -1, 64)
		}
		if depth, ok := e.Args["depth"].(float64); ok && e.Dur > 0 && int(depth) != len(open) {
			return e.Name + " has a depth other than its nesting at " + strconv.FormatFloat(*e.TS, 'f', -1, 64)
		}
		if e.Dur > 0 {
			open = append(open, e)
		}
	}
	return ""
}

func (e traceEvent) end() float64 { return *e.TS + e.Dur }

// The slices of a trace are nested as the stack was, spans have an end, and numbers and events are there.
func TestTraceIsNestedAsTheStackWas(t *testing.T) {
	p := lived(t)
	for _, window := range [][2]float64{{0, 60}, {20.5, 41}} {
		events := traceOf(t, p, window[0], window[1])
		for row := range 5 {
			if bad := nested(events, row); bad != "" {
				t.Errorf("row %d: %s", row, bad)
			}
		}
		open, counts := map[string]int{}, map[string]int{}
		for _, e := range events {
			counts[e.Ph]++
			if e.TS == nil || e.Ph != "M" && (*e.TS < window[0]*1e6-1 || e.end() > window[1]*1e6+1) {
				t.Fatalf("outside of the window: %+v", e)
			}
			switch e.Ph {
			case "b":
				open[e.Cat+e.ID]++
			case "e":
				open[e.Cat+e.ID]--
			}
		}
		for id, n := range open {
			if n != 0 {
				t.Errorf("%s begins %d times more than it ends", id, n)
			}
		}
		if counts["X"] < 5 || counts["C"] < 50 || counts["i"] == 0 || counts["b"] == 0 || counts["b"] != counts["e"] || counts["M"] != 9 {
			t.Errorf("window %v: %v", window, counts)
		}
		if !slices.ContainsFunc(events, func(e traceEvent) bool { return e.Ph == "C" && e.Name == "battery V" && e.Args["value"].(float64) > 3 }) {
			t.Error("no battery")
		}
	}
}

// The checker itself finds an overlap.
func TestNestingCheckerFindsOverlap(t *testing.T) {
	at := func(ts float64) *float64 { return &ts }
	bad := []traceEvent{{Name: "A", Ph: "X", TID: 1, TS: at(0), Dur: 10}, {Name: "B", Ph: "X", TID: 1, TS: at(5), Dur: 10}}
	if nested(bad, 1) == "" || nested(bad[:1], 1) != "" {
		t.Error("not found")
	}
	deep := []traceEvent{{Name: "A", Ph: "X", TID: 1, TS: at(0), Dur: 10, Args: map[string]any{"depth": 1.0}}}
	if nested(deep, 1) == "" {
		t.Error("a wrong depth was not found")
	}
}

// Each line of a CSV has what the state of that time has.
func TestCSVSaysWhatTheStateSays(t *testing.T) {
	p := lived(t)
	var b bytes.Buffer
	if err := export.CSV(&b, p, []string{"battery", "x", "y"}, 10, 40); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(lines) < 20 || !slices.Equal(lines[0], []string{"time_s", "battery", "x", "y"}) {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	before := 0.0
	for i, line := range lines[1:] {
		var v [4]float64
		for k, text := range line {
			if v[k], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		if v[0] <= before || v[0] < 10 || v[0] > 40 {
			t.Fatalf("%g s comes after %g s", v[0], before)
		}
		if before = v[0]; i%20 > 0 {
			continue
		}
		tick, err := p.Tick(v[0])
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.State(tick)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(v[1]-s.Body.Volts) > 0.011 || math.Abs(v[2]-s.Body.Pose.XMM) > 0.051 || math.Abs(v[3]-s.Body.Pose.YMM) > 0.051 {
			t.Errorf("%v; the state at %g s has %v V at %+v", v, v[0], s.Body.Volts, s.Body.Pose)
		}
	}
}

// A trace shows a damaged part of the file, of which nobody knows before it is read.
func TestTraceShowsDamage(t *testing.T) {
	file := lived(t).Source.(*record.Reader).Files()[0]
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	frame := bytes.Index(text[len(text)*3/4:], []byte("\x28\xb5\x2f\xfd")) // a chunk, as Zstandard begins it
	if frame < 0 {
		t.Fatal("no chunk")
	}
	text[len(text)*3/4+frame] ^= 0xff
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, e := range traceOf(t, opened(t, file), 0, 60) {
		if e.Ph == "X" && e.TID == 4 && e.Name == "a part of the file is damaged" && e.Dur > 0.3e6 && e.Dur < 1e6 {
			shown++
		}
	}
	if shown != 1 {
		t.Errorf("the row \"not recorded\" shows it %d times", shown)
	}
}

// A series that there is not is named with the nearest.
func TestUnknownSeriesIsRefused(t *testing.T) {
	err := export.CSV(&bytes.Buffer{}, lived(t), []string{"batery"}, 0, 1)
	if err == nil || !strings.Contains(err.Error(), `there is no series "batery"; did you mean "battery"?`) {
		t.Error(err)
	}
}
