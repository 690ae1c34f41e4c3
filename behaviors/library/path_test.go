package library_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
)

// maxPaths bounds the walk over the tree.
const maxPaths = 100_000

// walker goes down every path of delegates of the shipped tree, on the top, for each of its
// delegates: ask, delegate, go on from there, cancel.
type walker struct {
	t     *testing.T
	s     *stack.Stack
	path  []string
	seen  map[string]bool
	paths int
}

// Every path of the shipped tree can be delegated down, also through behaviors that several lists name. The stack's invariants hold, and
// every behavior is on a path. Here every behavior answers yes and does nothing.
// Rules: 6.3/DumpBehaviorTreeBranchesToFile, 5/Reaction, DT-T01.
func TestEveryPathOfTheShippedTreeCanBeDelegated(t *testing.T) {
	cat := shipped(t)
	seen := map[string]bool{}
	paths := 0
	for _, root := range cat.Boot.Roots() {
		paths += walkFrom(t, cat, root, seen)
	}
	for _, e := range cat.Entries {
		if !seen[e.ID] {
			t.Errorf("%s is on no path", e.ID)
		}
	}
	if paths < len(cat.Entries)/2 {
		t.Errorf("only %d paths", paths)
	}
}

// walkFrom walks the tree below a base and returns the number of its paths.
func walkFrom(t *testing.T, cat *catalog.Catalog, root string, seen map[string]bool) int {
	nodes := map[string]*stack.Node{}
	var all []*stack.Node
	for _, e := range cat.Entries {
		n := &stack.Node{ID: e.ID}
		nodes[e.ID] = n
		all = append(all, n)
	}
	of := func(ids []string) (list []*stack.Node) {
		for _, id := range ids {
			list = append(list, nodes[id])
		}
		return list
	}
	for _, e := range cat.Entries {
		if err := nodes[e.ID].SetDelegates(of(e.Delegates), of(e.Links)); err != nil {
			t.Fatal(err)
		}
	}
	host := &stacktest.Host{Body: func(*stack.Node, stack.Hook) (bool, error) { return true, nil }}
	s, err := stack.New(host, all)
	if err != nil {
		t.Fatal(err)
	}
	host.Stack = s
	s.Init()
	s.Configure(nodes[root])
	s.Begin(1)
	s.Walk()
	if s.Depth() != 1 {
		t.Fatalf("%d behaviors are activated without a delegation", s.Depth())
	}
	before := stacktest.State(s)
	seen[root] = true
	w := &walker{t: t, s: s, path: []string{root}, seen: seen}
	w.walk()
	if after := stacktest.State(s); after != before {
		t.Errorf("the walk leads from %q to %q", before, after)
	}
	s.Scope()
	if bad := s.Violations(); len(bad) > 0 {
		t.Errorf("%q", bad)
	}
	return w.paths
}

func (w *walker) walk() {
	top := w.s.Top()
	if len(top.Delegates()) == 0 {
		w.paths++
	}
	if w.paths > maxPaths {
		w.t.Fatalf("more than %d paths", maxPaths)
	}
	for _, d := range top.Delegates() {
		if wants, refusal := w.s.Ask(top, d); !wants || refusal != nil {
			w.t.Fatalf("%s: %s: %v", strings.Join(w.path, "/"), d.ID, refusal)
		}
		if refusal := w.s.Delegate(top, d); refusal != nil {
			w.t.Fatalf("%s: %v", strings.Join(w.path, "/"), refusal)
		}
		w.seen[d.ID] = true
		w.path = append(w.path, d.ID)
		w.walk()
		w.path = w.path[:len(w.path)-1]
		if any, refusal := w.s.CancelDelegates(top); !any || refusal != nil {
			w.t.Fatalf("%s: %s did not end: %v", strings.Join(w.path, "/"), d.ID, refusal)
		}
	}
}
