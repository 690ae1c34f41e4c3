package stack_test

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/robotd/robotd/behaviors/stack/stacktest"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expectations in testdata; explain the difference when committing")

// TestTraces runs testdata/*.txt on the bare stack. The form of a trace is explained in package stacktest.
func TestTraces(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			stacktest.RunFile(t, file, func() stacktest.Driver { return stacktest.NewDirect() }, *rewrite)
		})
	}
}
