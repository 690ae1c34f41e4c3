package headless_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
)

// mallocs is how often the whole process allocates in one life of the shipped robot, its start and end included.
func mallocs(tb testing.TB, s setup.Options, d time.Duration) (n, ticks float64) {
	tb.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	sum, err := headless.Run(tb.Context(), s, headless.Options{For: d})
	if err != nil {
		tb.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs - before.Mallocs), float64(sum.Ticks)
}

// perTick is how often a tick of the shipped robot allocates, all goroutines together: drivers, chips and world included.
func perTick(tb testing.TB, s setup.Options) float64 {
	short, few := mallocs(tb, s, time.Minute)
	long, many := mallocs(tb, s, 3*time.Minute)
	return (long - short) / (many - few)
}

// maxMallocs is the goal for one tick of the shipped robot.
const maxMallocs = 50

func TestTickOfShippedRobotAllocatesLittle(t *testing.T) {
	if n := perTick(t, setuptest.Options(t, 1)); n > maxMallocs {
		t.Errorf("%.1f allocations a tick, want at most %d", n, maxMallocs)
	}
}

// BenchmarkLife is an hour, and five minutes, in the life of the shipped robot, as robotd run --headless lives them, from the resources
// on: their speed as a multiple of real time, and how often one tick allocates.
func BenchmarkLife(b *testing.B) {
	s := setuptest.Options(b, 1)
	n := perTick(b, s)
	for _, span := range []time.Duration{time.Hour, 5 * time.Minute} {
		b.Run(fmt.Sprintf("%gmin", span.Minutes()), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
			setup.TuneVirtual(1, 0) // here, because b.Run has its own number of processors after the first one
			for b.Loop() {
				if _, err := headless.Run(b.Context(), s, headless.Options{For: span}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(span.Seconds()*float64(b.N)/b.Elapsed().Seconds(), "×real-time")
			b.ReportMetric(n, "allocs/tick")
		})
	}
}
