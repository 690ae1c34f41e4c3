package resources_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the .want files anew; commit one only when its difference is understood")

// TestEveryBadFileIsExplained runs each file of testdata/bad through the sample decoder and compares the findings,
// line by line, with the .want file beside it.
// Rules: data/1.2l, data/1.3c, data/1.3d, data/1.3e, data/1.3f, data/1.3g, data/1.3h, data/1.3i, data/1.3j, data/1.3k, data/1.3m.
// Rules: data/1.5b.
func TestEveryBadFileIsExplained(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 40 {
		t.Fatalf("only %d files in testdata/bad", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, diags := checkSample(filepath.Base(file), src)
			var got string
			for _, d := range diags {
				got += d.String() + " [" + d.Code + "]\n"
			}
			wantFile := strings.TrimSuffix(file, ".json") + ".want"
			if *rewrite {
				if err := os.WriteFile(wantFile, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(wantFile)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("findings differ\ngot:\n%swant:\n%s", got, want)
			}
		})
	}
}

// TestEveryWantFileHasItsBadFile finds left-overs of renamed files.
func TestEveryWantFileHasItsBadFile(t *testing.T) {
	wants, err := filepath.Glob("testdata/bad/*.want")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range wants {
		if _, err := os.Stat(strings.TrimSuffix(want, ".want") + ".json"); err != nil {
			t.Error(err)
		}
	}
}
