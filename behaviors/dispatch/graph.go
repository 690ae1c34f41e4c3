package dispatch

import (
	"github.com/robotd/robotd/resources"
)

// A graph is a piecewise linear function, constant beyond both ends. Two nodes at one x are a step, which has the value of
// the later node at x itself (spec/data.md §5.2).
type graph []node

type node struct{ x, y float64 }

// maxNodes bounds a graph: whoever needs more wants a formula.
const maxNodes = 64

// maxCoordinate bounds the numbers of a graph, so that no slope overflows.
const maxCoordinate = 1e9

// readGraph reads {"nodes": [{"x": 0, "y": 1}, …]} of at least so many nodes. After a mistake it is nil.
func readGraph(o *resources.Object, least int) graph {
	defer o.Finish()
	list := o.Objects("nodes")
	if !o.Has("nodes") {
		return nil
	}
	if len(list) < least || len(list) > maxNodes {
		o.KeyErrorf("nodes", resources.CodeKeyRange, "has %d nodes; a graph here has %d to %d", len(list), least, maxNodes)
		return nil
	}
	g := make(graph, 0, len(list))
	for _, n := range list {
		p := node{n.FloatRange("x", -maxCoordinate, maxCoordinate), n.FloatRange("y", -maxCoordinate, maxCoordinate)}
		if last := len(g) - 1; last >= 0 && p.x < g[last].x {
			n.KeyErrorf("x", resources.CodeKeyRange, "%g is left of the node before it at %g; sort the nodes by x", p.x, g[last].x)
		}
		n.Finish()
		g = append(g, p)
	}
	return g
}

// readGraphOr reads an optional graph; nil if it is absent.
func readGraphOr(o *resources.Object, key string) graph {
	sub, ok := o.ObjectOr(key)
	if !ok {
		return nil
	}
	return readGraph(sub, 1)
}

// factor is the value at x, and 1 without a graph.
func (g graph) factor(x float64) float64 {
	if len(g) == 0 {
		return 1
	}
	return g.at(x)
}

// at is the value at x. The graph has a node.
func (g graph) at(x float64) float64 {
	last := len(g) - 1
	if x < g[0].x {
		return g[0].y
	}
	for i := last; i >= 0; i-- { // from the right, so that a step has its later value
		if x < g[i].x {
			continue
		}
		if i == last {
			break
		}
		a, b := g[i], g[i+1]
		return a.y + (b.y-a.y)*(x-a.x)/(b.x-a.x)
	}
	return g[last].y
}
