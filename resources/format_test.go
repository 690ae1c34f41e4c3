package resources_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/robotd/robotd/resources"
)

func formatted(t *testing.T, src string, arrange resources.Arrange) string {
	t.Helper()
	out, diags, err := resources.Format("x.json", []byte(src), arrange)
	if err != nil || out == nil {
		t.Fatalf("%s\n%v %v", src, diags, err)
	}
	return string(out)
}

func TestFormatLaysOutValuesAndComments(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"one line":                             {`{"a":1,"b":[1,2],"c":{"d":null}}`, "{\n  \"a\": 1,\n  \"b\": [1, 2],\n  \"c\": { \"d\": null }\n}\n"},
		"empty":                                {`{"a":{ },"b":[ ]}`, "{\n  \"a\": {},\n  \"b\": []\n}\n"},
		"header and footer":                    {"// one\n\n\n// two\n{\"a\":1} // three\n\n// four", "// one\n\n// two\n{\n  \"a\": 1\n} // three\n\n// four\n"},
		"before and behind":                    {"{ // first\n// lead\n\"a\" : 1, // of a\n\n\n/* lead of b */\n\"b\":2 // of b\n// last\n}", "{ // first\n  // lead\n  \"a\": 1, // of a\n\n  /* lead of b */\n  \"b\": 2 // of b\n  // last\n}\n"},
		"between key and value":                {"{\"a\" /* x */ : /* y */ 1, \"b\": // z\n 2}", "{\n  \"a\": /* x */ /* y */ 1,\n  // z\n  \"b\": 2\n}\n"},
		"before the comma":                     {"{\"a\": [1 /* x */, 2 // y\n, 3]}", "{\n  \"a\": [\n    1, /* x */\n    2, // y\n    3\n  ]\n}\n"},
		"several lines":                        {"{\"a\": [\n1,2,\n3],\"b\":{\n\"c\":1, \"d\":2}}", "{\n  \"a\": [\n    1, 2,\n    3\n  ],\n  \"b\": {\n    \"c\": 1, \"d\": 2\n  }\n}\n"},
		"numbers and strings stay":             {`{"a":1.50e+3,"b":"\u0041//x"}`, "{\n  \"a\": 1.50e+3,\n  \"b\": \"\\u0041//x\"\n}\n"},
		"carriage returns and byte order mark": {"\xef\xbb\xbf{\r\n\"a\": 1 // x\r\n}\r\n", "{\n  \"a\": 1 // x\n}\n"},
		"comment alone in an object":           {"{\"a\": { /* nothing */ }}", "{\n  \"a\": { /* nothing */\n  }\n}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := formatted(t, c.src, nil)
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if again := formatted(t, got, nil); again != got {
				t.Errorf("a second time it gives\n%s", again)
			}
		})
	}
}

func TestFormatBreaksLongLines(t *testing.T) {
	long := strings.Repeat("x", 90)
	got := formatted(t, fmt.Sprintf(`{"a": ["%s", "%s"]}`, long, long), nil)
	want := fmt.Sprintf("{\n  \"a\": [\n    \"%s\",\n    \"%s\"\n  ]\n}\n", long, long)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFormatMovesKeysWithTheirComments(t *testing.T) {
	src := "{\n  // of b\n  \"b\": 1, // behind b\n  \"rest\": 0,\n  \"a\": 2\n}\n"
	got := formatted(t, src, func(path string, texts map[string]string) []string {
		if _, ok := texts["a"]; ok && path == "" {
			return []string{"a", "b"}
		}
		return nil
	})
	if want := "{\n  \"a\": 2,\n  // of b\n  \"b\": 1, // behind b\n  \"rest\": 0\n}\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFormatLeavesFilesWithMistakesAlone(t *testing.T) {
	for _, src := range []string{`{"a": 1,}`, `{"a": 1, "a": 2}`, `{"a": `, `[1]`, ``, `{"a": 1} x`} {
		out, diags, err := resources.Format("x.json", []byte(src), nil)
		if out != nil || err != nil || len(diags) == 0 {
			t.Errorf("%q gives %q, %v, %v", src, out, diags, err)
		}
	}
}

// sameJSON reports whether two files say the same.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	canonical := func(text string) string {
		doc, diags := resources.Parse("x.json", []byte(text))
		if doc == nil {
			t.Fatal(diags)
		}
		var v any
		d := json.NewDecoder(strings.NewReader(doc.JSON()))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	return canonical(a) == canonical(b)
}

// TestFormatKeepsTheMeaningOfFiles formats every shipped file and the whole corpus, each twice.
func TestFormatKeepsTheMeaningOfFiles(t *testing.T) {
	n := 0
	check := func(name, src string) {
		out, _, err := resources.Format(name, []byte(src), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if out == nil {
			return
		}
		n++
		if !sameJSON(t, src, string(out)) {
			t.Errorf("%s means something else when it is formatted", name)
		}
		if again := formatted(t, string(out), nil); again != string(out) {
			t.Errorf("%s changes when it is formatted a second time", name)
		}
	}
	err := fs.WalkDir(resources.Embedded(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".json" {
			return err
		}
		src, err := fs.ReadFile(resources.Embedded(), name)
		check(name, string(src))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for file, src := range resources.BadFiles(t) {
		check(file, src)
	}
	if n < 80 {
		t.Errorf("only %d files were formatted", n)
	}
}

// anyText draws JSON with comments and line ends in every place.
func anyText(t *rapid.T, depth int) string {
	gap := func() string {
		return rapid.SampledFrom([]string{"", "", "", " ", "\n", "\n\n\n", "// c\n", "/* d */", "/* e\n\"f */", "\n// \"g\" /*\n", "// h //\n\n"}).Draw(t, "gap")
	}
	kind := rapid.IntRange(0, 4).Draw(t, "kind")
	if depth == 0 {
		kind = 4
	} else if depth > 3 {
		kind = rapid.IntRange(2, 3).Draw(t, "scalar")
	}
	n := rapid.IntRange(0, 4).Draw(t, "length")
	var b strings.Builder
	switch kind {
	case 0, 1:
		b.WriteString("[" + gap())
		for i := range n {
			if i > 0 {
				b.WriteString(gap() + ",")
			}
			b.WriteString(gap() + anyText(t, depth+1))
		}
		b.WriteString(gap() + "]")
	case 2:
		return rapid.SampledFrom([]string{"1", "-2.50", "true", "null", "1e9"}).Draw(t, "literal")
	case 3:
		return rapid.SampledFrom([]string{`"x"`, `"// no \" comment"`, `"/*"`, `"` + strings.Repeat("long ", 15) + `"`}).Draw(t, "string")
	case 4:
		n = max(n, 1)
		b.WriteString("{" + gap())
		for i := range n {
			if i > 0 {
				b.WriteString(gap() + ",")
			}
			fmt.Fprintf(&b, "%s\"k%d\"%s:%s%s", gap(), i, gap(), gap(), anyText(t, depth+1))
		}
		b.WriteString(gap() + "}")
	}
	return b.String()
}

func TestFormatKeepsTheMeaningOfAnyObject(t *testing.T) {
	reverse := func(string, map[string]string) []string { return []string{"k3", "k2", "k1", "k0"} }
	rapid.Check(t, func(r *rapid.T) {
		src := rapid.SampledFrom([]string{"", "// top\n", "/* top */ ", "\n\n// top\n\n\n"}).Draw(r, "top") + anyText(r, 0) +
			rapid.SampledFrom([]string{"", "\n", " // end", "\n\n/* end */\n// end"}).Draw(r, "end")
		for _, arrange := range []resources.Arrange{nil, reverse} {
			out, diags, err := resources.Format("x.json", []byte(src), arrange)
			if err != nil || out == nil {
				r.Fatalf("%q: %v %v", src, diags, err)
			}
			again, diags, err := resources.Format("x.json", out, arrange)
			if err != nil || string(again) != string(out) {
				r.Fatalf("%q gives\n%s\nand then\n%s\n%v %v", src, out, again, diags, err)
			}
		}
	})
}
