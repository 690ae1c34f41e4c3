package condition_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// Linear between two nodes, constant beyond both ends, and a step where two nodes share an x.
// Rules: data/5.2a.
func TestGraphIsLinearBetweenItsNodes(t *testing.T) {
	g := condition.NewGraph(condition.Node{X: 0, Y: 1}, condition.Node{X: 2, Y: 0.5}, condition.Node{X: 2, Y: 0.2}, condition.Node{X: 4, Y: 0})
	for _, p := range []condition.Node{
		{X: math.Inf(-1), Y: 1},
		{X: -5, Y: 1},
		{X: 0, Y: 1},
		{X: 1, Y: 0.75},
		{X: 1.999999, Y: 0.5},
		{X: 2, Y: 0.2},
		{X: 2.000001, Y: 0.2},
		{X: 3, Y: 0.1},
		{X: 4, Y: 0},
		{X: 99, Y: 0},
		{X: math.Inf(1), Y: 0},
	} {
		if got := g.At(p.X); math.Abs(got-p.Y) > 1e-6 {
			t.Errorf("at %g: %g, want %g", p.X, got, p.Y)
		}
	}
	if one := condition.NewGraph(condition.Node{X: 3, Y: 7}); one.At(-1) != 7 || one.At(3) != 7 || one.At(9) != 7 {
		t.Error("a single node is no constant")
	}
	if (condition.Graph{}).At(1) != 0 || g.Len() != 4 {
		t.Error("the zero graph, or the number of nodes")
	}
	if with := panicked(func() { condition.NewGraph(condition.Node{X: 1}, condition.Node{X: 0}) }); with == nil {
		t.Error("a graph that goes back")
	}
}

// A mistake in a graph is reported at its place, and no graph is returned.
// Rules: data/5.2b.
func TestGraphMistakesAreReportedAtTheirPlace(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`{"nodes": [{"x": 0, "y": 1}, {"x": 0, "y": 2}]}`, ""},
		{`{"nodez": []}`, `g.json:1:2: error: unknown key "nodez"; did you mean "nodes"?`},
		{`{"nodes": []}`, `g.json:1:11: error: nodes: the list is empty`},
		{`{"nodes": [{"x": 0, "y": 1}]}`, `g.json:1:11: error: nodes: needs at least 2 nodes, found 1`},
		{`{"nodes": [{"x": 1, "y": 1}, {"x": 0.5, "y": 1}]}`, `g.json:1:36: error: nodes[1].x: goes back: the node before is at 1`},
		{`{"nodes": [{"x": 1, "y": "a"}, {"x": 2}]}`, `g.json:1:26: error: nodes[0].y: want a number, found the string "a"` +
			"\n" + `g.json:1:32: error: required key "y" is missing in nodes[1]`},
		{fmt.Sprintf(`{"nodes": [%s{"x": 0, "y": 1}]}`, strings.Repeat(`{"x": 0, "y": 1},`, 64)), `g.json:1:11: error: nodes: has 65 nodes, more than the limit 64`},
	} {
		doc, _ := resources.Parse("g.json", []byte(c.src))
		g, ok := condition.ReadGraph(doc.Root(), 2)
		doc.Finish()
		if got := doc.Diagnostics().String(); got != c.want || ok != (c.want == "") {
			t.Errorf("%.60s: %v\n got %s\nwant %s", c.src, ok, got, c.want)
		}
		if ok && g.Len() != 2 {
			t.Errorf("%s: %d nodes", c.src, g.Len())
		}
	}
}
