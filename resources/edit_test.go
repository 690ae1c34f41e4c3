package resources

import (
	"strings"
	"testing"
)

func TestInsertedNameLeavesCommentsAndLayout(t *testing.T) {
	for _, c := range []struct {
		what, src string
		at        int
		want      string
	}{
		{"end of a line", `{"b": ["A", "B"]}`, 9, `{"b": ["A", "B", "New"]}`},
		{"middle of a line", `{"b": ["A", "B"]}`, 1, `{"b": ["A", "New", "B"]}`},
		{"start of a line", `{"b": ["A", "B"]}`, 0, `{"b": ["New", "A", "B"]}`},
		{"one element", `{"b": ["A"]}`, 1, `{"b": ["A", "New"]}`},
		{"empty list", `{"b": []}`, 0, `{"b": ["New"]}`},
		{
			"lines with comments, end", "{\n  // why\n  \"b\": [\n    \"A\", // first\n    // now\n    \"B\" // last\n  ]\n}\n", 9,
			"{\n  // why\n  \"b\": [\n    \"A\", // first\n    // now\n    \"B\", // last\n    \"New\"\n  ]\n}\n",
		},
		{
			"lines with comments, before the last", "{\n  \"b\": [\n    \"A\", // first\n    // now\n    \"B\" // last\n  ]\n}\n", 1,
			"{\n  \"b\": [\n    \"A\", // first\n    \"New\",\n    // now\n    \"B\" // last\n  ]\n}\n",
		},
		{"lines, start", "{\"b\": [\n  \"A\",\n  \"B\"\n]}", 0, "{\"b\": [\n  \"New\",\n  \"A\",\n  \"B\"\n]}"},
		{
			"mark and line ends of another system", byteOrderMark + "{\"b\": [\r\n  \"A\", // x\r\n  \"B\"\r\n]}\r\n", 9,
			byteOrderMark + "{\"b\": [\r\n  \"A\", // x\r\n  \"B\",\r\n  \"New\"\r\n]}\r\n",
		},
		{"key written otherwise", `{"\u0062": ["A"], "c": "b"}`, 1, `{"\u0062": ["A", "New"], "c": "b"}`},
	} {
		src := []byte(c.src)
		got, err := InsertName(src, "b", "New", c.at)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.what, err, got, c.want)
		}
		if string(src) != c.src {
			t.Errorf("%s: the source changed", c.what)
		}
	}
}

func TestNameIsInsertedOnlyIntoAList(t *testing.T) {
	for src, want := range map[string]string{
		`{"b": "A"}`: `"b" is no list`, `{"c": []}`: `has no "b"`, `[1]`: "no object", `{"b": [`: "unexpected EOF",
	} {
		if _, err := InsertName([]byte(src), "b", "New", 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", src, err, want)
		}
	}
}
