package behaviortest

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// Split takes an archive of files apart. A file begins after a line "-- name --"; what stands before the first one is a
// comment.
func Split(archive string) (names []string, files map[string]string) {
	files = map[string]string{}
	name := ""
	for line := range strings.Lines(archive) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(rest, " --") {
			name = strings.TrimSuffix(rest, " --")
			names = append(names, name)
			files[name] = ""
			continue
		}
		if name != "" {
			files[name] += line
		}
	}
	return names, files
}

// Parse parses an archive of definitions. Syntax errors end the test.
func Parse(t testing.TB, archive string) []*resources.Document {
	t.Helper()
	names, files := Split(archive)
	docs := make([]*resources.Document, 0, len(names))
	for _, name := range names {
		doc, diags := resources.Parse(name, []byte(files[name]))
		if diags.HasErrors() {
			t.Fatalf("%s", diags.String())
		}
		docs = append(docs, doc)
	}
	return docs
}

// Catalog builds the catalog of an archive, and returns what there is to say about it.
func Catalog(t testing.TB, archive string, classes *behaviors.Registry, boot behaviors.Boot) (*behaviors.Catalog, resources.Diagnostics) {
	t.Helper()
	quote := func(list []string) string {
		quoted := make([]string, len(list))
		for i, s := range list {
			quoted[i] = `"` + s + `"`
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	doc, diags := resources.Parse(behaviors.BootFile, []byte(`{"normalBaseBehavior": "`+boot.Base+`", "fallbackBehavior": "`+boot.Fallback+
		`", "userIntents": `+quote(boot.Intents)+`, "timers": `+quote(boot.Timers)+`}`))
	if diags.HasErrors() {
		t.Fatalf("%s", diags.String())
	}
	return behaviors.NewCatalog(Parse(t, archive), doc, classes)
}
