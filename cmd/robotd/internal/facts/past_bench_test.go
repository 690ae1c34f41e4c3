package facts_test

import (
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/metrics/record"
)

// An hour is the life that the benchmarks of reading share: in a memory and in files.
type hour struct {
	memory *record.Memory
	dir    string
	past   *facts.Past
}

var hourOnce struct {
	sync.Mutex
	hour *hour
}

// anHour lets a robot live for an hour, once. The folder of its recording goes away with the process's temporary files.
func anHour(b *testing.B) *hour {
	b.Helper()
	hourOnce.Lock()
	defer hourOnce.Unlock()
	if hourOnce.hour != nil {
		return hourOnce.hour
	}
	run := setuptest.Options(b, 1)
	who := run.Life("sim", epoch, true)
	dir, err := os.MkdirTemp("", "robotd-hour-")
	if err != nil {
		b.Fatal(err)
	}
	hours = append(hours, dir)
	w, err := record.NewWriter(record.Options{Dir: dir, Life: who, Topics: facts.Recorded(), Wait: true, Now: func() time.Time { return epoch }})
	if err != nil {
		b.Fatal(err)
	}
	m := record.NewMemory(who, nil, 0, 0)
	l := newLifeInto(b, run, w, m)
	l.live(time.Hour)
	l.end()
	if err := w.Close(0); err != nil {
		b.Fatal(err)
	}
	cat := func(string) (*catalog.Catalog, error) { return run.Catalog, nil }
	hourOnce.hour = &hour{m, dir, &facts.Past{Source: m, Catalog: cat}}
	first, last := m.Span()
	b.Logf("ticks %d to %d, %d bytes in memory", first.Tick, last.Tick, m.Bytes())
	return hourOnce.hour
}

// hours are the folders to remove at the end.
var hours []string

// processor reports the processor time of each iteration, which other processes do not disturb.
func processor(b *testing.B) (done func()) {
	spent := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	begin := spent()
	b.ResetTimer()
	return func() { b.ReportMetric(float64((spent()-begin).Microseconds())/1000/float64(b.N), "cpu-ms/op") }
}

// BenchmarkAt is the cost of all values that hold at a tick of an hour in memory.
func BenchmarkAt(b *testing.B) {
	h := anHour(b)
	_, last := h.memory.Span()
	defer processor(b)()
	for i := range b.N {
		if err := h.memory.At(uint64(i)*7919%last.Tick+1, nil, func(record.Message) bool { return true }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStateAt is the cost of a state view of an hour in memory, each time of another place.
func BenchmarkStateAt(b *testing.B) {
	h := anHour(b)
	_, last := h.memory.Span()
	defer processor(b)()
	for i := range b.N {
		if _, err := h.past.State(uint64(i)*7919%last.Tick + 1); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTimelineHour is the cost of the timeline of a whole hour in memory.
func BenchmarkTimelineHour(b *testing.B) {
	h := anHour(b)
	defer processor(b)()
	for range b.N {
		if _, err := h.past.Timeline(0, 3600); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSeriesHour is the cost of the plots of a whole hour in memory.
func BenchmarkSeriesHour(b *testing.B) {
	h := anHour(b)
	defer processor(b)()
	for range b.N {
		if _, err := h.past.Series([]string{"battery", "range", "wheel_left", "wheel_right", "tick", "mood.Happy"}, 0, 3600, 600); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLogHour is the cost of the log of a whole hour in memory.
func BenchmarkLogHour(b *testing.B) {
	h := anHour(b)
	defer processor(b)()
	for range b.N {
		if _, err := h.past.Log(control.LogQuery{ToS: 3600}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWhyFile is the cost of opening the recording of an hour and telling why, each time at another place.
func BenchmarkWhyFile(b *testing.B) {
	h := anHour(b)
	defer processor(b)()
	for i := range b.N {
		r, err := record.OpenLife(h.dir)
		if err != nil {
			b.Fatal(err)
		}
		p := &facts.Past{Source: r, Catalog: h.past.Catalog}
		tick, err := p.Tick(float64(i*677%3500) + 10)
		if err == nil {
			_, err = p.Why("Explore", tick)
		}
		if err != nil {
			b.Fatal(err)
		}
		_ = r.Close()
	}
}

// BenchmarkTimelineFile is the cost of the timeline of a recorded hour.
func BenchmarkTimelineFile(b *testing.B) {
	h := anHour(b)
	r, err := record.OpenLife(h.dir)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	p := &facts.Past{Source: r}
	defer processor(b)()
	for range b.N {
		if _, err := p.Timeline(0, 3600); err != nil {
			b.Fatal(err)
		}
	}
}
