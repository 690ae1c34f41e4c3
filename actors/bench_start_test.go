//go:build unix

package actors

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/resources"
)

// BenchmarkStartMany is the start with one behavior of many delegates, each gated by a condition from its file: files are read and
// checked, every actor is started, and the first tick brings all of them into scope (goal/M23). A catalog holds 4096 behaviors, the
// one that lists the others included.
func BenchmarkStartMany(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as setup.Tune does
	for _, n := range []int{1024, 4096} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			files := map[string]string{"Base.json": actorstest.Listing("Lister", "Base", numbered("D", n-1)...)}
			for _, id := range numbered("D", n-1) {
				files[id+".json"] = fmt.Sprintf(`{"behaviorClass":"Idle","behaviorID":%q,`+
					`"wantsToBeActivatedCondition":{"conditionType":"BatteryLevel","targetBatteryLevel":"Full"}}`, id)
			}
			names := slices.Sorted(maps.Keys(files)) // as resources.LoadDir has them
			files[catalog.BootFile] = `{"normalBaseBehavior":"Base","fallbackBehavior":"Base","userIntents":[]}`
			var stages [4][]time.Duration
			var cpu []time.Duration
			for b.Loop() {
				runtime.GC() // what the start before left
				used := cpuTime(b)
				for i, d := range startMany(b, names, files) {
					stages[i] = append(stages[i], d)
				}
				cpu = append(cpu, cpuTime(b)-used)
			}
			b.ReportMetric(percentile(cpu, 0)/1e3, "cpu-min-ms")
			for i, name := range []string{"start", "files", "actors", "tick"} {
				b.ReportMetric(percentile(stages[i], 50)/1e3, name+"-p50-ms")
				b.ReportMetric(percentile(stages[i], 0)/1e3, name+"-min-ms")
			}
		})
	}
}

// startMany starts once and returns how long it took: all of it, the files, the actors, the first tick.
func startMany(b *testing.B, names []string, files map[string]string) [4]time.Duration {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(64<<20) // as setup.PostponeCollection does
	begin := time.Now()
	cat := readMany(b, names, files)
	read := time.Now()
	s, err := Start(Config{Catalog: cat, Timeline: clock.NewVirtual(actorstest.Epoch)})
	if err != nil {
		b.Fatal(err)
	}
	started := time.Now()
	if err := s.RunFor(DefaultPeriod, nil); err != nil {
		b.Fatal(err)
	}
	end := time.Now()
	debug.SetMemoryLimit(limit)
	debug.SetGCPercent(percent)
	if got := inScope(s); got != len(files)-2 {
		b.Fatalf("%d behaviors in scope, want %d", got, len(files)-2)
	}
	if err := s.Stop(context.Background()); err != nil {
		b.Fatal(err)
	}
	return [4]time.Duration{end.Sub(begin), read.Sub(begin), started.Sub(read), end.Sub(started)}
}

func readMany(b *testing.B, names []string, files map[string]string) *catalog.Catalog {
	src := catalog.Sources{}
	var all resources.Diagnostics
	parse := func(name string) *resources.Document {
		doc, diags := resources.Parse(name, []byte(files[name]))
		all = append(all, diags...)
		return doc
	}
	for _, name := range names {
		src.Behaviors = append(src.Behaviors, parse(name))
	}
	src.Boot = parse(catalog.BootFile)
	cat, diags := catalog.Build(src, behaviors.NewRegistry(idleClass, listerClass))
	if all = slices.Concat(all, diags); all.HasErrors() {
		b.Fatal(all)
	}
	return cat
}

func inScope(s *System) (n int) {
	s.Engine().Stack().EachInScope(func(*stack.Node) { n++ })
	return n
}
