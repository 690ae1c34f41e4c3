package catalog

import (
	"encoding/json"
	"math/big"
	"math/bits"
	"slices"
	"strings"
)

// Stats are the numbers of the tree below a base. Only delegates count: a link leads nowhere.
type Stats struct {
	// Base is where the tree begins.
	Base string `json:"base"`
	// Nodes are the behaviors that are reached, anonymous ones and the base included; Edges lead from one to a delegate, each once.
	Nodes int `json:"nodes"`
	Edges int `json:"edges"`
	// LongestChain is the number of behaviors on the longest path.
	LongestChain int `json:"longest_chain"`
	// MaxFanOut is the largest number of delegates.
	MaxFanOut int `json:"max_fan_out"`
	// MaxInScope is the largest number of behaviors in scope at once over all stacks: the delegates of all that are on the stack, with those
	// that are linked to them. The base is nobody's delegate and does not count.
	MaxInScope int `json:"max_in_scope"`
	// AtLeast says that there were too many stacks to look at: more may be in scope at once.
	AtLeast bool `json:"max_in_scope_at_least,omitempty"`
	// ExpandedNodes is the size of the tree if shared behaviors are repeated: the number of stacks. LeafStacks are those that end at a
	// behavior without delegates.
	ExpandedNodes *big.Int `json:"expanded_nodes"`
	LeafStacks    *big.Int `json:"leaf_stacks"`
	// Unreachable are the files that define a behavior which is not reached.
	Unreachable []string `json:"unreachable"`
}

// maxStacks bounds the stacks that are looked at for MaxInScope.
const maxStacks = 1_000_000

// Stats counts the tree below a base, which must exist. A delegate that is on the path already is left out: it cannot be activated twice.
func (c *Catalog) Stats(base string) Stats {
	g := c.graph(base)
	s := Stats{Base: base, Nodes: len(g.nodes), Unreachable: []string{}}
	for i := range g.nodes {
		s.Edges += len(g.out[i])
		s.MaxFanOut = max(s.MaxFanOut, len(g.out[i]))
	}
	for _, e := range c.Entries {
		if _, reached := g.index[e.ID]; !reached && e.Owner == "" {
			s.Unreachable = append(s.Unreachable, e.File)
		}
	}
	slices.Sort(s.Unreachable)
	g.order()
	s.LongestChain, s.ExpandedNodes, s.LeafStacks = g.paths()
	s.MaxInScope, s.AtLeast = g.widest()
	return s
}

// MarshalJSON writes the big numbers as numbers, however big.
func (s Stats) MarshalJSON() ([]byte, error) {
	type plain Stats
	return json.Marshal(struct {
		plain
		ExpandedNodes json.Number `json:"expanded_nodes"`
		LeafStacks    json.Number `json:"leaf_stacks"`
	}{plain(s), json.Number(s.ExpandedNodes.String()), json.Number(s.LeafStacks.String())})
}

// A treeGraph is what a base reaches, by numbers. Node 0 is the base.
type treeGraph struct {
	cat   *Catalog
	nodes []*Entry
	index map[string]int
	out   [][]int // delegates
	down  [][]int // the same without those that lead back onto a path
	done  []int   // nodes, each after those that it leads down to

	scope []bitset // what a node puts into scope
	below []bitset // what it and all below it do
	words int
}

func (c *Catalog) graph(base string) *treeGraph {
	g := &treeGraph{cat: c, index: map[string]int{}}
	g.add(base)
	for i := 0; i < len(g.nodes); i++ {
		list := make([]int, 0, len(g.nodes[i].Delegates))
		for _, id := range slices.Compact(slices.Clone(g.nodes[i].Delegates)) {
			if n := g.add(id); n >= 0 {
				list = append(list, n)
			}
		}
		g.out = append(g.out, list)
	}
	return g
}

// add returns the number of a behavior, -1 if there is none.
func (g *treeGraph) add(id string) int {
	if n, ok := g.index[id]; ok {
		return n
	}
	e := g.cat.Find(id)
	if e == nil {
		return -1
	}
	g.index[id] = len(g.nodes)
	g.nodes = append(g.nodes, e)
	return len(g.nodes) - 1
}

// order finds what leads down, and an order from the leaves up.
func (g *treeGraph) order() {
	const open, closed = 1, 2
	state := make([]uint8, len(g.nodes))
	g.down = make([][]int, len(g.nodes))
	type frame struct{ node, next int }
	stack := []frame{{0, 0}}
	state[0] = open
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next == len(g.out[f.node]) {
			state[f.node] = closed
			g.done = append(g.done, f.node)
			stack = stack[:len(stack)-1]
			continue
		}
		to := g.out[f.node][f.next]
		f.next++
		if state[to] == open {
			continue // it leads back
		}
		g.down[f.node] = append(g.down[f.node], to)
		if state[to] == 0 {
			state[to] = open
			stack = append(stack, frame{to, 0})
		}
	}
}

// paths counts from the leaves up.
func (g *treeGraph) paths() (longest int, nodes, leaves *big.Int) {
	chain, all, ends := make([]int, len(g.nodes)), make([]*big.Int, len(g.nodes)), make([]*big.Int, len(g.nodes))
	for _, n := range g.done {
		chain[n], all[n], ends[n] = 1, big.NewInt(1), new(big.Int)
		for _, to := range g.down[n] {
			chain[n] = max(chain[n], 1+chain[to])
			all[n].Add(all[n], all[to])
			ends[n].Add(ends[n], ends[to])
		}
		if len(g.down[n]) == 0 {
			ends[n].SetInt64(1)
		}
	}
	return chain[0], all[0], ends[0]
}

// widest looks for the stack with most behaviors in scope. It leaves out the stacks that cannot have more than the best so far.
func (g *treeGraph) widest() (best int, atLeast bool) {
	g.scopes()
	left := maxStacks
	var visit func(n int, in bitset)
	visit = func(n int, in bitset) {
		left--
		in = in.or(g.scope[n])
		best = max(best, in.count())
		for _, to := range g.byBreadth(n) {
			switch {
			case left <= 0:
				atLeast = true
				return
			case in.countOr(g.below[to]) > best:
				visit(to, in)
			}
		}
	}
	visit(0, make(bitset, g.words))
	return best, atLeast
}

// byBreadth are the nodes that n leads down to, those with most below them first.
func (g *treeGraph) byBreadth(n int) []int {
	list := slices.Clone(g.down[n])
	slices.SortStableFunc(list, func(a, b int) int { return g.below[b].count() - g.below[a].count() })
	return list
}

// scopes finds what each node puts into scope: its delegates and, again and again, what is linked to them.
func (g *treeGraph) scopes() {
	all := make(map[string]int, len(g.cat.Entries))
	for i, e := range g.cat.Entries {
		all[e.ID] = i
	}
	g.words = (len(all) + 63) / 64
	g.scope, g.below = make([]bitset, len(g.nodes)), make([]bitset, len(g.nodes))
	for _, n := range g.done {
		s := make(bitset, g.words)
		todo := slices.Concat(g.nodes[n].Delegates, g.nodes[n].Links)
		for len(todo) > 0 {
			id := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if i, ok := all[id]; ok && !s.has(i) {
				s.set(i)
				todo = append(todo, g.cat.Entries[i].Links...)
			}
		}
		if i := all[g.nodes[0].ID]; s.has(i) {
			s[i/64] &^= 1 << (i % 64)
		}
		g.scope[n] = s
		below := slices.Clone(s)
		for _, to := range g.down[n] {
			below = below.or(g.below[to])
		}
		g.below[n] = below
	}
}

// A bitset is a set of numbers.
type bitset []uint64

func (b bitset) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }
func (b bitset) set(i int)      { b[i/64] |= 1 << (i % 64) }

func (b bitset) or(o bitset) bitset {
	out := make(bitset, len(b))
	for i := range b {
		out[i] = b[i] | o[i]
	}
	return out
}

func (b bitset) count() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

func (b bitset) countOr(o bitset) (n int) {
	for i := range b {
		n += bits.OnesCount64(b[i] | o[i])
	}
	return n
}

// Paths calls visit with each path of delegates from a base to a behavior that leads no further, in a fixed order, until it says no. The
// path is valid during the call.
func (c *Catalog) Paths(base string, visit func(path []string) bool) {
	g := c.graph(base)
	g.order()
	var path []string
	var walk func(n int) bool
	walk = func(n int) bool {
		path = append(path, g.nodes[n].ID)
		defer func() { path = path[:len(path)-1] }()
		if len(g.down[n]) == 0 {
			return visit(path)
		}
		for _, to := range g.down[n] {
			if !walk(to) {
				return false
			}
		}
		return true
	}
	walk(0)
}

// Below returns the catalog of what a base reaches by delegates and links, with that base.
func (c *Catalog) Below(base string) *Catalog {
	seen := map[string]bool{}
	todo := []string{base}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if e := c.Find(id); e != nil && !seen[id] {
			seen[id] = true
			todo = append(append(todo, e.Delegates...), e.Links...)
		}
	}
	out := *c
	out.Boot.Base = base
	out.Entries = slices.DeleteFunc(slices.Clone(c.Entries), func(e *Entry) bool { return !seen[e.ID] })
	return &out
}

// lines are the numbers for people.
func (s Stats) lines() [][2]string {
	inScope := big.NewInt(int64(s.MaxInScope)).String()
	if s.AtLeast {
		inScope = "at least " + inScope
	}
	number := func(n int) string { return big.NewInt(int64(n)).String() }
	return [][2]string{
		{"base", s.Base},
		{"nodes", number(s.Nodes)},
		{"edges", number(s.Edges)},
		{"longest_chain", number(s.LongestChain)},
		{"max_fan_out", number(s.MaxFanOut)},
		{"max_in_scope", inScope},
		{"expanded_nodes", s.ExpandedNodes.String()},
		{"leaf_stacks", s.LeafStacks.String()},
		{"unreachable", number(len(s.Unreachable))},
	}
}

// String has one number a line.
func (s Stats) String() string {
	var b strings.Builder
	for _, l := range s.lines() {
		b.WriteString(l[0] + strings.Repeat(" ", 16-len(l[0])) + l[1] + "\n")
	}
	return b.String()
}
