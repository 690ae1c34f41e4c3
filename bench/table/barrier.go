package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/robotd/robotd/bench"
)

// sizes are the numbers of units.
var sizes = []int{10, 100, 161, 1000}

// cpuTime is the unit of processor time for each unit and tick. It is the same as by the clock on a quiet machine for what runs one at a
// time, and still true on a busy one.
const cpuTime = "cpu-ns/unit"

// barrierRows are the runtimes at each size, the fastest first.
func barrierRows(r *run, peers []bench.Peer) []row {
	var rows []row
	for _, n := range sizes {
		own, _ := r.of(fmt.Sprintf("bench:Barrier/%s/%d", bench.Ours, n), "ns/unit")
		var group []row
		for _, p := range peers {
			group = append(group, barrierRow(r, p, n, own.median))
		}
		slices.SortStableFunc(group, func(a, b row) int { return cmp.Compare(a.order, b.order) })
		rows = append(rows, group...)
	}
	return rows
}

// askRows are the runtimes that are asked, at each size, the fastest first.
func askRows(r *run, peers []bench.AskPeer) []row {
	var rows []row
	for _, n := range sizes {
		at := func(name string) string { return fmt.Sprintf("bench:Ask/%s/%d", name, n) }
		own, _ := r.of(at(bench.Ours), cpuTime)
		var group []row
		for _, p := range peers {
			group = append(group, peerRow(r, "ask", p.Name+": "+p.What+", "+isolation(p.Isolated), at(p.Name), cpuTime, n, own.median))
		}
		for _, kind := range bench.BTCPPKinds {
			name := bench.BTCPPName(kind)
			group = append(group, peerRow(r, "ask", name+": a condition node, "+isolation(false), at(name), cpuTime, n, own.median))
		}
		slices.SortStableFunc(group, func(a, b row) int { return cmp.Compare(a.order, b.order) })
		rows = append(rows, group...)
	}
	return rows
}

func barrierRow(r *run, p bench.Peer, n int, own float64) row {
	return peerRow(r, "barrier", p.Name+": "+kind(p), fmt.Sprintf("bench:Barrier/%s/%d", p.Name, n), "ns/unit", n, own)
}

// peerRow is a row of a peer: time for each unit, and its ratio to robotd's own.
func peerRow(r *run, goal, what, key, unit string, n int, own float64) row {
	out := row{goal: goal, what: what + r.whence(key), n: fmt.Sprint(n)}
	m, ok := r.of(key, unit)
	if !ok {
		return out
	}
	out.order = m.median
	out.measured = figure(m.median) + " ns/unit"
	out.spread = figure(m.low) + "–" + figure(m.high)
	if own > 0 {
		out.ratio = figure(m.median/own) + " × " + bench.Ours
	}
	if a, ok := r.of(key, "allocs/tick"); ok {
		out.allocs = figure(a.median)
	}
	return out
}

// kind describes the order and the isolation that a peer provides.
func kind(p bench.Peer) string {
	if p.Ordered {
		return "one at a time, " + isolation(p.Isolated)
	}
	return "all at once, " + isolation(p.Isolated)
}

func isolation(isolated bool) string {
	if isolated {
		return "a panic is contained"
	}
	return "a panic ends the process"
}
