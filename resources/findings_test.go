package resources_test

import (
	"fmt"
	"testing"

	"github.com/robotd/robotd/resources"
)

// noise is n different findings of one severity.
func noise(n int, s resources.Severity) (ds resources.Diagnostics) {
	for i := range n {
		ds = append(ds, resources.Diagnostic{File: "a.json", Line: i + 1, Severity: s, Message: fmt.Sprint(i)})
	}
	return ds
}

func TestFindingsBeyondTheLimitAreCounted(t *testing.T) {
	var f resources.Findings
	f.Add(noise(resources.MaxDiagnostics-1, resources.Error)...)
	if f.Full() || len(f.List()) != resources.MaxDiagnostics-1 {
		t.Fatalf("full with %d", len(f.List()))
	}
	f.Add(noise(80_000, resources.Error)...)
	got := f.List()
	if !f.Full() || len(got) != resources.MaxDiagnostics+1 {
		t.Fatalf("%d are kept", len(got))
	}
	want := "error: 79999 more errors are not shown; the limit is 1000 findings"
	if got[0].String() != want || got.Count(resources.Error) != 80_999 {
		t.Errorf("got %q, %d errors", got[0], got.Count(resources.Error))
	}
}

func TestErrorAfterManyWarningsIsKept(t *testing.T) {
	var f resources.Findings
	f.Add(noise(3000, resources.Warning)...)
	f.Add(noise(5, resources.Info)...)
	if f.HasErrors() {
		t.Error("warnings are errors")
	}
	f.Add(noise(1, resources.Error)...)
	got := f.List()
	if !f.HasErrors() || !got.HasErrors() || len(got) != resources.MaxDiagnostics+2 {
		t.Errorf("%d findings, errors: %t", len(got), got.HasErrors())
	}
	for s, want := range map[resources.Severity]int{resources.Error: 1, resources.Warning: 3000, resources.Info: 5} {
		if n := got.Count(s); n != want {
			t.Errorf("%d of severity %v, want %d", n, s, want)
		}
	}
}

// A file counts its own findings beyond the limit; that count is taken over, not counted as one.
func TestFindingsTakeOverTheCountOfAFile(t *testing.T) {
	src := []byte("{")
	for i := range 1500 {
		src = fmt.Appendf(src, `"k%d": 1,`, i)
	}
	doc, diags := resources.Parse("a.json", append(src, `"last": 1}`...))
	doc.Finish()
	var f resources.Findings
	f.Add(diags...)
	f.Add(doc.Diagnostics()...)
	if got := f.List(); got[0].More != 501 || got.Count(resources.Error) != 1501 {
		t.Errorf("%+v, %d errors", got[0], got.Count(resources.Error))
	}
}
