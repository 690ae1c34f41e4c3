package behaviortest

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/resources"
)

// Split splits an archive into its files. A file begins after a line "-- name --"; what stands before the first one is a
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

// Catalog builds the catalog of an archive, and returns its findings. The archive may hold mood data under
// the names that they have in a resource folder, and animations; without the former names of emotion events are not checked.
func Catalog(t testing.TB, archive string, classes *behaviors.Registry, boot catalog.Boot) (*catalog.Catalog, resources.Diagnostics) {
	t.Helper()
	quote := func(list []string) string {
		quoted := make([]string, len(list))
		for i, s := range list {
			quoted[i] = `"` + s + `"`
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	doc, diags := resources.Parse(catalog.BootFile, []byte(`{"normalBaseBehavior": "`+boot.Base+`", "fallbackBehavior": "`+boot.Fallback+
		`", "userIntents": `+quote(boot.Intents)+`, "timers": `+quote(boot.Timers)+
		`, "features": `+quote(boot.Features)+`, "enabledFeatures": `+quote(boot.Features)+`}`))
	if diags.HasErrors() {
		t.Fatalf("%s", diags.String())
	}
	src := catalog.Sources{Boot: doc, Animations: &animation.Files{}}
	for _, d := range Parse(t, archive) {
		config, event := d.File() == catalog.MoodFile, strings.HasPrefix(d.File(), catalog.EmotionsDir+"/")
		clips := strings.HasPrefix(d.File(), animation.Dir+"/")
		if (config || event) && src.Mood == nil {
			src.Mood = &catalog.MoodFiles{}
		}
		switch {
		case d.File() == behaviors.ReactionsFile:
			src.Reactions = d
		case config:
			src.Mood.Config = d
		case event:
			src.Mood.Events = append(src.Mood.Events, d)
		case clips:
			src.Animations.Own = append(src.Animations.Own, d)
		default:
			src.Behaviors = append(src.Behaviors, d)
		}
	}
	return catalog.Build(src, classes)
}

// Load builds the catalog of a tree of files as the daemon does it for a resource folder. Any finding ends the test.
func Load(t testing.TB, tree fs.FS, classes *behaviors.Registry) *catalog.Catalog {
	t.Helper()
	docs, diags := resources.LoadBehaviors(tree)
	boot, more := resources.LoadFile(tree, catalog.BootFile)
	mood, yetMore := catalog.LoadMood(tree)
	clips, found := animation.Load(tree)
	if diags = slices.Concat(diags, more, yetMore, found); len(diags) > 0 {
		t.Fatalf("the files cannot be read:\n%s", diags.String())
	}
	cat, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot, Mood: mood, Animations: clips}, classes)
	if len(diags) > 0 {
		t.Fatalf("the definitions are wrong:\n%s", diags.String())
	}
	return cat
}
