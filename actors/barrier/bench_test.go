package barrier

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// scopeOf is a tree whose base lists n behaviors, each with an Update of its own unless mark is "~".
func scopeOf(n int, mark string) string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("N%04d", i)
	}
	return "A > " + strings.Join(ids, " ") + "\n" + strings.Join(ids, mark+"\n") + mark
}

const benchBudget = 10 * time.Millisecond

// bench builds an engine with its barrier and runs it without a pacer.
func bench(b testing.TB, tree string, direct bool, tr *actorstest.Trouble) (step func(n uint64), close func()) {
	opts := engine.Options{Catalog: actorstest.Probes(b, tree, tr, nil)}
	rest, done := func() {}, func() {}
	if !direct {
		var hooks *Barrier
		hooks, done = start(b, benchBudget)
		opts.Hooks, rest = hooks, hooks.EndTick
	}
	e, err := engine.New(opts)
	if err != nil {
		b.Fatal(err)
	}
	if err := e.Start(actorstest.Epoch); err != nil {
		b.Fatal(err)
	}
	rest() // the watch of the start ends with it
	var world hardware.Snapshot
	return func(n uint64) {
		now := actorstest.Epoch.Add(time.Duration(n) * 60 * time.Millisecond)
		world.Now = now
		out := e.Step(engine.Input{Tick: n, Now: now, World: world})
		rest()
		if len(out.Violations) > 0 {
			b.Fatal(out.Violations)
		}
	}, done
}

// BenchmarkTick is one whole tick with n behaviors in scope (goal/M1 and goal/M2): each an actor, or called
// directly.
func BenchmarkTick(b *testing.B) { benchTick(b, "", 10, 100, 161, 1000) }

// BenchmarkTickIdle is the same with behaviors that have nothing to do (goal/M3).
func BenchmarkTickIdle(b *testing.B) { benchTick(b, "~", 161, 1000) }

func benchTick(b *testing.B, mark string, sizes ...int) {
	for _, n := range sizes {
		for _, direct := range []bool{false, true} {
			name := fmt.Sprintf("actors/%d", n)
			if direct {
				name = fmt.Sprintf("direct/%d", n)
			}
			b.Run(name, func(b *testing.B) {
				step, done := bench(b, scopeOf(n, mark), direct, nil)
				defer done()
				tick := uint64(0)
				for range 3 {
					tick++
					step(tick)
				}
				b.ReportAllocs()
				for b.Loop() {
					tick++
					step(tick)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/behavior")
			})
		}
	}
}

// BenchmarkHang is the tick in which a hook hangs: how far it goes over the budget of the hook (goal/M4: at most 1 ms in 99 of 100 cases), and
// how long the next tick takes. A hook that spins is given up by the processor time that it got; burned is how much of it
// went over the budget, whatever the load of the machine.
func BenchmarkHang(b *testing.B) {
	if err := clock.ShortSlices(); err != nil {
		b.Log(err)
	}
	b.Run("bare", func(b *testing.B) { benchBare(b, benchBudget) })
	b.Run("bare-looks", func(b *testing.B) { benchBare(b, pollEvery) })
	for _, place := range []struct{ name, tree string }{{"walk", "A! > B\nB! > C\nC"}, {"scope", "A > B C D\nB\nC\nD"}} {
		for _, kind := range []string{"block", "spin"} {
			b.Run(place.name+"/"+kind, func(b *testing.B) { benchHang(b, place.tree, kind) })
		}
	}
}

func benchHang(b *testing.B, tree, kind string) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU() + 2)) // as the daemon does; here, because b.Run sets it after the first one
	machine := clock.NewLoad()
	var over, next, burned []time.Duration
	for b.Loop() {
		runtime.GC() // what one robot after the other leaves is not collected in their ticks
		tr := actorstest.NewTrouble("C", stack.HookUpdate, kind)
		step, done := bench(b, tree, false, tr)
		for n := uint64(1); n <= 4; n++ {
			<-time.After(5 * time.Millisecond) // the ticks of a robot do not follow each other at once
			struck := tr.Struck()
			cpu, begin := machine.CPU(), time.Now()
			step(n)
			switch took := time.Since(begin); {
			case !struck && tr.Struck():
				over = append(over, took-benchBudget)
				burned = append(burned, machine.CPU()-cpu-benchBudget)
			case struck:
				next = append(next, took)
			}
		}
		tr.Free()
		done()
	}
	slices.Sort(next)
	slices.Sort(burned)
	reportOver(b, over)
	b.ReportMetric(float64(next[len(next)/2].Microseconds()), "next-p50-us")
	if kind == "spin" {
		b.ReportMetric(float64(burned[len(burned)/2].Microseconds()), "burned-p50-us")
		b.ReportMetric(float64(burned[len(burned)-1].Microseconds()), "burned-max-us")
	}
}

func reportOver(b *testing.B, over []time.Duration) {
	slices.Sort(over)
	b.ReportMetric(float64(over[len(over)/2].Microseconds()), "over-p50-us")
	b.ReportMetric(float64(over[len(over)*9/10].Microseconds()), "over-p90-us")
	b.ReportMetric(float64(over[len(over)*99/100].Microseconds()), "over-p99-us")
	b.ReportMetric(float64(over[len(over)-1].Microseconds()), "over-max-us")
}

// benchBare is the machine's own share: how late a thread is that sleeps as long as the budget beside a thread that spins, with nothing
// of ours between. It sleeps in pieces, and a piece that ends late counts for as much as a late look of the watchdog does.
func benchBare(b *testing.B, piece time.Duration) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU() + 2))
	var over atomic.Bool
	var spinner sync.WaitGroup
	spinner.Go(func() {
		for !over.Load() {
		}
	})
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var late []time.Duration
	for b.Loop() {
		begin, last := time.Now(), time.Now()
		for slept := time.Duration(0); slept < benchBudget; {
			nap := syscall.NsecToTimespec(int64(min(piece, benchBudget-slept)))
			_ = syscall.Nanosleep(&nap, nil)
			now := time.Now()
			slept += min(now.Sub(last), max(piece, maxPoll))
			last = now
		}
		late = append(late, time.Since(begin)-benchBudget)
	}
	over.Store(true)
	spinner.Wait()
	reportOver(b, late)
}
