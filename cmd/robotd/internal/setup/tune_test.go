package setup

import (
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
