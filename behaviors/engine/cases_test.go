package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testdata/cases.md names a trace or a test for every case of section 6 and every point of section 7, or says why there is
// none; what it names exists.
func TestCasesAreWhereTheTableSays(t *testing.T) {
	text, err := os.ReadFile("testdata/cases.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.HasPrefix(cells[1], "---") || strings.TrimSpace(cells[1]) == "case" {
			continue
		}
		for id := range strings.SplitSeq(cells[1], ",") {
			named[strings.TrimSpace(id)] = true
		}
		if why := missing(strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3])); why != "" {
			t.Errorf("%s: %s", strings.TrimSpace(cells[1]), why)
		}
	}
	for i := range 32 {
		if id := fmt.Sprintf("7/%d", i+1); !named[id] {
			t.Errorf("%s is not in the table", id)
		}
	}
	for i := range 8 {
		if id := fmt.Sprintf("DX-%d", i+1); !named[id] {
			t.Errorf("%s is not in the table", id)
		}
	}
}

// missing says what is wrong with where a case is said to be.
func missing(pkg, where string) string {
	file, name, isTrace := strings.Cut(where, ".txt: ")
	switch {
	case pkg == "" && strings.HasPrefix(where, "none: "):
		return ""
	case isTrace:
		text, err := os.ReadFile(filepath.Join("../..", pkg, "testdata", file+".txt"))
		if err != nil {
			return err.Error()
		}
		if !strings.Contains(string(text), "# "+name+": ") {
			return fmt.Sprintf("%s.txt has no case %q", file, name)
		}
	default:
		files, _ := filepath.Glob(filepath.Join("../..", pkg, "*_test.go"))
		for _, f := range files {
			if text, err := os.ReadFile(f); err == nil && strings.Contains(string(text), "\nfunc "+where+"(t *testing.T)") {
				return ""
			}
		}
		return fmt.Sprintf("%s has no %s", pkg, where)
	}
	return ""
}
