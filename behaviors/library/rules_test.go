package library_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/behaviors/param"
)

func TestEveryClassHasOneDocumentedStructOfParameters(t *testing.T) {
	registry := library.Registry()
	required, defaulted := 0, 0
	for _, name := range registry.Names() {
		class := registry.Find(name)
		if class.State != behaviors.Real {
			continue
		}
		for _, fault := range behaviortest.LintClass(*class) {
			t.Errorf("%s: %s", name, fault)
		}
		for _, p := range behaviortest.ParamsOf(*class) {
			r, d := param.Count(p)
			required, defaulted = required+r, defaulted+d
		}
	}
	t.Logf("%d keys are required, %d have a default with a reason", required, defaulted)
}
