package barrier

import (
	"runtime/metrics"
	"syscall"
	"time"
)

// load tells the watchdog what the machine does. The fields are functions so that tests can replace them.
type load struct {
	// waiting reports that no goroutine runs or could run but the caller's and the given number of zombies that spin. The
	// hook of the delivery then waits for something.
	waiting func(spinners int64) bool
	// cpu is the processor time that the process has used.
	cpu func() time.Duration
}

// newLoad reads the runtime's and the kernel's counters: microseconds each, read only when a hook is late.
func newLoad() load {
	samples := []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}, {Name: "/sched/goroutines/running:goroutines"}}
	return load{
		waiting: func(spinners int64) bool {
			metrics.Read(samples)
			for _, s := range samples {
				if s.Value.Kind() != metrics.KindUint64 {
					return true // a runtime without these counters cannot tell: trust the clock
				}
			}
			return samples[0].Value.Uint64() == 0 && samples[1].Value.Uint64() <= uint64(1+spinners)
		},
		cpu: processorTime,
	}
}

// processTime is user and system time of the process as getrusage(2) reports it, which may be a tick of the kernel old. On an
// error it grows with the clock, so that the watchdog falls back to the clock.
func processTime() time.Duration {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}
