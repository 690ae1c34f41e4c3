package reference_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/behaviors/reference"
	"github.com/robotd/robotd/resources"
)

func TestReferencePageIsWhatFilesMayHold(t *testing.T) {
	var b bytes.Buffer
	if err := reference.Of(library.Registry()).Markdown(&b, shippedNames(t)); err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.FromSlash("../REFERENCE.md"), b.Bytes())
}

func TestRowsTellWhatAKeyTakes(t *testing.T) {
	keys := resources.Explore(func(o *resources.Object) {
		o.Describe("speed_mmps", "how fast it drives")
		o.FloatRangeOr("speed_mmps", 80, 10, 170)
		o.Enum("cue", []string{"left", "right"})
		for _, e := range o.Objects("behaviors") {
			e.Ref("behavior", "behavior")
		}
		o.StringsOr("tags", nil)
	})
	var got []string
	for _, r := range reference.Rows(keys) {
		got = append(got, strings.Repeat(" ", r.Depth)+strings.Join([]string{r.Key, r.Type, r.Need, r.Doc}, "|"))
	}
	want := []string{
		"speed_mmps|number, mm/s, 10 to 170|default 80|how fast it drives",
		"cue|one of left, right|required|",
		"behaviors|list of objects|required|",
		" behavior|name of a behavior|required|",
		"tags|list of texts||",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
