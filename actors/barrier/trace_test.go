package barrier

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/engine/enginetest"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
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
	files, err := filepath.Glob(dir + "/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces in %s: %v", dir, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { f(t, file) })
	}
}

// The traces of the bare stack hold for real actors: the same hooks in the same order, the same refusals, the same state.
func TestStackTracesThroughActors(t *testing.T) {
	eachTrace(t, "../../behaviors/stack", func(t *testing.T, file string) {
		stacktest.RunFile(t, file, func() stacktest.Driver {
			return enginetest.NewRaw(func() enginetest.Runner { return realActors(t) })
		}, false)
	})
}

// The traces of the bare stack hold for a replay of what real actors recorded: without actors, from bytes.
func TestStackTracesFromARecordingOfActors(t *testing.T) {
	eachTrace(t, "../../behaviors/stack", func(t *testing.T, file string) {
		stacktest.RunFile(t, file, func() stacktest.Driver {
			return enginetest.NewTaped(func() enginetest.Runner { return realActors(t) })
		}, false)
	})
}

// The traces of the base layer hold for real actors: callbacks, actions, handlers, intents.
func TestEngineTracesThroughActors(t *testing.T) {
	eachTrace(t, "../../behaviors/engine", func(t *testing.T, file string) {
		stacktest.RunScript(t, file, func() stacktest.Command {
			return enginetest.NewStory(func() enginetest.Runner { return realActors(t) })
		}, false)
	})
}

func TestEngineTracesFromARecordingOfActors(t *testing.T) {
	eachTrace(t, "../../behaviors/engine", func(t *testing.T, file string) {
		stacktest.RunScript(t, file, func() stacktest.Command {
			return enginetest.NewTapedStory(func() enginetest.Runner { return realActors(t) })
		}, false)
	})
}
