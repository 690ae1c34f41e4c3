package main

import "fmt"

// A goal is one row about a goal of the project: a measured value and its limit, if it has one.
type goal struct {
	id, what  string
	key, unit string  // where it is measured
	over      string  // where its divisor is measured, in the same unit; empty = it is no ratio
	minus     string  // where what is taken off it is measured, in the same unit; empty = nothing is
	limit     float64 // in units of show
	show      string  // unit of the row; empty = unit
	scale     float64 // from unit to show; 0 = 1
	bare      bool    // there is no limit
	least     bool    // the limit is the least, not the most
	checked   bool    // the benchmark fails if the goal is missed, whatever it measures
}

// runtimesOwn allocations for each tick are none of the robot's: the garbage collector and the benchmark itself make a few in a run.
const runtimesOwn = 0.1

// goals are the rows in their order. The limits were set before anything was measured.
var goals = []goal{
	{id: "M1", what: "update through actors, whole tick, 161, per behavior", key: "bench:Barrier/robotd/161", unit: "cpu-ns/unit", limit: 40, show: "ns"},
	{id: "M1", what: "the same with 1000", key: "bench:Barrier/robotd/1000", unit: "cpu-ns/unit", limit: 40, show: "ns"},
	{id: "M1", what: "allocations of such a tick, 161, supervisor, inbox and metrics included", key: "bench:Barrier/robotd/161", unit: "allocs/tick", limit: runtimesOwn, show: "allocs"},
	{id: "M1b", what: "ask through actors, whole tick, 161, per delegate", key: "bench:Ask/robotd/161", unit: "cpu-ns/unit", limit: 150, show: "ns"},
	{id: "M1b", what: "the same over BehaviorTree.CPP's sequence", key: "bench:Ask/robotd/161", over: btcpp("sequence", 161), unit: "cpu-ns/unit", limit: 1, show: "times"},
	{id: "M1b", what: "the same with 1000", key: "bench:Ask/robotd/1000", over: btcpp("sequence", 1000), unit: "cpu-ns/unit", limit: 1, show: "times"},
	{id: "M1b", what: "allocations of such a tick, 161, supervisor, inbox and metrics included", key: "bench:Ask/robotd/161", unit: "allocs/tick", limit: runtimesOwn, show: "allocs"},
	{id: "M1b", what: "ask by direct call, 161, per delegate", key: "bench:Ask/robotd-direct/161", unit: "cpu-ns/unit", limit: 60, show: "ns"},
	{id: "M1b", what: "realistic tick: 161 compounds of three, an animation, twelve devices, per delegate", key: "bench:Realistic/robotd/161", unit: "cpu-ns/unit", limit: 250, show: "ns"},
	{id: "M1b", what: "allocations of a realistic tick", key: "bench:Realistic/robotd/161", unit: "allocs/tick", show: "allocs", bare: true},
	{id: "M2", what: "bare stack by direct call, per behavior with an Update, 1000", key: "behaviors/stack:Tick/updating-1000", unit: "ns/behavior", limit: 20, show: "ns"},
	{id: "M2", what: "whole engine by direct call, per behavior with an Update, 161", key: "actors/barrier:Tick/direct/161", unit: "ns/behavior", limit: 20, show: "ns"},
	{id: "M2", what: "the same with 1000", key: "actors/barrier:Tick/direct/1000", unit: "ns/behavior", limit: 20, show: "ns"},
	{id: "M3", what: "idle behavior in scope, 1000", key: "behaviors/stack:Tick/idle-1000", unit: "ns/behavior", limit: 5, show: "ns"},
	{id: "M4", what: "a hook blocks in the walk: tick over its budget, median", key: "actors/barrier:Hang/walk/block", unit: "over-p50-us", limit: 1000, show: "µs"},
	{id: "M4", what: "a hook blocks in the walk: p99", key: "actors/barrier:Hang/walk/block", unit: "over-p99-us", limit: 1000, show: "µs"},
	{id: "M4", what: "a hook blocks in the walk: worst", key: "actors/barrier:Hang/walk/block", unit: "over-max-us", limit: 1000, show: "µs"},
	{id: "M4", what: "a hook blocks in the in-scope pass: tick over its budget, median", key: "actors/barrier:Hang/scope/block", unit: "over-p50-us", limit: 1000, show: "µs"},
	{id: "M4", what: "a hook blocks in the in-scope pass: p99", key: "actors/barrier:Hang/scope/block", unit: "over-p99-us", limit: 1000, show: "µs"},
	{id: "M4", what: "a hook blocks in the in-scope pass: worst", key: "actors/barrier:Hang/scope/block", unit: "over-max-us", limit: 1000, show: "µs"},
	{id: "M4", what: "a hook spins in the walk: tick over its budget, median", key: "actors/barrier:Hang/walk/spin", unit: "over-p50-us", limit: 1000, show: "µs"},
	{id: "M4", what: "a hook spins in the walk: p99, above a bare thread beside one that spins", key: "actors/barrier:Hang/walk/spin", minus: "actors/barrier:Hang/bare", unit: "over-p99-us", limit: 1000, show: "µs"},
	{id: "M4", what: "a hook spins in the walk: worst, above it, at most one tick of the kernel", key: "actors/barrier:Hang/walk/spin", minus: "actors/barrier:Hang/bare", unit: "over-max-us", limit: 4000, show: "µs"},
	{id: "M4", what: "a hook spins in the in-scope pass: tick over its budget, median", key: "actors/barrier:Hang/scope/spin", unit: "over-p50-us", limit: 1000, show: "µs"},
	{id: "M4", what: "a hook spins in the in-scope pass: p99, above a bare thread beside one that spins", key: "actors/barrier:Hang/scope/spin", minus: "actors/barrier:Hang/bare", unit: "over-p99-us", limit: 1000, show: "µs"},
	{id: "M4", what: "a hook spins in the in-scope pass: worst, above it, at most one tick of the kernel", key: "actors/barrier:Hang/scope/spin", minus: "actors/barrier:Hang/bare", unit: "over-max-us", limit: 4000, show: "µs"},
	{id: "M4", what: "a bare thread beside one that spins: the machine's own share, p99", key: "actors/barrier:Hang/bare", unit: "over-p99-us", show: "µs", bare: true},
	{id: "M4", what: "a bare thread beside one that spins: worst", key: "actors/barrier:Hang/bare", unit: "over-max-us", show: "µs", bare: true},
	{id: "M4", what: "a bare thread that looks every millisecond there: p99", key: "actors/barrier:Hang/bare-looks", unit: "over-p99-us", show: "µs", bare: true},
	{id: "M4", what: "a bare thread that looks every millisecond there: worst", key: "actors/barrier:Hang/bare-looks", unit: "over-max-us", show: "µs", bare: true},
	{id: "M6", what: "behavior back after a panic, median", key: "actors:Panic/behavior", unit: "back-p50-us", limit: 50, show: "µs"},
	{id: "M6", what: "behavior back after a panic, p99", key: "actors:Panic/behavior", unit: "back-p99-us", limit: 50, show: "µs"},
	{id: "M6", what: "action over after a panic, p99", key: "actors:Panic/action", unit: "back-p99-us", limit: 50, show: "µs"},
	{id: "M6", what: "driver back after a panic, p99", key: "actors:Panic/driver", unit: "back-p99-us", limit: 150, show: "µs"},
	{id: "M13", what: "tick begins late, p99, no load of ours", key: "actors:Wake/idle", unit: "late-p99-us", limit: 250, show: "µs"},
	{id: "M13", what: "p99 beside a spinning goroutine per core", key: "actors:Wake/goroutines", unit: "late-p99-us", limit: 250, show: "µs"},
	{id: "M13", what: "p99 beside a spinning process per core", key: "actors:Wake/processes", unit: "late-p99-us", limit: 250, show: "µs"},
	{id: "M13", what: "p99 there with a real-time thread", key: "actors:Wake/realtime", unit: "late-p99-us", limit: 100, show: "µs"},
	{id: "M13", what: "p99 of when its work began there", key: "actors:Wake/realtime", unit: "begun-p99-us", show: "µs", bare: true},
	{id: "M13", what: "p99 of when its work began without it", key: "actors:Wake/processes", unit: "begun-p99-us", show: "µs", bare: true},
	{id: "M13", what: "drift: a deadline farthest off its grid in 2 s, skipped ones counted", key: "actors:Wake/processes", unit: "drift-us", show: "µs"},
	{id: "M16", what: "process start to first tick, 350 behaviors, tick of 60 ms", key: "cmd/robotd:Start/period=60ms", unit: "start-p50-ms", limit: 50, show: "ms"},
	{id: "M16", what: "the same with a tick of 1 ms", key: "cmd/robotd:Start/period=1ms", unit: "start-p50-ms", limit: 50, show: "ms"},
	{id: "M16", what: "binary", key: "cmd/robotd:Start/period=60ms", unit: "binary-MB", limit: 30, show: "MB"},
	{id: "M17", what: "chain of 10 delegations, cancelled and complete in each tick", key: "actors:Chain/10", unit: "ns/op", show: "µs", scale: 1e-3, bare: true, checked: true},
	{id: "M17", what: "chain of 63 (64 layers), cancelled and complete in each tick", key: "actors:Chain/63", unit: "ns/op", show: "µs", scale: 1e-3, bare: true, checked: true},
	{id: "M18", what: "an hour of the shipped robot in virtual time, drivers, chips and world included", key: "cmd/robotd/internal/headless:Life/60min", unit: "×real-time", limit: 1500, least: true, show: "× real time"},
	{id: "M18", what: "the same for five minutes, which the start is a larger part of", key: "cmd/robotd/internal/headless:Life/5min", unit: "×real-time", limit: 1500, least: true, show: "× real time"},
	{id: "M19", what: "memory per behavior with definition and actor", key: "actors:Memory", unit: "B/behavior", limit: 2000, show: "B"},
	{id: "M21", what: "processor at 100 Hz, 1000 in scope, all work", key: "actors:CPU/live/all", unit: "%core", limit: 5, show: "% of a core"},
	{id: "M21", what: "a tenth works, above a bare Go ticker", key: "actors:CPU/live/tenth", minus: "actors:CPU/floor", unit: "%core", limit: 0.5, show: "% of a core"},
	{id: "M21", what: "none works", key: "actors:CPU/live/none", unit: "%core", show: "% of a core", bare: true},
	{id: "M21", what: "a bare Go ticker at 100 Hz: the machine's own share", key: "actors:CPU/floor", unit: "%core", show: "% of a core", bare: true},
	{id: "M21", what: "without waking up, in virtual time, all work", key: "actors:CPU/virtual/all", unit: "%core", limit: 5, show: "% of a core"},
	{id: "M21", what: "the same, a tenth works", key: "actors:CPU/virtual/tenth", unit: "%core", limit: 0.5, show: "% of a core"},
	{id: "M22", what: "allocations of a tick of the shipped robot, all of the process", key: "cmd/robotd/internal/headless:Life/60min", unit: "allocs/tick", limit: 50, show: "allocs"},
	{id: "M23", what: "start with one behavior of 4096 delegates: read, build, first tick", key: "actors:StartMany/4096", unit: "start-p50-ms", limit: 20, show: "ms"},
}

// A row is one printed line of the table. Measured is empty if the run has no such benchmark.
type row struct {
	goal, what, n, measured, spread, allocs, target, ratio, verdict string
	order                                                           float64
}

func goalRows(r *run) []row {
	var rows []row
	for _, g := range goals {
		rows = append(rows, g.row(r))
	}
	return rows
}

func (g goal) row(r *run) row {
	scale := g.scale
	if scale == 0 {
		scale = 1
	}
	out := row{goal: g.id, what: g.what}
	if !g.bare {
		sign := "≤"
		if g.least {
			sign = "≥"
		}
		out.target = fmt.Sprintf("%s %s %s", sign, figure(g.limit), g.show)
	}
	m, ok := r.of(g.key, g.unit)
	if !ok {
		return out
	}
	if g.over != "" {
		d, ok := r.of(g.over, g.unit)
		if !ok {
			return out
		}
		m = measure{m.median / d.median, m.low / d.high, m.high / d.low}
		out.what += r.whence(g.over)
	}
	if g.minus != "" {
		d, ok := r.of(g.minus, g.unit)
		if !ok {
			return out
		}
		m = measure{m.median - d.median, m.low - d.high, m.high - d.low}
	}
	out.measured = figure(m.median*scale) + " " + g.show
	out.spread = figure(m.low*scale) + "–" + figure(m.high*scale)
	if g.bare {
		if g.checked {
			out.verdict = "met"
		}
		return out
	}
	if g.limit > 0 {
		out.ratio = figure(m.median*scale/g.limit) + " of target"
	}
	out.verdict = "**missed**"
	if v := m.median * scale; v <= g.limit && !g.least || v >= g.limit && g.least {
		out.verdict = "met"
	}
	return out
}
