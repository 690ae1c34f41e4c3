package stacktest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors/stack"
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
func ParseTree(lines []string) (Tree, error) {
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

func (t *Tree) parse(line string) error {
	words := strings.Fields(line)
	switch {
	case strings.Contains(line, ":"):
		return ParseScript(line, t.Scripts)
	case words[0] == "idle":
		t.Idle = append(t.Idle, words[1:]...)
		return nil
	case words[0] == "failures" && len(words) == 2:
		_, err := fmt.Sscan(words[1], &t.Failures)
		return err
	case len(words) > 2 && words[1] == "->":
		t.Delegates[words[0]] = append(t.Delegates[words[0]], words[2:]...)
		words = slices.Delete(words, 1, 2)
	case len(words) > 2 && words[1] == "~>":
		t.Links[words[0]] = append(t.Links[words[0]], words[2:]...)
		words = slices.Delete(words, 1, 2)
	case len(words) > 1:
		return fmt.Errorf("tree line %q is none of the known forms", line)
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
