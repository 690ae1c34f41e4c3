package stack

import (
	"fmt"
	"slices"
)

// An Invariant is a named statement about a stack between two ticks. Check returns "" while it holds.
type Invariant struct {
	Name  string
	Check func(*Stack) string
}

// Invariants lists what must always hold. Tests run them after every step, the daemon after every tick.
func Invariants() []Invariant {
	return []Invariant{
		{"activated-exactly-if-on-stack", activatedExactlyIfOnStack},
		{"scope-count-is-sum-of-layers", scopeCountIsSumOfLayers},
		{"state-follows-count", stateFollowsCount},
		{"scope-list-is-ordered-and-complete", scopeListIsComplete},
		{"each-layer-was-a-delegate-of-the-one-below", layersAreDelegates},
		{"no-question-open-between-ticks", noQuestionOpen},
		{"one-update-per-tick-in-scope", oneUpdatePerTick},
		{"never-without-a-behavior", neverEmpty},
	}
}

// Violations returns "name: what" for every invariant that does not hold.
func (s *Stack) Violations() []string {
	var bad []string
	for _, inv := range invariants {
		if text := inv.Check(s); text != "" {
			bad = append(bad, inv.Name+": "+text)
		}
	}
	return bad
}

var invariants = Invariants()

func activatedExactlyIfOnStack(s *Stack) string {
	on := 0
	for i := range s.layers {
		if n := s.layers[i].node; n.state != Activated {
			return n.ID + " is on the stack but " + n.state.String()
		}
		for j := range i {
			if s.layers[j].node == s.layers[i].node {
				return s.layers[i].node.ID + " is on the stack twice (L-36)"
			}
		}
	}
	for _, n := range s.scope {
		if n.state == Activated {
			on++
		}
	}
	if on != len(s.layers) {
		return fmt.Sprintf("%d activated, %d on the stack", on, len(s.layers))
	}
	return ""
}

func scopeCountIsSumOfLayers(s *Stack) string {
	sum := 0
	add := func(l *Layer) { sum += len(l.delegates) + len(l.linked) }
	if s.started {
		add(&s.root)
	}
	for i := range s.layers {
		add(&s.layers[i])
	}
	have := 0
	for _, n := range s.scope {
		have += n.count
	}
	if have != sum {
		return fmt.Sprintf("counts add up to %d, layers to %d (L-16)", have, sum)
	}
	return ""
}

func stateFollowsCount(s *Stack) string {
	for _, n := range s.scope {
		if n.count <= 0 || n.state < InScope {
			return fmt.Sprintf("%s has count %d and is %s (L-17)", n.ID, n.count, n.state)
		}
	}
	return ""
}

func scopeListIsComplete(s *Stack) string {
	if !slices.IsSortedFunc(s.scope, func(a, b *Node) int { return byID(a, b.ID) }) {
		return "not ordered by ID (Q-10)"
	}
	in := 0
	for _, n := range s.nodes {
		if n.count > 0 {
			in++
		}
	}
	if in != len(s.scope) {
		return fmt.Sprintf("%d have a count, %d are listed (L-19)", in, len(s.scope))
	}
	return ""
}

func layersAreDelegates(s *Stack) string {
	for i := range s.layers {
		from := &s.root
		if i > 0 {
			from = &s.layers[i-1]
		}
		if !from.lists(s.layers[i].node) {
			return s.layers[i].node.ID + " was never a delegate of the layer below (M-14)"
		}
	}
	return ""
}

func noQuestionOpen(s *Stack) string {
	if s.asking != 0 {
		return fmt.Sprintf("%d questions open (L-6)", s.asking)
	}
	return ""
}

func oneUpdatePerTick(s *Stack) string {
	for _, n := range s.scope {
		if n.updated != s.tick && !n.broken && !n.disabled {
			return fmt.Sprintf("%s was last updated in tick %d, now is %d (T-10)", n.ID, n.updated, s.tick)
		}
	}
	return ""
}

// neverEmpty holds from the first tick on: an empty stack is allowed only after Repair released the root for the next
// Begin (L-29).
func neverEmpty(s *Stack) string {
	if s.started && len(s.layers) == 0 {
		return "the stack is empty and nothing will start it (L-29)"
	}
	return ""
}
