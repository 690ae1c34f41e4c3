package metrics

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
)

// deep is a robot with n behaviors in scope and eight on the stack, in a steady tick.
func deep(t testing.TB, n int) *rig {
	t.Helper()
	tree := wide(n)
	previous := "Base"
	for i := range 7 {
		id := fmt.Sprintf("Layer%d", i)
		tree[previous] = append(tree[previous], id)
		tree[id] = nil
		previous = id
	}
	r := newRig(t, tree, shipped())
	r.updates["Base"] = delegateTo("Layer0")
	for i := range 6 {
		r.updates[fmt.Sprintf("Layer%d", i)] = delegateTo(fmt.Sprintf("Layer%d", i+1))
	}
	for range 3 {
		r.step()
	}
	if d := r.e.Stack().Depth(); d != 8 {
		t.Fatalf("stack depth is %d", d)
	}
	if len(r.last.Events) != 0 {
		t.Fatalf("the tick is not steady: %v", r.last.Events)
	}
	return r
}

func TestSteadyTickAllocatesNothing(t *testing.T) {
	r := deep(t, 1000)
	tick := event.Tick{Start: r.now(), Duration: 80 * time.Microsecond}
	if n := testing.AllocsPerRun(1000, func() {
		tick.Start = tick.Start.Add(period)
		r.m.ObserveTick(tick, r.last, r.e)
	}); n != 0 {
		t.Errorf("ObserveTick allocates %v times", n)
	}
	var record event.Record = &tick
	if n := testing.AllocsPerRun(1000, func() { r.m.Observe(record) }); n != 0 {
		t.Errorf("Observe of a tick allocates %v times", n)
	}
	record = &event.Sample{Device: "imu", At: epoch, Good: true, Reads: 1}
	if n := testing.AllocsPerRun(1000, func() { r.m.Observe(record) }); n != 0 {
		t.Errorf("Observe of a sample allocates %v times", n)
	}
}

// Metrics take at most a twentieth of the 0.1 ms that a tick of 1000 behaviors may take. The best of several
// rounds counts, so that a busy machine does not fail it.
// Rules: goal/M12.
func TestObserveTickTakesLittleOfTheTick(t *testing.T) {
	const limit = slowdown * 5 * time.Microsecond
	r := deep(t, 1000)
	tick := event.Tick{Start: r.now(), Duration: 80 * time.Microsecond}
	best := time.Hour
	for range 20 {
		const rounds = 500
		begin := time.Now()
		for range rounds {
			tick.Start = tick.Start.Add(period)
			r.m.Observe(&tick)
			r.m.ObserveTick(tick, r.last, r.e)
		}
		best = min(best, time.Since(begin)/rounds)
	}
	t.Logf("%v a tick", best)
	if best > limit {
		t.Errorf("a tick costs %v, the limit is %v", best, limit)
	}
}

func BenchmarkObserveTick(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("behaviors=%d", n), func(b *testing.B) {
			r := deep(b, n)
			tick := event.Tick{Start: r.now(), Duration: 80 * time.Microsecond}
			b.ReportAllocs()
			for b.Loop() {
				tick.Start = tick.Start.Add(period)
				r.m.ObserveTick(tick, r.last, r.e)
			}
		})
	}
}

func BenchmarkObserve(b *testing.B) {
	m := New(shipped())
	for name, r := range map[string]event.Record{
		"tick":   &event.Tick{N: 1, Duration: 80 * time.Microsecond, Lateness: 50 * time.Microsecond},
		"sample": &event.Sample{Device: "imu", At: epoch, Good: true, Reads: 1},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Observe(r)
			}
		})
	}
}

// BenchmarkScrape measures a scrape with 1000 behaviors, which may take 5 ms (goal/M12).
func BenchmarkScrape(b *testing.B) {
	r := deep(b, 1000)
	o := shipped()
	for _, c := range r.e.Cells() {
		o.Behaviors = append(o.Behaviors, c.Node.ID)
	}
	r.m = New(o) // not the pedantic registry of the tests
	r.step()
	req := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/metrics", nil)
	for b.Loop() {
		r.m.Handler().ServeHTTP(discard{http.Header{}}, req)
	}
}

// discard is a response writer that drops everything.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return io.Discard.Write(p) }
func (d discard) WriteHeader(int)             {}
