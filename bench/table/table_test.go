package main

import (
	"os"
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
BenchmarkTick/actors/1000-2   100  150000 ns/op  150 ns/behavior  0 B/op  0 allocs/op
BenchmarkHang/walk/block-2  3  900 over-max-us  300 over-p50-us
pkg: github.com/robotd/robotd/actors
BenchmarkChain/10-2  3  50000 ns/op
PASS
pkg: github.com/robotd/robotd/behaviors/stack
BenchmarkTick/idle-1000-2  100  4000 ns/op  4 ns/behavior
pkg: github.com/robotd/robotd/bench
BenchmarkBarrier/robotd/10-2  100  2000 ns/op  200 ns/unit  8 allocs/op
BenchmarkBarrier/calls/10-2  100  20 ns/op  2 ns/unit  0 allocs/op
pkg: github.com/robotd/robotd/actors/barrier
BenchmarkTick/actors/1000-2   100  90000 ns/op  90 ns/behavior  0 B/op  0 allocs/op
BenchmarkTick/actors/1000-2   100  80000 ns/op  80 ns/behavior  0 B/op  0 allocs/op
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
		{goal: "M1", what: "whole tick through actors, 1000 in scope", measured: "90 µs", spread: "80–150", target: "≤ 100 µs", ratio: "0.9 of target", verdict: "met"},
		{goal: "M1", what: "allocations of a tick, 1000 in scope", measured: "0 allocs", spread: "0–0", target: "≤ 0 allocs", verdict: "met"},
		{goal: "M3", what: "idle behavior in scope, 1000", measured: "4 ns", spread: "4–4", target: "≤ 5 ns", ratio: "0.8 of target", verdict: "met"},
		{goal: "M4", what: "a hook blocks in the walk: worst", measured: "1000 µs", spread: "900–1100", target: "≤ 1000 µs", ratio: "1 of target", verdict: "met"},
		{goal: "M17", what: "chain of 10 delegations, cancelled and complete in each tick", measured: "50 µs", spread: "50–50", verdict: "met"},
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
	for _, line := range []string{"--- FAIL: BenchmarkTick", "panic: broken", "BenchmarkTick 3", "BenchmarkTick 3 x ns/op"} {
		if _, err := read(strings.NewReader(sample + line + "\n")); err == nil || !strings.Contains(err.Error(), "line 22") {
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
