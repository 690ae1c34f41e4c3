package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/bench"
)

const sample = `date: 2026-01-02
kernel: Linux 6.1 x86_64
cores: 2
gomaxprocs: 2
goos: linux
pkg: github.com/robotd/robotd/actors/barrier
cpu: Some CPU
BenchmarkTick/direct/161-2   100  3000 ns/op  30 ns/behavior  0 B/op  0 allocs/op
BenchmarkHang/walk/block-2  3  900 over-max-us  300 over-p50-us
pkg: github.com/robotd/robotd/actors
BenchmarkChain/10-2  3  50000 ns/op
BenchmarkCPU/live/tenth-2  3  5 ns/op  1.5 %core
BenchmarkCPU/floor-2  3  5 ns/op  1.1 %core
PASS
pkg: github.com/robotd/robotd/cmd/robotd/internal/headless
BenchmarkLife/60min-2  3  50000 ns/op  1600 ×real-time  41 allocs/tick
pkg: github.com/robotd/robotd/behaviors/stack
BenchmarkTick/idle-1000-2  100  4000 ns/op  4 ns/behavior
pkg: github.com/robotd/robotd/bench
BenchmarkBarrier/robotd/10-2  100  2000 ns/op  200 ns/unit  8 allocs/tick
BenchmarkBarrier/calls/10-2  100  20 ns/op  2 ns/unit  0 allocs/tick
BenchmarkBarrier/robotd/161-2  100  2000 ns/op  36 cpu-ns/unit  6.02 allocs/tick
BenchmarkAsk/robotd/10-2  100  2000 ns/op  150 cpu-ns/unit  0 allocs/tick
BenchmarkAsk/robotd/161-2  100  2000 ns/op  150 cpu-ns/unit  0 allocs/tick
BenchmarkAsk/btcpp-sequence/10-2  2  2000 ns/op  205 ns/unit  200 cpu-ns/unit
BenchmarkAsk/btcpp-sequence/161-2  2  2000 ns/op  205 ns/unit  200 cpu-ns/unit
pkg: github.com/robotd/robotd/actors/barrier
BenchmarkTick/direct/161-2   100  3000 ns/op  18 ns/behavior  0 B/op  0 allocs/op
BenchmarkTick/direct/161-2   100  3000 ns/op  16 ns/behavior  0 B/op  0 allocs/op
BenchmarkHang/walk/block-2  3  1100 over-max-us  500 over-p50-us
`

func mustRead(t *testing.T, text string) *run {
	t.Helper()
	r, err := read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func find(t *testing.T, rows []row, what string) row {
	t.Helper()
	for _, r := range rows {
		if strings.HasPrefix(r.what, what) {
			return r
		}
	}
	t.Fatalf("no row %q", what)
	return row{}
}

func TestGoalRowsCompareMediansWithTheirTargets(t *testing.T) {
	rows := goalRows(mustRead(t, sample))
	for _, want := range []row{
		{goal: "M1", what: "update through actors, whole tick, 161, per behavior", measured: "36 ns", spread: "36–36", target: "≤ 40 ns", ratio: "0.9 of target", verdict: "met"},
		{goal: "M1", what: "allocations of such a tick, 161, supervisor, inbox and metrics included", measured: "6.02 allocs", spread: "6.02–6.02", target: "≤ 0.1 allocs", ratio: "60.2 of target", verdict: "**missed**"},
		{goal: "M1b", what: "the same over BehaviorTree.CPP's sequence", measured: "0.75 times", spread: "0.75–0.75", target: "≤ 1 times", ratio: "0.75 of target", verdict: "met"},
		{goal: "M2", what: "whole engine by direct call, per behavior with an Update, 161", measured: "18 ns", spread: "16–30", target: "≤ 20 ns", ratio: "0.9 of target", verdict: "met"},
		{goal: "M3", what: "idle behavior in scope, 1000", measured: "4 ns", spread: "4–4", target: "≤ 5 ns", ratio: "0.8 of target", verdict: "met"},
		{goal: "M4", what: "a hook blocks in the walk: worst", measured: "1000 µs", spread: "900–1100", target: "≤ 1000 µs", ratio: "1 of target", verdict: "met"},
		{goal: "M17", what: "chain of 10 delegations, cancelled and complete in each tick", measured: "50 µs", spread: "50–50", verdict: "met"},
		{goal: "M21", what: "a tenth works, above a bare Go ticker", measured: "0.4 % of a core", spread: "0.4–0.4", target: "≤ 0.5 % of a core", ratio: "0.8 of target", verdict: "met"},
		{goal: "M18", what: "an hour of the shipped robot in virtual time, drivers, chips and world included", measured: "1600 × real time", spread: "1600–1600", target: "≥ 1500 × real time", ratio: "1.07 of target", verdict: "met"},
		{goal: "M19", what: "memory per behavior with definition and actor", target: "≤ 2000 B"},
	} {
		if got := find(t, rows, want.what); got != want {
			t.Errorf("%+v\nwant %+v", got, want)
		}
	}
	late := strings.Replace(sample, "1100 over-max-us", "1101 over-max-us", 1)
	if got := find(t, goalRows(mustRead(t, late)), "a hook blocks in the walk: worst"); got.verdict != "**missed**" {
		t.Errorf("a miss is shown as %+v", got)
	}
}

func TestBarrierRowsAreSortedBySpeedRelativeToRobotd(t *testing.T) {
	peers := []bench.Peer{{Name: "robotd", Ordered: true, Isolated: true}, {Name: "calls", Ordered: true}}
	rows := barrierRows(mustRead(t, sample), peers)
	want := []row{
		{goal: "barrier", what: "calls: one at a time, a panic ends the process", n: "10", measured: "2 ns/unit", spread: "2–2", allocs: "0", ratio: "0.01 × robotd", order: 2},
		{goal: "barrier", what: "robotd: one at a time, a panic is contained", n: "10", measured: "200 ns/unit", spread: "200–200", allocs: "8", ratio: "1 × robotd", order: 200},
	}
	if len(rows) != len(sizes)*len(peers) || rows[0] != want[0] || rows[1] != want[1] {
		t.Errorf("%d rows: %+v", len(rows), rows[:2])
	}
}

func TestAskRowsTellWhoAnswersInProcessorTime(t *testing.T) {
	peers := []bench.AskPeer{{Name: "robotd", What: "gates", Isolated: true}}
	rows := askRows(mustRead(t, sample), peers)
	want := []row{
		{goal: "ask", what: "robotd: gates, a panic is contained", n: "10", measured: "150 ns/unit", spread: "150–150", allocs: "0", ratio: "1 × robotd", order: 150},
		{goal: "ask", what: "btcpp-sequence: a condition node, a panic ends the process", n: "10", measured: "200 ns/unit", spread: "200–200", ratio: "1.33 × robotd", order: 200},
	}
	if i := slices.Index(rows, want[0]); i < 0 || !slices.Contains(rows[i:], want[1]) {
		t.Errorf("%+v", rows)
	}
}

// A run without the program of BehaviorTree.CPP shows the figures of the newest run that had it, and says so.
func TestFiguresOfBTCPPAreKeptForRunsWithoutItsProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kept.txt")
	if err := mustRead(t, sample).remember(file); err != nil {
		t.Fatal(err)
	}
	var without []string
	for l := range strings.Lines(sample) {
		if !strings.Contains(l, "btcpp") {
			without = append(without, l)
		}
	}
	r := mustRead(t, strings.Replace(strings.Join(without, ""), "2026-01-02", "2026-02-03", 1))
	if err := r.remember(file); err != nil {
		t.Fatal(err)
	}
	const whence = " (of 2026-01-02, Some CPU)"
	want := row{goal: "ask", what: "btcpp-sequence: a condition node, a panic ends the process" + whence, n: "161", measured: "200 ns/unit", spread: "200–200", ratio: "1.33 × robotd", order: 200}
	if rows := askRows(r, nil); !slices.Contains(rows, want) {
		t.Errorf("%+v", rows)
	}
	if got := find(t, goalRows(r), "the same over BehaviorTree.CPP's sequence"); got.what != "the same over BehaviorTree.CPP's sequence"+whence || got.measured != "0.75 times" {
		t.Errorf("%+v", got)
	}
	if err := mustRead(t, strings.Join(without, "")).remember(file + "x"); err == nil || !strings.Contains(err.Error(), "kept.txtx") {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestDocumentNamesMachineAndMissingRows(t *testing.T) {
	r := mustRead(t, sample)
	text := render(r, goalRows(r), []string{"example.com/peer v1.2.3"})
	for _, part := range []string{"measured 2026-01-02 · processor Some CPU · cores 2", "Peers: example.com/peer v1.2.3.", "| M19 | memory per behavior with definition and actor |  | not measured |"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

func TestReadRefusesFailedOrMalformedBenchmarks(t *testing.T) {
	at := fmt.Sprintf("line %d", strings.Count(sample, "\n")+1)
	for _, line := range []string{"--- FAIL: BenchmarkTick", "panic: broken", "BenchmarkTick 3", "BenchmarkTick 3 x ns/op"} {
		if _, err := read(strings.NewReader(sample + line + "\n")); err == nil || !strings.Contains(err.Error(), at) {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestBenchmarkNameWithoutProcSuffixKeepsItsNumber(t *testing.T) {
	r := mustRead(t, "gomaxprocs: 1\npkg: github.com/robotd/robotd/behaviors/stack\nBenchmarkTick/idle-1 5 4 ns/op\n")
	if _, ok := r.of("behaviors/stack:Tick/idle-1", "ns/op"); !ok {
		t.Errorf("%v", r.values)
	}
}

// Each goal names a benchmark in the source of its package: a renamed one would leave its row empty.
func TestEveryGoalNamesABenchmarkThatExists(t *testing.T) {
	for _, g := range goals {
		pkg, name, _ := strings.Cut(g.key, ":")
		name, _, _ = strings.Cut(name, "/")
		if !declares(t, "../../"+pkg, "func Benchmark"+name+"(") {
			t.Errorf("%s has no Benchmark%s", pkg, name)
		}
	}
}

func declares(t *testing.T, dir, text string) bool {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		src, err := os.ReadFile(dir + "/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(src), text) {
			return true
		}
	}
	return false
}
