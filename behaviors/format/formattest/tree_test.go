package formattest_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/format"
	"github.com/robotd/robotd/behaviors/format/formattest"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/resources"
)

// load builds the catalog of the tree. Conditions that are not supported are told, and no mistake.
func load(t *testing.T, tree fs.FS, classes *behaviors.Registry) *catalog.Catalog {
	t.Helper()
	docs, diags := resources.LoadBehaviors(tree)
	boot, more := resources.LoadFile(tree, catalog.BootFile)
	mood, yetMore := catalog.LoadMood(tree)
	cat, found := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot, Mood: mood}, classes)
	if diags = slices.Concat(diags, more, yetMore, found); cat == nil {
		t.Fatalf("the tree is wrong:\n%.4000s", diags)
	}
	return cat
}

func TestTreeHasEveryClassAndEveryCondition(t *testing.T) {
	classes := library.Registry()
	cat := load(t, formattest.Tree(t, classes), classes)
	used := map[string]bool{}
	for _, e := range cat.Entries {
		used[e.Class.Name] = true
	}
	for _, r := range format.Rows() {
		if !used[r.Name] {
			t.Errorf("no behavior is a %s", r.Name)
		}
	}
	for _, name := range condition.Types() {
		if cat.Find("While"+name) == nil {
			t.Errorf("no gate asks a %s", name)
		}
	}
	if n := len(cat.Below(formattest.Base).Entries); n < 300 {
		t.Errorf("%d behaviors are reached", n)
	}
}

func TestTreeIsTheSameEachTime(t *testing.T) {
	classes := library.Registry()
	a, b := formattest.Tree(t, classes), formattest.Tree(t, classes)
	err := fs.WalkDir(a, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		x, err := fs.ReadFile(a, name)
		if err != nil {
			return err
		}
		y, err := fs.ReadFile(b, name)
		if string(x) != string(y) {
			t.Errorf("%s differs", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Rules: DT-F04.
func TestTreeLoadsWithoutErrorInAnyOrderOfItsFiles(t *testing.T) {
	classes := library.Registry()
	tree := formattest.Tree(t, classes)
	docs, diags := resources.LoadBehaviors(tree)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	first := ""
	for seed := range uint64(3) {
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
		boot, _ := resources.LoadFile(tree, catalog.BootFile)
		mood, _ := catalog.LoadMood(tree)
		fresh := make([]*resources.Document, len(docs))
		for i, d := range docs {
			fresh[i] = resources.Reread(d.File(), d.JSON())
		}
		cat, found := catalog.Build(catalog.Sources{Behaviors: fresh, Boot: boot, Mood: mood}, classes)
		if cat == nil {
			t.Fatalf("%.2000s", found)
		}
		text := ""
		for _, e := range cat.Entries {
			text += fmt.Sprintln(e.ID, e.Label, e.Class.Name, e.Delegates, e.Links)
		}
		if first == "" {
			first = text
		}
		if text != first {
			t.Error("another order gives another catalog")
		}
	}
}
