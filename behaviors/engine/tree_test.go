package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotd/robotd/resources"
)

// treeOf makes the files of a tree, and names its base and its fallback; see newRig.
func treeOf(t *testing.T, tree string) (docs []*resources.Document, base, fallback string) {
	t.Helper()
	for line := range strings.Lines(tree) {
		head, extra, _ := strings.Cut(strings.TrimSpace(line), "|")
		f := strings.Fields(head)
		if len(f) == 0 {
			continue
		}
		id, stays := strings.CutSuffix(f[0], "+")
		class := "Script"
		for suffix, name := range map[string]string{"~": "Quiet", "*": "Gentle", "^": "Worker", "=": "Patient", "&": "Both"} {
			if rest, ok := strings.CutSuffix(id, suffix); ok {
				id, class = rest, name
			}
		}
		id, isFallback := strings.CutSuffix(id, "!")
		src := fmt.Sprintf(`{"behaviorClass":%q,"behaviorID":%q`, class, id)
		if stays {
			src += `,"stays":true`
		}
		if len(f) > 2 {
			src += `,"next":["` + strings.Join(f[2:], `","`) + `"]`
		}
		if extra != "" {
			src += "," + extra
		}
		doc, diags := resources.Parse(id+".json", []byte(src+"}"))
		if len(diags) > 0 {
			t.Fatalf("%s: %s", src, diags)
		}
		if base == "" {
			base, fallback = id, id
		}
		if isFallback {
			fallback = id
		}
		docs = append(docs, doc)
	}
	return docs, base, fallback
}
