package stack_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
)

// reader hands out the bytes of a fuzz input, then zeros.
type reader struct{ data []byte }

func (r *reader) below(n int) int {
	if len(r.data) == 0 {
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return int(b) % n
}

// tree reads two bytes for each behavior: a set of delegates and one of links. The base is no delegate.
func (r *reader) tree() stacktest.Tree {
	tree := stacktest.Tree{Base: "R", IDs: modelIDs, Delegates: map[string][]string{}, Links: map[string][]string{}}
	for _, id := range modelIDs {
		delegates, links, thin := r.below(32), r.below(64), r.below(64)
		links &= thin
		for i, other := range modelIDs {
			if delegates&(1<<i) != 0 {
				tree.Delegates[id] = append(tree.Delegates[id], other)
			}
			if links&(1<<i) != 0 {
				tree.Links[id] = append(tree.Links[id], other)
			}
		}
	}
	return tree
}

var fuzzVerbs = []stacktest.Verb{
	stacktest.Ask, stacktest.Delegate, stacktest.CancelDelegates, stacktest.CancelSelf, stacktest.Facts, stacktest.No,
	stacktest.Fail,
}

// scripts reads the moves of one tick: a behavior, one of its hooks, and what it does there.
func (r *reader) scripts() stacktest.Scripts {
	s := stacktest.Scripts{}
	for range r.below(12) {
		id, hook := modelIDs[r.below(len(modelIDs))], stack.Hook(r.below(int(stack.HookLeftScope)+1))
		var steps []stacktest.Step
		for range 1 + r.below(4) {
			step := stacktest.Step{Verb: fuzzVerbs[r.below(len(fuzzVerbs))]}
			if step.Verb == stacktest.Ask || step.Verb == stacktest.Delegate {
				step.To = modelIDs[r.below(len(modelIDs))]
			}
			steps = append(steps, step)
		}
		s.Add(id, hook.String(), steps...)
	}
	return s
}

// FuzzCommands reads a tree and a stream of commands from the input. Stack and model must agree, and no input may make the
// stack panic.
func FuzzCommands(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{2, 0, 0, 4, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 5, 4, 1, 0, 0, 1, 0, 0, 3, 1, 0, 1, 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &reader{data}
		tree := r.tree()
		m := newModel(tree)
		d := stacktest.NewDirect()
		if _, err := d.Build(tree); err != nil {
			t.Fatal(err)
		}
		for range 1 + r.below(6) {
			compareTick(t, d, m, r.scripts())
		}
	})
}
