package setup

import (
	"os"
	"runtime"
	"runtime/debug"
)

// Defaults of the runtime for a daemon that allocates little and must not pause.
const (
	gcPercent   = 400
	memoryLimit = 256 << 20
	extraProcs  = 2 // two spinning zombies leave every core to the other goroutines
)

// Tune sets up the Go runtime for a robot. Environment variables take precedence.
func Tune() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + extraProcs)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
