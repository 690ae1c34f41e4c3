package barrier

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
)

// asking asks everyone on its list in each tick; refusing says no, by code of its own.
type (
	asking   struct{ list *behaviors.Candidates }
	refusing struct{ asked int }
)

func (a *asking) Update(c *behaviors.Control) { c.FirstWanting(a.list) }

func (*asking) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

func (r *refusing) WantsToBeActivated(*behaviors.Control) bool { r.asked++; return false }

func askingCatalog(tb testing.TB, n int) *catalog.Catalog {
	ids := make([]string, n)
	files := make([]string, 0, n+1)
	for i := range ids {
		ids[i] = fmt.Sprintf("N%04d", i)
		files = append(files, actorstest.File("Refusing", ids[i]))
	}
	reg := behaviors.NewRegistry(
		behaviors.Class{Name: "Asking", New: func(cfg *behaviors.Config) behaviors.Behavior {
			return &asking{behaviors.NewCandidates(cfg.DelegateList("next")...)}
		}},
		behaviors.Class{Name: "Refusing", New: func(*behaviors.Config) behaviors.Behavior { return &refusing{} }})
	return actorstest.Catalog(tb, reg, "A", "A", append(files, actorstest.Listing("Asking", "A", ids...))...)
}

// BenchmarkRecorder is a tick in which 161 behaviors are asked, or updated, through actors, without and with a recorder whose entries go
// to another goroutine (goal/M11).
func BenchmarkRecorder(b *testing.B) {
	for name, cat := range map[string]*catalog.Catalog{
		"ask": askingCatalog(b, 161), "update": actorstest.Probes(b, scopeOf(161, ""), nil, nil),
	} {
		for _, recorded := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/recorded=%t", name, recorded), func(b *testing.B) {
				hooks, done := start(b, benchBudget)
				defer done()
				o := engine.Options{Catalog: cat, Hooks: hooks}
				queue := tape.NewQueue(1 << 20)
				if recorded {
					o.Recorder = tape.NewRecorder(queue.Put)
				}
				e, err := engine.New(o)
				if err == nil {
					err = e.Start(actorstest.Epoch)
				}
				if err != nil {
					b.Fatal(err)
				}
				var world hardware.Snapshot
				n := uint64(0)
				b.ReportAllocs()
				for b.Loop() {
					n++
					now := actorstest.Epoch.Add(time.Duration(n) * 60 * time.Millisecond)
					world.Now = now
					e.Step(engine.Input{Tick: n, Now: now, World: world})
					hooks.EndTick()
					if n%256 == 0 {
						b.StopTimer()
						queue.Drain(n, func(uint64, time.Duration, []byte) {})
						b.StartTimer()
					}
				}
			})
		}
	}
}
