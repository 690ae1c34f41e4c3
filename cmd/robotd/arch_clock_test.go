package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// wallStamps are the methods of time.Time whose result has no monotonic reading, so that a clock that is set changes the time between
// two of them.
var wallStamps = []string{"Unix", "UnixMilli", "UnixMicro", "UnixNano", "UTC", "Local", "In", "Truncate", "Round"}

// calendar lists the files that need calendar time, by the ends of their names. What the metrics export and a recording tells decide nothing;
// the load of the machine has it for a kernel that cannot tell the processor time; the instants of virtual time have no monotonic reading.
var calendar = []string{"metrics/tick.go", "metrics/record/names.go", "flight/flight.go", "metrics/foxglove/server.go", "facts/foxglove.go", "/load.go", "robotd/docs/main.go"}

// A time that is stored or compared keeps its monotonic reading: a step of the wall clock, as NTP makes it after a start without a
// network, makes nothing stale and nothing fresh.
func TestArchNothingIsTimedByTheWallClock(t *testing.T) {
	used := map[string]bool{}
	for _, p := range packages(t) {
		if slices.Contains(testSupport, p.name()) {
			continue
		}
		for _, file := range p.GoFiles {
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimPrefix(p.name()+"/"+file, "/")
			ast.Inspect(f, func(n ast.Node) bool {
				method := wallStamp(n)
				at := slices.IndexFunc(calendar, func(end string) bool { return strings.HasSuffix(name, end) })
				switch {
				case method == "":
				case at >= 0:
					used[calendar[at]] = true
				default:
					t.Errorf("%s:%d: %s loses the monotonic reading of a time", name, set.Position(n.Pos()).Line, method)
				}
				return true
			})
		}
	}
	for _, name := range calendar {
		if !used[name] {
			t.Errorf("%s needs no calendar time any more: take it off the list", name)
		}
	}
}

// wallStamp is the method with which a node loses the monotonic reading of a time; "" if it does not. Round and Truncate of a
// duration have an argument that names a unit; of a time, only Round(0) is in use anywhere.
func wallStamp(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(wallStamps, sel.Sel.Name) {
		return ""
	}
	switch pkg, _ := sel.X.(*ast.Ident); {
	case pkg != nil && (pkg.Name == "time" || pkg.Name == "math"): // time.Unix, math.Round
		return ""
	case sel.Sel.Name == "Round" || sel.Sel.Name == "Truncate":
		if arg, ok := call.Args[0].(*ast.BasicLit); !ok || arg.Value != "0" {
			return ""
		}
	}
	return sel.Sel.Name
}

func TestArchWallClockIsRecognized(t *testing.T) {
	for src, want := range map[string]string{
		"t.UnixNano()": "UnixNano", "a.b().Unix()": "Unix", "t.UTC()": "UTC", "t.Round(0)": "Round",
		"d.Round(time.Millisecond)": "", "time.Unix(1, 0)": "", "math.Round(0)": "", "t.Sub(u)": "",
	} {
		e, err := parser.ParseExpr(src)
		if err != nil {
			t.Fatal(err)
		}
		if got := wallStamp(e); got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}
