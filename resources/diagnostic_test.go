package resources_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/robotd/robotd/resources"
)

// Rules: data/1.11a.
func TestDiagnosticPrintsFieldsThatAreSet(t *testing.T) {
	tests := []struct {
		d    resources.Diagnostic
		want string
	}{
		{
			resources.Diagnostic{File: "a.json", Line: 9, Col: 5, Message: `unknown key "dlegates"`, Hint: `did you mean "delegates"?`},
			`a.json:9:5: error: unknown key "dlegates"; did you mean "delegates"?`,
		},
		{resources.Diagnostic{File: "a.json", Line: 9, Col: 5, Message: "m"}, "a.json:9:5: error: m"},
		{resources.Diagnostic{File: "a.json", Line: 9, Message: "m", Hint: "h"}, "a.json:9: error: m; h"},
		{resources.Diagnostic{File: "a.json", Severity: resources.Warning, Message: "m"}, "a.json: warning: m"},
		{resources.Diagnostic{Severity: resources.Info, Message: "m"}, "info: m"},
		{resources.Diagnostic{Line: 1, Col: 2, Message: "m"}, "1:2: error: m"},
		{resources.Diagnostic{File: "a.json", Col: 2, Message: "m"}, "a.json: error: m"},
	}
	for _, tt := range tests {
		if got := tt.d.String(); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

// Rules: data/1.11b.
func TestDiagnosticsSortByFileLineColumn(t *testing.T) {
	sorted := resources.Diagnostics{
		{Message: "no file"},
		{File: "a", Message: "no line"},
		{File: "a", Line: 2, Col: 1, Message: "a"},
		{File: "a", Line: 2, Col: 1, Message: "b"},
		{File: "a", Line: 2, Col: 1, Severity: resources.Warning, Message: "a"},
		{File: "a", Line: 2, Col: 10, Message: "a"},
		{File: "a", Line: 10, Col: 1, Message: "a"},
		{File: "b", Line: 1, Col: 1, Message: "a"},
	}
	for shift := range sorted {
		got := append(slices.Clone(sorted[shift:]), sorted[:shift]...)
		slices.Reverse(got)
		got.Sort()
		if !slices.Equal(got, sorted) {
			t.Fatalf("shifted by %d:\n%s", shift, got)
		}
	}
}

// Rules: data/1.11b.
func TestErrIsNilWithoutErrorsAndListsThemOtherwise(t *testing.T) {
	ds := resources.Diagnostics{{File: "b", Severity: resources.Warning, Message: "w"}, {Severity: resources.Info, Message: "i"}}
	if err := ds.Err(); err != nil || ds.HasErrors() {
		t.Fatalf("Err() = %v, HasErrors() = %v", err, ds.HasErrors())
	}
	ds = append(ds, resources.Diagnostic{File: "b", Line: 1, Message: "y"}, resources.Diagnostic{File: "a", Line: 1, Message: "x"})
	err := fmt.Errorf("load: %w", ds.Err())
	if want := "load: a:1: error: x\nb:1: error: y"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	var le *resources.LoadError
	if !errors.As(err, &le) || len(le.Diagnostics) != 2 {
		t.Errorf("errors.As finds %v", le)
	}
	if ds[0].File != "b" || ds.Count(resources.Error) != 2 || ds.Count(resources.Info) != 1 {
		t.Errorf("Err changed the list: %v", ds)
	}
}

// Rules: data/1.11a.
func TestDiagnosticSurvivesJSON(t *testing.T) {
	for _, s := range []resources.Severity{resources.Error, resources.Warning, resources.Info} {
		d := resources.Diagnostic{File: "a.json", Line: 1, Col: 2, Severity: s, Code: "c", Message: "m", Hint: "h"}
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var back resources.Diagnostic
		if err := json.Unmarshal(text, &back); err != nil || back != d {
			t.Errorf("%s became %v, %v", text, back, err)
		}
	}
	var s resources.Severity
	if err := s.UnmarshalText([]byte("fatal")); err == nil {
		t.Error("an unknown severity is accepted")
	}
}

// Rules: data/1.11a.
func TestPrefixPutsFilesBelowADirectory(t *testing.T) {
	ds := resources.Diagnostics{{File: "behaviors/a.json", Message: "m"}, {Message: "n"}}
	got := ds.Prefix("/srv/res/").String()
	if want := "/srv/res/behaviors/a.json: error: m\nerror: n"; got != want {
		t.Errorf("got %q", got)
	}
	if ds[0].File != "behaviors/a.json" {
		t.Error("Prefix changed the original")
	}
}
