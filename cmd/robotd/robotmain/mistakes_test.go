package robotmain

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/resources"
)

var rewriteMistakes = flag.Bool("rewrite", false, "write the wanted findings anew; commit one only when its difference is understood")

// mistakes is the folder of the corpus: each file is a small change of the tree in its _good.txt with one mistake, and what check has to say.
const mistakes = "../../../resources/testdata/mistakes"

// leastMistakes is the size that the corpus has at least.
const leastMistakes = 200

// TestEachMistakeIsOneFindingAtItsPlace runs check on every mistake of the corpus. A file that wants another number of findings than one says so at
// its start.
// Rules: data/1.11c, data/1.11d, data/1.11i, data/1.11j, data/1.5a, DT-F05, DT-F06, DT-F07, DT-F09, DT-F10, DT-F11, DT-F12.
func TestEachMistakeIsOneFindingAtItsPlace(t *testing.T) {
	good := readArchive(t, filepath.Join(mistakes, "_good.txt"))
	if got := checkFolder(t, good.files); got != "" {
		t.Fatalf("the tree without a mistake:\n%s", got)
	}
	files, err := filepath.Glob(filepath.Join(mistakes, "[a-z]*.txt"))
	if err != nil || len(files) < leastMistakes {
		t.Fatalf("%d mistakes, want at least %d: %v", len(files), leastMistakes, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			m := readArchive(t, file)
			tree := map[string]string{}
			for name, text := range good.files {
				tree[name] = text
			}
			for name, text := range m.files {
				tree[name] = text
			}
			got := checkFolder(t, tree)
			if n := strings.Count(got, "\n"); n != m.findings {
				t.Errorf("%d findings, want %d", n, m.findings)
			}
			if *rewriteMistakes {
				if err := os.WriteFile(file, []byte(m.head+"-- want --\n"+clipped(got)), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if clipped(got) != m.want {
				t.Errorf("got\n%swant\n%s", clipped(got), m.want)
			}
		})
	}
}

// clipped keeps the first of a thousand findings.
func clipped(findings string) string {
	if lines := strings.SplitAfter(findings, "\n"); len(lines) > 20 {
		return lines[0]
	}
	return findings
}

// A mistake is one file of the corpus.
type mistake struct {
	head     string // all but what is wanted
	files    map[string]string
	want     string
	findings int
}

func readArchive(t *testing.T, name string) mistake {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m := mistake{findings: 1}
	m.head, m.want, _ = strings.Cut(string(raw), "-- want --\n")
	_, m.files = behaviortest.Split(m.head)
	_, _ = fmt.Sscanf(m.head, "findings: %d", &m.findings)
	return m
}

// Contents that stand for a file that nobody wants to read.
var generated = map[string]func() string{
	"<large>\n": func() string {
		return `{"behaviorClass": "Wait", "behaviorID": "Subject"}` + strings.Repeat(" ", resources.MaxFileBytes)
	},
	"<many>\n": func() string {
		var names strings.Builder
		for i := range 1200 {
			fmt.Fprintf(&names, `"D%d",`, i)
		}
		return `{"behaviorClass": "DispatcherQueue", "behaviorID": "Subject", "behaviors": [` + strings.TrimSuffix(names.String(), ",") + `]}`
	},
}

// checkFolder writes a resource folder, checks it by the command, and returns the findings, one a line.
func checkFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if text == "<absent>\n" {
			continue
		}
		if make := generated[text]; make != nil {
			text = make()
		}
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return checkDir(t, dir)
}

// checkDir runs the command, and returns its findings with the code of each.
func checkDir(t *testing.T, dir string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := execute(t.Context(), Options{}, []string{"check", "--json", dir}, &stdout, &stderr); code != exitOK && code != exitFindings {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	var result struct {
		Diagnostics resources.Diagnostics `json:"diagnostics"`
	}
	if err := json.Unmarshal(stdout.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, d := range result.Diagnostics {
		d.File = strings.TrimPrefix(d.File, dir+"/")
		fmt.Fprintf(&out, "%s [%s]\n", d, d.Code)
	}
	return out.String()
}
