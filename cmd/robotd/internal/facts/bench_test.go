package facts_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/metrics/record"
)

// nowhere is a sink that drops everything.
type nowhere struct{}

func (nowhere) Tick(uint64, time.Duration, []record.Message) {}

// BenchmarkCapture measures what the stream of facts costs a tick of the shipped robot as it runs live: the time on the tick's goroutine,
// and what is allocated there.
func BenchmarkCapture(b *testing.B) {
	var spent time.Duration
	var ticks, mallocs, bytes uint64
	var r *facts.Recorder
	l := newLife(b, 1)
	r = facts.NewRecorder(facts.Options{
		Setup: l.run, Counters: runstats.NewCounters(false, nil), Safety: l.robot.Safety, Start: epoch, Now: l.timeline.Now, Sinks: []record.Sink{nowhere{}},
	})
	defer func() { r.Close(time.Minute) }()
	l.watch = func(_ *life, t event.Tick, o *engine.Output, e *engine.Engine) {
		var before, after runtime.MemStats
		if counted := t.N%50 == 0; counted { // reading them stops the world
			runtime.ReadMemStats(&before)
		}
		begin := time.Now()
		r.ObserveTick(t, o, e)
		spent += time.Since(begin)
		ticks++
		if t.N%50 == 0 {
			runtime.ReadMemStats(&after)
			mallocs, bytes = mallocs+after.Mallocs-before.Mallocs, bytes+after.TotalAlloc-before.TotalAlloc
		}
	}
	for b.Loop() {
		l.live(l.timeline.Now().Sub(epoch) + time.Minute)
	}
	b.ReportMetric(float64(spent)/float64(ticks), "ns/tick")
	b.ReportMetric(float64(mallocs)/float64(ticks/50), "allocs/tick")
	b.ReportMetric(float64(bytes)/float64(ticks/50), "B/tick")
	b.ReportMetric(float64(r.Dropped()), "dropped")
}
