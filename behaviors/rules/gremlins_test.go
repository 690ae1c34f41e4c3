//go:build mutate

package rules_test

import (
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/rules"
)

var gremlins = flag.String("gremlins", "", "`directory` with the output of gremlins: PACKAGE.json for each package")

// Every change of an operator is found by a test of its package, or explained in survivors.txt.
func TestSurvivorsAreExplained(t *testing.T) {
	explained := survivors(t)
	packages := 0
	err := filepath.WalkDir(*gremlins, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".json" {
			return err
		}
		rel, err := filepath.Rel(*gremlins, name)
		if err != nil {
			return err
		}
		output, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		dir := strings.TrimSuffix(filepath.ToSlash(rel), ".json")
		mutants, err := rules.ReadGremlins(os.DirFS(root), dir, output)
		if err != nil {
			return err
		}
		packages++
		count := map[string]int{}
		for _, m := range mutants {
			count[cmp.Or(m.Status, "UNKNOWN")]++
		}
		fmt.Printf("%s: %d changes, %d killed, %d timed out, %d lived, %d not covered\n", dir, len(mutants), count["KILLED"], count["TIMED OUT"], count["LIVED"], count["NOT COVERED"])
		for _, wrong := range rules.CompareSurvivors(mutants, explained) {
			t.Errorf("survivors.txt: %s", wrong)
		}
		return nil
	})
	if err != nil || packages == 0 {
		t.Errorf("%d packages, %v", packages, err)
	}
}
