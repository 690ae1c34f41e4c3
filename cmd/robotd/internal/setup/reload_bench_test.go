package setup

import (
	"fmt"
	"maps"
	"testing"
	"testing/fstest"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/hardware"
)

// BenchmarkReload is goal/M14: what a change of 1000 definitions costs, all of them and one of them. Prepare reads, checks and compares
// beside the tick; swap is the tick in which they change, with the engine alone.
func BenchmarkReload(b *testing.B) {
	for _, n := range []int{350, 1000, 4000} {
		tree := manyDelegates(n)
		for _, kind := range []struct {
			name    string
			changed int
		}{{"all", n}, {"one", 1}} {
			other := maps.Clone(tree)
			for i := range kind.changed {
				other["behaviors/"+delegateName(i)+".json"] = &fstest.MapFile{Data: fmt.Appendf(nil,
					`{"behaviorClass": "Wait", "behaviorID": %q, "resetTimers": [], "behaviorModifiers": {"wantsToBeActivatedWhenOffTreads": true}}`, delegateName(i))}
			}
			b.Run(fmt.Sprintf("%s of %d", kind.name, n), func(b *testing.B) { benchmarkReload(b, tree, other) })
		}
	}
}

func benchmarkReload(b *testing.B, tree, other fstest.MapFS) {
	reg := library.Registry()
	from, diags := Tree{FS: tree}.Catalog(reg)
	if from == nil {
		b.Fatal(diags)
	}
	var ch *catalog.Change
	e, err := engine.New(engine.Options{Catalog: from, Changes: func(*engine.Command) (*catalog.Change, error) { return ch, nil }})
	if err == nil {
		err = e.Start(time.Unix(0, 0))
	}
	if err != nil {
		b.Fatal(err)
	}
	now, n := time.Unix(0, 0), uint64(0)
	step := func(c ...engine.Command) *engine.Output {
		n++
		now = now.Add(60 * time.Millisecond)
		return e.Step(engine.Input{Tick: n, Now: now, World: hardware.Snapshot{Now: now}, Commands: c, Seed: 1})
	}
	step()
	var prepare, swap time.Duration
	for i := 0; b.Loop(); i++ {
		next := other
		if i%2 == 1 {
			next = tree
		}
		begin := time.Now()
		ch = prepared(b, e.Catalog(), next, reg)
		ready := time.Now()
		out := step(engine.Command{Kind: engine.Reload})
		swap += time.Since(ready)
		prepare += ready.Sub(begin)
		if out.Swapped == nil {
			b.Fatal(out.Replies)
		}
		b.StopTimer()
		step()
		b.StartTimer()
	}
	b.ReportMetric(float64(prepare.Microseconds())/float64(b.N)/1000, "prepare-ms")
	b.ReportMetric(float64(swap.Microseconds())/float64(b.N)/1000, "swap-ms")
}

func prepared(b *testing.B, from *catalog.Catalog, next fstest.MapFS, reg *behaviors.Registry) *catalog.Change {
	to, diags := Tree{FS: next}.Catalog(reg)
	if to == nil {
		b.Fatal(diags)
	}
	ch, err := catalog.Compare(from, to)
	if err != nil {
		b.Fatal(err)
	}
	return ch
}
