package stacktest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/resources/tracetest"
)

// A Tree describes behaviors by ID.
type Tree struct {
	Base      string
	IDs       []string // sorted
	Delegates map[string][]string
	Links     map[string][]string
	Idle      []string // without an Update of their own
	Scripts   Scripts  // of Init
	Failures  int      // see Host.MaxFailures
}

// ParseTree reads the lines of a tree:
//
//	R -> A B       R may delegate to A and B; the first name of all is the base
//	A ~> X         X shares scope with A
//	X              a behavior without edges
//	idle X         X has no Update of its own
//	failures 1     the second failure of a behavior disables it
//	A.Init: fail   what Init does
func ParseTree(lines []tracetest.Line) (Tree, error) {
	t := Tree{Delegates: map[string][]string{}, Links: map[string][]string{}, Scripts: Scripts{}}
	for _, line := range lines {
		if err := t.parse(line); err != nil {
			return t, err
		}
	}
	slices.Sort(t.IDs)
	t.IDs = slices.Compact(t.IDs)
	if t.Base == "" {
		return t, fmt.Errorf("tree without a base")
	}
	return t, nil
}

// TreeOf reads a tree from text whose lines end with ";". A mistake panics.
func TreeOf(text string) Tree {
	var lines []tracetest.Line
	for line := range strings.SplitSeq(text, ";") {
		lines = append(lines, tracetest.Line{File: "tree", No: len(lines) + 1, Text: strings.TrimSpace(line)})
	}
	t, err := ParseTree(lines)
	if err != nil {
		panic(err)
	}
	return t
}

func (t *Tree) parse(line tracetest.Line) error {
	words := strings.Fields(line.Text)
	switch {
	case tracetest.IsScript(line.Text):
		return tracetest.Common(nil).Parse(line, t.Scripts)
	case words[0] == "idle":
		t.Idle = append(t.Idle, words[1:]...)
		return nil
	case words[0] == "failures" && len(words) == 2:
		n, err := strconv.Atoi(words[1])
		if err != nil || n < 1 {
			return line.Errorf("failures: want a positive number, not %q", words[1])
		}
		t.Failures = n
		return nil
	case len(words) > 2 && words[1] == "->":
		t.Delegates[words[0]] = append(t.Delegates[words[0]], words[2:]...)
		words = slices.Delete(words, 1, 2)
	case len(words) > 2 && words[1] == "~>":
		t.Links[words[0]] = append(t.Links[words[0]], words[2:]...)
		words = slices.Delete(words, 1, 2)
	case len(words) > 1:
		return line.Errorf("tree line %q is none of: A -> B, A ~> B, A, idle A, failures N, A.Init: step", line.Text)
	}
	if t.Base == "" {
		t.Base = words[0]
	}
	t.IDs = append(t.IDs, words...)
	return nil
}

// Nodes makes the nodes of a tree, by ID, with delegates and links set.
func (t Tree) Nodes() []*stack.Node {
	nodes := make([]*stack.Node, 0, len(t.IDs))
	find := map[string]*stack.Node{}
	for _, id := range t.IDs {
		n := &stack.Node{ID: id, Updates: !slices.Contains(t.Idle, id)}
		nodes = append(nodes, n)
		find[id] = n
	}
	all := func(ids []string) []*stack.Node {
		var of []*stack.Node
		for _, id := range ids {
			of = append(of, find[id])
		}
		return of
	}
	for _, n := range nodes {
		if err := n.SetDelegates(all(t.Delegates[n.ID]), all(t.Links[n.ID])); err != nil {
			panic(err) // a mistake of the test
		}
	}
	return nodes
}
