package examples_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/examples"
	"github.com/robotd/robotd/resources"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expectations in testdata; explain the difference when committing")

// catalog loads the examples as the daemon loads a resource folder.
func catalog(t testing.TB) *behaviors.Catalog {
	t.Helper()
	tree := os.DirFS("testdata")
	docs, diags := resources.LoadBehaviors(tree)
	boot, more := resources.LoadFile(tree, behaviors.BootFile)
	if diags = append(diags, more...); len(diags) > 0 {
		t.Fatal(diags.String())
	}
	cat, diags := behaviors.NewCatalog(docs, boot, examples.Registry())
	if len(diags) > 0 {
		t.Fatalf("the examples have findings:\n%s", diags.String())
	}
	return cat
}

// begin starts a scenario with a base of the examples; the empty name is the one of the boot configuration.
func begin(t testing.TB, base string) *behaviortest.Env {
	t.Helper()
	cat := catalog(t)
	if base == "" {
		base = cat.Boot.Base
	}
	return behaviortest.New(t, behaviortest.Options{Catalog: cat, Base: base, Seed: 1})
}

// TestTraces runs testdata/*.txt. The form of a trace is explained at behaviortest.RunTraces.
func TestTraces(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			behaviortest.RunTraces(t, file, begin, *rewrite)
		})
	}
}
