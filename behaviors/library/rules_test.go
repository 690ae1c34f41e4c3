package library_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/behaviors/library/param"
)

// byHand are the classes that read their parameters key by key still.
var byHand = map[string]bool{"DockOnCharger": true, "LeaveCharger": true, "LookAround": true, "ReactToEdge": true}

func TestEveryClassHasOneDocumentedStructOfParameters(t *testing.T) {
	registry := library.Registry()
	required, defaulted := 0, 0
	for _, name := range registry.Names() {
		class := registry.Find(name)
		if class.State != behaviors.Real {
			continue
		}
		faults := behaviortest.LintClass(*class)
		if byHand[name] != (len(faults) > 0) {
			t.Errorf("%s: %d faults; it is expected to have some: %v\n%s", name, len(faults), byHand[name], strings.Join(faults, "\n"))
		}
		for _, p := range behaviortest.ParamsOf(*class) {
			r, d := param.Count(p)
			required, defaulted = required+r, defaulted+d
		}
	}
	t.Logf("%d keys are required, %d have a default with a reason", required, defaulted)
}
