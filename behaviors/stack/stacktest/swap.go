package stacktest

import (
	"maps"
	"slices"

	"github.com/robotd/robotd/behaviors/stack"
)

// Changed lists the behaviors of t that must get a fresh incarnation if it takes the place of old: those whose edges, or links of their
// delegates, are others, those of also, and those that old has not. Gone are those that t has not.
func (t Tree) Changed(old Tree, also []string) (fresh, gone []string) {
	was, is := nodesByID(old.Nodes()), nodesByID(t.Nodes())
	for _, id := range t.IDs {
		a, b := was[id], is[id]
		if a == nil || slices.Contains(also, id) || !slices.Equal(ids(a.Delegates()), ids(b.Delegates())) || !sameLinks(a, b) {
			fresh = append(fresh, id)
		}
	}
	for _, id := range old.IDs {
		if is[id] == nil {
			gone = append(gone, id)
		}
	}
	return fresh, gone
}

// sameLinks reports whether two behaviors bring the same into scope by links, for the layer that lists them and in their own.
func sameLinks(a, b *stack.Node) bool {
	return maps.Equal(Members([]*stack.Node{a}), Members([]*stack.Node{b})) && maps.Equal(Members(a.Delegates()), Members(b.Delegates()))
}

func ids(nodes []*stack.Node) (ids []string) {
	for _, n := range nodes {
		ids = append(ids, n.ID)
	}
	return ids
}

func nodesByID(nodes []*stack.Node) map[string]*stack.Node {
	m := map[string]*stack.Node{}
	for _, n := range nodes {
		m[n.ID] = n
	}
	return m
}

// Swap puts another tree in place of the present one, between two ticks (L-44). Fresh behaviors get a fresh incarnation.
func (d *Direct) Swap(t Tree, fresh, gone []string, s Scripts) ([]string, error) {
	d.scripts = s
	var out, nodes, renewed []*stack.Node
	for _, id := range slices.Concat(fresh, gone) {
		if n := d.Stack.Find(id); n != nil {
			out = append(out, n)
		}
	}
	if refusal := d.Stack.Withdraw(d.Stack.Tick()+1, out, d.Stack.Base().ID != t.Base); refusal != nil {
		return d.take(), refusal
	}
	for _, id := range t.IDs {
		n := d.Stack.Find(id)
		if n == nil {
			n = &stack.Node{ID: id, Updates: true}
		}
		nodes = append(nodes, n)
		if slices.Contains(fresh, id) {
			renewed = append(renewed, n)
		}
	}
	find := nodesByID(nodes)
	if err := d.Stack.Adopt(nodes, find[t.Base]); err != nil {
		return d.take(), err
	}
	all := func(ids []string) (of []*stack.Node) {
		for _, id := range ids {
			of = append(of, find[id])
		}
		return of
	}
	for _, n := range renewed {
		if err := n.SetDelegates(all(t.Delegates[n.ID]), all(t.Links[n.ID])); err != nil {
			return d.take(), err
		}
	}
	d.drain()
	d.Stack.Enroll(renewed)
	return d.take(), nil
}
