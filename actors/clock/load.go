package clock

import (
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A Load tells a watchdog what the machine does: code that is late may hang, or a loaded machine may not let it run. The
// functions are fields so that tests can replace them.
type Load struct {
	// Waiting reports that no goroutine runs or could run but the caller's and the given number of zombies that spin. Code
	// that is late then waits for something.
	Waiting func(spinners int64) bool
	// CPU is the processor time that the process has used. Used is the same up to a tick of the kernel ago, and cheap.
	CPU, Used func() time.Duration
	// Spinners counts the goroutines that were given up while they burned processor time and have not returned.
	Spinners atomic.Int64

	mu     sync.Mutex
	lately time.Duration // Used, at an instant not long ago
	at     time.Time
}

// agoMost is how old the answer of usedLately may be: a tenth of what a driver may take.
const agoMost = 25 * time.Millisecond

// usedLately is Used not long ago, for the many watches that begin and never ask again.
func (l *Load) usedLately() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.at) > agoMost {
		l.lately, l.at = l.Used(), now
	}
	return l.lately
}

// NewLoad reads the runtime's and the kernel's counters: microseconds each but for Used, read only when something is late.
func NewLoad() *Load {
	var mu sync.Mutex
	samples := []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}, {Name: "/sched/goroutines/running:goroutines"}}
	return &Load{
		Waiting: func(spinners int64) bool {
			mu.Lock()
			defer mu.Unlock()
			metrics.Read(samples)
			for _, s := range samples {
				if s.Value.Kind() != metrics.KindUint64 {
					return true // a runtime without these counters cannot tell: trust the clock
				}
			}
			return samples[0].Value.Uint64() == 0 && samples[1].Value.Uint64() <= uint64(1+spinners)
		},
		CPU: newCensus().processorTime, Used: processTime,
	}
}

// processTime is user and system time of the process as getrusage(2) reports it, which may be a tick of the kernel old. On an
// error it grows with the clock, so that a watchdog falls back to the clock.
func processTime() time.Duration {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}
