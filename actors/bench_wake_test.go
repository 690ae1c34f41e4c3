package actors

import (
	"context"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/clock"
)

// wakePeriod and wakeFor give a thousand ticks.
const (
	wakePeriod = 2 * time.Millisecond
	wakeFor    = 2 * time.Second
)

// BenchmarkWake is how late ticks begin after their deadline, and by how much the period drifts (goal/M13): on a machine with
// nothing else to do, beside goroutines that never rest, and beside other processes that never rest, one for each core,
// without and with a real-time thread.
func BenchmarkWake(b *testing.B) {
	if err := clock.ShortSlices(); err != nil { // as the daemon has
		b.Log(err)
	}
	for _, load := range []struct {
		name     string
		realtime bool
		begin    func(testing.TB) (end func())
	}{
		{"idle", false, func(testing.TB) func() { return func() {} }},
		{"goroutines", false, spinningGoroutines},
		{"processes", false, spinningProcesses},
		{"realtime", true, spinningProcesses},
	} {
		b.Run(load.name, func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU() + 2)) // as the daemon does
			for b.Loop() {
				late, begun, drift, skipped := wakes(b, load.realtime, load.begin)
				b.ReportMetric(float64(drift.Nanoseconds())/1e3, "drift-us")
				b.ReportMetric(float64(skipped), "skipped")
				for _, p := range []struct {
					unit string
					of   float64
				}{{"late-p50-us", 50}, {"late-p99-us", 99}, {"late-p99.9-us", 99.9}, {"late-max-us", 100}} {
					b.ReportMetric(percentile(late, p.of), p.unit)
				}
				for _, p := range []struct {
					unit string
					of   float64
				}{{"begun-p50-us", 50}, {"begun-p99-us", 99}, {"begun-max-us", 100}} {
					b.ReportMetric(percentile(begun, p.of), p.unit)
				}
			}
		})
	}
}

// wakes runs a robot beside a load. It returns how late the pacer sent its ticks and how late the supervisor began them; by how much a
// deadline was farthest from where it should be when counted from the first, those included that passed during a tick; and how many did.
func wakes(b testing.TB, realtime bool, load func(testing.TB) func()) (late, begun []time.Duration, drift time.Duration, skipped uint64) {
	w := newWatcher()
	s, err := Start(Config{
		Catalog: actorstest.Probes(b, "A! > B X Y\nB! > C\nC\nX\nY", nil, nil), Period: wakePeriod, Budget: 100 * time.Millisecond, Observer: w,
		Ticks: []TickObserver{w}, Timeline: clock.Live{Realtime: realtime},
	})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := s.Stop(context.Background()); err != nil {
			b.Error(err)
		}
	}()
	if realtime && s.Realtime() != nil {
		b.Skip(s.Realtime())
	}
	defer load(b)()
	first := <-w.ticks
	due := first.timing.Start.Add(-first.timing.Lateness)
	for n := uint64(0); n < uint64(wakeFor/wakePeriod); n++ {
		seen := <-w.ticks
		t := seen.timing
		n, skipped = n+t.Skipped, skipped+t.Skipped
		due = due.Add(time.Duration(1+t.Skipped) * wakePeriod)
		drift = max(drift, t.Start.Add(-t.Lateness).Sub(due).Abs())
		late = append(late, t.Lateness)
		begun = append(begun, seen.at.Add(-t.Duration).Sub(t.Start.Add(-t.Lateness)))
	}
	return late, begun, drift, skipped
}

func spinningGoroutines(testing.TB) (end func()) {
	var over atomic.Bool
	var done sync.WaitGroup
	for range runtime.NumCPU() {
		done.Go(func() {
			for !over.Load() {
			}
		})
	}
	return func() { over.Store(true); done.Wait() }
}

func spinningProcesses(b testing.TB) (end func()) {
	var all []*exec.Cmd
	for range runtime.NumCPU() {
		c := exec.Command("sh", "-c", "while :; do :; done")
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		if err := foreign(c.Process.Pid); err != nil {
			b.Fatal(err)
		}
		all = append(all, c)
	}
	return func() {
		for _, c := range all {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}
}
