//go:build unix

package actors

import (
	"context"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
)

// worker behaviors do a little in every tick; idle ones have no Update, which is how a behavior says that it has nothing
// to do while it only waits in scope.
type (
	busy struct{ n int }
	idle struct{}
)

func (w *busy) Update(*behaviors.Control) { w.n++ }

var (
	busyClass = behaviors.Class{Name: "Busy", New: func(*behaviors.Config) behaviors.Behavior { return &busy{} }}
	idleClass = behaviors.Class{Name: "Idle", New: func(*behaviors.Config) behaviors.Behavior { return &idle{} }}
)

// crowd is a catalog of n behaviors in scope, of which some work.
func crowd(t testing.TB, n, working int) *catalog.Catalog {
	return scope(t, map[string][]string{"Busy": numbered("W", working), "Idle": numbered("I", n-working)}, busyClass, idleClass)
}

// BenchmarkCPU is how much of a core a live robot takes that ticks 100 times a second with 1000 behaviors in scope, of
// which all, a tenth or none work (goal/M21). Live, everything counts: pacer, wake-ups, watchdog, runtime; in virtual time,
// only the work of the ticks. The floor is a bare loop over a Go ticker: what the machine takes for waking up that often.
func BenchmarkCPU(b *testing.B) {
	const n, period = 1000, 10 * time.Millisecond
	b.Run("floor", func(b *testing.B) {
		t := time.NewTicker(period)
		defer t.Stop()
		ofACore(b, func(n int) {
			for range n {
				<-t.C
			}
		})
	})
	for _, c := range []struct {
		name    string
		working int
	}{{"all", n}, {"tenth", n / 10}, {"none", 0}} {
		b.Run("live/"+c.name, func(b *testing.B) {
			t := &tickCount{reached: make(chan struct{})}
			s, err := Start(Config{Catalog: crowd(b, n, c.working), Period: period, Budget: period, Ticks: []TickObserver{t}})
			if err != nil {
				b.Fatal(err)
			}
			ofACore(b, t.wait)
			if err := s.Stop(context.Background()); err != nil {
				b.Fatal(err)
			}
		})
		b.Run("virtual/"+c.name, func(b *testing.B) {
			run, stop := inVirtualTime(b, crowd(b, n, c.working), nil)
			defer stop()
			run(3)
			used := cpuTime(b)
			for b.Loop() {
				run(1)
			}
			b.ReportMetric(100*(cpuTime(b)-used).Seconds()/(float64(b.N)*period.Seconds()), "%core")
		})
	}
}

// tickCount is a tick observer that wakes whoever waits for a number of ticks once, when they are over.
type tickCount struct {
	left    atomic.Int64
	reached chan struct{}
}

// ObserveTick implements TickObserver.
func (t *tickCount) ObserveTick(event.Tick, *engine.Output, *engine.Engine) {
	if t.left.Add(-1) == 0 {
		t.reached <- struct{}{}
	}
}

func (t *tickCount) wait(n int) {
	t.left.Store(int64(n))
	<-t.reached
}

// ofACore reports the share of a core that this process takes during 200 ticks, and how often a thread of it goes to sleep in one: each
// time something has to wake it up.
func ofACore(b *testing.B, wait func(ticks int)) {
	const ticks = 200
	wait(3)
	runtime.GC() // what the start left behind
	var used, wall time.Duration
	var slept int64
	for b.Loop() {
		before, sleeps, begin := cpuTime(b), usage(b).Nvcsw, time.Now()
		wait(ticks)
		used, wall = used+cpuTime(b)-before, wall+time.Since(begin)
		slept += usage(b).Nvcsw - sleeps
	}
	b.ReportMetric(100*used.Seconds()/wall.Seconds(), "%core")
	b.ReportMetric(float64(slept)/float64(b.N*ticks), "sleeps/tick")
}

// usage is what this process has used so far.
func usage(t testing.TB) (u syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return u
}

// cpuTime is what this process has used so far.
func cpuTime(t testing.TB) time.Duration {
	u := usage(t)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkMemory is what one more behavior costs when it has its definition, its actor and its incarnation and has run a few
// ticks: heap and goroutine stacks of 2000 against those of 1000 (goal/M19).
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		small, large := footprint(b, 1000), footprint(b, 4000) // stacks come and go by 64 KB
		b.ReportMetric(float64(large-small)/3000, "B/behavior")
	}
}

func footprint(b testing.TB, n int) int64 {
	used := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc + m.StackInuse)
	}
	before := used()
	cat := crowd(b, n, n)
	run, stop := inVirtualTime(b, cat, nil)
	run(10)
	after := used()
	stop()
	runtime.KeepAlive(cat)
	return after - before
}
