package actions_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
)

// Every rule of spec/actions §1 to §4 is a case in testdata; the case names carry the rule ids.
func TestTraces(t *testing.T) {
	actiontest.RunFiles(t, "testdata/*.txt", func() actions.Host { return actions.Direct{} })
}
