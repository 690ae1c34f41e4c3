package bench

import (
	"fmt"

	bt "github.com/joeycumines/go-behaviortree"
)

// nodeTree is a go-behaviortree with one leaf for each unit.
type nodeTree struct{ root bt.Node }

// newSequence calls the leaves one after the other on the caller's goroutine.
func newSequence(us []*Unit) (Barrier, error) { return newTree(bt.Sequence, us) }

// newFork starts a goroutine for each leaf in each tick.
func newFork(us []*Unit) (Barrier, error) { return newTree(bt.Fork(), us) }

func newTree(tick bt.Tick, us []*Unit) (Barrier, error) {
	leaves := make([]bt.Node, len(us))
	for i, u := range us {
		leaves[i] = bt.New(func([]bt.Node) (bt.Status, error) {
			u.Update()
			return bt.Success, nil
		})
	}
	return &nodeTree{bt.New(tick, leaves...)}, nil
}

func (t *nodeTree) Tick() {
	if s, err := t.root.Tick(); err != nil || s != bt.Success {
		panic(fmt.Sprintf("behaviortree: %v %v", s, err))
	}
}

func (t *nodeTree) Close() {}

// selector is a go-behaviortree with one condition node for each unit, under a reactive selector: it begins anew in each tick.
type selector struct {
	root bt.Node
	yes  int
}

func newSelector(qs []*Question) (Asker, error) {
	s := &selector{}
	nodes := make([]bt.Node, len(qs))
	for i, q := range qs {
		nodes[i] = bt.New(func([]bt.Node) (bt.Status, error) {
			if q.Wants() {
				s.yes = i
				return bt.Success, nil
			}
			return bt.Failure, nil
		})
	}
	s.root = bt.New(bt.Selector, nodes...)
	return s, nil
}

func (s *selector) Tick() int {
	s.yes = noUnit
	if _, err := s.root.Tick(); err != nil {
		panic(err)
	}
	return s.yes
}

func (*selector) Close() {}
