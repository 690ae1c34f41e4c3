package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/engine/tape"
)

func run(ticks ...string) (logs []tape.TickLog) {
	for i, t := range ticks {
		l := tape.TickLog{Tick: uint64(i + 1)}
		if t != "" {
			l.Lines = strings.Split(t, ",")
		}
		logs = append(logs, l)
	}
	return logs
}

// The first tick and the first line in it in which two runs differ, whatever comes later.
func TestDifferenceNamesTickAndLine(t *testing.T) {
	whole := run("a,b", "", "c,d,e", "f")
	for name, c := range map[string]struct {
		b      []tape.TickLog
		tick   uint64
		line   int
		x, y   string
		before string
	}{
		"another line":           {b: run("a,b", "", "c,X,e", "Y"), tick: 3, line: 1, x: "d", y: "X", before: "1 b,3 c"},
		"first line":             {b: run("Z,b", "", "c,d,e", "f"), tick: 1, line: 0, x: "a", y: "Z"},
		"a line less":            {b: run("a,b", "", "c,d", "f"), tick: 3, line: 2, x: "e", y: "(nothing more in this tick)", before: "3 c,3 d"},
		"a line more":            {b: run("a,b", "", "c,d,e,g", "f"), tick: 3, line: 3, x: "(nothing more in this tick)", y: "g", before: "3 d,3 e"},
		"in an empty tick":       {b: run("a,b", "q", "c,d,e", "f"), tick: 2, line: 0, x: "(nothing more in this tick)", y: "q", before: "1 a,1 b"},
		"a run that ended":       {b: run("a,b", "", "c,d,e"), tick: 4, line: 0, x: "f", y: "(the run ended)", before: "3 d,3 e"},
		"a run that goes on":     {b: run("a,b", "", "c,d,e", "f", "g"), tick: 5, line: 0, x: "(the run ended)", y: "g", before: "3 e,4 f"},
		"a tick that is missing": {b: slices.Delete(run("a,b", "", "c,d,e", "f"), 2, 3), tick: 3, line: 0, x: "c", y: "(nothing more in this tick)", before: "1 a,1 b"},
	} {
		p := tape.Diff(whole, c.b, 2)
		if p == nil || p.Tick != c.tick || p.Line != c.line || p.A != c.x || p.B != c.y || strings.Join(p.Before, ",") != c.before {
			t.Errorf("%s: %+v", name, p)
			continue
		}
		if back := tape.Diff(c.b, whole, 2); back.Tick != p.Tick || back.Line != p.Line || back.A != p.B || back.B != p.A {
			t.Errorf("%s: the other way around %+v", name, back)
		}
	}
	if p := tape.Diff(whole, run("a,b", "", "c,d,e", "f"), 2); p != nil {
		t.Errorf("equal runs part: %v", p)
	}
	if p := tape.Diff(whole, slices.Delete(run("a,b", "", "c,d,e", "f"), 1, 2), 2); p != nil {
		t.Errorf("a tick without lines need not be listed: %v", p)
	}
	var none *tape.Difference
	if none.String() != "the runs are equal" {
		t.Error(none.String())
	}
	want := "the runs part in tick 3, line 2:\n    1 b\n    3 c\n  a 3 d\n  b 3 X"
	if got := tape.Diff(whole, run("a,b", "", "c,X,e", "f"), 2).String(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// The trace files of headless runs are read into the same form.
func TestTraceFilesAreReadAsTickLogs(t *testing.T) {
	logs, err := tape.ReadTickLogs(strings.NewReader("1 0.060 R.push\n1 0.060 > motors StopWheels {}\n3 0.180 R.pop\n"))
	want := []tape.TickLog{{Tick: 1, Lines: []string{"R.push", "> motors StopWheels {}"}}, {Tick: 3, Lines: []string{"R.pop"}}}
	if err != nil || tape.Diff(logs, want, 0) != nil || len(logs) != 2 {
		t.Errorf("%v, %v", logs, err)
	}
	for _, bad := range []string{"x 0.1 R.push", "1 0.060"} {
		if _, err := tape.ReadTickLogs(strings.NewReader("1 0.060 R.push\n" + bad + "\n")); err == nil || !strings.Contains(err.Error(), "line 2 is") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
