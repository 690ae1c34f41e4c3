package library_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/library"
)

var (
	classFunc = regexp.MustCompile(`(?m)^func ([A-Z]\w*)Class\(\) behaviors\.Class \{\n(?:.*\n)*?.*Name:\s+"(\w+)"`)
	capital   = regexp.MustCompile(`[A-Z][a-z0-9]*`)
)

// A class stands in a file that has words of its name in their order, is named like its function, and is registered.
func TestEveryClassStandsInItsPlaceAndIsRegistered(t *testing.T) {
	files, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	classes := library.Registry()
	seen := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range classFunc.FindAllStringSubmatch(string(src), -1) {
			seen++
			if m[1] != m[2] {
				t.Errorf("%s: the function %sClass makes the class %s", file, m[1], m[2])
			}
			if c := classes.Find(m[2]); c == nil || c.State != 0 {
				t.Errorf("%s: the class %s is not registered", file, m[2])
			}
			stem := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".go"), "_params")
			if !within(strings.Split(stem, "_"), strings.Split(strings.ToLower(strings.Join(capital.FindAllString(m[2], -1), "_")), "_")) {
				t.Errorf("%s: the class %s does not belong in a file of this name", file, m[2])
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d classes", seen)
	}
}

// within reports whether the words stand among the others, in their order.
func within(words, others []string) bool {
	for _, w := range words {
		i := slices.Index(others, w)
		if i < 0 {
			return false
		}
		others = others[i+1:]
	}
	return true
}
