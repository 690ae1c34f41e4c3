package engine_test

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/robotd/robotd/behaviors/engine/enginetest"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
)

// The traces of the stack hold for an engine too, and for a replay of its recording. Package actors runs them through real
// actors.
func TestStackTraces(t *testing.T) {
	files, err := filepath.Glob("../stack/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Run("direct", func(t *testing.T) {
				stacktest.RunFile(t, file, func() stacktest.Driver { return enginetest.NewRaw(enginetest.Direct) }, false)
			})
			t.Run("recording", func(t *testing.T) {
				stacktest.RunFile(t, file, func() stacktest.Driver { return enginetest.NewTaped(enginetest.Direct) }, false)
			})
		})
	}
}

var rewrite = flag.Bool("rewrite", false, "rewrite the expectations in testdata; explain the difference when committing")

// TestTraces runs testdata/*.txt, whose form package enginetest explains, by direct calls and from a recording.
// Rules: DT-B01, DT-B05.
func TestTraces(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Run("direct", func(t *testing.T) {
				stacktest.RunScript(t, file, func() stacktest.Command { return enginetest.NewStory(enginetest.Direct) }, *rewrite)
			})
			t.Run("recording", func(t *testing.T) {
				stacktest.RunScript(t, file, func() stacktest.Command { return enginetest.NewTapedStory(enginetest.Direct) }, false)
			})
		})
	}
}
