package resources_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/robotd/robotd/resources"
)

// FuzzParse feeds any bytes through parsing, decoding and finishing. Whatever they are: no panic, every finding stands
// inside the file and on one line, a document stands for valid JSON, and plain JSON objects are never refused.
// Rules: data/1.3m.
func FuzzParse(f *testing.F) {
	for _, src := range resources.BadFiles(f) {
		f.Add([]byte(src))
	}
	f.Add([]byte(sampleFile))
	f.Add([]byte(`{"\ud83d\ude00": "\ud800\u0041 \\ud800 \udc00", "\u0061\/": [-0, 1e-7, 12345678901234567890, "\u0000"]}`))
	f.Add([]byte(`{"\ud83d\ude00": "\\ud800 \"", "\u0061\/": [-0, 1e-7, 12345678901234567890, "\u0000"]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		_, diags := checkSample("f.json", src)
		for _, d := range diags {
			checkPlace(t, src, d)
		}
		doc, found := resources.Parse("f.json", src)
		if doc == nil && len(found) == 0 {
			t.Error("neither document nor finding")
		}
		if doc != nil && !json.Valid([]byte(doc.JSON())) {
			t.Errorf("standard form is not valid: %q", doc.JSON())
		}
		if doc != nil && len(found) == 0 {
			var want map[string]any
			if err := json.Unmarshal([]byte(doc.JSON()), &want); err == nil {
				sameValue(t, doc.Root().Value(), want)
			}
		}
		if json.Valid(src) {
			for _, d := range found {
				if d.Code == resources.CodeSyntax && !strings.Contains(d.Message, "holds one object") && !strings.Contains(d.Message, "UTF-8") && !strings.Contains(d.Message, "surrogate") {
					t.Errorf("valid JSON is refused: %s", d)
				}
			}
		}
	})
}

// sameValue compares what our values say with what the standard decoder says.
func sameValue(t *testing.T, v resources.Value, want any) {
	t.Helper()
	var got any
	ok := true
	switch want := want.(type) {
	case nil:
		ok = v.Kind() == resources.KindNull
	case bool:
		got, ok = v.Bool()
	case float64:
		got, ok = v.Float()
	case string:
		got, ok = v.Text()
	case []any:
		elems, isArray := v.Array()
		if !isArray || len(elems) != len(want) {
			t.Fatalf("%s: %s is no array of %d", v.Path(), v.Raw(), len(want))
		}
		for i := range want {
			sameValue(t, elems[i], want[i])
		}
		return
	case map[string]any:
		o, isObject := v.Object()
		if !isObject || len(o.Keys()) != len(want) {
			t.Fatalf("%s: %s is no object of %d keys", v.Path(), v.Raw(), len(want))
		}
		for _, key := range o.Keys() {
			sub, exists := want[key]
			if !exists {
				t.Fatalf("%s: surplus key %q", v.Path(), key)
			}
			sameValue(t, o.Required(key), sub)
		}
		return
	}
	if !ok || got != want {
		t.Errorf("%s: %s is read as %v, want %v", v.Path(), v.Raw(), got, want)
	}
}

// checkPlace fails if a finding stands outside the file or would break the one-line format.
func checkPlace(t *testing.T, src []byte, d resources.Diagnostic) {
	t.Helper()
	if strings.ContainsAny(d.String(), "\n\r\x00\x1b") {
		t.Errorf("not one printable line: %q", d.String())
	}
	if d.Line == 0 && d.Col == 0 && (d.Code == resources.CodeFileSize || d.Code == resources.CodeTooMany) {
		return
	}
	lines := strings.Split(strings.TrimPrefix(string(src), "\ufeff"), "\n")
	if d.Line < 1 || d.Line > len(lines) || d.Col < 1 || d.Col > len(lines[d.Line-1])+1 {
		t.Errorf("outside the file: %s", d)
	}
}
