package resources

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// An Arrange says in which order the keys of an object belong: path names the object in its file ("" is the root, "states[2]" an
// element), texts has its keys, with the text of those that hold strings. Keys that the answer does not name follow in their own order; nil leaves all as they are.
type Arrange func(path string, texts map[string]string) []string

// errChanged is a mistake of [Format], which then changes nothing.
var errChanged = errors.New("the formatted file would not mean the same; this is a mistake of the formatter, and the file stays as it is")

// Format writes a file in the one layout: two spaces a level, a key of the root on a line of its own, comments where they
// belong, one empty line where there were some. What stands on one line stays there if it fits. Numbers and strings stay as they are written. A file
// with mistakes is not formatted: they are returned, with a nil text.
func Format(file string, src []byte, arrange Arrange) ([]byte, Diagnostics, error) {
	before, diags := Parse(file, src)
	if before == nil || diags.HasErrors() {
		return nil, diags, nil
	}
	src = bytes.ReplaceAll(bytes.TrimPrefix(src, []byte(byteOrderMark)), []byte("\r\n"), []byte("\n"))
	tree, err := hujson.Parse(append(bytes.Clone(src), '\n'))
	if err != nil {
		return nil, nil, err
	}
	out := layoutOf(&tree, arrange)
	after, found := Parse(file, out)
	if after == nil || found.HasErrors() || !sameMeaning(before.JSON(), after.JSON()) || !sameRemarks(src, out) {
		return nil, nil, errChanged
	}
	return out, diags, nil
}

// sameMeaning compares two JSON texts, of which the keys of objects may stand in any order.
func sameMeaning(a, b string) bool {
	var x, y any
	for _, d := range []struct {
		text string
		into *any
	}{{a, &x}, {b, &y}} {
		dec := json.NewDecoder(strings.NewReader(d.text))
		dec.UseNumber()
		if dec.Decode(d.into) != nil {
			return false
		}
	}
	return reflect.DeepEqual(x, y)
}

// sameRemarks reports whether two files have the same comments, in any order.
func sameRemarks(a, b []byte) bool {
	list := func(src []byte) (out []string) {
		v, err := hujson.Parse(append(bytes.Clone(src), '\n'))
		if err != nil {
			return []string{err.Error()}
		}
		for part := range v.All() {
			for _, extra := range []hujson.Extra{part.BeforeExtra, part.AfterExtra} {
				out = append(out, texts(extra)...)
			}
			out = append(out, texts(closing(part.Value))...)
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(list(a), list(b))
}

// closing is what stands before the closing brace or bracket.
func closing(v hujson.ValueTrimmed) hujson.Extra {
	switch v := v.(type) {
	case *hujson.Object:
		return v.AfterExtra
	case *hujson.Array:
		return v.AfterExtra
	}
	return nil
}
