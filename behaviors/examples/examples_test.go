package examples_test

import (
	"cmp"
	"flag"
	"os"
	"testing"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/examples"
	"github.com/robotd/robotd/resources/tracetest"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expectations in testdata; explain the difference when committing")

// exampleCatalog loads the examples as the daemon loads a resource folder.
func exampleCatalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	return behaviortest.Load(t, os.DirFS("testdata"), examples.Registry())
}

// begin starts a scenario with a base of the examples; the empty name is the one of the boot configuration.
func begin(t testing.TB, base string) *behaviortest.Env {
	t.Helper()
	return start(t, base, behaviortest.Options{})
}

func start(t testing.TB, base string, o behaviortest.Options) *behaviortest.Env {
	t.Helper()
	o.Catalog, o.Seed = exampleCatalog(t), 1
	o.Base = cmp.Or(base, o.Catalog.Boot.Base)
	return behaviortest.New(t, o)
}

// eachTrace runs testdata/*.txt. Packages tracetest and behaviortest describe the form of a trace. Package actors runs the same
// traces through real actors.
func eachTrace(t *testing.T, begin func(t testing.TB, base string) *behaviortest.Env, rewrite bool) {
	t.Helper()
	tracetest.RunAll(t, "testdata", func(t *testing.T, file string) { behaviortest.RunTraces(t, file, begin, rewrite) })
}

// Cases: testdata/*.txt.
func TestTraces(t *testing.T) { eachTrace(t, begin, *rewrite) }

// The same lines come from a recording: the decisions of direct calls are written to a tape and decided again from it, and the second
// decision drives the robot.
// Cases: testdata/*.txt.
func TestTracesFromARecording(t *testing.T) {
	eachTrace(t, func(t testing.TB, base string) *behaviortest.Env {
		t.Helper()
		return start(t, base, behaviortest.Options{Taped: true})
	}, false)
}

func TestEveryExampleHasOneDocumentedStructOfParameters(t *testing.T) {
	for _, class := range examples.Classes() {
		for _, fault := range behaviortest.LintClass(class) {
			t.Errorf("%s: %s", class.Name, fault)
		}
	}
}
