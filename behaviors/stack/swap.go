package stack

import (
	"errors"
	"fmt"
	"slices"
)

// A change of the behaviors between two ticks (L-44) has three steps: Withdraw takes behaviors out of use, Adopt changes which there are,
// and Enroll takes the fresh incarnations into use. The owner of the stack makes the incarnations between Adopt and Enroll.

// Withdraw takes behaviors out of use before tick t: those on the stack are popped from the top with everything above them, and those
// that other layers keep in scope leave it. With base the whole stack is popped and the root layer released. It is refused from inside a
// hook and in the middle of a tick; Adopt and Enroll follow before the next Begin.
func (s *Stack) Withdraw(t uint64, out []*Node, base bool) *Refusal {
	switch {
	case s.hooks > 0:
		return s.Refuse(OpSwap, nil, nil, InsideHook)
	case s.phase != between:
		return s.Refuse(OpSwap, nil, nil, OutOfOrder)
	}
	depth := len(s.layers)
	for _, n := range out {
		if i := s.Index(n); i >= 0 {
			depth = min(depth, i)
		}
	}
	if depth < len(s.layers) {
		s.changed = t
	}
	if s.popTo(depth); base || depth == 0 {
		s.clear()
	}
	out = ordered(out)
	for _, n := range out {
		if n.fresh = true; n.count > 0 { // from its OnLeftActivatableScope on nobody asks it
			s.emit(Event{Kind: EventLeftScope, ID: n.ID})
			s.call(n, HookLeftScope)
		}
	}
	for _, n := range out { // after the last hook of one of them: what failed in one needs no successor
		n.broken, n.disabled, n.resumes, n.busy = false, false, false, false
	}
	s.broken = slices.DeleteFunc(s.broken, func(n *Node) bool { return n.fresh })
	return nil
}

// Adopt changes the behaviors of the stack. Those that are not listed any more were withdrawn and have no place in it. Base is that of
// the next start, if the stack has none now. Delegates and owned behaviors are set after it. An error changes nothing.
func (s *Stack) Adopt(nodes []*Node, base *Node) error {
	nodes = ordered(nodes)
	gone, err := s.departing(nodes)
	switch {
	case err != nil:
		return err
	case !slices.Contains(nodes, base):
		return errors.New("stack: the base is not one of the behaviors")
	}
	s.unchecked = true
	for _, n := range gone {
		n.of = nil
		s.emit(Event{Kind: EventRemoved, ID: n.ID})
	}
	for _, n := range nodes {
		n.of, n.owned = s, false
	}
	s.nodes, s.owned = nodes, nil
	s.findEarly()
	if !s.started {
		s.base = base
	}
	if s.pending != nil && !s.has(s.pending) {
		s.pending = nil
	}
	return nil
}

// departing lists the behaviors that are not among the coming ones, which it checks.
func (s *Stack) departing(coming []*Node) (gone []*Node, err error) {
	if len(coming) > maxNodes {
		return nil, fmt.Errorf("stack: %d behaviors, at most %d", len(coming), maxNodes)
	}
	for i, n := range coming {
		switch {
		case n.of != nil && n.of != s:
			return nil, fmt.Errorf("stack: %s belongs to another stack", n.ID)
		case i > 0 && coming[i-1].ID == n.ID:
			return nil, fmt.Errorf("stack: duplicate ID %s", n.ID)
		}
	}
	for _, n := range s.nodes {
		if i, ok := slices.BinarySearchFunc(coming, n.ID, byID); ok && coming[i] == n {
			continue
		}
		if n.count > 0 || !n.fresh {
			return nil, fmt.Errorf("stack: %s is in use and cannot be removed", n.ID)
		}
		gone = append(gone, n)
	}
	return gone, nil
}

// Enroll takes fresh incarnations into use: Init of each by ID, after that of what it owns (B-6); then every HookModify; then those that
// layers list enter scope. A behavior that fails is replaced by Repair like any other.
func (s *Stack) Enroll(fresh []*Node) {
	fresh = ordered(fresh)
	for _, n := range fresh {
		if n.state != NotInitialized {
			s.emit(Event{Kind: EventReloaded, ID: n.ID})
		}
		n.state, n.fresh = NotInitialized, true
	}
	for _, n := range fresh {
		if !n.owned {
			s.initFresh(n)
		}
	}
	for _, n := range fresh { // whose owner keeps its incarnation
		s.initFresh(n)
	}
	for _, n := range fresh {
		s.Modify(n)
	}
	for _, n := range fresh {
		if n.fresh = false; n.count > 0 { // it is in scope even if its Init failed
			s.emit(Event{Kind: EventEnteredScope, ID: n.ID})
			s.call(n, HookEnteredScope)
		}
	}
}

// initFresh runs Init of n and before it that of what it owns, of those that had none.
func (s *Stack) initFresh(n *Node) {
	if n.state != NotInitialized {
		return
	}
	for _, o := range s.owned[n] {
		s.initFresh(o)
	}
	if n.state = OutOfScope; n.count > 0 {
		n.state = InScope
	}
	s.emit(Event{Kind: EventInit, ID: n.ID})
	s.call(n, HookInit)
}
