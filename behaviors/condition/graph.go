package condition

import (
	"cmp"
	"slices"

	"github.com/robotd/robotd/resources"
)

// CodeGraphInvalid is the code of diagnostics about graphs (data/5.2b).
const CodeGraphInvalid = "graph-invalid"

// maxNodes bounds a graph. The largest known graph has eight nodes.
const maxNodes = 64

// A Node is one corner of a [Graph].
type Node struct{ X, Y float64 }

// A Graph is a piecewise linear function: constant left of its first node and right of its last, and between two nodes
// on the line through them. Two nodes with equal X make a step; at that X the later one counts. The zero Graph has no nodes and
// is 0 everywhere. It is immutable, so that copies may be used by several goroutines.
type Graph struct{ nodes []Node }

// NewGraph returns a graph through the nodes, whose X must not decrease; otherwise it panics, because that is
// a mistake of the calling code. Files are read with [ReadGraph].
func NewGraph(nodes ...Node) Graph {
	if !slices.IsSortedFunc(nodes, func(a, b Node) int { return cmp.Compare(a.X, b.X) }) {
		panic("condition: the nodes of a graph go back in x")
	}
	return Graph{nodes: slices.Clone(nodes)}
}

// Len is the number of nodes.
func (g Graph) Len() int { return len(g.nodes) }

// Nodes lists the nodes, left to right. Not to be modified.
func (g Graph) Nodes() []Node { return g.nodes }

// At is the value at x; x may be infinite.
func (g Graph) At(x float64) float64 {
	n := len(g.nodes)
	right := 0 // the first node right of x
	for right < n && g.nodes[right].X <= x {
		right++
	}
	switch {
	case n == 0:
		return 0
	case right == 0:
		return g.nodes[0].Y
	case right == n:
		return g.nodes[n-1].Y
	}
	a, b := g.nodes[right-1], g.nodes[right]
	return a.Y + (b.Y-a.Y)*(x-a.X)/(b.X-a.X)
}

// ReadGraph reads {"nodes": [{"x": 0, "y": 1}, …]} with at least least nodes (1 or more). It reports mistakes in the list
// of o's document, and false if there was one.
func ReadGraph(o *resources.Object, least int) (Graph, bool) {
	r := &reader{Object: o}
	o.Describe("nodes", "corners of the line, from left to right")
	g := r.graph(least)
	return g, !r.bad
}

func (r *reader) graph(least int) (g Graph) {
	list := r.objects("nodes")
	switch {
	case r.bad:
	case len(list) > maxNodes:
		r.wrong("nodes", "has %d nodes, more than the limit %d", len(list), maxNodes)
	case len(list) < least:
		r.wrong("nodes", "needs at least %d nodes, found %d", least, len(list))
	}
	for i, o := range list { // every one, so that all mistakes are reported at once
		n := reader{Object: o}
		o.Describe("x", "where the corner is")
		o.Describe("y", "value there; between two corners the value lies on the line through them")
		node := Node{X: n.number("x", -maxCount, maxCount), Y: n.number("y", -maxCount, maxCount)}
		if !n.bad && i > 0 && node.X < g.nodes[i-1].X {
			n.wrong("x", "goes back: the node before is at %g", g.nodes[i-1].X)
		}
		r.bad = r.bad || n.bad
		g.nodes = append(g.nodes, node)
	}
	return g
}

// wrong reports a mistake in a graph.
func (r *reader) wrong(key, format string, args ...any) {
	r.bad = true
	r.KeyErrorf(key, CodeGraphInvalid, format, args...)
}
