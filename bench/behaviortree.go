package bench

import (
	"fmt"

	bt "github.com/joeycumines/go-behaviortree"
)

// tree is a go-behaviortree with one leaf for each unit.
type tree struct{ root bt.Node }

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
	return &tree{bt.New(tick, leaves...)}, nil
}

func (t *tree) Tick() {
	if s, err := t.root.Tick(); err != nil || s != bt.Success {
		panic(fmt.Sprintf("behaviortree: %v %v", s, err))
	}
}

func (t *tree) Close() {}
