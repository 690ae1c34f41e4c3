package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/robotd/robotd/bench"
)

// sizes are the numbers of units.
var sizes = []int{10, 100, 161, 1000}

// ours is the peer with which the others are compared.
const ours = "robotd"

// barrierRows are the runtimes at each size, the fastest first.
func barrierRows(r *run, peers []bench.Peer) []row {
	var rows []row
	for _, n := range sizes {
		own, _ := r.of(fmt.Sprintf("bench:Barrier/%s/%d", ours, n), "ns/unit")
		var group []row
		for _, p := range peers {
			group = append(group, barrierRow(r, p, n, own.median))
		}
		slices.SortStableFunc(group, func(a, b row) int { return cmp.Compare(a.order, b.order) })
		rows = append(rows, group...)
	}
	return rows
}

func barrierRow(r *run, p bench.Peer, n int, own float64) row {
	key := fmt.Sprintf("bench:Barrier/%s/%d", p.Name, n)
	out := row{goal: "barrier", what: p.Name + ": " + kind(p), n: fmt.Sprint(n)}
	m, ok := r.of(key, "ns/unit")
	if !ok {
		return out
	}
	out.order = m.median
	out.measured = figure(m.median) + " ns/unit"
	out.spread = figure(m.low) + "–" + figure(m.high)
	if own > 0 {
		out.ratio = figure(m.median/own) + " × " + ours
	}
	if a, ok := r.of(key, "allocs/op"); ok {
		out.allocs = figure(a.median)
	}
	return out
}

// kind describes the order and the isolation that a peer provides.
func kind(p bench.Peer) string {
	order, panics := "all at once", "a panic ends the process"
	if p.Ordered {
		order = "one at a time"
	}
	if p.Isolated {
		panics = "a panic is contained"
	}
	return order + ", " + panics
}
