package setup

import (
	"os"
	"path/filepath"
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
