package setup

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// During a start the collector runs only when the memory of a start is used up; afterwards it is as it was.
func TestCollectionIsPostponedUpToALimitAndResumed(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	defer debug.SetGCPercent(debug.SetGCPercent(300))
	limit := debug.SetMemoryLimit(-1)
	resume := PostponeCollection()
	if got := debug.SetMemoryLimit(-1); got != startMemory {
		t.Errorf("limit %d in the start", got)
	}
	if got := debug.SetGCPercent(-1); got != -1 {
		t.Errorf("percent %d in the start", got)
	}
	resume()
	if got := debug.SetMemoryLimit(-1); got != limit {
		t.Errorf("limit %d after the start, want %d", got, limit)
	}
	if got := debug.SetGCPercent(300); got != 300 {
		t.Errorf("percent %d after the start", got)
	}
	t.Setenv("GOGC", "100")
	PostponeCollection()
	if got := debug.SetGCPercent(300); got != 300 {
		t.Errorf("percent %d although the environment says", got)
	}
}

// A life in virtual time has a processor more than it needs, if there is one; lives that are to be scheduled otherwise have others than those
// before them.
func TestProcessorsOfLivesInVirtualTime(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	t.Setenv("GOMAXPROCS", "")
	t.Setenv("GOTRACEBACK", "single") // as it is for a test
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	defer func(cores int) { processors = cores }(processors)
	for _, c := range []struct{ cores, lives, more, want int }{
		{1, 1, 0, 1}, {2, 1, 0, 2}, {8, 1, 0, 2}, {8, 3, 0, 4}, {4, 4, 0, 4}, {2, 1, 3, 5}, {8, 3, 3, 7}, {8, 0, 0, 2},
	} {
		processors = c.cores
		TuneVirtual(c.lives, c.more)
		if got := runtime.GOMAXPROCS(0); got != c.want {
			t.Errorf("%d lives and %d more of %d processors: %d, want %d", c.lives, c.more, c.cores, got, c.want)
		}
	}
}
