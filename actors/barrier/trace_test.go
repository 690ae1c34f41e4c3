package barrier

import (
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/engine/enginetest"
	"github.com/robotd/robotd/resources/tracetest"
)

// realActors makes the barrier of one engine. Nothing hangs in a trace.
func realActors(t testing.TB) enginetest.Runner {
	t.Helper()
	b, stop := start(t, time.Minute)
	t.Cleanup(stop)
	return enginetest.Runner{HookRunner: b, Rest: b.EndTick}
}

// eachTrace calls f for every trace file of a package.
func eachTrace(t *testing.T, dir string, f func(t *testing.T, file string)) {
	t.Helper()
	tracetest.RunAll(t, dir+"/testdata", f)
}

// The traces of the bare stack hold for real actors: the same hooks in the same order, the same refusals, the same state.
// Cases: ../../behaviors/stack/testdata/*.txt.
func TestStackTracesThroughActors(t *testing.T) { throughActors(t, "../../behaviors/stack") }

// They hold for a replay of what real actors recorded: without actors, from bytes.
// Cases: ../../behaviors/stack/testdata/*.txt.
func TestStackTracesFromARecordingOfActors(t *testing.T) { fromRecording(t, "../../behaviors/stack") }

// So do the traces of the base layer: callbacks, actions, handlers, intents.
// Cases: ../../behaviors/engine/testdata/*.txt.
func TestEngineTracesThroughActors(t *testing.T) { throughActors(t, "../../behaviors/engine") }

// Cases: ../../behaviors/engine/testdata/*.txt.
func TestEngineTracesFromARecordingOfActors(t *testing.T) { fromRecording(t, "../../behaviors/engine") }

func throughActors(t *testing.T, dir string) {
	t.Helper()
	eachTrace(t, dir, func(t *testing.T, file string) {
		enginetest.RunFile(t, file, func() enginetest.Runner { return realActors(t) }, false)
	})
}

func fromRecording(t *testing.T, dir string) {
	t.Helper()
	eachTrace(t, dir, func(t *testing.T, file string) {
		enginetest.RunFileTaped(t, file, func() enginetest.Runner { return realActors(t) })
	})
}
