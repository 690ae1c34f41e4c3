package stack

import (
	"cmp"
	"slices"
)

// maxDepth bounds delegation. The deepest known tree has 18 layers; 64 leave room and fit one screen of the page.
const maxDepth = 64

// maxNodes bounds the behaviors of a stack.
const maxNodes = 4096

// A Layer is a stack entry with the snapshot taken when it was pushed (L-10).
type Layer struct {
	node      *Node
	delegates []*Node
	linked    []*Node
}

// Node is the behavior of the layer.
func (l *Layer) Node() *Node { return l.node }

// Delegates is the snapshot of its delegates, by ID.
func (l *Layer) Delegates() []*Node { return l.delegates }

func (l *Layer) lists(n *Node) bool {
	_, ok := slices.BinarySearchFunc(l.delegates, n.ID, byID)
	return ok
}

// snapshot takes the layer of n: its delegates and, for each of them, the transitive closure of links (L-7.1, L-20).
func snapshot(n *Node, delegates []*Node) Layer {
	return Layer{node: n, delegates: delegates, linked: closure(delegates)}
}

// wouldCycle reports whether the layer, not pushed yet, lists its own behavior or one on the stack. Popping it would take scope from a
// behavior in the middle of its activation (L-36).
func (l *Layer) wouldCycle() bool {
	for _, n := range l.delegates {
		if n.state == Activated || n == l.node {
			return true
		}
	}
	for _, n := range l.linked {
		if n.state == Activated || n == l.node {
			return true
		}
	}
	return false
}

// closure collects links of links. A delegate itself is part of it only if a cycle of links leads back to it.
func closure(of []*Node) []*Node {
	var found []*Node
	seen := map[*Node]bool{}
	var visit func(n *Node)
	visit = func(n *Node) {
		for _, l := range n.links {
			if !seen[l] {
				seen[l] = true
				found = append(found, l)
				visit(l)
			}
		}
	}
	for _, d := range of {
		visit(d)
	}
	return ordered(found)
}

// ordered returns the nodes by ID without duplicates, in a fresh slice.
func ordered(nodes []*Node) []*Node {
	if len(nodes) == 0 {
		return nil
	}
	out := slices.Clone(nodes)
	slices.SortFunc(out, func(a, b *Node) int { return cmp.Compare(a.ID, b.ID) })
	return slices.Compact(out)
}

func byID(n *Node, id string) int { return cmp.Compare(n.ID, id) }
