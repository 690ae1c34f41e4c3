package path

import (
	"math"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/spatial/r2"
)

// Limits of a grid.
const (
	cellMM   = 20.0
	maxCells = 12_000 // the cells grow until there are no more
	marginMM = 500.0  // around start and goals
)

// A grid is the graph of a search: cells with eight neighbors each, and one node behind all goals. Its nodes and edges come in a fixed
// order, so a search ends the same way each time.
type grid struct {
	s       *scene
	corner  r2.Vec // middle of cell 0
	cell    float64
	columns int64
	rows    int64
	known   []cellState
	goals   []gridGoal // those that can be reached
}

type cellState uint8

const (
	cellUnknown cellState = iota
	cellFree
	cellTaken
)

type gridGoal struct {
	index int   // of the question
	node  int64 // its cell
}

// newGrid lays a grid over start and goals so that the start is in the middle of a cell.
func newGrid(s *scene, goals []int) *grid {
	low, high := s.start, s.start
	for _, k := range goals {
		g := s.goals[k]
		low, high = r2.Vec{X: min(low.X, g.X), Y: min(low.Y, g.Y)}, r2.Vec{X: max(high.X, g.X), Y: max(high.Y, g.Y)}
	}
	g := &grid{s: s, cell: cellMM}
	for ; ; g.cell *= 1.25 {
		left, below := math.Ceil((s.start.X-low.X+marginMM)/g.cell), math.Ceil((s.start.Y-low.Y+marginMM)/g.cell)
		g.columns = int64(left + math.Ceil((high.X-s.start.X+marginMM)/g.cell) + 1)
		g.rows = int64(below + math.Ceil((high.Y-s.start.Y+marginMM)/g.cell) + 1)
		if g.columns*g.rows <= maxCells {
			g.corner = r2.Vec{X: s.start.X - left*g.cell, Y: s.start.Y - below*g.cell}
			break
		}
	}
	g.known = make([]cellState, g.columns*g.rows)
	for _, k := range goals {
		g.goals = append(g.goals, gridGoal{k, g.nodeAt(s.goals[k])})
	}
	for _, k := range g.goals { // a goal may lie where the middle of its cell does not
		g.known[k.node] = cellFree
	}
	g.known[g.nodeAt(s.start)] = cellFree
	return g
}

func (g *grid) nodeAt(p r2.Vec) int64 {
	x, y := math.Round((p.X-g.corner.X)/g.cell), math.Round((p.Y-g.corner.Y)/g.cell)
	return int64(y)*g.columns + int64(x)
}

// sink is the node behind all goals.
func (g *grid) sink() int64 { return g.columns * g.rows }

// at is the middle of a cell.
func (g *grid) at(node int64) r2.Vec {
	return r2.Add(g.corner, r2.Vec{X: float64(node%g.columns) * g.cell, Y: float64(node/g.columns) * g.cell})
}

func (g *grid) free(node int64) bool {
	if g.known[node] == cellUnknown {
		g.known[node] = cellTaken
		if g.s.free(g.at(node)) {
			g.known[node] = cellFree
		}
	}
	return g.known[node] == cellFree
}

// From implements traverse.Graph.
func (g *grid) From(id int64) graph.Nodes {
	if id == g.sink() {
		return graph.Empty
	}
	nodes := make([]graph.Node, 0, 9)
	for _, k := range g.goals {
		if k.node == id {
			nodes = append(nodes, simple.Node(g.sink()))
			break
		}
	}
	x, y := id%g.columns, id/g.columns
	for dy := int64(-1); dy <= 1; dy++ {
		for dx := int64(-1); dx <= 1; dx++ {
			u, v := x+dx, y+dy
			if dx == 0 && dy == 0 || u < 0 || v < 0 || u >= g.columns || v >= g.rows {
				continue
			}
			if n := v*g.columns + u; g.free(n) {
				nodes = append(nodes, simple.Node(n))
			}
		}
	}
	return iterator.NewOrderedNodes(nodes)
}

// Edge implements traverse.Graph.
func (g *grid) Edge(u, v int64) graph.Edge { return simple.Edge{F: simple.Node(u), T: simple.Node(v)} }

// Weight implements path.Weighted: millimeters.
func (g *grid) Weight(u, v int64) (mm float64, ok bool) {
	if v == g.sink() || u == g.sink() {
		return 0, true
	}
	return r2.Norm(r2.Sub(g.at(u), g.at(v))), true
}

// left is the least way from a node to a goal.
func (g *grid) left(u, _ graph.Node) float64 {
	if u.ID() == g.sink() {
		return 0
	}
	p, least := g.at(u.ID()), math.Inf(1)
	for _, k := range g.goals {
		least = min(least, r2.Norm(r2.Sub(p, g.at(k.node))))
	}
	return least
}

// search returns the shortest way over the cells, its start left out, and the goal that it reaches; nil if there is none.
func (g *grid) search() (way []r2.Vec, goal int) {
	found, _ := path.AStar(simple.Node(g.nodeAt(g.s.start)), simple.Node(g.sink()), g, g.left)
	nodes, _ := found.To(g.sink())
	if len(nodes) < 2 {
		return nil, 0
	}
	nodes = nodes[:len(nodes)-1]
	last := nodes[len(nodes)-1].ID()
	for _, k := range g.goals {
		if k.node == last {
			goal = k.index
			break
		}
	}
	for _, n := range nodes[1:] {
		way = append(way, g.at(n.ID()))
	}
	if len(way) > 0 {
		way = way[:len(way)-1] // the goal stands for its cell
	}
	return append(way, g.s.goals[goal]), goal
}
