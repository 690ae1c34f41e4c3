package setup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/library"
)

// Rules: data/1.10f.
func TestUnreachableBehaviorGivesAWarning(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "behaviors"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("behavior_config.json", `{"normalBaseBehavior": "Rest", "fallbackBehavior": "Rest", "userIntents": []}`)
	write("behaviors/rest.json", `{"behaviorClass": "Wait", "behaviorID": "Rest"}`)
	write("behaviors/lost.json", `{"behaviorClass": "Wait", "behaviorID": "Lost"}`)
	tree, err := OpenTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	cat, diags := tree.Catalog(library.Registry())
	if cat == nil || len(diags) != 1 || !strings.HasPrefix(diags[0].String(), filepath.Join(dir, "behaviors/lost.json")+": warning: no behavior leads from Rest to Lost") {
		t.Errorf("diagnostics: %v", diags)
	}
}

// A copy of a tree has the linked files of the tree, and those of a linked folder: a reload, an edit and a replay read the copy.
// Rules: L-44.
func TestCopyOfATreeHasItsLinkedFiles(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(dir, "behavior_config.json"): `{"normalBaseBehavior": "Rest", "fallbackBehavior": "Rest", "userIntents": []}`,
		filepath.Join(outside, "Rest.json"):        `{"behaviorClass": "Wait", "behaviorID": "Rest"}`,
		filepath.Join(outside, "Nap.txt"):          `{"behaviorClass": "Wait", "behaviorID": "Nap"}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("Nap.txt", filepath.Join(outside, "Nap.json")), os.Symlink(outside, filepath.Join(dir, "behaviors"))); err != nil {
		t.Fatal(err)
	}
	tree, err := OpenTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := tree.Recorded()
	if err != nil {
		t.Fatal(err)
	}
	is, diags := tree.Catalog(library.Registry())
	again, found := Tree{FS: copied, Dir: dir}.Catalog(library.Registry())
	if is == nil || again == nil || !slices.Equal(is.IDs(), again.IDs()) || !slices.Contains(again.IDs(), "Nap") {
		t.Fatalf("of the folder %v, of its copy %v", diags, found)
	}
}
