package resources

import (
	"os"
	"path/filepath"
	"testing"
)

// BadFiles are the files with mistakes of testdata, by their paths.
func BadFiles(t testing.TB) map[string]string {
	t.Helper()
	names, err := filepath.Glob("testdata/bad/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal(len(names), err)
	}
	all := map[string]string{}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(src)
	}
	return all
}
