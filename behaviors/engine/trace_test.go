package engine_test

import (
	"flag"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/engine/enginetest"
	"github.com/robotd/robotd/resources/tracetest"
)

// The traces of the stack hold for an engine too, and for a replay of its recording. Package actors runs them through real
// actors.
// Cases: ../stack/testdata/*.txt.
func TestStackTraces(t *testing.T) { runTraces(t, "../stack/testdata", false) }

var rewrite = flag.Bool("rewrite", false, "rewrite the expectations in testdata; explain the difference when committing")

// TestTraces runs testdata/*.txt, whose form packages tracetest and enginetest explain, by direct calls and from a recording.
// Rules: DT-B01, DT-B05.
// Cases: testdata/*.txt.
func TestTraces(t *testing.T) { runTraces(t, "testdata", *rewrite) }

func runTraces(t *testing.T, dir string, rewrite bool) {
	t.Helper()
	tracetest.RunAll(t, dir, func(t *testing.T, path string) {
		t.Run("direct", func(t *testing.T) { enginetest.RunFile(t, path, enginetest.Direct, rewrite) })
		t.Run("recording", func(t *testing.T) { enginetest.RunFileTaped(t, path, enginetest.Direct) })
	})
}

func TestMistakesInTraceNameFileAndLine(t *testing.T) {
	for text, want := range map[string]string{
		"tick\n":                            `a.txt:2: tick: a case begins with tree`,
		"tree\n  R\n  R | \"behavior\n":     `a.txt:2: tree: R.json:`,
		"tree\n  R\n  hears R\n":            `a.txt:4: tree line "hears R": want hears A EVENT …, or fallback A`,
		"tree\n  R\n  R.Init: jump\n":       `a.txt:4: script "R.Init: jump": unknown step "jump"; want one of act, ask, cancel-and-act, `,
		"tree\n  R\ntock\n":                 `a.txt:4: tock: unknown command; want one of tree, tick, `,
		"tree\n  R\nresult job GOOD\n":      `a.txt:4: result job GOOD: unknown result "GOOD"`,
		"tree\n  R\nstate X\n":              `a.txt:4: state X: there is no behavior "X"`,
		"tree\n  R\nreset-now X\n":          `a.txt:4: reset-now X: engine: `,
		"tree\n  R\ntick\n  R.end: facts\n": `a.txt:5: script "R.end: facts": unknown hook "end"; want one of Init, `,
		"tree\n  R\ntick\n  R.callback: fail\n": `a.txt:5: "R.callback: fail": let the hook fail that it is part of: ` +
			`a recording does not know how far a lost one came`,
	} {
		f, err := tracetest.Parse("a.txt", "case x: y\n"+text+"----\nok\n")
		if err != nil {
			t.Fatal(err)
		}
		if err = f.Cases[0].Run(enginetest.Environment(enginetest.Direct), false); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}
