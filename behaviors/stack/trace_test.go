package stack_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/stack/stacktest"
	"github.com/robotd/robotd/resources/tracetest"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expectations in testdata; explain the difference when committing")

// TestTraces runs testdata/*.txt on the bare stack. The form of a trace is explained in package tracetest.
// Cases: testdata/*.txt.
func TestTraces(t *testing.T) {
	tracetest.RunAll(t, "testdata", func(t *testing.T, path string) {
		stacktest.RunFile(t, path, *rewrite)
	})
}

// The examples in the documentation of the trace language and of this package run on the stack as they are written.
func TestDocumentedTracesHold(t *testing.T) {
	for file, c := range map[string]struct{ from, to string }{
		"../../resources/tracetest/doc.go": {"//\t# A comment", "//\n// A file is"},
		"doc.go":                           {"//\tcase L-7", "//\n// What stands"},
	} {
		doc, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, example, _ := strings.Cut(string(doc), c.from)
		example, _, _ = strings.Cut(c.from+example, c.to)
		example = strings.ReplaceAll(strings.ReplaceAll(example, "//\t", ""), "//\n", "\n")
		path := filepath.Join(t.TempDir(), "doc.txt")
		if err := os.WriteFile(path, []byte(example), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := tracetest.Parse(path, example)
		if err != nil || len(f.Cases) != 1 || len(f.Cases[0].Blocks) != 3 {
			t.Fatalf("%s: %+v, %v", file, f, err)
		}
		stacktest.RunFile(t, path, false)
	}
}

func TestTraceMistakesNameFileAndLine(t *testing.T) {
	for text, want := range map[string]string{
		"tree\n  R -> A\n  R => B\n":        `a.txt:4: tree line "R => B" is none of: A -> B, A ~> B, A, idle A, failures N, A.Init: step`,
		"tree\n  R\n  failures none\n":      `a.txt:4: failures: want a positive number, not "none"`,
		"tree\n  R\n  R.init: fail\n":       `a.txt:4: script "R.init: fail": unknown hook "init"; want one of Init, `,
		"tree\n":                            `a.txt:2: tree: tree without a base`,
		"tree\n  R\ntick\n  R.Update: ax\n": `a.txt:5: script "R.Update: ax": unknown step "ax"; want one of ask, `,
		"tree\n  R\ntick many\n":            `a.txt:4: tick many: want a positive number, not "many"`,
		"tree\n  R\ntock\n":                 `a.txt:4: tock: unknown command; want one of tree, tick, `,
		"tree\n  R\nreset-now X\n":          `a.txt:4: reset-now X: no behavior "X"`,
		"tick\n":                            `a.txt:2: tick: a case begins with tree`,
	} {
		f, err := tracetest.Parse("a.txt", "case x: y\n"+text+"----\nok\n")
		if err != nil {
			t.Fatal(err)
		}
		err = f.Cases[0].Run(stacktest.NewDirect().Command, false)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}
