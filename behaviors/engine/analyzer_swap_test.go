package engine_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// An analyzer comes with the first behavior that reads it, goes with the last, and keeps its state if a change leaves it alone.
// Rules: T-21, L-44.
func TestAnalyzerFollowsChangesOfTheBehaviorsThatReadIt(t *testing.T) {
	count := behaviors.NewAnalysis("Count", "Counts its ticks.", func() func(*condition.View) int {
		n := 0
		return func(*condition.View) int { n++; return n }
	})
	reg := behaviors.NewRegistry(
		behaviors.Class{Name: "Base", New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.DelegateList("list")
			cfg.IntOr("version", 0)
			return &idle{}
		}},
		behaviors.Class{Name: "Reader", Analyzers: []behaviors.Analyzer{count}, New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.IntOr("version", 0)
			return &idle{}
		}},
		behaviors.Class{Name: "Plain", New: func(cfg *behaviors.Config) behaviors.Behavior { return &idle{} }},
	)
	const base = "-- Base.json --\n" + `{"behaviorClass": "Base", "behaviorID": "Base", "list": ["A", "B"]}` + "\n-- A.json --\n"
	const plainB = "\n-- B.json --\n" + `{"behaviorClass": "Plain", "behaviorID": "B"}` + "\n"
	set := func(files string) *catalog.Catalog {
		cat, diags := behaviortest.Catalog(t, files, reg, catalog.Boot{Base: "Base", Fallback: "Base"})
		if cat == nil {
			t.Fatal(diags)
		}
		return cat
	}
	sets := []*catalog.Catalog{
		set(base + `{"behaviorClass": "Plain", "behaviorID": "A"}` + plainB),
		set(base + `{"behaviorClass": "Reader", "behaviorID": "A"}` + plainB),
		set(base + `{"behaviorClass": "Reader", "behaviorID": "A", "version": 2}` + plainB),
		set(base + `{"behaviorClass": "Plain", "behaviorID": "A"}` + plainB),
	}
	now := 0
	eng, err := engine.New(engine.Options{Catalog: sets[0], Changes: func(*engine.Command) (*catalog.Change, error) {
		now++
		return catalog.Compare(sets[now-1], sets[now])
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Start(epoch); err != nil {
		t.Fatal(err)
	}
	tick := uint64(0)
	step := func(reload bool) {
		tick++
		in := engine.Input{Tick: tick, Now: epoch, World: hardware.Snapshot{Now: epoch}}
		if reload {
			in.Commands = []engine.Command{{Kind: engine.Reload}}
		}
		out := eng.Step(in)
		if len(out.Violations) > 0 || reload && out.Replies[0].Err != "" {
			t.Fatalf("tick %d: %v %+v", tick, out.Violations, out.Replies)
		}
	}
	for _, c := range []struct {
		name   string
		reload bool
		want   int // 0 is no result
	}{
		{"nobody reads it", false, 0},
		{"a reader comes", true, 1},
		{"the next tick", false, 2},
		{"another definition of the reader", true, 3},
		{"the last reader goes", true, 0},
		{"gone", false, 0},
	} {
		step(c.reload)
		if got, ok := count.Of(eng.View()); got != c.want || ok != (c.want > 0) {
			t.Errorf("%s: %d, %v; want %d", c.name, got, ok, c.want)
		}
	}
}

type idle struct{}

func (*idle) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}
