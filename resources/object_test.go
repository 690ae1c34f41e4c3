package resources_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/robotd/robotd/resources"
)

// findings is what was found in a document, one line each.
func findings(doc *resources.Document) string { return doc.Diagnostics().String() }

// Rules: data/1.5a, data/1.11f.
func TestFinishReportsOnlyItsOwnObject(t *testing.T) {
	doc := mustParse(t, `{"sub": {"inner": 1}, "other": 2}`)
	sub := doc.Root().Object("sub")
	doc.Root().Finish()
	if got, want := findings(doc), `f.json:1:23: error: unknown key "other"; known keys are "sub"`; got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
	sub.Finish()
	sub.Finish()
	doc.Finish()
	if n := len(doc.Diagnostics()); n != 2 {
		t.Errorf("%d findings after finishing several times:\n%s", n, findings(doc))
	}
}

// Rules: data/1.5b.
func TestAnObjectHasOneSetOfReadMarks(t *testing.T) {
	doc := mustParse(t, `{"sub": {"a": 1, "b": 2}, "list": [{"c": 3}]}`)
	doc.Root().Object("sub").Int("a")
	again, _ := doc.Root().Required("sub").Object()
	again.Int("b")
	doc.Root().Objects("list")[0].Int("c")
	doc.Root().Objects("list")
	doc.Finish()
	if got := findings(doc); got != "" {
		t.Error(got)
	}
	if root := doc.Root(); root != doc.Root() || doc.Root().Object("sub") != again {
		t.Error("the same object is handed out as two")
	}
}

// Rules: data/1.5b.
func TestDeclaredKeyIsNotReportedAsUnknown(t *testing.T) {
	doc := mustParse(t, `{"$schema": "../schema/behavior.json", "declared": 1, "asked": 2, "listed": 3}`)
	root := doc.Root()
	root.Declare("declared", "absent")
	if !root.Has("asked") || root.Has("nowhere") {
		t.Error("Has is wrong")
	}
	if got := root.Keys(); !slices.Equal(got, []string{"$schema", "declared", "asked", "listed"}) {
		t.Errorf("keys %q", got)
	}
	root.Finish()
	want := `f.json:1:67: error: unknown key "listed"; known keys are "$schema", "declared", "asked", "absent", "nowhere"`
	if got := findings(doc); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A key that is read after the required one was missed is no candidate for it.
// Rules: data/1.3f.
func TestHintForAMissingKeyIsDecidedAtFinish(t *testing.T) {
	doc := mustParse(t, `{"state": 1}`)
	doc.Root().Int("states")
	if got, want := findings(doc), `f.json:1:1: error: required key "states" is missing; "state" at 1:2 looks like it`; got != want {
		t.Errorf("before: got  %s\nwant %s", got, want)
	}
	doc.Root().Int("state")
	doc.Finish()
	if got, want := findings(doc), `f.json:1:1: error: required key "states" is missing`; got != want {
		t.Errorf("after: got  %s\nwant %s", got, want)
	}
}

// Rules: data/1.5a.
func TestUnknownKeyPrefersAnAbsentKey(t *testing.T) {
	doc := mustParse(t, `{"rate": 1, "rare": 2}`)
	root := doc.Root()
	root.Int("rate")
	root.IntOr("rarely", 0)
	root.Finish()
	if got, want := findings(doc), `f.json:1:13: error: unknown key "rare"; did you mean "rate"?`; got != want {
		t.Errorf("two slips are too many here: got %s", got)
	}
	doc = mustParse(t, `{"rate": 1, "rare": 2}`)
	root = doc.Root()
	root.Int("rate")
	root.IntOr("bare", 0)
	root.Finish()
	if got, want := findings(doc), `f.json:1:13: error: unknown key "rare"; did you mean "bare"?`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCallersReportAtKeyOrBrace(t *testing.T) {
	doc := mustParse(t, `{"params": {"low": 5, "high": 3}}`)
	params := doc.Root().Object("params")
	params.KeyErrorf("low", "order", "%d is above high", params.Int("low"))
	params.KeyWarnf("high", "order", "%d is below low", params.Int("high"))
	params.KeyErrorf("absent", "gone", "has no value")
	params.Errorf(resources.Pos{}, "empty", "nothing of use")
	params.Warnf(params.KeyPos("high"), "odd", "looks odd")
	params.Report(resources.Diagnostic{File: "elsewhere", Severity: resources.Info, Code: "i", Message: "by hand", Hint: "h"})
	want := `f.json:1:12: error: nothing of use
f.json:1:12: error: params.absent: has no value
f.json:1:12: info: by hand; h
f.json:1:20: error: params.low: 5 is above high
f.json:1:23: warning: looks odd
f.json:1:31: warning: params.high: 3 is below low`
	if got := params.Diagnostics().String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Rules: data/1.11f.
func TestReadingTwiceReportsOnce(t *testing.T) {
	doc := mustParse(t, `{"a": "x"}`)
	for range 3 {
		doc.Root().Int("a")
		doc.Root().Int("b")
	}
	if n := len(doc.Diagnostics()); n != 2 {
		t.Errorf("%d findings:\n%s", n, findings(doc))
	}
}

// Rules: data/1.3k.
func TestReferencesKeepTheirPlaces(t *testing.T) {
	doc := mustParse(t, "{\"next\": \"Wait\",\n \"all\": [\"A\", \"B\"]}")
	root := doc.Root()
	root.Refs("all", "behavior")
	root.Ref("next", "behavior")
	root.RefOr("timer", "timer", "Greeted")
	root.RefOr("none", "timer", "")
	var got string
	for _, r := range doc.References() {
		got += fmt.Sprintf("%s %s %s:%s\n", r.Kind, r.Name, r.File, r.Pos)
	}
	want := "behavior A f.json:2:10\nbehavior B f.json:2:15\nbehavior Wait f.json:1:10\ntimer Greeted f.json:1:1\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// Rules: data/1.3c.
func TestObjectOfManyKeysFindsEach(t *testing.T) {
	for _, n := range []int{1, 15, 16, 17, 18, 500} {
		src := "{"
		for i := range n {
			src += fmt.Sprintf(`"k%d": %d,`, i, i)
		}
		src += `"k0": -1, "last": true}` // k0 is a duplicate
		doc, diags := resources.Parse("f.json", []byte(src))
		if len(diags) != 1 || diags[0].Code != resources.CodeKeyDuplicate {
			t.Fatalf("%d keys: %s", n, diags)
		}
		for i := range n {
			if got := doc.Root().Int(fmt.Sprintf("k%d", i)); got != i {
				t.Errorf("of %d keys, k%d is %d", n, i, got)
			}
		}
		if !doc.Root().Bool("last") || doc.Root().Has("k") || len(doc.Root().Keys()) != n+1 {
			t.Errorf("%d keys: wrong key set", n)
		}
		doc.Finish()
		if got := findings(doc); got != "" {
			t.Errorf("%d keys: %s", n, got)
		}
	}
}

// Rules: data/1.3g.
func TestValueConvertsWithoutReporting(t *testing.T) {
	doc := mustParse(t, `{"v": [null, true, 1, 1.5, 1e400, 99999999999999999999, "s", [], {}]}`)
	elems, ok := doc.Root().Required("v").Array()
	if !ok {
		t.Fatal("no array")
	}
	want := []string{
		"null null -", "boolean true b", "number 1 fi", "number 1.5 f", "number 1e400 -",
		"number 99999999999999999999 f", `string "s" s`, "array [] a", "object {} o",
	}
	for i, e := range elems {
		as := ""
		for _, c := range []struct {
			ok   bool
			name string
		}{
			{second(e.Bool()), "b"},
			{second(e.Float()), "f"},
			{second(e.Int()), "i"},
			{second(e.Text()), "s"},
			{second(e.Array()), "a"},
			{second(e.Object()), "o"},
		} {
			if c.ok {
				as += c.name
			}
		}
		if as == "" {
			as = "-"
		}
		if got := fmt.Sprint(e.Kind(), " ", e.Raw(), " ", as); got != want[i] {
			t.Errorf("v[%d]: got %s, want %s", i, got, want[i])
		}
	}
	if got := findings(doc); got != "" {
		t.Errorf("reported: %s", got)
	}
	var zero resources.Value
	if zero.Kind() != resources.KindMissing || zero.Pos().IsValid() || zero.Raw() != "" || zero.Path() != "" {
		t.Error("the zero Value is something")
	}
}

func second[T any](_ T, ok bool) bool { return ok }
