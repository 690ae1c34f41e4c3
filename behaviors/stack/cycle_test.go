package stack_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors/stack"
)

// Five tops that alternate, without a pause of more than two ticks; the sixth change is the earliest that finds them.
// Rules: L-41.
func TestAlternatingTopsAreACycle(t *testing.T) {
	a, b, c := &stack.Node{ID: "A"}, &stack.Node{ID: "B"}, &stack.Node{ID: "C"}
	type change struct {
		tick uint64
		top  *stack.Node
	}
	each := func(from, step uint64, tops ...*stack.Node) (all []change) {
		for i, n := range tops {
			all = append(all, change{from + uint64(i)*step, n})
		}
		return all
	}
	for name, x := range map[string]struct {
		changes []change
		found   []int // indices of the changes that find a cycle
	}{
		"two in turn":                    {each(10, 1, a, b, a, b, a, b), []int{5}},
		"the sixth may be any behavior":  {each(10, 1, a, b, a, b, a, c), []int{5}},
		"five are too few":               {each(10, 1, a, b, a, b, a), nil},
		"one and the same":               {each(10, 1, a, a, a, a, a, a), []int{5}},
		"a third one":                    {each(10, 1, a, b, a, c, a, b, a), nil},
		"after a third one":              {each(10, 1, c, a, b, a, b, a, b), []int{6}},
		"pauses of two ticks":            {each(10, 2, a, b, a, b, a, b), []int{5}},
		"pauses of three ticks":          {each(10, 3, a, b, a, b, a, b), nil},
		"one long pause":                 {append(each(10, 1, a, b, a, b, a), each(17, 1, b, a, b, a, b)...), nil},
		"the history starts anew":        {each(10, 1, a, b, a, b, a, b, a, b, a, b, a, b), []int{5, 10}},
		"several changes in one tick":    {each(10, 0, a, b, a, b, a, b), []int{5}},
		"an empty stack counts once":     {each(10, 1, a, nil, nil, a, nil, a, b), []int{6}},
		"an empty stack alone is no one": {each(10, 1, nil, nil, nil, nil, nil, nil, nil), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var m stack.CycleMonitor
			var found []int
			for i, c := range x.changes {
				p, q, cycle := m.Changed(c.tick, c.top)
				if cycle {
					found = append(found, i)
				}
				if cycle != (p != nil || q != nil) {
					t.Errorf("change %d: %v and %v", i, p, q)
				}
			}
			if len(found) != len(x.found) || len(found) > 0 && found[0] != x.found[0] || len(found) > 1 && found[1] != x.found[1] {
				t.Errorf("cycles found at %v, want %v", found, x.found)
			}
		})
	}
}
