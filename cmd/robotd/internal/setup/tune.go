package setup

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/robotd/robotd/actors/clock"
)

// Defaults of the runtime for a daemon that allocates little and must not pause.
const (
	gcPercent   = 400
	memoryLimit = 256 << 20
	// startMemory is what a start may take before the collector runs: twice what one with 4096 behaviors takes, and little beside memoryLimit.
	startMemory = 64 << 20
	extraProcs  = 2 // two spinning zombies leave every core to the other goroutines
	// maxStack is how deep one goroutine may recurse: a hundred times what a robot needs, and far from the memory of a small
	// machine, which the default of 1 GB is not.
	maxStack = 32 << 20
)

// Tune sets up the Go runtime for a live robot, and the kernel's scheduler where it can be set up. Environment variables take precedence.
func Tune() {
	tune(runtime.GOMAXPROCS(0) + extraProcs)
	_ = clock.ShortSlices() // without them a hook that spins is given up a little later
}

// processors is how many the process had at its begin.
var processors = runtime.GOMAXPROCS(0)

// TuneVirtual sets up the Go runtime for lives in virtual time, of which so many run side by side. In one life one goroutine runs at a time; a
// processor more is for the collector and other work of the runtime, which costs less there. So many more, besides, have the goroutines
// scheduled otherwise.
func TuneVirtual(lives, more int) { tune(min(max(1, lives)+1, processors) + more) }

func tune(procs int) {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(procs)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	debug.SetMaxStack(maxStack)
	if os.Getenv("GOTRACEBACK") == "" {
		debug.SetTraceback("crash") // what ends the process ends it by SIGABRT, and not with the exit code of a wrong command line
	}
}

// PostponeCollection keeps the garbage collector out of a start, which allocates most of what it keeps, up to startMemory. The caller calls
// resume after the first tick. Environment variables take precedence.
func PostponeCollection() (resume func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(startMemory)
	return func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	}
}
