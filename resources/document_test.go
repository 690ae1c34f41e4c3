package resources_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/resources"
)

// mustParse parses a file that has no mistake.
func mustParse(t testing.TB, src string) *resources.Document {
	t.Helper()
	doc, diags := resources.Parse("f.json", []byte(src))
	if doc == nil || len(diags) > 0 {
		t.Fatalf("parse %q: %v", src, diags)
	}
	return doc
}

// Rules: DT-F07, data/1.3a, data/1.3b, data/1.3h, data/1.3i.
func TestGoodFileIsReadWhole(t *testing.T) {
	got, diags := checkSample("f.json", []byte(sampleFile))
	if len(diags) > 0 {
		t.Fatalf("findings:\n%s", diags)
	}
	want := sample{
		class: "Greet", id: "GreetFace", label: "hi", track: "LIFT_TRACK",
		speed: 120.5, weight: 2, gain: 0.25, angle: -22, repeats: 3, count: -4, tries: 5, level: 6,
		loud: true, quiet: true,
		timeout: 1500 * time.Millisecond, blink: 250 * time.Millisecond, wait: 0, pause: 60 * time.Millisecond,
		tags: []string{"http://a//b", "/* text */"}, aliases: []string{}, tracks: []string{"HEAD_TRACK", "BODY_TRACK"},
		locks: []string{"LIFT_TRACK"}, points: []float64{0, 0.5, 1}, offsets: []float64{-1.5},
		next: "Wait", fallback: "ModeSelector", delegates: []string{"LookUp", "Wait"}, timers: []string{"GreetedLately"},
		mode: "HEAD_TRACK", note: "café", depth: 12,
		stateNames: []string{"first", "second"}, stateNext: []string{"LookUp", "Wait"}, labels: []string{"x"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

// Rules: data/1.3f.
func TestAbsentOptionalKeysGiveTheirDefaults(t *testing.T) {
	doc := mustParse(t, `{"x": 1}`)
	var got sample
	decodeOptional(doc.Root(), &got)
	want := sample{
		label: "none", gain: 1, angle: math.Pi, tries: 7, level: -1, track: "none", wait: -1, pause: time.Second,
		aliases: []string{"none"}, offsets: []float64{9}, locks: []string{"none"}, fallback: "Wait",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if ds := doc.Diagnostics(); len(ds) > 0 {
		t.Errorf("findings: %s", ds)
	}
}

// Rules: data/1.3g.
func TestMistakenOptionalKeysGiveTheirDefaultsToo(t *testing.T) {
	src := `{"label":0,"gain":"","angle_deg":99,"tries":0.5,"level":-9,"quiet":0,"track":"x","cooldown_s":-1,"pause_ms":{},` +
		`"aliases":1,"offsets":1,"locks":1,"fallback":1,"timers":1,"extra":1,"transitions":1}`
	doc := mustParse(t, src)
	var got sample
	decodeOptional(doc.Root(), &got)
	want := sample{
		label: "none", gain: 1, angle: math.Pi, tries: 7, level: -1, track: "none", wait: -1, pause: time.Second,
		aliases: []string{"none"}, offsets: []float64{9}, locks: []string{"none"}, fallback: "Wait",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if ds := doc.Diagnostics(); len(ds) != 16 {
		t.Errorf("%d findings, want one for each of 16 keys:\n%s", len(ds), ds)
	}
}

// Rules: DT-F07, data/1.3a, data/1.3e.
func TestPositionsCountLinesAndBytesFromOne(t *testing.T) {
	body := "{ // é\n\t\"é\": [1,\n  {\"k\" :\ttrue}]\n}"
	for name, src := range map[string]string{
		"LF": body, "CRLF": strings.ReplaceAll(body, "\n", "\r\n"), "BOM": "\ufeff" + body,
		"comment without newline at the end": body + " // end",
	} {
		t.Run(name, func(t *testing.T) {
			doc := mustParse(t, src)
			root := doc.Root()
			elems, _ := root.Required("é").Array()
			inner, ok := elems[1].Object()
			if !ok {
				t.Fatal("no inner object")
			}
			got := fmt.Sprint(root.Pos(), root.KeyPos("é"), root.ValuePos("é"), elems[0].Pos(), inner.Pos(), inner.KeyPos("k"), inner.ValuePos("k"))
			if want := "1:1 2:2 2:8 2:9 3:3 3:4 3:10"; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if p := inner.Path(); p != "é[1]" {
				t.Errorf("path %q", p)
			}
		})
	}
}

// Rules: data/1.3a, data/1.3b.
func TestJSONIsStandardAndKeepsEveryOffset(t *testing.T) {
	doc := mustParse(t, sampleFile)
	std := doc.JSON()
	if !json.Valid([]byte(std)) {
		t.Fatal("not standard JSON")
	}
	for _, word := range []string{`"behaviorID"`, `"transitions"`, `"http://a//b"`, "120.5"} {
		if strings.Index(std, word) != strings.Index(sampleFile, word) {
			t.Errorf("%s moved", word)
		}
	}
}

// Rules: data/1.3c.
func TestRecoverableMistakesKeepTheDocument(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"trailing comma", "{\"a\": 1,\n}", "f.json:1:8: error: trailing comma before '}'; remove it"},
		{"trailing comma behind a comment", "{\"a\": 1 /* , */ , // x\n}", "f.json:1:17: error: trailing comma before '}'; remove it"},
		{"duplicate: the first wins", `{"a": 1, "a": 2}`, `f.json:1:10: error: key "a" appears twice; the first one is at 1:2`},
		{"trailing data", "{\"a\": 1}\n\n} {", "f.json:3:1: error: nothing but comments may follow the closing brace of the file"},
		{"trailing open comment", "{\"a\": 1} /*", "f.json:1:10: error: nothing but comments may follow the closing brace of the file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, diags := resources.Parse("f.json", []byte(tt.src))
			if got := diags.String(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if doc == nil || doc.Root().Int("a") != 1 {
				t.Fatal("the document is not usable")
			}
			if ds := doc.Diagnostics(); len(ds) > 0 {
				t.Errorf("reported again: %s", ds)
			}
		})
	}
}

// Rules: data/1.3l.
func TestFileBeyondLimitsIsRefused(t *testing.T) {
	pad := strings.Repeat(" ", resources.MaxFileBytes-len(`{"a":1}`))
	if doc, diags := resources.Parse("f.json", []byte(`{"a":1}`+pad)); doc == nil || len(diags) > 0 {
		t.Errorf("a file of the maximal size: %s", diags)
	}
	doc, diags := resources.Parse("f.json", []byte(`{"a":1} `+pad))
	if want := "f.json: error: the file has 1048577 bytes, more than the limit 1048576"; doc != nil || diags.String() != want {
		t.Errorf("a file beyond the maximal size: %s", diags)
	}
	deep := func(n int) []byte {
		return []byte(strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n))
	}
	if doc, diags := resources.Parse("f.json", deep(resources.MaxDepth)); doc == nil || len(diags) > 0 {
		t.Errorf("a file of the maximal depth: %s", diags)
	}
	if doc, diags := resources.Parse("f.json", deep(resources.MaxDepth+1)); doc != nil || diags[0].Code != resources.CodeDepth || diags[0].Col != 5*resources.MaxDepth+1 {
		t.Errorf("a file beyond the maximal depth: %s", diags)
	}
	for _, bomb := range []string{"[", `{"a":`, `"\xff" [`, "/ [", "}["} {
		if doc, diags := resources.Parse("f.json", []byte(strings.Repeat(bomb, 100_000))); doc != nil || !diags.HasErrors() {
			t.Errorf("%q repeated is accepted", bomb)
		}
	}
}

// Rules: data/1.11e.
func TestFindingsOfADocumentAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"first": 1`)
	for i := range 60_000 {
		fmt.Fprintf(&b, `,"k%d":0`, i)
	}
	b.WriteString("}")
	doc := mustParse(t, b.String())
	doc.Root().Int("first")
	doc.Root().Int("frist")
	doc.Finish()
	ds := doc.Diagnostics()
	if n := len(ds); n != resources.MaxDiagnostics+1 || ds.Count(resources.Error) != 60_001 {
		t.Fatalf("%d findings, %d errors", n, ds.Count(resources.Error))
	}
	if want := "f.json: error: 59001 errors beyond the first 1000 findings are not shown"; ds[0].String() != want {
		t.Errorf("got  %v\nwant %s", ds[0], want)
	}
}

func TestParseDoesNotKeepOrChangeItsInput(t *testing.T) {
	src := []byte(sampleFile)
	doc, _ := resources.Parse("f.json", src)
	if string(src) != sampleFile {
		t.Fatal("Parse changed its input")
	}
	for i := range src {
		src[i] = 'x'
	}
	if got := doc.Root().String("behaviorID"); got != "GreetFace" {
		t.Errorf("behaviorID is %q after the input was overwritten", got)
	}
	if keys := doc.Root().Keys(); !slices.Contains(keys, "transitions") {
		t.Errorf("keys %q", keys)
	}
}
