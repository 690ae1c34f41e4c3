package barrier

import (
	"os"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// A recorded is a robot whose barrier is traced.
type recorded struct {
	*recorder
	t       testing.TB
	barrier *Barrier
	eng     *engine.Engine
	tick    uint64
}

func record(t testing.TB, cat *catalog.Catalog) *recorded {
	t.Helper()
	b, stop := start(t, patient)
	r := &recorded{recorder: newRecorder(), t: t, barrier: b}
	t.Cleanup(stop)
	b.tracer = r.recorder
	var err error
	if r.eng, err = engine.New(engine.Options{Catalog: cat, Hooks: b, MaxFailures: 50}); err != nil {
		t.Fatal(err)
	}
	if err := r.eng.Start(actorstest.Epoch); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *recorded) step(n int, seed uint64) {
	r.t.Helper()
	for range n {
		r.tick++
		now := actorstest.Epoch.Add(time.Duration(r.tick) * period)
		out := r.eng.Step(engine.Input{Tick: r.tick, Now: now, World: hardware.Snapshot{Now: now}, Seed: seed})
		r.barrier.EndTick()
		if len(out.Violations) > 0 {
			r.t.Fatal(out.Violations)
		}
	}
}

// Rules: Q-8.
func TestChaoticTracesFitTheModel(t *testing.T) {
	r := record(t, chaos(t, nil))
	r.step(5, 1)
	os.WriteFile("/tmp/h9/pm/trace", []byte(r.String()), 0o600)
	wantFit(t, r.recorder)
}

func TestChaoticX(t *testing.T) {
	for seed := range uint64(12) {
		r := record(t, chaos(t, nil))
		r.step(12, seed)
		start := time.Now()
		wantFit(t, r.recorder)
		t.Log(seed, len(r.lines), len(r.ports), len(r.incs), len(r.boxes), len(r.workers), time.Since(start))
	}
}
