package barrier

import (
	"runtime/metrics"
	"syscall"
	"time"
)

// load answers what the watchdog must know of the machine. The fields are functions so that tests can play a loaded one.
type load struct {
	// waiting reports that no goroutine runs or could run but the caller's and so many others, which spin for ever: a hook in
	// delivery waits for something.
	waiting func(spinners int64) bool
	// cpu is the processor time that the process has used.
	cpu func() time.Duration
}

// newLoad reads the runtime's and the kernel's counters: microseconds each, and only when a hook is late already.
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

// processTime is user and system time of the process as getrusage(2) tells it, which may be a tick of the kernel old; on an
// error it grows with the clock, so that the watchdog falls back to it.
func processTime() time.Duration {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}
