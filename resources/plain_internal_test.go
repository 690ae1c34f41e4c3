package resources

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// both reads a file in both ways. Plain is nil for a file that only the parser's tree judges.
func both(src string) (plain, full *Document, found Diagnostics) {
	read := func() *parser {
		text := []byte(strings.TrimPrefix(src, byteOrderMark))
		return &parser{sink: sink{file: "f.json"}, scanner: scanner{src: text}, lines: lazyLines[[]byte]{text: text}}
	}
	p := read()
	if p.text() == nil && p.scan() == nil {
		plain = p.plain()
	}
	p = read()
	early := p.text()
	if early == nil {
		early = p.scan()
	}
	if early == nil || !early.final {
		full = p.full(early)
	}
	return plain, full, p.sink.list()
}

// same fails unless the short way, if it was taken, came to what the long one comes to.
func same(t *testing.T, src string) (taken bool) {
	t.Helper()
	plain, full, found := both(src)
	if plain == nil {
		return false
	}
	if full == nil || len(found) > 0 {
		t.Fatalf("%q is taken for a file without a mistake: %v", src, found)
	}
	if a, b := plain.root.value.res, full.root.value.res; plain.json != full.json || a.Index != b.Index || a.Raw != b.Raw {
		t.Errorf("%q: %q from %d, want %q from %d", src, plain.json, a.Index, full.json, b.Index)
	}
	return true
}

func TestShippedFilesAreReadOnTheShortWay(t *testing.T) {
	n := 0
	err := fs.WalkDir(Embedded(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".json" {
			return err
		}
		src, err := fs.ReadFile(Embedded(), name)
		if taken := same(t, string(src)); err == nil && !taken && src[0] == '{' {
			t.Errorf("%s is read on the long way", name)
		}
		n++
		return err
	})
	if err != nil || n < 50 {
		t.Errorf("%d files, %v", n, err)
	}
}

// shortAndLong are files beside those with mistakes, and whether the short way reads them.
var shortAndLong = map[string]bool{
	`{"a": 1}`: true, " \t\r\n{\"a\": 1}\r\n": true, "\ufeff{\"a\": 1}": true, "// c\n{\"a\": 1 /* d\n\te */} // f": true, `{"a": "// x /* \" y"}`: true,
	`{"a": [{"b": 1}, {"b": 2}], "b": {"a": {}}}`: true,
	`{}`: false, ` `: false, `[1]`: false, `"a"`: false, `{"a": 1,}`: false, `{"a": [1,]}`: false, `{"a": 1, "a": 2}`: false, `{"a": [{"b": 1, "b": 2}]}`: false,
	`{"a": "\ud800"}`: false, `{"a": "\uD83d\uDe00"}`: false, `{"a": "\u0041"}`: true, `{"\u0061": 1, "\u0062": 2}`: true, `{"\u0061": 1, "a": 2}`: false, `{"a": 1} 2`: false, `{"a": 1} /`: false, `{"a": / 1}`: false,
	"}1 {\"": false, "} /*": false,
	"// \u2028 c\n{\"a\": 1}": false, "/* \u2028 */{\"a\": 1}": true, `{"a": 01}`: false, `{"a": 1}}`: false,
	`{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"10":1,"11":1,"12":1,"13":1,"14":1,"15":1,"16":1,"17":1,"18":1}`:        true,
	`{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"10":1,"11":1,"12":1,"13":1,"14":1,"15":1,"16":1,"17":1,"3":1}`:         false,
	`{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"10":1,"11":1,"12":1,"13":1,"14":1,"15":1,"16":1,"17":1,"18":1,"17":1}`: false,
	`{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"10":1,"11":1,"12":1,"13":1,"14":1,"15":1,"16":1,"16":1}`:               false,
}

func TestShortWayComesToTheSameAsTheLongOne(t *testing.T) {
	for src, want := range shortAndLong {
		if same(t, src) != want {
			t.Errorf("%q: short way %v, want %v", src, !want, want)
		}
	}
}

// FuzzShortWay feeds any bytes to both ways.
func FuzzShortWay(f *testing.F) {
	for _, src := range BadFiles(f) {
		f.Add(src)
	}
	for src := range shortAndLong {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) <= MaxFileBytes {
			same(t, src)
		}
	})
}
