package barrier

import (
	"os"
	"testing"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/examples"
)

// The traces of the examples hold for real actors: whole behaviors, with an ideal body that carries out each command.
// Cases: ../../behaviors/examples/testdata/*.txt.
func TestExampleTracesThroughActors(t *testing.T) { exampleTraces(t, false) }

// They hold for a replay of what real actors recorded. The replay drives the body, so that the second life has to be the first one.
// Cases: ../../behaviors/examples/testdata/*.txt.
func TestExampleTracesFromARecordingOfActors(t *testing.T) { exampleTraces(t, true) }

func exampleTraces(t *testing.T, taped bool) {
	const dir = "../../behaviors/examples"
	eachTrace(t, dir, func(t *testing.T, file string) {
		behaviortest.RunTraces(t, file, func(t testing.TB, base string) *behaviortest.Env {
			t.Helper()
			hooks := realActors(t)
			return behaviortest.New(t, behaviortest.Options{
				Catalog: behaviortest.Load(t, os.DirFS(dir+"/testdata"), examples.Registry()),
				Base:    base, Seed: 1, Hooks: hooks.HookRunner, Rest: hooks.Rest, Taped: taped,
			})
		}, false)
	})
}
