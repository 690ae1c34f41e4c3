package actions_test

import (
	"flag"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expectations in testdata; explain the difference when committing")

// The title of each case in testdata names the rules that it shows.
// Cases: testdata/*.txt.
func TestTraces(t *testing.T) {
	actiontest.RunFiles(t, "testdata", func() actions.Host { return actions.Direct{} }, *rewrite)
}
