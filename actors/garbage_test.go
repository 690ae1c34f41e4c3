//go:build unix

package actors

import "testing"

// A whole tick in virtual time allocates nothing, even if each has a RunFor of its own: that is how benchmarks, recordings and the
// tests of authors step (goal/M1).
func TestTickInVirtualTimeAllocatesNothing(t *testing.T) {
	run, stop := inVirtualTime(t, crowd(t, 161, 161), nil)
	defer stop()
	run(10)
	allocs := 1.0
	for range 50 { // a loaded machine makes a tick late, and the watchdog looks
		if allocs = testing.AllocsPerRun(10, func() { run(1) }); allocs == 0 {
			break
		}
	}
	if allocs != 0 {
		t.Errorf("%v allocations in a tick", allocs)
	}
}
