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
	extraProcs  = 2 // so that two spinning zombies still leave every core to the living
)

// Tune sets the Go runtime up for a robot. What the environment says wins.
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
