package actions_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
)

// The title of each case in testdata names the rules that it shows.
func TestTraces(t *testing.T) {
	actiontest.RunFiles(t, "testdata/*.txt", func() actions.Host { return actions.Direct{} })
}
